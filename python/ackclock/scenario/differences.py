"""Finds and shows settings in which scenarios differ, as in ``link.bottleneck.queue.kind: droptail / fq-codel``."""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ackclock.scenario.scenario import Scenario

KINDS = ("kind", "variant", "profile", "standard")
"""Keys whose value determines which other keys their table has, or what their defaults are."""

MOST_VALUES = 4
"""Maximum number of values that a difference's text shows."""

LONGEST = 60
"""Maximum length of a value in a difference's text, characters."""

ABSENT = "-"
"""Text for a scenario that lacks the setting."""

Path: TypeAlias = tuple[str, ...]

Known: TypeAlias = dict[tuple[int, ...], list[tuple[Path, tuple[Any, ...]]]]
"""Differences between tables, by the identities of the tables."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A setting whose value is not the same in all scenarios."""

    path: str
    """Path of the setting, as for ``--set``; ``*`` stands for all entries of a list."""
    values: tuple[Any, ...]
    """Value in each scenario, in order; None where a scenario lacks the setting."""

    def texts(self) -> list[str]:
        """Return the values as texts."""
        return [_text(value) for value in self.values]

    def __str__(self) -> str:
        """Return the difference as text, such as ``path: one / other``."""
        shown = [text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…" for text in self.texts()]
        more = [f"({len(shown) - MOST_VALUES} more)"] if len(shown) > MOST_VALUES else []
        return f"{self.path}: {' / '.join([*shown[:MOST_VALUES], *more])}"


def differences(scenarios: Sequence[Scenario]) -> list[Differing]:
    """Return the settings in which scenarios differ, including those set by defaults and profiles.

    A default that follows from a listed setting is left out: if the kinds of queue differ, for example, the quantum of
    ``kind = "fq-codel"``.
    """
    if len(set(scenarios)) < 2:
        return []
    resolved = [_resolved(one) for one in scenarios]
    names = _Names(resolved)
    shared = _shared(resolved)
    found = dict(_differing(resolved, names, shared))
    own = dict(_differing([one.view for one in scenarios], names, shared))
    deciding = {path[:-1] for path in found if path[-1] in KINDS}
    kept = {
        path: values
        for path, values in found.items()
        if path in own or not (_follows(path, found, deciding) or _mirrored(path, found))
    }
    listed = _grouped(kept, resolved, names, shared)
    return sorted(listed, key=lambda one: (not one.path.endswith(KINDS), _first(one.values)))


def said(found: Sequence[Differing], most: int = 3) -> str:
    """Return differences as one line of text; the first `most` are shown in full, the others are counted."""
    more = len(found) - most
    texts = [str(one) for one in found[:most]]
    return "; ".join([*texts, f"and {more} more"] if more > 0 else texts)


def _resolved(scenario: Scenario) -> dict[str, Any]:
    """Return a scenario with all defaults filled in, plus the names of the profiles that it uses."""
    document, described = scenario.view, scenario.described
    profiled: dict[tuple[int, Any], dict[str, Any]] = {}
    flows = list(described.get("flow", ()))
    for i, (flow, own) in enumerate(zip(flows, document.get("flow", ()), strict=False)):
        if "tcp" in flow and isinstance(own.get("tcp"), Mapping):
            tcp, profile = flow["tcp"], own["tcp"].get("profile", "rfc")
            shared = profiled.setdefault((id(tcp), profile), {**tcp, "profile": profile})
            flows[i] = {**flow, "tcp": shared}
    found = {**{key: value for key, value in document.items() if key not in described}, **described}
    return {**found, "flow": flows} if flows else found


class _Names:
    """Names of list entries in paths."""

    def __init__(self, documents: Sequence[Mapping[str, Any]]) -> None:
        self._documents = documents

    def of(self, key: str, i: int) -> str:
        """Return the entry's own name if all scenarios that have the list agree on it, else its number."""
        lists = [one[key] for one in self._documents if isinstance(one.get(key), list)]
        named = [
            entries[i].get("name") if i < len(entries) and isinstance(entries[i], dict) else None
            for entries in lists
        ]
        return str(named[0]) if named and named[0] is not None and _equal(named) else str(i)


def _shared(documents: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return, for each list, the number of entries that every scenario has."""
    keys = dict.fromkeys(key for one in documents for key, value in one.items() if isinstance(value, list))
    return {key: min(len(one.get(key, ())) for one in documents) for key in keys}


def _differing(
    documents: Sequence[Mapping[str, Any]], names: _Names, shared: Mapping[str, int]
) -> Iterator[tuple[Path, tuple[Any, ...]]]:
    """Yield each setting that differs, with its values; a list entry missing from any scenario is one setting."""
    known: Known = {}
    for key in dict.fromkeys(key for one in documents for key in one):
        values = [one.get(key) for one in documents]
        lists = [_entries(value) for value in values]
        for i, there in enumerate(itertools.zip_longest(*lists)):
            if i >= shared.get(key, 0):
                there = tuple(None if one is None else _entry(one) for one in there)
            if not _equal(there):
                yield from _below((key, names.of(key, i)), there, known)
        yield from _below((key,), [None if _entries(value) else value for value in values], known)


def _entries(value: Any) -> list[Any]:
    """Return the value if it is a list of tables, else an empty list."""
    tables = isinstance(value, list) and any(isinstance(entry, Mapping) for entry in value)
    return value if tables else []


def _entry(entry: Mapping[str, Any]) -> str:
    """Return a list entry's name, or else the nodes that it connects."""
    ends = entry.get("between") or [entry.get("from"), entry.get("to")]
    return str(entry.get("name") or ("-".join(map(str, ends)) if all(ends) else "there"))


def _below(path: Path, values: Sequence[Any], known: Known) -> Iterator[tuple[Path, tuple[Any, ...]]]:
    """Yield each setting at or below `path` that differs; its value is None for scenarios that lack it.

    Flows share tables, so the differences between the same tables are taken from `known`.
    """
    if _equal(values):
        return
    if not all(type(value) is dict for value in values):
        yield from _compared(path, values, known)
        return
    tables = tuple(map(id, values))
    if tables not in known:
        known[tables] = [(below[len(path) :], leaves) for below, leaves in _compared(path, values, known)]
    yield from ((path + below, leaves) for below, leaves in known[tables])


def _compared(path: Path, values: Sequence[Any], known: Known) -> Iterator[tuple[Path, tuple[Any, ...]]]:
    """Yield what `_below` yields for values that are not all equal."""
    leaves = tuple(None if isinstance(value, Mapping) else value for value in values)
    if any(value is not None for value in leaves):
        yield path, leaves
    tables = [value if isinstance(value, Mapping) else {} for value in values]
    for key in dict.fromkeys(key for table in tables for key in table):
        below = [table.get(key) for table in tables]
        if not _equal(below):
            yield from _below((*path, key), below, known)


def _equal(values: Sequence[Any]) -> bool:
    return list(values).count(values[0]) == len(values)


def _follows(path: Path, found: Mapping[Path, Any], deciding: Collection[Path]) -> bool:
    """Return true if a difference follows from another difference.

    Defaults follow from the kind of their table or of an enclosing table, a flow's default stop from the duration, and
    nodes from the links and flows that name them. `deciding` has the tables whose kinds differ.
    """
    if path[0] == "node" and (len(path) == 2 or path[2:] == ("name",)):
        return True
    if path[-1] == "stop" and found.get(("duration",)) == found[path]:
        return True
    if path[-1] in KINDS and len(path) > 1 and path[-2] != "control":
        return False
    return any(path[:depth] in deciding for depth in range(2, len(path)))


def _mirrored(path: Path, found: Mapping[Path, Any]) -> bool:
    """Return true if a link's reverse direction differs only because it copies the forward direction."""
    return "reverse" in path and found.get(tuple(part for part in path if part != "reverse")) == found[path]


def _grouped(
    found: Mapping[Path, tuple[Any, ...]],
    documents: Sequence[Mapping[str, Any]],
    names: _Names,
    shared: Mapping[str, int],
) -> list[Differing]:
    """Merge settings that have the same values in every entry of a list into one path with ``*``."""
    entries = {
        (first, rest): _owners(first, rest, documents, names, shared)
        for first, rest in dict.fromkeys((path[0], path[2:]) for path in found if len(path) > 2)
    }
    alike: dict[tuple[str, Path, str], list[Path]] = {}
    for path, values in found.items():
        if len(path) > 2:
            alike.setdefault((path[0], path[2:], repr(values)), []).append(path)
    out: dict[Path, tuple[Any, ...]] = {}
    for path, values in found.items():
        same = alike.get((path[0], path[2:], repr(values)), []) if len(path) > 2 else []
        every = len(same) > 1 and len(same) == len(entries[path[0], path[2:]])
        out[(path[0], "*", *path[2:]) if every else path] = values
    return [Differing(".".join(path), values) for path, values in out.items()]


def _owners(
    first: str,
    rest: Path,
    documents: Sequence[Mapping[str, Any]],
    names: _Names,
    shared: Mapping[str, int],
) -> set[str]:
    """Return the names of entries below `first` that have setting `rest` in any scenario."""
    found: set[str] = set()
    for one in documents:
        value = one.get(first)
        if isinstance(value, Mapping):
            found |= {name for name, entry in value.items() if _has(entry, rest)}
        else:
            both = enumerate(_entries(value)[: shared.get(first, 0)])
            found |= {names.of(first, i) for i, entry in both if _has(entry, rest)}
    return found


def _has(entry: Any, rest: Path) -> bool:
    for key in rest:
        if not isinstance(entry, dict) or key not in entry:
            return False
        entry = entry[key]
    return not isinstance(entry, dict)


def _first(values: Sequence[Any]) -> int:
    """Return the index of the first scenario that has the setting."""
    return next(i for i, value in enumerate(values) if value is not None)


def _text(value: Any) -> str:
    if value is None:
        return ABSENT
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
