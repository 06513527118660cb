"""Every setting of the study "huang", in one place, with the reason where the paper leaves it open.

What the paper leaves open is set as in the reference runs of ns-2, before TCPW-I was run for the first time.
Nothing was chosen to meet a claim.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ackclock.studies.settings import BASE_SEED as BASE_SEED
from ackclock.studies.settings import LEVEL as LEVEL
from ackclock.studies.settings import Setting

SEGMENT_B: Final = 1000
"""Payload of a segment, bytes."""

WINDOW: Final = 10000
"""Maximum window, segments: it never limits."""

QUEUE: Final = 50
"""Places of every queue, packets, the one in transmission included: ns-2's default."""

START_S: Final = 1
"""When flows start, s."""

LENGTH_S: Final = 100
"""How long flows send in Figures 4 to 7 and 11, s."""

FRIENDLINESS_S: Final = 400
"""How long they send in Figure 10, s."""

SENDERS: Final = 10
"""Flows in Figure 11."""

JITTER_S: Final = 1.0
"""Start jitter where several flows run, s: each start moves by U(0, JITTER_S), as in ns-2's runs."""

HYBRID_S: Final = 30
"""How long the flow over 802.11 sends in Figure 9, s, from the start of the run on."""

HYBRID_UDP_S: Final = ((0, 10), (20, 30))
"""When the UDP stream beside it is on, s."""

RESPONSE_S: Final = 10
"""Length of the on-off test, s."""

HYBRID_JITTER_S: Final = 0.1
"""Start jitter of both, s: little beside the stretches of time that they compare."""

HYBRID_SAMPLE_S: Final = 0.5
"""Bins of the throughput drawn of both, s."""

ERRORS: Final = (0.001, 0.005, 0.01, 0.05, 0.1)
"""Error rates of Figures 5 and 7: the four of the text, and the 10 % of Figures 4 and 6."""

FIGURE_ERROR: Final = 0.1
"""Error rate of Figures 4 and 6."""


SEEDS: Final = 30
"""Replications of each point with random loss."""

JITTERED: Final = 30
"""Replications with jittered starts in Figures 10 and 11."""

TOGETHER: Final = 5
"""Runs of Figures 10 and 11 that start together: nothing but the phase of a clock is random there."""

SAMPLE_S: Final = 5.0
"""Bins of the throughput drawn in Figures 4 and 6, s."""

FRIENDLINESS_SAMPLE_S: Final = 20.0
"""The same in Figure 10, s."""

AGREE_WITHIN: Final = 0.10
"""A point agrees with ns-2 when our mean lies in its interval or within this share of its mean."""

AGREE_JAIN: Final = 0.01
"""The same for Jain's index."""

TCP: Final[dict[str, object]] = {
    "profile": "ns2",
    "segment": f"{SEGMENT_B}B",
    "max_window": WINDOW,
    "timestamps": True,
    "tick_phase": "random",
}
"""Settings of both endpoints, for every variant."""

_ROUND: Final[dict[str, object]] = {"control": {"rttc": "round"}}

GATEWAY: Final = {"kind": "intelligent", "buffer": "256KiB"}
"""The gateway; its Local buffer holds five times what a full queue does."""

CRASH_ERROR: Final = 0.01
"""Error rate of the runs in which the gateway crashes."""

CRASH_S: Final = 51
"""When it crashes, s: in the middle of the run."""


@dataclass(frozen=True)
class Curve:
    """What runs under one name.

    Attributes:
        label: Its name in legends.
        short: Its name in tables.
        tcp: The sender's own TCP settings.
        gateway: Whether a gateway stands on its way, which sends with the same TCP on its far side.
    """

    label: str
    short: str
    tcp: dict[str, object]
    gateway: bool = False


CURVES: Final[dict[str, Curve]] = {
    "westwood": Curve("TCPW (Westwood)", "TCPW", {"variant": "westwood"}),
    "tcpw-i": Curve("TCPW-I", "TCPW-I", {"variant": "tcpw-i"}),
    "tcpw-i-round": Curve("TCPW-I, RTTc per round", "TCPW-I round", {"variant": "tcpw-i", **_ROUND}),
    "gateway": Curve("TCPW-I + gateway", "gateway", {"variant": "tcpw-i"}, gateway=True),
    "gateway-round": Curve(
        "TCPW-I + gateway, RTTc per round", "gateway round", {"variant": "tcpw-i", **_ROUND}, gateway=True
    ),
    "linux-westwood": Curve("TCPW in TCP-Linux", "L:TCPW", {"variant": "linux-westwood"}),
    "linux-tcpw-i": Curve("TCPW-I in TCP-Linux", "L:TCPW-I", {"variant": "linux-tcpw-i"}),
    "linux-gateway": Curve(
        "TCPW-I + gateway, TCP-Linux", "L:gateway", {"variant": "linux-tcpw-i"}, gateway=True
    ),
    "reno": Curve("Reno", "Reno", {"variant": "reno"}),
    "newreno": Curve("NewReno", "NewReno", {"variant": "newreno"}),
    "sack": Curve("SACK", "SACK", {"variant": "sack"}),
    "cubic": Curve("CUBIC", "CUBIC", {"variant": "cubic"}),
    "linux-reno": Curve("Reno in TCP-Linux", "L:Reno", {"variant": "linux-reno"}),
    "veno": Curve("Veno", "Veno", {"variant": "veno"}),
}
"""Everything that runs, by its key in the data."""

SHORT: Final = {key: curve.short for key, curve in CURVES.items()}
"""Short names by key."""


@dataclass(frozen=True)
class Form:
    """One reading of TCPW-I, with what it is compared with: a column of the verdicts.

    Attributes:
        column: What the verdicts in it suppose.
        tcpwi: Key of TCPW-I.
        tcpw: Key of Westwood.
        gateway: Key of TCPW-I behind the gateway.
        reno: Key of Reno.
    """

    column: str
    tcpwi: str
    tcpw: str
    gateway: str
    reno: str


FORMS: Final = (
    Form("RTTc over the connection", "tcpw-i", "westwood", "gateway", "reno"),
    Form("RTTc per round trip", "tcpw-i-round", "westwood", "gateway-round", "reno"),
    Form("in TCP-Linux's endpoint", "linux-tcpw-i", "linux-westwood", "linux-gateway", "linux-reno"),
)
"""The readings of the paper that are judged."""


def competitor(curve: str) -> str:
    """Key of the Reno that a curve meets in Figure 10: of the same kind of endpoint."""
    return "linux-reno" if curve.startswith("linux-") else "reno"


SETTINGS: Final = (
    Setting("topology, Figures 4 to 7", "S0 - R0 - R1 - D1, one FTP flow", "paper", "Figure 3"),
    Setting("links, Figures 4 and 5", "10 Mb/s, 10 ms each", "paper", "Section 4.1"),
    Setting("links, Figures 6 and 7", "R0-R1 1 Mb/s, 40 ms; others 10 Mb/s, 10 ms", "paper", "Section 4.2"),
    Setting(
        "link with errors",
        "R1-D1, and R0-R1: both are run",
        "paper",
        "the text puts them on R1-D1 for Figure 4 and on R0-R1 for Figures 5 and 7, each said to differ from the "
        "figure before in the error rate alone",
    ),
    Setting("error rates", "0.1, 0.5, 1, 5 %, and the 10 % of Figures 4 and 6", "paper", "Sections 4.1, 4.2"),
    Setting(
        "error model",
        "each packet towards D1 by itself, before the queue",
        "open",
        "as in the runs of ns-2; acknowledgments are spared, retransmissions are not",
    ),
    Setting("length", "100 s from 1 s on; Figure 10: 400 s", "paper", "Sections 4.1 and 5"),
    Setting("queues", "drop-tail, 50 packets", "open", "the kind is stated, the size is not: ns-2's default"),
    Setting("segment", "1000 B + 40 B header", "open", "ns-2's default"),
    Setting(
        "window",
        "10000 segments",
        "open",
        "never a limit; with ns-2's default of 20 the error rate would not matter below 1 %",
    ),
    Setting(
        "endpoint",
        "profile ns2, timestamps, recovery sack; beside it TCP-Linux's (linux-...)",
        "open",
        "the paper ran TCP-Linux; timestamps (+ 10 B), since ns-2's Westwood has two states without",
    ),
    Setting("β of TCPW-I", "3 packets", "paper", "Section 3.1"),
    Setting(
        "RTTc of TCPW-I",
        "mean over the connection, and over a round trip: both are run",
        "open",
        "the text never resets sumRTT and cntRTT, and speaks of the current RTT",
    ),
    Setting(
        "TCPW-I after a loss taken for congestion",
        "ssthresh = BE RTTmin / segment, cwnd no higher",
        "open",
        "the text sets cwnd alone; this is Westwood's rule",
    ),
    Setting("TCPW-I after a timeout", "as Westwood", "open", "not in the text"),
    Setting(
        "gateway",
        "at the near end of the link with errors (R1 or R0), Local buffer 256 KiB, the same TCP on its far side",
        "open",
        "the paper describes it and never simulates it",
    ),
    Setting(
        "Figure 10", "S0 (the variant) and S1 (Reno), each to a receiver of its own", "paper", "Section 5"
    ),
    Setting(
        "Reno in Figure 10", "of the same endpoint: ns-2's own, or TCP-Linux's", "open", "not in the text"
    ),
    Setting("Figure 11", "10 senders, access 10 Mb/s, 1 ms; R0-R1 10 Mb/s, 10 ms", "paper", "Section 6"),
    Setting(
        "network, Figure 9 and on-off test",
        "S0, S1 - R0 100 Mb/s, 2 ms; R0 - AP 3 Mb/s, 10 ms; AP - D1 100 Mb/s, 2 ms; AP - D0 802.11b, 11 Mb/s",
        "paper",
        "Figure 8",
    ),
    Setting(
        "802.11b",
        "profile ns2 (control frames at 1 Mb/s), no RTS, D0 5 m from the access point",
        "open",
        "not in the text; RTS, ns-2's default, would make the air the bottleneck while no UDP flows",
    ),
    Setting(
        "UDP stream", "1 Mb/s, 1000 B packets; on and off for 0.5 s each in the test", "paper", "Section 4.3"
    ),
    Setting(
        "starts, Figures 10 and 11",
        "together at 1 s, and each later by up to 1 s",
        "open",
        "together as in the text; jittered since a single start says little",
    ),
    Setting("throughput", "payload delivered in order / time", "open", "not in the text"),
    Setting("phase of the coarse clock", "random, by seed", "open", "in ns-2 it is drawn from the seed"),
)
"""The table of settings in the report."""
