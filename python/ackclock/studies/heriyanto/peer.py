"""ns-3's results, read from the extract in `reference/`, and how ours are held against them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from ackclock.studies import agreement, reference
from ackclock.studies.heriyanto import settings as k

if TYPE_CHECKING:
    from ackclock.studies.agreement import Comparison
    from ackclock.sweep.statistics import Interval

_PRINTED: Final = {"throughput": 1e-6, "loss": 1e-6, "delay": 1e-6, "jitter": 1e-6}
"""What the extract is rounded to, by measure: without it an interval of no width would hold nothing."""

CAUSES: Final[tuple[tuple[frozenset[str], str], ...]] = (
    (
        frozenset({"s2 TCP loss", "s2 UDP loss"}),
        "Scenario 2, loss: 16 or 17 TCP packets of a run here and 15 in ns-3 (NewReno), 12 and 11 (Westwood+); of the "
        "UDP flow, three fifths of the load, 6.7 % for 6.4 % and 5.0 % for 4.8 %, since TCP's share is up to 1.0 % "
        "larger here. Why it is was not found: windows are cut as often, and with one flow losses are ns-3's.",
    ),
)
"""Why points may differ from ns-3's, by the sweeps concerned."""


@dataclass(frozen=True, slots=True)
class Point:
    """One measure that ns-3 has, with clients near the access point.

    Attributes:
        scenario: "s1" or "s2".
        nodes: Nodes in all.
        variant: Key of the variant.
        flow: 0 the TCP flow, 1 the UDP flow.
        measure: "throughput" in Mb/s, "loss" in percent, "delay" or "jitter" in ms.
        value: Mean and interval.
    """

    scenario: str
    nodes: int
    variant: str
    flow: int
    measure: str
    value: Interval


@cache
def points() -> tuple[Point, ...]:
    """Everything that ns-3 measured, in the order of the file."""
    return tuple(
        Point(
            scenario=row["scenario"],
            nodes=int(row["nodes"]),
            variant=row["variant"],
            flow=int(row["flow"]),
            measure=row["measure"],
            value=agreement.from_deviation(float(row["mean"]), float(row["sd"]), int(row["n"]), k.LEVEL),
        )
        for row in reference.rows("heriyanto", "points.csv")
    )


@cache
def connected() -> dict[tuple[str, int], tuple[int, int]]:
    """By scenario and flow: in how many of ns-3's uniform placements the client was in range, and of how many."""
    return {
        (row["scenario"], int(row["flow"])): (int(row["connected"]), int(row["runs"]))
        for row in reference.rows("heriyanto", "connected.csv")
    }


def compare(point: Point, ours: Interval) -> Comparison:
    """Hold one of our values against ns-3's."""
    key = f"{point.scenario} {'UDP' if point.flow else 'TCP'} {point.measure}"
    at = (key, float(point.nodes), point.variant)
    return agreement.compare(at, ours, point.value, k.AGREE_WITHIN, rounding=_PRINTED[point.measure])
