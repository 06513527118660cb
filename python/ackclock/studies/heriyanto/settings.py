"""Every setting of the study "heriyanto", in one place, with the reason if the paper leaves it open.

The paper states few of its settings. Those below are what the reference runs of ns-3 used, so that ours can be held
against them; none was chosen to meet a claim.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import ackclock.study as st

TEXT: Final = st.texts(__file__, globals())

SETTINGS: Final = TEXT.settings()
"""The table of settings in the report."""

WIRED_MBPS, WIRED_MS = SETTINGS["wired link"]
FRAMING_B: Final = SETTINGS["framing of the wired link"]
MCS, WIDTH_MHZ, GUARD_INTERVAL = SETTINGS["wireless rate"]
SERVER_NET, CLIENT_NET = SETTINGS["addresses"]
NODES: Final = SETTINGS["nodes"]
DURATION_S, START_S = SETTINGS["run length"]
SEGMENT_B: Final = SETTINGS["packet"]
TURN_S, LEAST_SPEED, MOST_SPEED = SETTINGS["movement"]
HALF_WIDTH_M: Final = SETTINGS["placement"]
UDP_MBPS: Final = SETTINGS["UDP stream of scenario 2"]
BUFFER_B: Final = SETTINGS["buffers"]
QUEUE: Final = SETTINGS["queue at the server"]

READ_MBPS, READ_MS, READ_SEGMENT_B = SETTINGS["reading found afterwards"]

UDP_TRIED_MBPS: Final = (1, 4.5)
QUEUES_TRIED: Final = (50, 200)
"""Other rates of the UDP stream and queues at the server that are run, with the fewest nodes near the access point."""

QUICK_NODES: Final = (5, 20, 50)

PEERING_S: Final = 4
"""Delay of the starts of flows, and of the ends of runs, in a mesh, s: beacons come once in 1.024 s, then peers
shake hands.
"""

JITTER_S: Final = 0.1
"""Start jitter, s: each start moves by U(0, JITTER_S) from the second replication on."""

REPLICATIONS: Final = 20
QUICK_REPLICATIONS: Final = 3

QUICK_PLAYED_S: Final = 20
"""Part of a run that the pages of the quick form play, s."""

BEST_NODES: Final = 40
"""Number of nodes of the paper's best throughput and jitter."""

GRID_COLUMNS: Final = 10
GRID_SPACING_M: Final = 1
"""Placement near the access point: clients start on a grid beside it."""

VARIANTS: Final = st.Variants(
    (
        st.Variant("newreno", "NewReno", {"variant": "sack+reno"}, hue=3),
        st.Variant("westwood+", "Westwood+", {"variant": "sack+westwood+"}, hue=0),
    )
)
"""The two congestion controls, with the loss recovery that ns-3 gives to both."""

LABELS: Final = VARIANTS.labels

TCP: Final[dict[str, object]] = {
    "segment": f"{SEGMENT_B}B",
    "window_reduction": "at-once",
    "reduction": "pipe",
    "receive_window": f"{BUFFER_B}B",
    "delayed_ack": "200ms",
    "timestamps": True,
}
"""Settings of both endpoints, for both variants."""


@dataclass(frozen=True)
class Reading:
    """One reading of the path between server and access point in the paper.

    Attributes:
        wired_mbps: Rate of the wired link, Mb/s.
        wired_ms: Delay of the wired link, ms.
        segment_b: Payload of a TCP segment, bytes.
        tcp: Settings of both endpoints of a TCP flow.
    """

    wired_mbps: float
    wired_ms: float
    segment_b: int
    tcp: dict[str, object]


STATED: Final = Reading(WIRED_MBPS, WIRED_MS, SEGMENT_B, TCP)
"""Table 3; settings that it leaves open are as in the reference runs."""

FOUND: Final = Reading(
    READ_MBPS,
    READ_MS,
    READ_SEGMENT_B,
    {"profile": "ns3", "segment": f"{READ_SEGMENT_B}B", "timestamps": False, "window_reduction": "prr"},
)
"""The reading found afterwards, with ns-3's default sockets: there, a loss takes the window down in proportion to
what arrives (PRR), as its traces show.
"""

CONNECTED_MBPS: Final = 0.1
"""A flow connects if its throughput is above this, Mb/s: a client that is never in range gets a few packets at most."""

SAMPLE_S: Final = 1.0
"""Width of the bins of throughput against time, s."""

LAST_S: Final = 10.0
"""Beginning of "the end" of a run, s before it."""

AGREE_WITHIN: Final = 0.03
"""A point agrees with ns-3 when our mean lies in its interval or within this share of its mean."""
