"""Results of other simulators, which a study keeps with a record of their origin in its folder `reference/`."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ackclock.study.agreement import from_deviation

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.stats.statistics import Interval

K = TypeVar("K")


def rows(beside: str, name: str) -> list[dict[str, str]]:
    """Return the rows of ``reference/NAME`` (CSV), a file beside `beside` (``__file__``), as texts by column."""
    text = (Path(beside).parent / "reference" / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def means(beside: str, key: Callable[[dict[str, str]], K], unit: str = "") -> dict[K, Interval]:
    """Return means with intervals from ``reference/points.csv``, by `key(row)`; `unit` is a suffix of column names."""
    return {
        key(row): from_deviation(float(row[f"mean{unit}"]), float(row[f"sd{unit}"]), int(row["n"]))
        for row in rows(beside, "points.csv")
    }
