"""The numbers that the paper states, and its claims in words. No figure's points: the text has none."""

from __future__ import annotations

from typing import Final

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
