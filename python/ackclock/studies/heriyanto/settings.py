"""Every setting of the study "heriyanto", in one place, with the reason where the paper leaves it open.

The paper states few of its settings. Those below are what the reference runs of ns-3 used, so that ours can be held
against them; none was chosen to meet a claim.
"""

from __future__ import annotations

from typing import Final

from ackclock.studies.settings import BASE_SEED as BASE_SEED
from ackclock.studies.settings import LEVEL as LEVEL
from ackclock.studies.settings import Setting

DURATION_S: Final = 60
"""Length of a run, s."""

START_S: Final = 1
"""When both flows start, s."""

PEERING_S: Final = 4
"""How much later flows of a mesh start, and its runs end, s: beacons come once in 1.024 s, then peers shake hands."""

JITTER_S: Final = 0.1
"""Start jitter, s: each start moves by U(0, JITTER_S) from the second replication on."""

NODES: Final = (5, 10, 20, 30, 40, 50)
"""Nodes in all: the server, the access point, and the clients."""

QUICK_NODES: Final = (5, 20, 50)

REPLICATIONS: Final = 20
QUICK_REPLICATIONS: Final = 4

HALF_WIDTH_M: Final = 50
"""Clients stay within so many metres of the access point along x and along y."""

GRID_COLUMNS: Final = 10
GRID_SPACING_M: Final = 1
"""Placement near the access point: clients start on a grid beside it."""

SEGMENT_B: Final = 1024
UDP_RATE: Final = "3Mbps"

VARIANTS: Final[dict[str, dict[str, object]]] = {
    "newreno": {"variant": "sack+reno"},
    "westwood+": {"variant": "sack+westwood+"},
}
"""The two congestion controls, with the loss recovery that ns-3 gives to both."""

TCP: Final[dict[str, object]] = {
    "segment": f"{SEGMENT_B}B",
    "window_reduction": "at-once",
    "reduction": "pipe",
    "receive_window": "131072B",
    "delayed_ack": "200ms",
    "timestamps": True,
}
"""Settings of both endpoints, for both variants."""

LABELS: Final[dict[str, str]] = {"newreno": "NewReno", "westwood+": "Westwood+"}

QUEUE: Final[dict[str, object]] = {
    "kind": "tx-ring",
    "packets": 101,
    "queue": {"kind": "fq-codel", "newton": True},
}
"""Server to access point: a device's 100 packets (and the one in transmission) below FqCoDel."""

CONNECTED_MBPS: Final = 0.1
"""A flow connects where its throughput is above this: a client that is never in range gets some packets at most."""

SAMPLE_S: Final = 1.0
"""Width of the bins of throughput against time, s."""

AGREE_WITHIN: Final = 0.03
"""A point agrees with ns-3 when our mean lies in its interval or within this share of its mean."""

SETTINGS: Final = (
    Setting(
        "topology", "server - access point, clients by 802.11n", "paper", "0.2 m apart, clients at random"
    ),
    Setting("wired link", "5 Mb/s, 1 ms", "paper", "the bottleneck"),
    Setting("wireless rate", "30 Mb/s: MCS 1, 40 MHz, short GI, 5 GHz", "open", "the paper says 30 Mb/s"),
    Setting("nodes", "5, 10, 20, 30, 40, 50", "paper", "server and access point among them"),
    Setting("run length", "60 s, flows from 1 s on", "paper", "the start is left open"),
    Setting("packet", "1024 B payload", "open", "printed as 1024 Mb"),
    Setting(
        "movement", "random walk, new direction every 1 s, 2 to 4 m/s", "open", "speed is ns-3's default"
    ),
    Setting(
        "placement",
        "uniform within ±50 m, and on a grid beside the access point",
        "open",
        "the paper says at random and gives no area; uniform placement leaves some clients out of range",
    ),
    Setting("propagation", "log-distance, exponent 3, 46.68 dB at 1 m; 16 dBm", "open", "ns-3's defaults"),
    Setting("association", "from the start, for the whole run", "open", "beacons and scans are left out"),
    Setting(
        "UDP stream of scenario 2", "3 Mb/s, 1024 B, to another client", "open", "the paper gives no rate"
    ),
    Setting("buffers", "131 072 B at the endpoints", "open", "ns-3's default"),
    Setting("queue at the server", "100 packets below FqCoDel", "open", "ns-3's defaults"),
    Setting(
        "endpoints",
        "SACK, timestamps, delayed ACK, initial window 10",
        "open",
        "ns-3's defaults: its NewReno is the control of the window, its loss recovery is SACK's; "
        "what it calls PRR halves what is in the network at once",
    ),
    Setting(
        "mesh",
        "an access point; beside it 802.11s stations with a gate in its place: HWMP, airtime metric, no root",
        "paper",
        "the paper speaks of a mesh and describes one access point",
    ),
)
"""The table of settings in the report."""
