"""ns-2's results, read from the extracts in `reference/`, and how ours are held against them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from ackclock.studies import agreement, reference
from ackclock.studies.abadin import settings as k

if TYPE_CHECKING:
    from ackclock.studies.agreement import Comparison
    from ackclock.sweep.statistics import Interval

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
    for row in reference.rows("abadin", "points.csv"):
        out[row["experiment"], float(row["x"]), row["variant"]] = agreement.from_deviation(
            float(row["mean_Bps"]), float(row["sd_Bps"]), int(row["n"]), k.LEVEL
        )
    return out


@cache
def series() -> dict[str, tuple[tuple[float, int], ...]]:
    """Bytes of new data sent by both flows since t = 0 in ns-2's Table 1: (time in s, bytes) by variant."""
    out: dict[str, list[tuple[float, int]]] = {}
    for row in reference.rows("abadin", "series.csv"):
        sample = (float(row["time_s"]), int(row["new_data_packets"]) * k.SEGMENT_B)
        out.setdefault(row["variant"], []).append(sample)
    return {variant: tuple(samples) for variant, samples in out.items()}


def compare(experiment: str, x: float, variant: str, ours: Interval) -> Comparison | None:
    """Hold one of our points against ns-2's; None where ns-2 has no such point."""
    at = (experiment, float(x), variant)
    theirs = points().get(at)
    if theirs is None:
        return None
    tolerance = k.TABLE1_WITHIN if experiment == "table1" else k.AGREE_WITHIN
    return agreement.compare(at, ours, theirs, tolerance, rounding=_PRINTED)
