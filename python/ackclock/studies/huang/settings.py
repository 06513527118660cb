"""Every setting of the study "huang", in one place, with the reason if the paper leaves it open.

What the paper leaves open is set as in the reference runs of ns-2, before TCPW-I was run for the first time.
Nothing was chosen to meet a claim.
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
"""Share of a segment that is payload."""

WINDOW: Final = SETTINGS["window"]
GATEWAY_KIB: Final = SETTINGS["gateway"]
SENDERS, FAIRNESS_EDGE_MS = SETTINGS["Figure 11"]
EDGE_MBPS, EDGE_MS, MIDDLE_MBPS, MIDDLE_MS, WIFI_MBPS = SETTINGS["network, Figure 9 and on-off test"]
AP_M: Final = SETTINGS["802.11b"]
UDP_MBPS, UDP_B, UDP_HALF_S = SETTINGS["UDP stream"]
TICK_PHASE: Final = SETTINGS["phase of the coarse clock"]

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

GATEWAYS: Final = {kind: {"kind": kind, "buffer": f"{GATEWAY_KIB}KiB"} for kind in ("pre-ack", "intelligent")}
"""The gateway of the text, whose Local buffer holds five times a full queue; and one that sends in order, under a
window of its own: split TCP in effect."""

CRASH_ERROR: Final = 0.01
"""Error rate of the runs in which the gateway crashes."""

CRASH_S: Final = 51
"""Time of the crash, s: in the middle of the run."""


@dataclass(frozen=True)
class Curve(st.Variant):
    """A variant, with the gateway on its way.

    Attributes:
        gateway: Kind of the gateway, one of `GATEWAYS`; empty if there is none.
    """

    gateway: str = ""


CURVES: Final = st.Variants(TEXT.each("curve", Curve))
"""All curves, by their key in the data; a variant that a user adds has its own name as key."""

SHORT: Final = CURVES.short
"""Short names by key."""


@dataclass(frozen=True)
class Reading:
    """One reading of TCPW-I, with its comparisons: a column of the verdicts.

    Attributes:
        column: The assumption of its verdicts.
        tcpwi: Key of TCPW-I.
        tcpw: Key of Westwood.
        gateway: Key of TCPW-I behind the gateway.
        reno: Key of Reno.
        on_wire: True if packets are lost on the wire; only the runs at 10 % error are made so.
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


READINGS: Final = TEXT.each("reading", Reading)
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
    return "tcp-linux-westwood" if curve.startswith("tcp-linux-") else "westwood"


def competitor(curve: str) -> str:
    """Return the key of the Reno that a curve meets in Figure 10: of the same kind of endpoint."""
    return "tcp-linux-reno" if curve.startswith("tcp-linux-") else "reno"
