"""All settings of the study "huang", with the reason for each setting that the paper leaves open.

Settings that the paper leaves open are as in the reference runs of ns-2. They were fixed before the first run of
TCPW-I, and none was chosen to meet a claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import ackclock.study as st

TEXT: Final = st.texts(__file__, globals())

SETTINGS: Final = TEXT.settings()
"""The table of settings in the report."""

LEVEL_KBPS: Final[dict[str, float]] = TEXT.numbers("LEVEL_KBPS")
JAIN: Final[dict[str, float]] = TEXT.numbers("JAIN")

LINK_MBPS, LINK_MS = SETTINGS["links, Figures 4 and 5"]
BOTTLENECK_MBPS, BOTTLENECK_MS = SETTINGS["links, Figures 6 and 7"]
ERROR_PERCENT: Final = SETTINGS["error rates"]
LENGTH_S, START_S, FRIENDLINESS_S = SETTINGS["length"]
QUEUE: Final = SETTINGS["queues"]
SEGMENT_B, HEADER_B = SETTINGS["segment"]
PAYLOAD: Final = SEGMENT_B / (SEGMENT_B + HEADER_B)
"""Payload of a segment as a fraction of the segment."""

WINDOW: Final = SETTINGS["window"]
GATEWAY_KIB: Final = SETTINGS["gateway"]
SENDERS, FAIRNESS_EDGE_MS = SETTINGS["Figure 11"]
EDGE_MBPS, EDGE_MS, MIDDLE_MBPS, MIDDLE_MS, WIFI_MBPS = SETTINGS["network, Figure 9 and on-off test"]
AP_M: Final = SETTINGS["802.11b"]
UDP_MBPS, UDP_B, UDP_HALF_S = SETTINGS["UDP stream"]
TICK_PHASE: Final = SETTINGS["phase of the coarse clock"]

ERRORS: Final = tuple(percent / 100 for percent in ERROR_PERCENT)
"""Error rates of Figures 5 and 7: the four that the text names, and the 10 % of Figures 4 and 6."""

FIGURE_ERROR: Final = ERRORS[-1]
"""Error rate of Figures 4 and 6."""

JITTER_S: Final = 1.0
"""Start jitter of runs with several flows, s: each start is delayed by a random time from U(0, JITTER_S)."""

HYBRID_S: Final = 30
"""Length of the runs of Figure 9, in which the flow over 802.11 sends, s."""

HYBRID_UDP_S: Final = ((0, 10), (20, 30))
"""Time spans in which the UDP stream of Figure 9 is on, (start, end) in s."""

RESPONSE_S: Final = 10
"""Length of the on-off test, s."""

HYBRID_JITTER_S: Final = 0.1
"""Start jitter in Figure 9 and in the on-off test, s; it is small compared with the time spans that are compared."""

HYBRID_SAMPLE_S: Final = 0.5
"""Width of the bins of throughput in Figure 9 and in the on-off test, s."""

SEEDS: Final = 30
"""Number of replications at each point with random loss."""

JITTERED: Final = 30
"""Number of replications with jittered starts in Figures 10 and 11."""

TOGETHER: Final = 5
"""Number of runs of Figures 10 and 11 whose flows start together; these runs differ only in the phase of a clock."""

SAMPLE_S: Final = 5.0
"""Width of the bins of throughput in Figures 4 and 6, s."""

FRIENDLINESS_SAMPLE_S: Final = 20.0
"""Width of the bins of throughput in Figure 10, s."""

AGREE_WITHIN: Final = 0.10
"""Greatest difference from ns-2's mean that counts as agreement, as a fraction of that mean."""

AGREE_JAIN: Final = 0.01
"""Greatest difference of Jain's index that counts as agreement with ns-2."""

TCP: Final[dict[str, object]] = {
    "profile": "ns2",
    "segment": f"{SEGMENT_B}B",
    "max_window": WINDOW,
    "timestamps": True,
    "tick_phase": TICK_PHASE,
}
"""TCP settings of both endpoints, the same for all variants."""

GATEWAYS: Final = {kind: {"kind": kind, "buffer": f"{GATEWAY_KIB}KiB"} for kind in ("pre-ack", "intelligent")}
"""Settings of the gateways by kind. `pre-ack` is the paper's gateway, whose Local buffer holds five times a full queue.
`intelligent` sends in order with its own window, which amounts to split TCP."""

CRASH_ERROR: Final = 0.01
"""Error rate of the runs in which the gateway crashes."""

CRASH_S: Final = 51
"""Time of the gateway's crash, s, in the middle of the run."""


@dataclass(frozen=True)
class Curve(st.Variant):
    """A variant, possibly with a gateway on the path.

    Attributes:
        gateway: Kind of the gateway, a key of `GATEWAYS`; empty for none.
    """

    gateway: str = ""


CURVES: Final = st.Variants(TEXT.each("curve", Curve))
"""All curves by key in the data; the key of a variant that a user adds is its name."""

SHORT: Final = CURVES.short
"""Names of the curves in tables, by key of the curve."""


@dataclass(frozen=True)
class Reading:
    """One interpretation of TCPW-I, with the variants that it is compared with. Each has a column of verdicts.

    Attributes:
        column: Heading of the column: the assumption.
        tcpwi: Key of the curve of TCPW-I.
        tcpw: Key of the curve of Westwood.
        gateway: Key of the curve of TCPW-I with the gateway.
        reno: Key of the curve of Reno.
        on_wire: True if packets are lost on the wire; there are such runs at 10 % error only.
    """

    column: str
    tcpwi: str
    tcpw: str
    gateway: str
    reno: str
    on_wire: bool = False

    def runs(self, experiments: Sequence[str]) -> list[str]:
        """Return the keys of the experiments, or of their runs with losses on the wire if `on_wire` is true."""
        return [on_wire(e) if self.on_wire else e for e in experiments]


READINGS: Final = TEXT.each("reading", Reading)
"""Interpretations of the paper, each with its own column of verdicts. The first is in TCP-Linux, the simulator of the
paper; the last was added after the results were known."""

AT_ENTRY: Final = tuple(reading for reading in READINGS if not reading.on_wire)
"""Interpretations in which packets are lost before the queue, as in ns-2's runs."""

TEXTBOOK: Final = READINGS[1]
"""The interpretation with the controls as their papers describe them, and RTTc as this paper describes it."""


def on_wire(experiment: str) -> str:
    """Return the key of an experiment's runs with packets lost on the wire."""
    return f"{experiment}_wire"


def westwood(curve: str) -> str:
    """Return the key of Westwood with the same kind of endpoint as a curve."""
    return "tcp-linux-westwood" if curve.startswith("tcp-linux-") else "westwood"


def competitor(curve: str) -> str:
    """Return the key of Reno with the same kind of endpoint as a curve, which is its competitor in Figure 10."""
    return "tcp-linux-reno" if curve.startswith("tcp-linux-") else "reno"
