"""The numbers that the paper states, its claims in words, and its formulas. No figure's points: the text has none."""

from __future__ import annotations

from typing import Final

import ackclock.study as st

PAPER: Final = st.Paper(
    authors="Suherman, Arief T. W. Hutasuhut, Khaldun Badra and Marwan Al-Akaidi",
    title="Impact of window decrement rate on TCP performance in an adhoc network",
    origin="Universitas Sumatera Utara and Arab Open University (the text names neither venue nor year)",
)
"""The paper."""

DELAY_REDUCTION: Final = 17.05
"""Average reduction of the delay from k = 0.9 to 0.1, percent."""

JITTER_REDUCTION: Final = 4.15
"""Average reduction of the jitter from k = 0.9 to 0.1, percent."""

FLOW_B: Final = 1024
"""Size of the packet flow in Figure 4, bytes."""

RTO_S: Final = 0.1
"""Timer in Figure 4, s."""

PACKET_B: Final = 1052
"""Size of the TCP packets, bytes."""

CLAIMS: Final[dict[str, str]] = {
    "fig2": "The delay grows with the number of nodes; up to 10 nodes k makes little difference, at 20 it does.",
    "fig3": "The delay averaged over the numbers of nodes rises linearly with k; k = 0.1 has 17.05 % less than k "
    "= 0.9.",
    "fig4": "The response time grows with k, as l rto 2^k: this is said to confirm the simulation.",
    "fig5": "A small k shrinks the window much.",
    "fig6": "The jitter differs with k where nodes are many.",
    "fig7": "The jitter averaged over the numbers of nodes rises slightly with k; k = 0.1 has 4.15 % less than k "
    "= 0.9.",
}
"""Each figure's claim, in our words."""


def response_time(k: float, flow_b: float = FLOW_B, rto_s: float = RTO_S) -> float:
    """Return the paper's expected response time for a decrement rate, l rto 2^k, in bytes times seconds."""
    return flow_b * rto_s * float(2.0**k)


def response_time_lossy(p: float, flow_b: float = FLOW_B, rto_s: float = RTO_S) -> float:
    """Return the paper's expected response time for a probability of loss, l rto / (1 - p), in bytes times seconds."""
    return flow_b * rto_s / (1 - p)


def loss(k: float) -> float:
    """Return the probability of loss that makes the paper's two response times equal: 1 - 2^-k."""
    return 1.0 - float(2.0**-k)
