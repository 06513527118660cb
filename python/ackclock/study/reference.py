"""Results of other simulators that a study keeps in its folder `reference/`, with their provenance."""

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
    """Read a CSV file of the folder `reference/` beside a file (``__file__``), a row as text by column."""
    text = (Path(beside).parent / "reference" / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def means(beside: str, key: Callable[[dict[str, str]], K], unit: str = "") -> dict[K, Interval]:
    """Read the means of `points.csv` with their intervals, in its order; `unit` ends the names of its columns."""
    return {
        key(row): from_deviation(float(row[f"mean{unit}"]), float(row[f"sd{unit}"]), int(row["n"]))
        for row in rows(beside, "points.csv")
    }
