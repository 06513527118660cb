"""ns-2's results, read from the extracts in `reference/`, and how ours are held against them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from ackclock.studies import agreement, reference
from ackclock.studies.suherman import settings as k

if TYPE_CHECKING:
    from ackclock.studies.agreement import Comparison
    from ackclock.sweep.statistics import Interval

_PRINTED: Final = 1e-4
"""What the extracts are rounded to."""


CAUSES: Final[dict[str, str]] = {
    "rate": (
        "Few nodes in the square of 1000 m: chance decides. Stations farther from each other than 600 m cannot "
        "answer in time; where a pair walks through that distance a segment waits for a timeout, of seconds, and "
        "one such wait moves the mean of a run that otherwise has 2 ms. In 20 runs of ns-2.35 with 2 nodes and "
        "places drawn as here the mean is 5.9 ms with a standard deviation of 10.7 ms (largest 46 ms); the 4 runs "
        "of the reference hardly met it."
    ),
    "": (
        "A packet on an idle medium: ns-2's link layer takes 25 us each way, which ours leaves out. Where the "
        "channel is loaded the difference is gone."
    ),
}
"""Why values may differ from ns-2's, by the networks concerned; found by running ns-2.35 again."""


@cache
def points() -> dict[tuple[str, int, float, str], Interval]:
    """What ns-2 measured, by network, nodes, k and quantity (`delay_ms`, `jitter_ms`, `loss_percent`, ...)."""
    return {
        (row["setup"], int(row["nodes"]), float(row["k"]), row["quantity"]): agreement.from_deviation(
            float(row["mean"]), float(row["sd"]), int(row["n"]), k.LEVEL
        )
        for row in reference.rows("suherman", "points.csv")
    }


def compare(setup: str, nodes: int, factor: float, quantity: str, ours: Interval) -> Comparison | None:
    """Hold one of our values against ns-2's; None where ns-2 has no such value."""
    theirs = points().get((setup, nodes, factor, quantity))
    if theirs is None:
        return None
    at = (f"{setup} {quantity}", float(nodes), f"k={factor:g}")
    return agreement.compare(at, ours, theirs, k.AGREE_WITHIN, rounding=_PRINTED)


def effect(setup: str, nodes: int, quantity: str) -> float | None:
    """How far ns-2's mean at k = 0.1 lies from that at 0.9, percent of the latter; None where it has not both."""
    low, high = (points().get((setup, nodes, factor, quantity)) for factor in (0.1, 0.9))
    if low is None or high is None:
        return None
    return 100 * (low.mean / high.mean - 1)
