"""The numbers that the paper states, and its claims in words. No figure's points: the text has none."""

from __future__ import annotations

from typing import Final

TABLE1_BPS: Final[dict[str, float]] = {
    "tahoe": 34325.75,
    "reno": 35159.09,
    "newreno": 35469.69,
    "sack": 35462.12,
    "vegas": 36969.69,
}
"""Table 1, average throughput in bytes/s, both flows together."""
