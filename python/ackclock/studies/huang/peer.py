"""ns-2's results, read from the extracts in `reference/`, and how ours are held against them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from ackclock.studies import agreement, reference
from ackclock.studies.huang import settings as k

if TYPE_CHECKING:
    from ackclock.studies.agreement import Comparison
    from ackclock.sweep.statistics import Interval

_PRINTED: Final = {"goodput_kbps": 0.001, "competitor_kbps": 0.001, "jain": 1e-6}
"""What the extracts are rounded to, by quantity: without it an interval of no width would hold nothing."""


NOT_JUDGED: Final = "linux-westwood"
"""ns-2's own Westwood, which is not its paper's: shown beside ours, and not held against it."""

CAUSES: Final[tuple[tuple[frozenset[str], str], ...]] = (
    (
        frozenset({"reno", "newreno", "sack"}),
        "Reno, NewReno, SACK: ns-2's ten seeds are the same for every variant, so that chance moves whole rows "
        "together, and at 10 % they lie low. With 100 seeds each the two agree (kb/s, mean and its standard "
        "error): Figure 5 at 10 %, Reno 236.9 ± 2.0 in ns-2 and 238.3 ± 1.8 here, NewReno 298.8 ± 2.6 and 302.9 "
        "± 2.1, SACK 284.7 ± 2.4 and 285.2 ± 2.1; Figure 7 at 10 %, 143.5 ± 1.1 and 142.2 ± 1.1, 159.0 ± 1.1 "
        "and 158.7 ± 1.3, 152.4 ± 1.2 and 151.1 ± 1.4.",
    ),
)
"""Why points may differ from ns-2's, by the variants concerned; found by running ns-2.35 again."""


@dataclass(frozen=True, slots=True)
class Point:
    """One quantity that ns-2 measured.

    Attributes:
        experiment: Key of the experiment.
        x: Error rate, 0 to 1.
        variant: Key of the variant.
        together: Whether several flows started at the same instant.
        quantity: "goodput_kbps", "competitor_kbps" or "jain".
        timestamps: Whether the flows had the timestamps option.
        value: Mean and interval.
    """

    experiment: str
    x: float
    variant: str
    together: bool
    quantity: str
    timestamps: bool
    value: Interval


@cache
def points() -> tuple[Point, ...]:
    """Everything that ns-2 measured, in the order of the file."""
    return tuple(
        Point(
            experiment=row["experiment"],
            x=float(row["x"]),
            variant=row["variant"],
            together=row["together"] == "yes",
            quantity=row["quantity"],
            timestamps=row["timestamps"] == "1",
            value=agreement.from_deviation(float(row["mean"]), float(row["sd"]), int(row["n"]), k.LEVEL),
        )
        for row in reference.rows("huang", "points.csv")
    )


def timestamps(experiment: str, variant: str) -> bool:
    """Whether ns-2 ran this variant there with timestamps; true where it did not run it."""
    return all(p.timestamps for p in points() if (p.experiment, p.variant) == (experiment, variant))


def value(
    experiment: str, x: float, variant: str, quantity: str, *, together: bool = False
) -> Interval | None:
    """One quantity that ns-2 measured; None where it did not."""
    at = (experiment, x, variant, quantity, together)
    found = (p.value for p in points() if (p.experiment, p.x, p.variant, p.quantity, p.together) == at)
    return next(found, None)


@cache
def series() -> dict[tuple[str, int], tuple[tuple[float, int], ...]]:
    """Packets acknowledged since t = 0 in ns-2's Figure 10: (time in s, packets) by variant and flow."""
    out: dict[tuple[str, int], list[tuple[float, int]]] = {}
    for row in reference.rows("huang", "series.csv"):
        sample = (float(row["time_s"]), int(row["acked_packets"]))
        out.setdefault((row["variant"], int(row["flow"])), []).append(sample)
    return {key: tuple(samples) for key, samples in out.items()}


def compare(point: Point, ours: Interval) -> Comparison:
    """Hold one of our values against ns-2's."""
    tolerance = k.AGREE_JAIN if point.quantity == "jain" else k.AGREE_WITHIN
    key = point.experiment
    key += ", Reno" if point.quantity == "competitor_kbps" else ""
    key += ", together" if point.together else ""
    at = (key, point.x, point.variant)
    return agreement.compare(at, ours, point.value, tolerance, rounding=_PRINTED[point.quantity])
