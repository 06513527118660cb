"""ns-2's results from the folder `reference/`."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import ackclock.study as st


class Point(NamedTuple):
    """Key of a value that ns-2 measured.

    Attributes:
        experiment: Key of the experiment.
        x: Error rate, 0 to 1.
        variant: Key of the variant.
        together: True if several flows started at the same instant.
        quantity: ``goodput_kbps``, ``competitor_kbps`` or ``jain``.
        timestamps: True if the flows had the timestamps option.
    """

    experiment: str
    x: float
    variant: str
    together: bool
    quantity: str
    timestamps: bool


@cache
def points() -> dict[Point, st.Interval]:
    """Return all results of ns-2 by key, in the order of the file."""

    def point(row: dict[str, str]) -> Point:
        together, stamps = row["together"] == "yes", row["timestamps"] == "1"
        return Point(row["experiment"], float(row["x"]), row["variant"], together, row["quantity"], stamps)

    return st.reference.means(__file__, point)


@cache
def timestamps(experiment: str, variant: str) -> bool:
    """Return false if ns-2 ran this variant in the experiment without timestamps, otherwise true."""
    return all(p.timestamps for p in points() if (p.experiment, p.variant) == (experiment, variant))


def value(
    experiment: str, x: float, variant: str, quantity: str, *, together: bool = False
) -> st.Interval | None:
    """Return ns-2's value of a quantity at a point; None if ns-2 has no such value."""
    at = (experiment, x, variant, together, quantity)
    return next((found for point, found in points().items() if point[:5] == at), None)


@cache
def series() -> dict[tuple[str, int], list[tuple[float, int]]]:
    """Return the packets that ns-2 had acknowledged by each time in Figure 10: (s, packets) by variant and flow."""
    out: dict[tuple[str, int], list[tuple[float, int]]] = {}
    for row in st.reference.rows(__file__, "series.csv"):
        sample = (float(row["time_s"]), int(row["acked_packets"]))
        out.setdefault((row["variant"], int(row["flow"])), []).append(sample)
    return out
