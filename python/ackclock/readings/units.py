"""Units in which papers print numbers, each with its factor to the unit of ackclock's results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

BITS_PER_BYTE: Final = 8.0

RATE, TIME, SHARE, COUNT, BYTES = "rate", "time", "share", "count", "bytes"
"""Dimensions: bit/s, s, a ratio, a number of things, bytes."""


@dataclass(frozen=True)
class Unit:
    """A unit as papers print it."""

    name: str
    dimension: str
    factor: float
    """Value of one such unit in the unit of its dimension, with prefixes as powers of 1000."""
    prefix: int = 0
    """Power of 1000 in the unit: 2 for M; a script may have used the same power of 1024."""

    def in_base(self, value: float, *, binary: bool = False) -> float:
        """Return a printed value in the unit of its dimension; with `binary`, prefixes are powers of 1024."""
        return value * self.factor * (1.024**self.prefix if binary else 1.0)

    def from_base(self, value: float, *, binary: bool = False) -> float:
        """Return a value in this unit, given in the unit of its dimension."""
        return value / self.in_base(1.0, binary=binary)


_PREFIXES: Final = (("", 0), ("k", 1), ("M", 2), ("G", 3))
_RATES: Final = (
    ("b/s", 1.0), ("bit/s", 1.0), ("bps", 1.0), ("bits/s", 1.0),
    ("B/s", BITS_PER_BYTE), ("bytes/s", BITS_PER_BYTE),
)  # fmt: skip
_TIMES: Final = (
    ("s", 1.0),
    ("sec", 1.0),
    ("ms", 1e-3),
    ("us", 1e-6),
    ("µs", 1e-6),
    ("ns", 1e-9),
    ("min", 60.0),
)
_SHARES: Final = (("", 1.0), ("1", 1.0), ("%", 0.01), ("percent", 0.01))
_COUNTS: Final = (("", 1.0), ("packets", 1.0), ("segments", 1.0))
_BYTES: Final = (("B", 1.0), ("bytes", 1.0))


@cache
def units(dimension: str) -> dict[str, Unit]:
    """Return the units of a dimension, by name."""
    plain = {TIME: _TIMES, SHARE: _SHARES, COUNT: _COUNTS}
    if dimension in plain:
        return {name: Unit(name, dimension, factor) for name, factor in plain[dimension]}
    scaled = _RATES if dimension == RATE else _BYTES
    return {
        f"{letter}{name}": Unit(f"{letter}{name}", dimension, factor * 1000.0**power, power)
        for letter, power in _PREFIXES
        for name, factor in scaled
    }
