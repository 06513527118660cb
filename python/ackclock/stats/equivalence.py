"""Equivalence of two means within a margin that is stated beforehand: two one-sided tests (TOST, Schuirmann 1987).

A test that finds no difference shows nothing, since few or noisy runs find none either. So both outcomes have to be
shown here. The means are equivalent if the interval of their difference lies within the margin. They differ if a wider
interval lies beyond the margin. In all other cases the test cannot decide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from ackclock.stats.statistics import Interval, Moments, t_quantile

ALPHA: Final = 0.05
"""Maximum probability that two means are called equivalent although they differ by more than the margin."""

ALPHA_DIFFERENT: Final = 0.01
"""Maximum probability that two means are called different although they differ by less than the margin. It is smaller
than `ALPHA`, since many comparisons are made at the same time."""


class Verdict(StrEnum):
    """Result of comparing two means with a margin."""

    EQUIVALENT = "equivalent"
    """The interval of the difference lies within the margin."""
    DIFFERENT = "different"
    """The wider interval of the difference lies beyond the margin."""
    UNDECIDED = "cannot decide"
    """An interval includes an end of the margin; more runs or less noise would decide."""


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Difference of two means, and how it compares with a margin."""

    difference: Interval
    """The difference with its interval of level 1 - 2 `ALPHA`; the half width is 0 if neither side varies."""
    wide: Interval
    """The difference with its interval of level 1 - `ALPHA_DIFFERENT`."""
    margin: float
    """Maximum difference that counts as none, in the unit of the means."""

    @property
    def verdict(self) -> Verdict:
        """The verdict; an interval that ends exactly at the margin lies within it."""
        if -self.margin <= self.difference.low and self.difference.high <= self.margin:
            return Verdict.EQUIVALENT
        if self.wide.low > self.margin or self.wide.high < -self.margin:
            return Verdict.DIFFERENT
        return Verdict.UNDECIDED


def equivalence(a: Moments, b: Moments, margin: float) -> Equivalence:
    """Test whether the means of two independent samples are equivalent within a margin.

    If one sample has a single run, the other sample's variance is used for both (Crawford and Howell 1998). If both
    have a single run, or no run varies, the difference is taken as exact.

    Args:
        a: Mean, variance and number of runs of the first sample.
        b: Mean, variance and number of runs of the second sample.
        margin: Greatest difference of the means that counts as none.
    """
    (mean_a, var_a, n_a), (mean_b, var_b, n_b) = a, b
    if n_a < 2:
        var_a = var_b
    if n_b < 2:
        var_b = var_a
    parts = [(var / n, n - 1) for var, n in ((var_a, n_a), (var_b, n_b))]
    total = math.fsum(part for part, _ in parts)
    exact = Interval(mean_a - mean_b, 0.0, min(n_a, n_b), 1 - 2 * ALPHA)
    if max(n_a, n_b) < 2 or total == 0.0:
        return Equivalence(exact, replace(exact, level=1 - ALPHA_DIFFERENT), margin)
    if min(n_a, n_b) < 2:
        degrees = float(max(n_a, n_b) - 1)
    else:
        degrees = total**2 / math.fsum(part**2 / free for part, free in parts)

    def at(level: float) -> Interval:
        return replace(exact, half_width=t_quantile(level, degrees) * math.sqrt(total), level=level)

    return Equivalence(at(exact.level), at(1 - ALPHA_DIFFERENT), margin)
