"""The numbers that the paper states, and its claims in words. No figure's points: the text has none."""

from __future__ import annotations

from typing import Final

BEST: Final[dict[tuple[str, str], tuple[str, str, float]]] = {
    ("s1", "throughput"): ("westwood+", "40 nodes", 1.82447),
    ("s1", "loss"): ("westwood+", "", 0.0391527),
    ("s1", "delay"): ("westwood+", "", 160.899),
    ("s1", "jitter"): ("newreno", "40 nodes", 2.310563),
    ("s2", "throughput"): ("westwood+", "40 nodes", 1.9983),
}
"""The best value in the text, by scenario and measure: variant, place, and value in Mb/s, percent or ms."""

NEWRENO_AT_FIVE_MBPS: Final = 1.82426
"""Scenario 1, NewReno's throughput with 5 nodes."""


def gap_percent() -> float:
    """Return the difference of Westwood+'s best throughput of scenario 1 from NewReno's with 5 nodes, percent."""
    return 100 * (BEST["s1", "throughput"][2] / NEWRENO_AT_FIVE_MBPS - 1)


SEGMENT_B: Final = 536
"""Payload with which both throughputs of scenario 1 are whole numbers of segments, bytes: ns-3's default."""

WIRE_B: Final = SEGMENT_B + 42
"""Size of such a segment on a point-to-point link of ns-3, bytes: with 20 B of TCP, 20 B of IP, 2 B of PPP."""

LENGTH_S: Final = 60.0
"""Seconds by which payload is divided there: the whole run."""

HANDSHAKE: Final = 2
"""Packets of the connection's flow that carry no data: SYN and ACK."""


def segments(mbps: float) -> float:
    """Return the number of segments of a throughput over the run, if it counts payload."""
    return 1e6 * mbps * LENGTH_S / 8 / SEGMENT_B


def lost() -> tuple[int, int]:
    """Return the packets lost and all packets of the flow by which the published loss is a ratio of whole numbers."""
    arrived = round(segments(BEST["s1", "throughput"][2])) + HANDSHAKE
    share = BEST["s1", "loss"][2] / 100
    count = round(share * arrived / (1 - share))
    return count, arrived + count


PLACEMENTS: Final = {5: "Figure 6: ", 50: "Figure 7: "}
"""The figures that show the places of the nodes, by their number."""

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
"""The number of each figure as printed under it, by scenario and content."""
