"""The numbers that the paper states, and its claims in words. No figure's points: the text has none."""

from __future__ import annotations

from typing import Final

import ackclock.study as st

PAPER: Final = st.Paper(
    authors="A F M Zainul Abadin, Md. Anwar Hossain, Muntasir Ahmed, Purno Mohon Ghosh",
    title="Performance Analysis of TCP Tahoe, Reno, New Reno, Sack and Vegas using NS-2",
    origin="Pabna University of Science and Technology; Global Journal of Computer Science and Technology, class E "
    "(the text names neither year nor DOI)",
)
"""The paper."""

TABLE1_BPS: Final[dict[str, float]] = {
    "tahoe": 34325.75,
    "reno": 35159.09,
    "newreno": 35469.69,
    "sack": 35462.12,
    "vegas": 36969.69,
}
"""Table 1, average throughput in bytes/s, both flows together."""

CLAIMS: Final[dict[str, str]] = {
    "fig2": "Vegas is constant after some time; Tahoe does worst, as each loss sends it to slow start.",
    "table1": "Tahoe has the lowest average throughput, Vegas the highest.",
    "fig3": "Below 4 % error Vegas is best, above it NewReno and SACK; throughput falls with the error rate.",
    "fig4": "Throughput rises linearly with the bandwidth of the bottleneck.",
    "fig6": (
        "Vegas is best at any number of sources; below 15 sources SACK and NewReno lead the rest; "
        "Tahoe, Reno, NewReno and SACK stay constant as sources grow."
    ),
    "fig7": "Past 100 ms of delay no variant does well; below 100 ms Vegas does.",
    "fig8": "Vegas is best as the buffer grows.",
}
"""Each figure's claim, in our words."""
