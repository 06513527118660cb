"""Paths of settings with ``*``, which stands for the entries of a list: ``flow.*.stop``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario


def expand(setting: str, scenario: Scenario) -> list[str]:
    """Expand ``*`` in a setting: ``flow.*.stop=9s`` becomes ``flow.0.stop=9s``, ``flow.1.stop=9s`` and so on."""
    path, equals, value = setting.partition("=")
    if "*" not in path.split("."):
        return [setting]
    return [f"{one}{equals}{value}" for one in taken(path, scenario)]


def taken(path: str, scenario: Scenario) -> list[str]:
    """Return the paths that a path with ``*`` stands for, for example ``flow.0.stop`` and ``flow.1.stop``.

    The ``*`` stands for all entries that have the key, given or by default. If no entry has the key, it stands for the
    entries that have the table to which the key belongs.
    """
    document = scenario.view
    found = _every(path, document)
    described = scenario.described
    # The description lists all nodes, but the document only those with a table of their own.
    known = {**described, "node": document.get("node", [])}
    depth = [_depth(one.split("."), known) for one in found]
    parts = len(path.split("."))
    for wanted in (parts, parts - 1):
        some = [one for one, deep in zip(found, depth, strict=True) if deep >= wanted]
        if some:
            return some
    return found or [path]  # If there is no such list, the core reports the error.


def left_out(path: str, scenario: Scenario) -> str | None:
    """Return a remark that says how many entries a path with ``*`` changes; None if it changes all or has no ``*``."""
    if "*" not in path.split("."):
        return None
    some, every = taken(path, scenario), _every(path, scenario.view)
    if len(some) >= len(every):
        return None
    kind = path.partition(".")[0]
    what = f"{kind}s" if path.count("*") == 1 else "places"
    return f"{path} takes {len(some)} of {len(every)} {what}: those that have the key"


def _every(path: str, document: Mapping[str, Any]) -> list[str]:
    """Return the paths that a path with ``*`` stands for; the last key need not exist in each."""
    found = [""]
    for part in path.split("."):
        if part == "*":
            found = [f"{head}.{i}" for head in found for i in range(_length(document, head))]
        else:
            found = [f"{head}.{part}" if head else part for head in found]
    return found


def _depth(parts: Sequence[str], document: Mapping[str, Any]) -> int:
    """Return how many leading parts of a path exist in the document."""
    here: Any = document
    for depth, part in enumerate(parts):
        here = _entry(here, part)
        if here is None:
            return depth
    return len(parts)


def _length(document: Mapping[str, Any], path: str) -> int:
    """Return the length of the list at `path`; 0 if there is no list."""
    here: Any = document
    for part in path.split("."):
        here = _entry(here, part)
    return len(here) if isinstance(here, list) else 0


def _entry(here: Any, part: str) -> Any:
    """Return an entry of a table or list, by number or name; None if there is none."""
    if isinstance(here, Mapping):
        return here.get(part)
    if isinstance(here, list):
        if part.isdigit():
            return here[int(part)] if int(part) < len(here) else None
        return next((one for one in here if isinstance(one, Mapping) and one.get("name") == part), None)
    return None
