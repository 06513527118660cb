"""Descriptions of scenarios that all their readers share, so that each scenario is described and checked once."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Final

from ackclock import _core

OF_FLOWS: Final = ("tcp", "traffic")
"""Keys of flows under which a description has tables that several flows may share."""

OF_LINKS: Final = ("queue", "reverse")
"""Keys of links under which a description has tables that several links may share."""

MOST: Final = 8
"""Number of scenarios whose description is kept; a comparison has few, and asks for each again and again."""

_valid: dict[str, None] = {}
_links: list[list[dict[str, Any]]] = []


def checked(text: str) -> None:
    """Check a scenario, given as JSON. The scenarios found valid last are remembered.

    Raises:
        ScenarioError: If the scenario is not valid.
    """
    if text not in _valid:
        _core.check(text, "json", [])
        _remember(text)


@lru_cache(maxsize=MOST)
def described(text: str) -> dict[str, Any]:
    """Return the description of a scenario, given as JSON; equal tables of flows and links are one object.

    Nobody may change it: the descriptions that were asked for last are kept and given again. Descriptions with the same
    links have one list of links.

    Raises:
        ScenarioError: If the scenario is not valid.
    """
    found = read(text)
    _remember(text)
    if "link" in found:
        same = next((one for one in _links if one == found["link"]), None)
        if same is None:
            _links.append(found["link"])
            del _links[:-MOST]
        else:
            found["link"] = same
    return found


def read(text: str) -> dict[str, Any]:
    """Return what `described` returns, made anew."""
    found: dict[str, Any] = json.loads(_core.describe_shared(text))
    parts: list[Any] = found["parts"]
    scenario: dict[str, Any] = found["scenario"]
    _put(scenario.get("flow", ()), OF_FLOWS, parts)
    _put(scenario.get("link", ()), OF_LINKS, parts)
    return scenario


def _put(entries: list[dict[str, Any]], keys: tuple[str, ...], parts: list[Any]) -> None:
    """Put the parts of a description in place of their numbers."""
    for one in entries:
        for key in keys:
            if key in one:
                one[key] = parts[one[key]]


def _remember(text: str) -> None:
    """Remember that a scenario is valid, and forget the one that was remembered first."""
    _valid[text] = None
    if len(_valid) > 2 * MOST:
        del _valid[next(iter(_valid))]
