"""Every setting of the study "suherman", in one place, with the reason if the paper leaves it open.

Settings that the paper leaves open are as in the reference runs of ns-2. Nothing was chosen to meet a claim.
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
"""Factors by which a loss multiplies the window."""

HALF: Final = 0.5
"""Factor of early cuts that k does not scale."""

BESIDE_KS: Final = (0.1, HALF, 0.9)
BESIDE_NODES: Final = (6, 10, 14, 20)
"""Points of the networks run beside the three rates."""

BESIDE_RUNS: Final = 10
"""Runs of each of these points."""

TRIED: Final = 100
"""Approximate number of settings that were tried to find the reading."""

FOUND_FIRST: Final = 20
"""The reading found afterwards has seeds other than those that it was found with: they begin after this one."""

AGREE_WITHIN: Final = 0.15
"""A delay agrees with ns-2 when our mean lies in its interval or within this share of its mean."""

TCP: Final[dict[str, object]] = {
    "variant": "newreno",
    "profile": "ns2",
    "segment": f"{SEGMENT_B}B",
    "tick_phase": "random",
}
"""Settings of both endpoints, beside the window and k."""

VARIANTS: Final = st.Variants((st.Variant("newreno", "NewReno", {"variant": "newreno"}),))
"""The study's own variant; k is the factor that a loss leaves of its window."""

WINDOW_NODES: Final = 20
WINDOW_RUNS: Final = 5
"""Nodes and runs of the simulated windows of Figure 5, at 11 Mb/s with k scaling every cut."""

LOSSES: Final = 5
"""Losses in Figure 5."""

TRAFFIC: Final[dict[str, object]] = {
    "kind": "cbr",
    "rate": f"{RATE_KBPS}kbps",
    "packet": f"{SEGMENT_B}B",
    "transport": "tcp",
}

_GROUP: Final = "IPBBPBBPBB"
_PICTURES_PER_S: Final = 30


def _frames() -> str:
    """Return one group of pictures at the paper's rate: kind, size, packets, microseconds since the one before."""
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
"""The same rate as pictures of different sizes, judged by EvalVid's method."""
