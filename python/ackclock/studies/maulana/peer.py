"""ns-2's and ns-3's results, read from the extracts in `reference/`, and how ours are held against them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from ackclock.studies import agreement, reference
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import WIFI
from ackclock.sweep.statistics import interval

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
    within = k.AGREE_RADIO if case.startswith(WIFI.key) else k.AGREE_WITHIN
    return agreement.compare(at, ours, theirs, within, rounding=_PRINTED)


@cache
def lte() -> dict[tuple[int, int, int, str], dict[str, float]]:
    """What ns-3 measured with UEs at 30 m, by resource blocks, RLC buffer in bytes, eNodeBs and variant."""
    return {
        (
            int(row["resource_blocks"]),
            int(row["rlc_buffer_B"]),
            int(row["enbs"]),
            row["variant"],
        ): {name: float(row[name]) for name in ("goodput_kbps", "delay_ms", "loss_pct", "rtt_min_ms")}
        for row in reference.rows("maulana", "lte.csv")
        if float(row["distance_m"]) == 30
    }


@cache
def lte_starts() -> dict[tuple[int, int], tuple[float, ...]]:
    """What ns-3's Vegas got with 1 MB, kb/s, at other distances of the two starts, by resource blocks and eNodeBs."""
    found: dict[tuple[int, int], tuple[float, ...]] = {}
    for row in reference.rows("maulana", "lte_starts.csv"):
        at = int(row["resource_blocks"]), int(row["enbs"])
        found[at] = (*found.get(at, ()), float(row["goodput_kbps"]))
    return found


def lte_key(buffer_b: int, enbs: int, quantity: str) -> str:
    """Key of a sweep over resource blocks that is held against ns-3."""
    return f"lte {buffer_b} {enbs} {quantity}"


def compare_lte(at: tuple[int, int, int, str], quantity: str, ours: float) -> Comparison:
    """Hold one of our values against ns-3's: resource blocks, RLC buffer in bytes, eNodeBs, variant."""
    blocks, buffer_b, enbs, variant = at
    theirs = agreement.from_deviation(lte()[at][quantity], 0.0, 1, k.LEVEL)
    where = (lte_key(buffer_b, enbs, quantity), float(blocks), variant)
    return agreement.compare(where, interval([ours], k.LEVEL), theirs, k.AGREE_RADIO, rounding=_PRINTED)
