"""The numbers that the paper states, and its claims in words. No figure's points: the text has none."""

from __future__ import annotations

from typing import Final

import ackclock.study as st

PAPER: Final = st.Paper(
    authors="Junyou Huang and Huanling Li",
    title="Study on Westwood Algorithm Optimization",
    origin="Sichuan Information Technology College (the text names neither venue nor year)",
)
"""The paper."""

LEVEL_KBPS: Final[dict[str, float]] = {"westwood": 130.0, "tcpw-i": 250.0}
"""Section 4.2, Figure 6: approximate throughput at 10 % error, kb/s."""

JAIN: Final[dict[str, float]] = {"westwood": 0.972, "tcpw-i": 0.989, "reno": 0.994}
"""Section 6: Jain's index of ten flows."""

CLAIMS: Final[dict[str, str]] = {
    "fig4": "At 10 % error the throughput of TCPW-I is about twice that of TCPW.",
    "fig5": "Both fall as the error rate grows, ever more steeply; TCPW-I is ahead, by more the more errors there are.",
    "fig6": "TCPW fluctuates about 130 kb/s, TCPW-I about 250 kb/s.",
    "fig7": "Both fall as the error rate grows; TCPW-I is ahead throughout.",
    "fig9": "When a UDP stream comes and goes, both adapt at once (at 10 s and 20 s), and TCPW-I stays ahead.",
    "response": "Both react at once to a UDP stream that is on and off for 0.5 s each; TCPW-I judges the bandwidth "
    "left over faster and better.",
    "fig10": "TCPW-I grows more slowly, and so is friendlier to Reno than TCPW.",
    "fig11": "Jain's index: Reno 0.994, TCPW-I 0.989, TCPW 0.972.",
}
"""Each figure's claim, in our words."""
