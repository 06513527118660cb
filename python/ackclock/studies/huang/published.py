"""The numbers that the paper states, and its claims in words. No figure's points: the text has none."""

from __future__ import annotations

from typing import Final

LEVEL_KBPS: Final[dict[str, float]] = {"westwood": 130.0, "tcpw-i": 250.0}
"""Section 4.2, Figure 6: approximate throughput at 10 % error, kb/s."""

JAIN: Final[dict[str, float]] = {"westwood": 0.972, "tcpw-i": 0.989, "reno": 0.994}
"""Section 6: Jain's index of ten flows."""
