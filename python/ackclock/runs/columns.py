"""Names of columns: those of losses by cause, and those of versions before."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

from ackclock import _core

FORMER = re.compile(r"lost_packets\.(?P<cause>[a-z-]+)")
"""Losses by cause as tables of comparisons and sweeps called them."""


def lost(cause: str) -> str:
    """Return the column of the packets lost by a cause, ``lost_queue_packets``: `flows` of the glossary."""
    return f"lost_{cause.replace('-', '_')}_packets"


def known(name: str, columns: Collection[str]) -> str:
    """Return the name of a column of today for one of a version before, with a warning; any other name as it is."""
    if name in columns:
        return name
    former = FORMER.fullmatch(name)
    names = [now for table in _renamed().values() for was, now in table.items() if was == name]
    for now in [*names, *([] if former is None else [lost(former["cause"])])]:
        if now in columns:
            warnings.warn(f"column {name} is called {now}", DeprecationWarning, stacklevel=3)
            return now
    return name


def upgraded(summary: dict[str, Any]) -> dict[str, Any]:
    """Give the columns of a run's summary, which a version before may have stored, their names of today; return it."""
    for table, names in _renamed().items():
        for row in _rows(summary, table):
            for was, now in names.items():
                if was in row:
                    row[now] = row.pop(was)
    return summary


def _rows(summary: dict[str, Any], table: str) -> Iterator[dict[str, Any]]:
    """Return the rows of a table, which may be in those of its flows."""
    yield from summary.get(table, ())
    for flow in summary.get("flows", ()):
        yield from flow.get(table, ())


@cache
def _renamed() -> dict[str, dict[str, str]]:
    """Return the columns of each table that had another name in the version before: former name and name."""
    found: dict[str, dict[str, str]] = {}
    for one in json.loads(_core.catalogue("former-names")):
        if one["table"]:
            found.setdefault(one["table"], {})[one["name"]] = one["now"]
    return found
