"""Formats numbers and intervals in the same way for all outputs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.stats.statistics import Interval


def brief(value: object, scale: float = 1.0, digits: int = 4) -> str:
    """Return `scale` times the value with `digits` significant digits, or a dash if there is no value."""
    if not isinstance(value, int | float) or math.isnan(value):
        return "–"
    if isinstance(value, int) and scale == 1.0:
        return str(value)
    return f"{value * scale:.{digits}g}" if value else "0"


def estimate(interval: Interval, scale: float = 1.0) -> str:
    """Return ``mean ±half width`` or ``mean [low, high]``; narrow terminals may break the line at the space.

    The mean has as many decimals as the half width.
    """
    if math.isnan(interval.mean):
        return "–"
    if not interval.known:
        return f"{brief(interval.mean, scale)} ({'one run' if interval.n < 2 else 'no interval'})"
    if interval.half_width == 0.0:
        return f"{brief(interval.mean, scale)} (same)"
    half = interval.half_width * scale
    digits = min(6, max(0, 1 - math.floor(math.log10(half))))
    written = f"{interval.mean * scale:.{digits}f}"
    if interval.lopsided(0.5 * 10.0**-digits / scale):
        return f"{written} [{interval.low * scale:.{digits}f}, {interval.high * scale:.{digits}f}]"
    return f"{written} ±{half:.{digits}f}"
