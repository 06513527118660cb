"""The numbers that the paper states, and its claims in words. No figure's points: the text has none."""

from __future__ import annotations

from typing import Final

import ackclock.study as st

PAPER: Final = st.Paper(
    authors="Ade Novia Maulana and Ulia Niati",
    title="Performance Evaluation of TCP NewReno and TCP Vegas to Avoid Congestion over LTE",
    origin="Universitas Islam Negeri Sulthan Thaha Saifuddin Jambi and Universitas Jambi, accepted 2 August 2019 "
    "(the text names neither journal nor DOI)",
)
"""The paper."""

THROUGHPUT_KBPS: Final = {"newreno": 1033.34, "vegas": 912.624}
"""Abstract: average throughput, kb/s (Vegas's is printed "912 624")."""

RECEIVED_PACKETS: Final = {"newreno": 4594, "vegas": 4161}
"""Abstract: packets received (printed as bits)."""

DELAY_MS: Final = {"newreno": 4864.21, "vegas": 4768.66}
"""Abstract: average end-to-end delay, ms."""

RTT_BELOW_S: Final = {"newreno": 0.6, "vegas": 0.2}
"""Figures 5 and 6: upper bound of the round-trip time, s."""

PACKETS_AT_1S: Final = {"newreno": 100, "vegas": 0}
"""Figures 7 and 8: approximate number of packets with a delay of 1 s."""

CLAIMS: Final[dict[str, str]] = {
    "fig3": "Stable while it sends; near the end the throughput of NewReno falls, that of Vegas falls less.",
    "fig5": "The round-trip time is below 0.6 s with NewReno and below 0.2 s with Vegas.",
    "fig7": "At 1 s the histogram of NewReno's delays counts about 100, that of Vegas's about 0.",
}
"""Claim of each pair of figures, in our words."""
