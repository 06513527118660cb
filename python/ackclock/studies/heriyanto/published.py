"""The numbers and claims in the paper's text. The paper states no numbers for the points of its figures."""

from __future__ import annotations

from typing import Final

from ackclock.studies.heriyanto import settings as k

_S1: Final = k.TEXT.numbers("SCENARIO_1")

BEST: Final[dict[tuple[str, str], tuple[str, str, float]]] = {
    ("s1", "throughput"): ("westwood+", "40 nodes", _S1["throughput"]),
    ("s1", "loss"): ("westwood+", "", _S1["loss"]),
    ("s1", "delay"): ("westwood+", "", _S1["delay"]),
    ("s1", "jitter"): ("newreno", "40 nodes", _S1["jitter"]),
    ("s2", "throughput"): ("westwood+", "40 nodes", 1.9983),
}
"""The best values in the text, by scenario and measure: variant, place in the figure, and value in Mb/s, percent or ms.
"""

NEWRENO_AT_FIVE_MBPS: Final = _S1["throughput of newreno"]
"""Published throughput of NewReno in scenario 1 with 5 nodes, Mb/s."""


def gap_percent() -> float:
    """Return the published gain, percent, of Westwood+'s best throughput in scenario 1 over NewReno's with 5 nodes."""
    return 100 * (BEST["s1", "throughput"][2] / NEWRENO_AT_FIVE_MBPS - 1)


SEGMENT_B: Final = 536
"""Payload of a segment, bytes. It is ns-3's default; with it, both throughputs of scenario 1 are whole numbers of
segments."""

WIRE_B: Final = SEGMENT_B + 42
"""Size of a segment on a point-to-point link of ns-3, bytes, with the headers of TCP (20 B), IP (20 B) and PPP (2 B).
"""

LENGTH_S: Final = 60.0
"""Time by which the payload is divided to give the throughput, s; it is the length of the run."""

HANDSHAKE: Final = 2
"""Number of packets of the client's handshake, SYN and ACK, which carry no data."""


def segments(mbps: float) -> float:
    """Return the number of segments whose payload gives the throughput `mbps` over the run."""
    return 1e6 * mbps * LENGTH_S / 8 / SEGMENT_B


def lost() -> tuple[int, int]:
    """Return the numbers of lost packets and of all packets whose ratio is the published loss."""
    arrived = round(segments(BEST["s1", "throughput"][2])) + HANDSHAKE
    share = BEST["s1", "loss"][2] / 100
    count = round(share * arrived / (1 - share))
    return count, arrived + count


PLACEMENTS: Final = {5: "Figure 6: ", 50: "Figure 7: "}
"""Beginning of the titles of the figures that show the positions of the nodes, by the number of nodes."""

FIGURES: Final[dict[tuple[str, str], str]] = {
    ("s1", "throughput against time"): "Figure 8",
    ("s1", "throughput"): "Figure 9",
    ("s1", "loss"): "Figure 10",
    ("s1", "delay"): "Figure 11",
    ("s1", "jitter"): "Figure 12",
    ("s2", "throughput"): "Figure 13",
    ("s2", "loss"): "Figure 14",
    ("s2", "throughput against time"): "Figure 14 (the number is printed twice)",
    ("s2", "delay"): "Figure 15",
    ("s2", "jitter"): "Figure 16",
}
"""The figure number as printed in the paper, by scenario and content."""
