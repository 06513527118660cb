"""Every setting of the study "suherman", in one place, with the reason where the paper leaves it open.

What the paper leaves open is set as in the reference runs of ns-2. Nothing was chosen to meet a claim.
"""

from __future__ import annotations

from typing import Final

from ackclock.studies.settings import BASE_SEED as BASE_SEED
from ackclock.studies.settings import LEVEL as LEVEL
from ackclock.studies.settings import Setting

KS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""What a loss multiplies the window with."""

NODES: Final = (2, 4, 6, 8, 10, 12, 14, 16, 18, 20)
"""Numbers of nodes."""

BESIDE_KS: Final = (0.1, 0.5, 0.9)
BESIDE_NODES: Final = (6, 10, 14, 20)
"""Points of the networks run beside the three rates."""

RUNS: Final = 20
"""Runs of each point, as in the paper."""

BESIDE_RUNS: Final = 10
"""The same of the networks run beside."""

LENGTH_S: Final = 90
"""Length of a run, s."""

START_S: Final = 1
"""When flows start, s, each later by a jitter."""

JITTER_S: Final = 0.5
"""Start jitter, s: each flow starts within so long of the others, drawn from the seed."""

SEGMENT_B: Final = 1012
"""Payload of a packet, bytes: 1052 with its header of 40."""

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
    "rate": "300kbps",
    "packet": f"{SEGMENT_B}B",
    "transport": "tcp",
}

SETTINGS: Final = (
    Setting("network", "802.11 ad hoc, RTS and CTS before every frame; no routing", "paper", "Section 2"),
    Setting(
        "rate",
        "54, 11 and 2 Mb/s: each is run",
        "open",
        "“64 QAM” is 54 (or 48) Mb/s; what it loads little says little",
    ),
    Setting(
        "timings",
        "802.11g at 54 Mb/s, 802.11b at 11 and 2 Mb/s, as ns-2's MAC has them",
        "open",
        "control frames at 6 and 1 Mb/s",
    ),
    Setting("propagation", "two-ray ground, 914 MHz", "paper", "Section 2; frequency as in ns-2"),
    Setting(
        "range",
        "1415 m; beside it 1000 m",
        "paper",
        "1000 m, with which all stations are to hear all others: the diagonal of the square is 1414 m",
    ),
    Setting(
        "timeouts of CTS and ACK",
        "allow 2 us of propagation each way, as ns-2's: 600 m; beside it 10 us",
        "open",
        "the paper ran ns-2; stations farther from each other than 600 m cannot answer in time there",
    ),
    Setting("area", "square of 1000 m; beside it 400 m", "paper", "Section 2"),
    Setting(
        "movement",
        "random waypoint, 1 to 10 m/s, no pause, from a uniform place",
        "open",
        "the text says at random; as in the reference runs",
    ),
    Setting("nodes", "2, 4, ... 20", "paper", "Section 2"),
    Setting(
        "flows",
        "a ring: node i sends to node i + 1, each 300 kb/s",
        "open",
        "each node sends and receives; as in the reference runs",
    ),
    Setting(
        "traffic",
        "a packet every 27 ms, written to TCP",
        "open",
        "“video with 300 kbps”; as in the reference runs",
    ),
    Setting("packet size", "1012 B + 40 B header", "paper", "1052 B"),
    Setting("variant", "NewReno", "open", "as in the reference runs"),
    Setting(
        "k",
        "control reno, `decrease` = k: the window becomes k W",
        "open",
        "the other reading, W shrinks by k W, is the run of 1 - k; both labels are reported",
    ),
    Setting(
        "what k does not reach",
        "a connection's first cut, one in slow start, and timeouts halve ssthresh",
        "open",
        "as ns-2 has it where decrease_num_ is set; the paper changed the code, where is not said",
    ),
    Setting("window", "20 segments; beside it 200", "open", "ns-2's default"),
    Setting("queue", "50 packets", "open", "ns-2's default"),
    Setting("length and runs", "90 s, 20 runs of each point", "paper", "Section 2"),
    Setting("starts", "1 s, each later by up to 0.5 s", "open", "not in the text"),
    Setting(
        "delay",
        "from a segment's first transmission by TCP to the first arrival of a copy; mean over segments",
        "open",
        "as in the reference runs; the time from the write stands beside",
    ),
    Setting(
        "jitter", "mean difference of the delays of consecutive segments", "open", "as in the reference runs"
    ),
    Setting(
        "loss",
        "segments of which no copy had arrived at the end, percent",
        "open",
        "what TCP repairs is no loss",
    ),
)
"""The table of settings in the report."""
