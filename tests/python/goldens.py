"""Golden results as values, compared field by field, so that a failure names each field that changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

BLOCK = 256
"""Number of rows of a trace that are hashed together."""

MOST_SHOWN = 40
"""Maximum number of differing fields that a message lists."""


def compact(value: Any) -> Any:
    """Return the value without fields that are zero, `None` or empty, since most counters of a run are."""
    if isinstance(value, Mapping):
        kept = {key: compact(one) for key, one in value.items()}
        return {key: one for key, one in kept.items() if not _empty(one)}
    return [compact(one) for one in value] if isinstance(value, list) else value


def text_of(tables: Mapping[str, Any]) -> str:
    """Return tables as JSON with one row per line, so that a diff shows the changed rows."""
    parts = []
    for name, table in tables.items():
        rows = ",\n".join(f"  {_line(row)}" for row in table) if isinstance(table, list) else ""
        parts.append(f"{_line(name)}: " + (f"[\n{rows}\n ]" if rows else _line(table)))
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return a line for each field that differs: table, row key, column, old value, new value."""
    before, after = dict(_fields(old)), dict(_fields(new))
    paths = [*before, *(one for one in after if one not in before)]
    lines = [
        f"{path}: {_shown(before.get(path))} -> {_shown(after.get(path))}"
        for path in paths
        if before.get(path) != after.get(path)
    ]
    rest = len(lines) - MOST_SHOWN
    return lines if rest <= 0 else [*lines[:MOST_SHOWN], f"and {rest} more fields"]


def trace_rows(rows: Sequence[tuple[float, int, str, float]]) -> list[dict[str, Any]]:
    """Return one row for each series of a trace, with number of changes, mean, last value, and digests."""
    series: dict[tuple[int, str], list[tuple[float, float]]] = {}
    for time_s, flow, variable, value in rows:
        series.setdefault((flow, variable), []).append((time_s, value))
    return [
        {
            "name": f"flow {flow} {variable}",
            "rows": len(some),
            "mean": sum(value for _, value in some) / len(some),
            "last": some[-1][1],
            "digests": " ".join(_digest(some[i : i + BLOCK]) for i in range(0, len(some), BLOCK)),
            "times_s": [some[i][0] for i in range(0, len(some), BLOCK)],
        }
        for (flow, variable), some in sorted(series.items())
    ]


def trace_differences(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each series that differs, with the time at which it first differs."""
    before, after = {one["name"]: one for one in old}, {one["name"]: one for one in new}
    lines = []
    for name in (*before, *(one for one in after if one not in before)):
        one, other = before.get(name), after.get(name)
        if one is None or other is None:
            lines.append(f"cwnd[{name}]: {'is new' if one is None else 'is gone'}")
        elif one["digests"] != other["digests"]:
            pairs = list(zip(one["digests"].split(), other["digests"].split(), strict=False))
            first = next((i for i, (a, b) in enumerate(pairs) if a != b), len(pairs))
            times = one["times_s"] if first < len(one["times_s"]) else other["times_s"]
            said = [f"{key} {_shown(one[key])} -> {_shown(other[key])}" for key in ("rows", "mean", "last")]
            lines.append(
                f"cwnd[{name}]: differs in its rows from {first * BLOCK} on, at {times[first]:.6f} s or later; "
                + ", ".join(said)
            )
    return lines


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _fields(one, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        taken: dict[str, int] = {}
        for i, one in enumerate(value):
            key = str(one.get("name", i)) if isinstance(one, Mapping) else str(i)
            taken[key] = taken.get(key, 0) + 1
            yield from _fields(one, f"{path}[{key if taken[key] == 1 else f'{key}, {taken[key]}'}]")
    else:
        yield path, value


def _digest(rows: Sequence[tuple[float, float]]) -> str:
    return hashlib.blake2b("\n".join(f"{a!r},{b!r}" for a, b in rows).encode(), digest_size=4).hexdigest()


def _empty(value: Any) -> bool:
    return value is None or value == {} or value == [] or (value == 0 and not isinstance(value, bool))


def _shown(value: Any) -> str:
    return "nothing" if value is None else repr(value)


def _line(value: Any) -> str:
    return json.dumps(value)
