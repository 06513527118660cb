"""ns-2's results, read from the extracts in `reference/`, and how ours are held against them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from ackclock.studies import agreement, reference
from ackclock.studies.maulana import settings as k

if TYPE_CHECKING:
    from ackclock.studies.agreement import Comparison
    from ackclock.sweep.statistics import Interval

_PRINTED: Final = 0.001
"""What the extracts are rounded to."""


CAUSES: Final[dict[str, str]] = {
    "delay_ms": (
        "Delays: the evaluation of the ns-2 runs takes the time since the last sending of the same segment, ours that "
        "of each packet by itself. Where segments are sent again while their first copies still queue, the former is "
        "shorter: evaluated so, the second flow at 2 Mb/s with a window of 1000 and a queue of 500 has 661 ms in 6 s "
        "here, as in ns-2, in place of 856 ms."
    ),
}
"""Why values may differ from ns-2's, by quantity; found by evaluating our own trace both ways."""


@cache
def points() -> dict[tuple[str, int, str, str], Interval]:
    """What ns-2 measured, by case, length in s, variant and quantity (`goodput_kbps`, `delay_ms`, ...)."""
    return {
        (row["case"], int(row["length_s"]), row["variant"], row["quantity"]): agreement.from_deviation(
            float(row["mean"]), float(row["sd"]), int(row["n"]), k.LEVEL
        )
        for row in reference.rows("maulana", "points.csv")
    }


def compare(case: str, length_s: int, variant: str, quantity: str, ours: Interval) -> Comparison | None:
    """Hold one of our values against ns-2's; None where ns-2 has no such value."""
    theirs = points().get((case, length_s, variant, quantity))
    if theirs is None:
        return None
    at = (f"{case} {quantity}", float(length_s), variant)
    return agreement.compare(at, ours, theirs, k.AGREE_WITHIN, rounding=_PRINTED)
