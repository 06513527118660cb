"""Agreement of our results with those of another simulator, the peer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ackclock.stats.statistics import LEVEL, Interval, Moments, percent_above_of, t_quantile, welch_of

AGREES_INTERVAL: Final = "inside its interval"
AGREES_TOLERANCE: Final = "within tolerance"
DIFFERS: Final = "outside"
UNDECIDED: Final = "interval too wide"
"""The peer's interval holds our mean, but is wider than the peer's own mean: it would hold almost anything."""

ALTERED: Final = "set-up changed"
"""A user changed the scenario behind our value, so that the peer's is of another one: not compared."""

AGREES: Final = frozenset({AGREES_INTERVAL, AGREES_TOLERANCE})


@dataclass(frozen=True, slots=True)
class Comparison:
    """One of our points beside the peer's, both run alike.

    Attributes:
        experiment: Key of the sweep.
        x: Position on it.
        variant: Key of the variant.
        ours: Our mean and interval.
        theirs: The peer's, in the same unit.
        outcome: `AGREES_INTERVAL`, `AGREES_TOLERANCE`, `UNDECIDED`, `DIFFERS` or `ALTERED`.
    """

    experiment: str
    x: float
    variant: str
    ours: Interval
    theirs: Interval
    outcome: str

    @property
    def difference(self) -> float:
        """Ours minus theirs, as a share of theirs."""
        return self.ours.mean / self.theirs.mean - 1

    @property
    def percent(self) -> Interval:
        """The difference in percent, with its interval: both samples are uncertain, and independent."""
        return percent_above_of(_moments(self.ours), _moments(self.theirs), self.ours.level)

    @property
    def p(self) -> float | None:
        """Two-sided p value of Welch's test that both means are equal; None if one side never varies."""
        if not (self.ours.half_width > 0 and self.theirs.half_width > 0):
            return None
        return welch_of(_moments(self.ours), _moments(self.theirs)).p


def from_deviation(mean: float, sd: float, n: int, level: float = LEVEL) -> Interval:
    """Return the interval of a mean that is known with its standard deviation and number of runs."""
    half = t_quantile(level, n - 1) * sd / math.sqrt(n) if n > 1 else math.nan
    return Interval(mean, half, n, level)


def unaltered(compared: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons of values whose scenario the peer ran, too."""
    return [one for one in compared if one.outcome != ALTERED]


def by_point(compared: Sequence[Comparison]) -> dict[tuple[str, float, str], Comparison]:
    """Return the comparisons of values whose scenario the peer ran, too, by experiment, x and variant."""
    return {(c.experiment, c.x, c.variant): c for c in unaltered(compared)}


def compare(
    at: tuple[str, float, str],
    ours: Interval,
    theirs: Interval,
    tolerance: float,
    rounding: float = 0.0,
    *,
    altered: bool = False,
) -> Comparison:
    """Compare one of our points with the peer's.

    Args:
        at: Experiment, x and variant.
        ours: Our mean and interval.
        theirs: The peer's.
        tolerance: The share of the peer's mean that the means may lie apart.
        rounding: Unit to which the peer's figures are rounded; without it an interval of no width would hold nothing.
        altered: True if a user changed the scenario behind our value: then nothing is compared.
    """
    if altered:
        return Comparison(*at, ours, theirs, ALTERED)
    half = 0.0 if math.isnan(theirs.half_width) else theirs.half_width
    if abs(ours.mean - theirs.mean) < half + rounding:
        outcome = UNDECIDED if 2 * half > abs(theirs.mean) else AGREES_INTERVAL
    elif abs(ours.mean / theirs.mean - 1) <= tolerance:
        outcome = AGREES_TOLERANCE
    else:
        outcome = DIFFERS
    return Comparison(*at, ours, theirs, outcome)


def _moments(value: Interval) -> Moments:
    if not value.known:
        return value.mean, math.nan, min(value.n, 1)
    error = value.half_width / t_quantile(value.level, value.n - 1)
    return value.mean, error**2 * value.n, value.n
