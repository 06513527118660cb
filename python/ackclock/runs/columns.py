"""Names of result columns: losses by cause, and former names, which still work with a warning."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

from ackclock import _core
from ackclock.errors import FileError

FORMER = re.compile(r"lost_packets\.(?P<cause>[a-z-]+)")
"""Pattern of the former names of columns with losses by cause, in tables of comparisons and sweeps."""


FORMER_MAPS = {"flows": "lost_packets", "links": "drops"}
"""Former keys of the losses by cause in JSON, by name of the table."""


@cache
def lost(cause: str) -> str:
    """Return the name of the column that counts packets lost by a cause, such as ``lost_queue_packets``."""
    return f"lost_{cause.replace('-', '_')}_packets"


def known(name: str, columns: Collection[str]) -> str:
    """Return the current name of a column; warn if `name` is a former name. Other names are returned unchanged."""
    if name in columns:
        return name
    former = FORMER.fullmatch(name)
    names = [now for table in _renamed().values() for was, now in table.items() if was == name]
    for now in [*names, *([] if former is None else [lost(former["cause"])])]:
        if now in columns:
            warnings.warn(f"column {name} is called {now}", DeprecationWarning, stacklevel=3)
            return now
    return name


def parsed(key: str, text: str) -> dict[str, Any]:
    """Return the summary of finished run `key` from its JSON text; columns have their present names.

    Raises:
        FileError: If the text is damaged. Stores written by earlier versions have no digests, so they do not detect
            damage themselves.
    """
    try:
        return upgraded(json.loads(text))
    except (ValueError, TypeError, AttributeError, RecursionError) as why:
        raise FileError(
            f"the stored summary of finished run {key} is damaged ({why})\n"
            "  move its store away, and its runs are run again"
        ) from why


def upgraded(summary: dict[str, Any]) -> dict[str, Any]:
    """Rename columns of a stored summary in place from their former to their present names; return the summary.

    Formerly, losses by cause were maps from the cause to a number (`FORMER_MAPS`).
    """
    for table, key in FORMER_MAPS.items():
        rows = summary.get(table, ())
        if rows and rows[0].keys() >= {"lost_packets_total", *map(lost, rows[0].get(key, {}))}:
            continue
        for row in rows:
            by_cause = row.get(key, {})
            row.setdefault("lost_packets_total", sum(by_cause.values()))
            for cause, count in by_cause.items():
                row.setdefault(lost(cause), count)
    for table, names in _renamed().items():
        for row in _rows(summary, table):
            for was, now in names.items():
                if was in row:
                    row[now] = row.pop(was)
    return summary


def _rows(summary: dict[str, Any], table: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table of the summary, including rows that are nested in those of flows."""
    yield from summary.get(table, ())
    for flow in summary.get("flows", ()):
        yield from flow.get(table, ())


@cache
def _renamed() -> dict[str, dict[str, str]]:
    """Return the renamed columns of each table, as a mapping from former to current name."""
    found: dict[str, dict[str, str]] = {}
    for one in json.loads(_core.catalogue("former-names")):
        if one["table"]:
            found.setdefault(one["table"], {})[one["name"]] = one["now"]
    return found
