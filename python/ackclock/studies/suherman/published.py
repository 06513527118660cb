"""The numbers, claims and formulas in the paper's text; the text has no numbers for the points of the figures."""

from __future__ import annotations

from typing import Final

from ackclock.studies.suherman import settings as k

_REDUCTION: Final = k.TEXT.numbers("REDUCTION_PERCENT")

DELAY_REDUCTION: Final = _REDUCTION["delay"]
"""Average reduction of the delay from k = 0.9 to 0.1, percent."""

JITTER_REDUCTION: Final = _REDUCTION["jitter"]
"""Average reduction of the jitter from k = 0.9 to 0.1, percent."""

FLOW_B: Final = 1024
"""Size of the packet flow in Figure 4, bytes."""

RTO_S: Final = 0.1
"""Retransmission timeout in Figure 4, s."""

PACKET_B: Final = 1052
"""Size of the TCP packets, bytes."""


def response_time(k: float, flow_b: float = FLOW_B, rto_s: float = RTO_S) -> float:
    """Return the paper's expected response time l rto 2^k for a decrement rate k, in bytes times seconds."""
    return flow_b * rto_s * float(2.0**k)


def response_time_lossy(p: float, flow_b: float = FLOW_B, rto_s: float = RTO_S) -> float:
    """Return the paper's expected response time l rto / (1 - p) for a loss probability p, in bytes times seconds."""
    return flow_b * rto_s / (1 - p)


def loss(k: float) -> float:
    """Return the loss probability for which the paper's two response times are equal, 1 - 2^-k."""
    return 1.0 - float(2.0**-k)
