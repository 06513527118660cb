"""ns-2's results, read from the extracts in `reference/`, and how ours are held against them."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from ackclock.studies.abadin import settings as k
from ackclock.sweep.statistics import Interval, t_quantile

AGREES_INTERVAL: Final = "inside ns-2's interval"
AGREES_TOLERANCE: Final = "within tolerance"
DIFFERS: Final = "outside"

_PRINTED: Final = 0.001
"""What the extracts are rounded to, bytes/s: without it an interval of no width would hold nothing."""


@cache
def points() -> dict[tuple[str, float, str], Interval]:
    """ns-2's throughput in bytes/s, by experiment, x and variant."""
    out: dict[tuple[str, float, str], Interval] = {}
    for row in _rows("points.csv"):
        n, sd = int(row["n"]), float(row["sd_Bps"])
        half = t_quantile(k.LEVEL, n - 1) * sd / math.sqrt(n)
        out[row["experiment"], float(row["x"]), row["variant"]] = Interval(
            float(row["mean_Bps"]), half, n, k.LEVEL
        )
    return out


@cache
def series() -> dict[str, tuple[tuple[float, int], ...]]:
    """Bytes of new data sent by both flows since t = 0 in ns-2's Table 1: (time in s, bytes) by variant."""
    out: dict[str, list[tuple[float, int]]] = {}
    for row in _rows("series.csv"):
        sample = (float(row["time_s"]), int(row["new_data_packets"]) * k.SEGMENT_B)
        out.setdefault(row["variant"], []).append(sample)
    return {variant: tuple(samples) for variant, samples in out.items()}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One of our points beside ns-2's, both with identical starts.

    Attributes:
        experiment: Key of the sweep.
        x: Position on it.
        variant: Key of the variant.
        ours: Our mean and interval, bytes/s.
        theirs: ns-2's.
        outcome: `AGREES_INTERVAL`, `AGREES_TOLERANCE` or `DIFFERS`.
    """

    experiment: str
    x: float
    variant: str
    ours: Interval
    theirs: Interval
    outcome: str

    @property
    def difference(self) -> float:
        """Ours less theirs, as a share of theirs."""
        return self.ours.mean / self.theirs.mean - 1


def compare(experiment: str, x: float, variant: str, ours: Interval) -> Comparison | None:
    """Hold one of our points against ns-2's; None where ns-2 has no such point."""
    theirs = points().get((experiment, float(x), variant))
    if theirs is None:
        return None
    tolerance = k.TABLE1_WITHIN if experiment == "table1" else k.AGREE_WITHIN
    if theirs.low - _PRINTED < ours.mean < theirs.high + _PRINTED:
        outcome = AGREES_INTERVAL
    elif abs(ours.mean / theirs.mean - 1) <= tolerance:
        outcome = AGREES_TOLERANCE
    else:
        outcome = DIFFERS
    return Comparison(experiment, float(x), variant, ours, theirs, outcome)


def _rows(name: str) -> list[dict[str, str]]:
    text = (files("ackclock.studies.abadin") / "reference" / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
