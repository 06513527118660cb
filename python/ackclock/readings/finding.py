"""A finding of the arithmetic on printed digits, and the sizes and rates that it tries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

USUAL_SIZES: Final = (
    210, 256, 500, 512, 536, 576, 700, 1000, 1024, 1040, 1052, 1064, 1200, 1250, 1378, 1400, 1420, 1440, 1446, 1448,
    1452, 1460, 1470, 1472, 1480, 1500, 1512, 1540,
)  # fmt: skip
"""Packet sizes that published simulations use, bytes; with and without headers."""

HEADERS: Final = (0, 20, 28, 40, 52)
"""Headers that a counted packet may include, bytes: none, IP, IP and UDP, IP and TCP, and those with timestamps."""

USUAL_RATES: Final = (
    0.064, 0.128, 0.256, 0.3, 0.5, 0.7, 0.8, 1, 1.5, 1.544, 1.7, 2, 2.5, 3, 4, 5, 5.5, 6, 8, 9, 10, 11, 12, 15, 18, 20,
    24, 25, 30, 36, 45, 48, 50, 54, 65, 100, 150, 155, 300, 500, 622, 1000,
)  # fmt: skip
"""Link rates that published simulations use, Mb/s."""


@dataclass(frozen=True)
class Finding:
    """A finding in a sentence, with its values."""

    kind: str
    """Kind, such as ``whole packets`` or ``contradiction``."""
    text: str
    """The finding as one or more sentences."""
    values: Mapping[str, Any] = field(default_factory=dict)
    chance: float | None = None
    """Expected number of such findings if the digits were random; None where chance has no part."""


def count(number: float) -> str:
    """Return an expected number as text with two digits, such as ``0.43`` or ``2e-09``."""
    return f"{number:.2g}"


def listed(words: list[str]) -> str:
    """Return words as a list in a sentence."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
