"""Every setting of the study "suherman", in one place, with the reason if the paper leaves it open.

Settings that the paper leaves open are as in the reference runs of ns-2. Nothing was chosen to meet a claim.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import ackclock.study as st

SETTINGS: Final = st.Settings()
"""The table of settings in the report."""

SETTINGS.paper("network", "802.11 ad hoc, RTS and CTS before every frame; no routing", "Section 2")
RATES_MBPS: Final = SETTINGS.open(
    "rate",
    (54, 11, 2),
    "“64 QAM” is 54 (or 48) Mb/s; at that rate the channel is nearly idle, so k has little to act on",
    "{}, {} and {} Mb/s: each is run",
)
SETTINGS.open(
    "timings",
    "802.11g at 54 Mb/s, 802.11b at 11 and 2 Mb/s, as ns-2's MAC has them",
    "control frames at 6 and 1 Mb/s",
)
SETTINGS.paper("propagation", "two-ray ground, 914 MHz", "Section 2; frequency as in ns-2")
RANGE_M, SHORT_RANGE_M = SETTINGS.open(
    "range",
    (1415, 1000),
    "the paper has 1000 m, “which means whole stations are able to listen other stations”. The diagonal of its square "
    "is 1414 m, so the number and the purpose exclude each other. The main runs keep the purpose",
    "{} m; beside it the paper's {} m",
)
ALLOWANCE_US, NS2_ALLOWANCE_US = SETTINGS.open(
    "timeouts of CTS and ACK",
    (10, 2),
    "the text assumes that all stations hear each other. ns-2's timeouts allow 2 us: there, stations farther from each "
    "other than 600 m cannot answer in time, whatever their power",
    "allow {} us of propagation each way; {} us, as ns-2's, in the runs beside ns-2",
)
AREA_M: Final = SETTINGS.paper("area", 1000, "Section 2", "square of {} m")
SMALL_AREA_M: Final = SETTINGS.open(
    "smaller area",
    400,
    "as in one set of the reference runs: with a diagonal of 566 m every pair can answer within ns-2's timeouts",
    "beside it a square of {} m",
)
SPEED: Final = SETTINGS.open(
    "movement",
    (1, 10),
    "the text says at random; as in the reference runs",
    "random waypoint, {} to {} m/s, no pause, from a uniform place",
)
NODES: Final = SETTINGS.paper("nodes", (2, 4, 6, 8, 10, 12, 14, 16, 18, 20), "Section 2", "{0}, {1}, ... {9}")
RATE_KBPS: Final = SETTINGS.open(
    "flows",
    300,
    "each node sends and receives; as in the reference runs",
    "a ring: node i sends to node i + 1, each {} kb/s",
)
SETTINGS.open(
    "traffic",
    "a packet every 27 ms, written to TCP; beside it a video",
    "the paper has “video with 300 kbps” and does not name the film; steady packets are as in the reference runs",
)
PICTURES: Final = SETTINGS.open(
    "video",
    (5, 2, 1),
    "the paper used EvalVid, but names no film. I, P and B pictures of these sizes are usual for MPEG-4",
    "30 pictures a second in groups of IPBBPBBPBB, their sizes as {} to {} to {}",
)
PLAYOUT_S: Final = SETTINGS.open(
    "play-out",
    5,
    "the paper does not state it. TCP delivers late rather than never, so a bound decides which frames are of use",
    "a frame later than {} s after it was written is of no use",
)
SEGMENT_B, HEADER_B = SETTINGS.paper("packet size", (1012, 40), "1052 B", "{} B + {} B header")
SETTINGS.open("variant", "NewReno", "as in the reference runs")
SETTINGS.open(
    "k",
    "control reno, `decrease` = k: the window becomes k W",
    "the other reading, W shrinks by k W, is the run of 1 - k; both labels are reported",
)
SETTINGS.open(
    "what k scales",
    "cuts after a fast retransmit; beside it every cut",
    "the first as ns-2 has it if decrease_num_ is set: a connection's first cut, one in slow start and timeouts "
    "halve. The paper speaks of the half window and of changed code, but does not say which code",
)
WINDOW, LARGE_WINDOW = SETTINGS.open("window", (20, 200), "ns-2's default", "{} segments; beside it {}")
QUEUE: Final = SETTINGS.open("queue", 50, "ns-2's default", "{} packets")
LENGTH_S, RUNS = SETTINGS.paper("length and runs", (90, 20), "Section 2", "{} s, {} runs of each point")
START_S, JITTER_S = SETTINGS.open("starts", (1, 0.5), "not in the text", "{} s, each later by up to {} s")
SETTINGS.open(
    "delay",
    "from a segment's first transmission by TCP to the first arrival of a copy; mean over segments",
    "as in the reference runs; the time from the write stands beside",
)
SETTINGS.open("jitter", "mean difference of the delays of consecutive segments", "as in the reference runs")
SETTINGS.open(
    "loss",
    "segments first sent more than 10 s before the end of which no copy had arrived, percent of all",
    "what TCP repairs is no loss, nor is what is still under way at the end; that share is shown beside",
)

FOUND_MBPS, FOUND_SEGMENT_B = SETTINGS.open(
    "reading found afterwards",
    (1, 1052),
    "found among about 100 settings, after seeing the numbers: it explains both reductions and confirms nothing. 1 "
    "Mb/s "
    "is ns-2's default rate of data, and packetSize_ 1052 has 1092 B on the wire over TCP",
    "beside it {} Mb/s, every cut scaled, {} B + 40 B; in the ring, and with half as many flows",
)

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
