"""Every setting of the study "huang", in one place, with the reason if the paper leaves it open.

What the paper leaves open is set as in the reference runs of ns-2, before TCPW-I was run for the first time.
Nothing was chosen to meet a claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import ackclock.study as st

SETTINGS: Final = st.Settings()
"""The table of settings in the report."""

SETTINGS.paper("topology, Figures 4 to 7", "S0 - R0 - R1 - D1, one FTP flow", "Figure 3")
LINK_MBPS, LINK_MS = SETTINGS.paper("links, Figures 4 and 5", (10, 10), "Section 4.1", "{} Mb/s, {} ms each")
BOTTLENECK_MBPS, BOTTLENECK_MS = SETTINGS.paper(
    "links, Figures 6 and 7", (1, 40), "Section 4.2", "R0-R1 {} Mb/s, {} ms; others 10 Mb/s, 10 ms"
)
SETTINGS.paper(
    "link with errors",
    "R1-D1, and R0-R1: both are run",
    "the text puts them on R1-D1 for Figure 4 and on R0-R1 for Figures 5 and 7, each said to differ from the "
    "figure before in the error rate alone",
)
ERROR_PERCENT: Final = SETTINGS.paper(
    "error rates",
    (0.1, 0.5, 1, 5, 10),
    "Sections 4.1, 4.2",
    "{}, {}, {}, {} %, and the {} % of Figures 4 and 6",
)
SETTINGS.open(
    "error model",
    "each packet towards D1 by itself, before the queue; at 10 % also on the wire",
    "before the queue as in the runs of ns-2, so that a lost packet takes no capacity; on the wire was added after the "
    "results. Acknowledgments are spared, retransmissions are not",
)
LENGTH_S, START_S, FRIENDLINESS_S = SETTINGS.paper(
    "length", (100, 1, 400), "Sections 4.1 and 5", "{} s from {} s on; Figure 10: {} s"
)
QUEUE: Final = SETTINGS.open(
    "queues", 50, "the kind is stated, the size is not: ns-2's default", "drop-tail, {} packets"
)
SEGMENT_B, HEADER_B = SETTINGS.open("segment", (1000, 40), "ns-2's default", "{} B + {} B header")
PAYLOAD: Final = SEGMENT_B / (SEGMENT_B + HEADER_B)
"""Share of a segment that is payload."""

WINDOW: Final = SETTINGS.open(
    "window",
    10000,
    "never a limit; with ns-2's default of 20 the error rate would not matter below 1 %",
    "{} segments",
)
SETTINGS.open(
    "endpoint",
    "profile ns2, timestamps, recovery sack; beside it TCP-Linux's (linux-...)",
    "the paper ran TCP-Linux; timestamps (+ 10 B), since ns-2's Westwood has two states without",
)
SETTINGS.paper("β of TCPW-I", "3 packets", "Section 3.1")
SETTINGS.open(
    "RTTc of TCPW-I",
    "mean over the connection, mean over a round trip, and the smoothed one of RFC 6298: all are run",
    "the text never resets sumRTT and cntRTT, speaks of the current RTT, and calls RTTc the smoothed RTT",
)
SETTINGS.open(
    "TCPW-I after a loss taken for congestion",
    "ssthresh = BE RTTmin / segment, cwnd no higher",
    "the text sets cwnd alone; this is Westwood's rule",
)
SETTINGS.open("TCPW-I after a timeout", "as Westwood", "not in the text")
GATEWAY_KIB: Final = SETTINGS.open(
    "gateway",
    256,
    "the paper describes it and never simulates it",
    "at the near end of the link with errors (R1 or R0), Local buffer {} KiB. It forwards each packet at once, as the "
    "text has it. Beside it: one whose far side is a sender with the same TCP",
)
SETTINGS.paper("Figure 10", "S0 (the variant) and S1 (Reno), each to a receiver of its own", "Section 5")
SETTINGS.open("Reno in Figure 10", "of the same endpoint: ns-2's own, or TCP-Linux's", "not in the text")
SENDERS, FAIRNESS_EDGE_MS = SETTINGS.paper(
    "Figure 11", (10, 1), "Section 6", "{} senders, access 10 Mb/s, {} ms; R0-R1 10 Mb/s, 10 ms"
)
EDGE_MBPS, EDGE_MS, MIDDLE_MBPS, MIDDLE_MS, WIFI_MBPS = SETTINGS.paper(
    "network, Figure 9 and on-off test",
    (100, 2, 3, 10, 11),
    "Figure 8",
    "S0, S1 - R0 {0} Mb/s, {1} ms; R0 - AP {2} Mb/s, {3} ms; AP - D1 {0} Mb/s, {1} ms; AP - D0 802.11b, {4} Mb/s",
)
AP_M: Final = SETTINGS.open(
    "802.11b",
    5,
    "not in the text; RTS, ns-2's default, would make the air the bottleneck while no UDP flows",
    "profile ns2 (control frames at 1 Mb/s), no RTS, D0 {} m from the access point",
)
UDP_MBPS, UDP_B, UDP_HALF_S = SETTINGS.paper(
    "UDP stream", (1, 1000, 0.5), "Section 4.3", "{} Mb/s, {} B packets; on and off for {} s each in the test"
)
SETTINGS.open(
    "starts, Figures 10 and 11",
    "together at 1 s, and each later by up to 1 s",
    "together as in the text; jittered, since a single start tells you little",
)
SETTINGS.open("throughput", "payload delivered in order / time", "not in the text")
TICK_PHASE: Final = SETTINGS.open(
    "phase of the coarse clock", "random", "in ns-2 it is drawn from the seed", "{}, by seed"
)

ERRORS: Final = tuple(percent / 100 for percent in ERROR_PERCENT)
"""Error rates of Figures 5 and 7: the four of the text, and the 10 % of Figures 4 and 6."""

FIGURE_ERROR: Final = ERRORS[-1]
"""Error rate of Figures 4 and 6."""

JITTER_S: Final = 1.0
"""Start jitter of runs with several flows, s: each start moves by U(0, JITTER_S), as in ns-2's runs."""

HYBRID_S: Final = 30
"""Time for which the flow over 802.11 sends in Figure 9, s, from the start of the run on."""

HYBRID_UDP_S: Final = ((0, 10), (20, 30))
"""Spans in which the UDP stream beside it is on, s."""

RESPONSE_S: Final = 10
"""Length of the on-off test, s."""

HYBRID_JITTER_S: Final = 0.1
"""Start jitter of both, s: small compared with the spans that they compare."""

HYBRID_SAMPLE_S: Final = 0.5
"""Bins of the throughput drawn of both, s."""

SEEDS: Final = 30
"""Replications of each point with random loss."""

JITTERED: Final = 30
"""Replications with jittered starts in Figures 10 and 11."""

TOGETHER: Final = 5
"""Runs of Figures 10 and 11 that start together: only the phase of a clock is random there."""

SAMPLE_S: Final = 5.0
"""Bins of the throughput drawn in Figures 4 and 6, s."""

FRIENDLINESS_SAMPLE_S: Final = 20.0
"""Bins of the throughput drawn in Figure 10, s."""

AGREE_WITHIN: Final = 0.10
"""A point agrees with ns-2 when our mean lies in its interval or within this share of its mean."""

AGREE_JAIN: Final = 0.01
"""Difference of Jain's index within which a point agrees with ns-2."""

TCP: Final[dict[str, object]] = {
    "profile": "ns2",
    "segment": f"{SEGMENT_B}B",
    "max_window": WINDOW,
    "timestamps": True,
    "tick_phase": TICK_PHASE,
}
"""Settings of both endpoints, for every variant."""

_ROUND: Final[dict[str, object]] = {"control": {"rttc": "round"}}
_SMOOTHED: Final[dict[str, object]] = {"control": {"rttc": "smoothed"}}

GATEWAY: Final = {"kind": "pre-ack", "buffer": f"{GATEWAY_KIB}KiB"}
"""The gateway of the text; its Local buffer holds five times a full queue."""

OWN_WINDOW: Final = {"kind": "intelligent", "buffer": f"{GATEWAY_KIB}KiB"}
"""A gateway that sends in order, under a window of its own: split TCP in effect."""

CRASH_ERROR: Final = 0.01
"""Error rate of the runs in which the gateway crashes."""

CRASH_S: Final = 51
"""Time of the crash, s: in the middle of the run."""


@dataclass(frozen=True)
class Curve:
    """Settings that run under one name.

    Attributes:
        label: Its name in legends.
        short: Its name in tables.
        tcp: The sender's own TCP settings.
        gateway: The gateway on its way, if there is one.
    """

    label: str
    short: str
    tcp: dict[str, object]
    gateway: dict[str, str] | None = None


CURVES: Final[dict[str, Curve]] = {
    "westwood": Curve("TCPW (Westwood)", "TCPW", {"variant": "westwood"}),
    "tcpw-i": Curve("TCPW-I", "TCPW-I", {"variant": "tcpw-i"}),
    "tcpw-i-round": Curve("TCPW-I, RTTc per round", "TCPW-I round", {"variant": "tcpw-i", **_ROUND}),
    "gateway": Curve("TCPW-I + gateway", "gateway", {"variant": "tcpw-i"}, gateway=GATEWAY),
    "gateway-round": Curve(
        "TCPW-I + gateway, RTTc per round", "gateway round", {"variant": "tcpw-i", **_ROUND}, gateway=GATEWAY
    ),
    "tcpw-i-smoothed": Curve("TCPW-I, RTTc smoothed", "TCPW-I smoothed", {"variant": "tcpw-i", **_SMOOTHED}),
    "gateway-smoothed": Curve(
        "TCPW-I + gateway, RTTc smoothed",
        "gateway smoothed",
        {"variant": "tcpw-i", **_SMOOTHED},
        gateway=GATEWAY,
    ),
    "gateway-westwood": Curve("TCPW + gateway", "gateway TCPW", {"variant": "westwood"}, gateway=GATEWAY),
    "gateway-window": Curve(
        "TCPW-I + gateway with a window of its own",
        "gateway, own window",
        {"variant": "tcpw-i"},
        gateway=OWN_WINDOW,
    ),
    "linux-westwood": Curve("TCPW in TCP-Linux", "L:TCPW", {"variant": "linux-westwood"}),
    "linux-tcpw-i": Curve("TCPW-I in TCP-Linux", "L:TCPW-I", {"variant": "linux-tcpw-i"}),
    "linux-gateway": Curve(
        "TCPW-I + gateway, TCP-Linux", "L:gateway", {"variant": "linux-tcpw-i"}, gateway=GATEWAY
    ),
    "reno": Curve("Reno", "Reno", {"variant": "reno"}),
    "newreno": Curve("NewReno", "NewReno", {"variant": "newreno"}),
    "sack": Curve("SACK", "SACK", {"variant": "sack"}),
    "cubic": Curve("CUBIC", "CUBIC", {"variant": "cubic"}),
    "linux-reno": Curve("Reno in TCP-Linux", "L:Reno", {"variant": "linux-reno"}),
    "veno": Curve("Veno", "Veno", {"variant": "veno"}),
}
"""All curves, by their key in the data."""

SHORT: Final = st.Names({key: curve.short for key, curve in CURVES.items()})
"""Short names by key."""


def curve(key: str) -> Curve:
    """Return the settings of a key; a variant that a user adds has its own name as key."""
    return CURVES.get(key) or Curve(st.written(key), st.written(key), {"variant": key})


@dataclass(frozen=True)
class Reading:
    """One reading of TCPW-I, with its comparisons: a column of the verdicts.

    Attributes:
        column: What the verdicts in it suppose.
        tcpwi: Key of TCPW-I.
        tcpw: Key of Westwood.
        gateway: Key of TCPW-I behind the gateway.
        reno: Key of Reno.
        on_wire: Whether packets are lost on the wire; only the runs at 10 % error are made so.
    """

    column: str
    tcpwi: str
    tcpw: str
    gateway: str
    reno: str
    on_wire: bool = False

    def runs(self, experiments: Sequence[str]) -> list[str]:
        """Return the keys of these experiments with packets lost at the place of the reading."""
        return [on_wire(e) if self.on_wire else e for e in experiments]


READINGS: Final = (
    Reading("in TCP-Linux, as published", "linux-tcpw-i", "linux-westwood", "linux-gateway", "linux-reno"),
    Reading("RTTc over the connection", "tcpw-i", "westwood", "gateway", "reno"),
    Reading("RTTc per round trip", "tcpw-i-round", "westwood", "gateway-round", "reno"),
    Reading("RTTc smoothed", "tcpw-i-smoothed", "westwood", "gateway-smoothed", "reno"),
    Reading(
        "in TCP-Linux, losses on the wire",
        "linux-tcpw-i",
        "linux-westwood",
        "linux-gateway",
        "linux-reno",
        on_wire=True,
    ),
)
"""The readings of the paper that are judged, the authors' own first. The last was added after the results."""

AT_ENTRY: Final = tuple(reading for reading in READINGS if not reading.on_wire)
"""Readings whose packets are lost before the queue, as in ns-2's runs."""

TEXTBOOK: Final = READINGS[1]
"""The controls as in the papers, with RTTc as in the text."""


def on_wire(experiment: str) -> str:
    """Return the key of the runs of an experiment whose packets are lost on the wire."""
    return f"{experiment}_wire"


def westwood(curve: str) -> str:
    """Return the key of the Westwood that a curve is compared with: of the same kind of endpoint."""
    return "linux-westwood" if curve.startswith("linux-") else "westwood"


def competitor(curve: str) -> str:
    """Return the key of the Reno that a curve meets in Figure 10: of the same kind of endpoint."""
    return "linux-reno" if curve.startswith("linux-") else "reno"
