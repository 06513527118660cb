"""Paths of a study's scenarios: names of its links, and every setting that its scenarios give."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from ackclock.errors import UserError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ackclock.scenario.scenario import Scenario

MOST_NODES: Final = 6
"""Nodes that are listed one by one, at most; more are together as ``*``."""

MOST_VALUES: Final = 5
"""Values of a setting that are listed, at most."""

LONGEST: Final = 40
"""Characters of a value that are listed, at most."""

LEFT_OUT: Final = ("seed", "name", "between", "from", "to", "stations", "ue")
"""Keys that are not listed: the ends of links, and the seed, of which each run has its own."""


@dataclass
class GivenSetting:
    """A setting that scenarios of a study give.

    Attributes:
        path: Its path, as `--set` takes it.
        values: Its values as text, each once.
        scenarios: Number of scenarios that give it.
    """

    path: str
    values: list[str] = field(default_factory=list)
    scenarios: int = 0

    @property
    def shown(self) -> str:
        """The values on one line: the first ones, and the number of the rest."""
        more = len(self.values) - MOST_VALUES
        return ", ".join([*self.values[:MOST_VALUES], *([f"and {more} more"] if more > 0 else [])])


def link_names(scenario: Scenario, links: Mapping[str, str]) -> list[str]:
    """Return the name of each link of a scenario.

    Args:
        scenario: The scenario.
        links: Names by the ends of links, as patterns: ``{"n2-n3": "bottleneck", "*": "access"}``. The first that fits
            counts. A link that none fits is named by its ends.
    """
    names = []
    for link in scenario.document().get("link", ()):
        ends = "-".join(link["between"])
        fitting = (name for pattern, name in links.items() if fnmatchcase(ends, pattern))
        names.append(str(link.get("name") or next(fitting, ends)))
    return names


def numbered(setting: str, scenario: Scenario, links: Mapping[str, str]) -> list[str]:
    """Return a ``PATH=VALUE`` setting with its link by number: one setting for each link of that name.

    Raises:
        UserError: The scenario has no link of that name.
    """
    path, equals, value = setting.partition("=")
    first, *rest = path.split(".")
    if first != "link" or not rest or rest[0].isdigit() or rest[0] == "*":
        return [setting]
    known = link_names(scenario, links)
    found = [i for i, name in enumerate(known) if name == rest[0]]
    if not found:
        has = f"allowed: {', '.join(dict.fromkeys(known))}" if known else "it has no links"
        raise UserError(f"{path}: there is no link {rest[0]}\n  {has}")
    return [f"{'.'.join(['link', str(i), *rest[1:]])}{equals}{value}" for i in found]


def listed(scenarios: Iterable[Scenario], links: Mapping[str, str]) -> list[GivenSetting]:
    """Return every setting that scenarios give, by path: links by name, flows without a name as ``*``."""
    found: dict[tuple[str, ...], GivenSetting] = {}
    every = list(scenarios)
    many = any(len(scenario.document().get("node", ())) > MOST_NODES for scenario in every)
    for scenario in every:
        seen: set[tuple[str, ...]] = set()
        for path, value in _given(scenario.document(), link_names(scenario, links), many=many):
            one = found.setdefault(path, GivenSetting(".".join(path)))
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
            if text not in one.values:
                one.values.append(text)
            if path not in seen:
                one.scenarios += 1
                seen.add(path)
    return [found[path] for path in sorted(found, key=lambda path: (path[0] != "duration", path))]


def defaults(scenarios: Sequence[Scenario], links: Mapping[str, str]) -> list[str]:
    """Return the paths of the defaults of the first of the scenarios."""
    described, own = scenarios[0].describe(), scenarios[0].document()
    for flow, given in zip(described["flow"], own.get("flow", ()), strict=False):
        flow["name"] = given.get("name")
    found = _given(described, link_names(scenarios[0], links), many=True)
    return list(dict.fromkeys(".".join(path) for path, _ in found))


def unknown(setting: str, study: str, known: Iterable[str], why: Exception) -> Exception:
    """Return the error for a setting that no scenario of a study takes: with the nearest path, if it is the path.

    Args:
        setting: The ``PATH=VALUE`` text.
        study: The study's name.
        known: Paths that its scenarios give or have by default.
        why: The error of the first scenario.
    """
    path = setting.partition("=")[0]
    paths = dict.fromkeys(known)
    if any(_names(path, one) for one in paths):
        return why
    close = nearest(path, paths)
    hint = f"\n  did you mean {close}?" if close else ""
    return UserError(
        f"{path}: no scenario of study {study} has such a setting\n  given:   {setting}{hint}\n"
        f"  its settings: ackclock study {study} --paths"
    )


def _names(path: str, known: str) -> bool:
    """Tell whether a path is a known one or a table that holds it; numbers, names and ``*`` of entries may differ."""
    given, wanted = path.split("."), known.split(".")
    if len(given) > len(wanted):
        return False
    loose = len(given) > 1 and (given[1] == "*" or given[1].isdigit() or wanted[1] == "*")
    return all(a == b or (i == 1 and loose) for i, (a, b) in enumerate(zip(given, wanted, strict=False)))


def _given(
    document: Mapping[str, Any], links: list[str], *, many: bool = False
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in document.items():
        entries = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
        if not entries:
            yield from _below((key,), value)
            continue
        for i, entry in enumerate(value):
            if key == "link":
                name = links[i]
            elif key == "node" and many:
                name = "*"
            else:
                name = str(entry.get("name") or ("*" if key == "flow" else i))
            yield from _below((key, name), entry)


def _below(path: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in LEFT_OUT:
                yield from _below((*path, key), inner)
    elif path[0] not in LEFT_OUT:
        yield path, value
