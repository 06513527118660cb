"""All settings of the study "heriyanto", with the reason for each setting that the paper leaves open.

The paper states few settings. All others are as in the reference runs of ns-3, so that our results can be compared with
ns-3's; none was chosen to meet a claim.
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
"""Other rates of the UDP stream, Mb/s, that are run with the fewest nodes near the access point."""

QUEUES_TRIED: Final = (50, 200)
"""Other queue limits at the server, packets, that are run with the fewest nodes near the access point."""

QUICK_NODES: Final = (5, 20, 50)

PEERING_S: Final = 4
"""Delay of flow starts and run ends in a mesh, s. In this time stations, which send beacons every 1.024 s, become
peers."""

JITTER_S: Final = 0.1
"""Start jitter, s: from the second replication on, each start is delayed by a random time from U(0, JITTER_S)."""

REPLICATIONS: Final = 20
QUICK_REPLICATIONS: Final = 3

QUICK_PLAYED_S: Final = 20
"""Length of the part of a run that is animated in the quick form, s."""

BEST_NODES: Final = 40
"""Number of nodes of the paper's best throughput and jitter."""

GRID_COLUMNS: Final = 10
GRID_SPACING_M: Final = 1
"""Spacing of the grid beside the access point on which clients start, m."""

VARIANTS: Final = st.Variants(
    (
        st.Variant("newreno", "NewReno", {"variant": "sack+reno"}, hue=3),
        st.Variant("westwood+", "Westwood+", {"variant": "sack+westwood+"}, hue=0),
    )
)
"""The two congestion controls, both with ns-3's loss recovery by SACK."""

LABELS: Final = VARIANTS.labels

TCP: Final[dict[str, object]] = {
    "segment": f"{SEGMENT_B}B",
    "window_reduction": "at-once",
    "reduction": "pipe",
    "receive_window": f"{BUFFER_B}B",
    "delayed_ack": "200ms",
    "timestamps": True,
}
"""TCP settings of both endpoints, the same for both variants."""


@dataclass(frozen=True)
class Reading:
    """One interpretation of the paper's path between server and access point.

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
"""The interpretation that follows the paper's Table 3; settings that the table leaves open are as in ns-3's reference
runs."""

FOUND: Final = Reading(
    READ_MBPS,
    READ_MS,
    READ_SEGMENT_B,
    {"profile": "ns3", "segment": f"{READ_SEGMENT_B}B", "timestamps": False, "window_reduction": "prr"},
)
"""The interpretation found after the results were known, with ns-3's default sockets; they reduce the window by PRR, as
ns-3's traces show."""

CONNECTED_MBPS: Final = 0.1
"""Throughput, Mb/s, above which a client counts as in range; a client that never is gets a few packets at most."""

SAMPLE_S: Final = 1.0
"""Width of the bins of throughput against time, s."""

LAST_S: Final = 10.0
"""Length of "the end" of a run, s."""

AGREE_WITHIN: Final = 0.03
"""Greatest difference from ns-3's mean that counts as agreement, as a fraction of that mean."""
