"""ns-2's results, read from the extracts in `reference/`, and how ours are held against them."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from ackclock.studies.abadin import settings as k
from ackclock.sweep.statistics import Interval, t_p_value, t_quantile

AGREES_INTERVAL: Final = "inside ns-2's interval"
AGREES_TOLERANCE: Final = "within tolerance"
DIFFERS: Final = "outside"

CAUSES: Final[dict[str, str]] = {
    "error": (
        "Error rates: ns-2's ten seeds are the same for every variant, so that chance moves whole rows "
        "together, and at 10 % they lie low. With more seeds the two agree (mean and its standard error): "
        "at 10 %, 150 seeds each, Tahoe 30,686 ± 241 in ns-2 and 30,993 ± 227 here, NewReno 31,833 ± 320 "
        "and 32,586 ± 284; 120 seeds each, Reno 22,254 ± 217 and 22,457 ± 196; at 5 %, Reno 49,204 ± 258 "
        "and 49,953 ± 266."
    ),
    "sources_q20": (
        "Sources: all links have the same rate, so that packets of two sources often reach N2 at one "
        "instant with one place left. ns-2's clock is a floating-point number, and its rounding decides "
        "which of the two is dropped; here the clock is exact, and it is the one scheduled later. With "
        "access delays that differ by up to 1 ms no two packets meet, and both simulators send the same "
        "packets, run by run (8 runs each of Tahoe, Reno and NewReno with 10 sources)."
    ),
}
"""Why points of a sweep may differ from ns-2's; found with `validation.ns2_dumbbell` and ns-2.35."""

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

    @property
    def p(self) -> float | None:
        """Two-sided p value of Welch's test that both means are equal; None where one side never varies."""
        if not (self.ours.half_width > 0 and self.theirs.half_width > 0):
            return None
        ours, theirs = _squared_error(self.ours), _squared_error(self.theirs)
        total = ours + theirs
        degrees = total**2 / (ours**2 / (self.ours.n - 1) + theirs**2 / (self.theirs.n - 1))
        return t_p_value((self.ours.mean - self.theirs.mean) / math.sqrt(total), degrees)


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


def _squared_error(value: Interval) -> float:
    return (value.half_width / t_quantile(value.level, value.n - 1)) ** 2


def _rows(name: str) -> list[dict[str, str]]:
    text = (files("ackclock.studies.abadin") / "reference" / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
