"""Every setting of the study "suherman", in one place, with the reason where the paper leaves it open.

What the paper leaves open is set as in the reference runs of ns-2. Nothing was chosen to meet a claim.
"""

from __future__ import annotations

from typing import Final

from ackclock.studies.settings import BASE_SEED as BASE_SEED
from ackclock.studies.settings import Settings

SETTINGS: Final = Settings()
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
RANGE_M, SHORT_RANGE_M = SETTINGS.paper(
    "range",
    (1415, 1000),
    "1000 m, with which all stations are to hear all others: the diagonal of the square is 1414 m",
    "{} m; beside it {} m",
)
LONG_ALLOWANCE_US: Final = SETTINGS.open(
    "timeouts of CTS and ACK",
    10,
    "the paper ran ns-2; stations farther from each other than 600 m cannot answer in time there",
    "allow 2 us of propagation each way, as ns-2's: 600 m; beside it {} us",
)
AREA_M, SMALL_AREA_M = SETTINGS.paper("area", (1000, 400), "Section 2", "square of {} m; beside it {} m")
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
    "traffic", "a packet every 27 ms, written to TCP", "“video with 300 kbps”; as in the reference runs"
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
    "loss", "segments of which no copy had arrived at the end, percent", "what TCP repairs is no loss"
)

KS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""What a loss multiplies the window with."""

BESIDE_KS: Final = (0.1, 0.5, 0.9)
BESIDE_NODES: Final = (6, 10, 14, 20)
"""Points of the networks run beside the three rates."""

BESIDE_RUNS: Final = 10
"""Runs of each of them."""

AGREE_WITHIN: Final = 0.15
"""A delay agrees with ns-2 when our mean lies in its interval or within this share of its mean."""

TCP: Final[dict[str, object]] = {
    "variant": "newreno",
    "profile": "ns2",
    "segment": f"{SEGMENT_B}B",
    "tick_phase": "random",
}
"""Settings of both endpoints, beside the window and k."""

TRAFFIC: Final[dict[str, object]] = {
    "kind": "cbr",
    "rate": f"{RATE_KBPS}kbps",
    "packet": f"{SEGMENT_B}B",
    "transport": "tcp",
}
