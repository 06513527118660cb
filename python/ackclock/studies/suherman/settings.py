"""All settings of the study "suherman", with the reason for each setting that the paper leaves open.

Settings that the paper leaves open are as in the reference runs of ns-2. None was chosen to meet a claim.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import ackclock.study as st

TEXT: Final = st.texts(__file__, globals())

SETTINGS: Final = TEXT.settings()
"""The table of settings in the report."""

RATES_MBPS: Final = SETTINGS["rate"]
RANGE_M, SHORT_RANGE_M = SETTINGS["range"]
ALLOWANCE_US, NS2_ALLOWANCE_US = SETTINGS["timeouts of CTS and ACK"]
AREA_M: Final = SETTINGS["area"]
SMALL_AREA_M: Final = SETTINGS["smaller area"]
SPEED: Final = SETTINGS["movement"]
NODES: Final = SETTINGS["nodes"]
RATE_KBPS: Final = SETTINGS["flows"]
PICTURES: Final = SETTINGS["video"]
PLAYOUT_S: Final = SETTINGS["play-out"]
SEGMENT_B, HEADER_B = SETTINGS["packet size"]
WINDOW, LARGE_WINDOW = SETTINGS["window"]
QUEUE: Final = SETTINGS["queue"]
LENGTH_S, RUNS = SETTINGS["length and runs"]
START_S, JITTER_S = SETTINGS["starts"]

FOUND_MBPS, FOUND_SEGMENT_B = SETTINGS["reading found afterwards"]

KS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Values of k, the factor by which the window is multiplied at a loss."""

HALF: Final = 0.5
"""Factor of those window reductions that k does not scale."""

BESIDE_KS: Final = (0.1, HALF, 0.9)
BESIDE_NODES: Final = (6, 10, 14, 20)
"""Numbers of nodes in the additional networks; the main runs at three rates use `NODES`."""

BESIDE_RUNS: Final = 10
"""Number of runs per point in the additional networks."""

TRIED: Final = 100
"""Approximate number of combinations of settings that were tried to find the later interpretation."""

FOUND_FIRST: Final = 20
"""Number of seeds that the interpretation found after the results skips, since the search for it used them."""

AGREE_WITHIN: Final = 0.15
"""Greatest difference from ns-2's mean that counts as agreement, as a fraction of that mean."""

TCP: Final[dict[str, object]] = {
    "variant": "newreno",
    "profile": "ns2",
    "segment": f"{SEGMENT_B}B",
    "tick_phase": "random",
}
"""TCP settings of both endpoints, besides the window and k."""

VARIANTS: Final = st.Variants((st.Variant("newreno", "NewReno", {"variant": "newreno"}),))
"""The study's own variant, whose window is multiplied by k at a loss."""

WINDOW_NODES: Final = 20
WINDOW_RUNS: Final = 5
"""Number of runs for the simulated windows of Figure 5, at 11 Mb/s with k scaling every window reduction."""

LOSSES: Final = 5
"""Number of losses in Figure 5."""

TRAFFIC: Final[dict[str, object]] = {
    "kind": "cbr",
    "rate": f"{RATE_KBPS}kbps",
    "packet": f"{SEGMENT_B}B",
    "transport": "tcp",
}

_GROUP: Final = "IPBBPBBPBB"
_PICTURES_PER_S: Final = 30


def _frames() -> str:
    """Return the frames of one group of pictures at the paper's rate.

    A frame has kind, size in bytes, packets, and microseconds since the previous frame.
    """
    weight = dict(zip("IPB", PICTURES, strict=True))
    unit = 125 * RATE_KBPS * len(_GROUP) / _PICTURES_PER_S / sum(weight[kind] for kind in _GROUP)
    at = [round(1e6 * i / _PICTURES_PER_S) for i in range(len(_GROUP))]
    sizes = [round(unit * weight[kind]) for kind in _GROUP]
    gaps = [0, *(b - a for a, b in pairwise(at))]
    return " ".join(
        f"{kind}{size}/{-(-size // SEGMENT_B)}@{gap}"
        for kind, size, gap in zip(_GROUP, sizes, gaps, strict=True)
    )


VIDEO: Final[dict[str, object]] = {
    "kind": "video",
    "frames": _frames(),
    "repeat": f"{round(1e6 * len(_GROUP) / _PICTURES_PER_S)}us",
    "packet": f"{SEGMENT_B}B",
    "transport": "tcp",
    "playout": f"{PLAYOUT_S}s",
}
"""Traffic settings of a video with the mean rate of `TRAFFIC`; its frames differ in size, and EvalVid's method gives
its quality."""
