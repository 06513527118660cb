"""Agreement of a study's results with those of another simulator, the peer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ackclock.stats.equivalence import Verdict, equivalence
from ackclock.stats.statistics import LEVEL, Interval, Moments, percent_above_of, t_quantile, welch_of

AGREES: Final = "agrees"
"""Outcome if the 90 % interval of the difference lies within the tolerance, which the study states before the runs."""

DIFFERS: Final = "differs"
"""Outcome if the 99 % interval of the difference lies beyond the tolerance."""

UNDECIDED: Final = "cannot decide"
"""Outcome if there are too few runs to decide: an interval of the difference includes an end of the tolerance."""

ALTERED: Final = "set-up changed"
"""Outcome for a value that is not compared: a user changed our scenario, while the peer ran the original one."""

_OUTCOMES: Final = {
    Verdict.EQUIVALENT: AGREES,
    Verdict.DIFFERENT: DIFFERS,
    Verdict.UNDECIDED: UNDECIDED,
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Our value at one point of a sweep compared with the peer's value for the same scenario.

    Attributes:
        experiment: Key of the sweep.
        x: Position on the sweep's axis.
        variant: Key of the variant.
        ours: Our mean and interval.
        theirs: The peer's mean and interval, in the same unit.
        outcome: `AGREES`, `UNDECIDED`, `DIFFERS` or `ALTERED`.
    """

    experiment: str
    x: float
    variant: str
    ours: Interval
    theirs: Interval
    outcome: str

    @property
    def difference(self) -> float:
        """Our mean minus the peer's mean, as a fraction of the peer's mean."""
        return self.ours.mean / self.theirs.mean - 1

    @property
    def percent(self) -> Interval:
        """Difference of the means in percent of the peer's mean, with the interval of two independent samples."""
        return percent_above_of(_moments(self.ours), _moments(self.theirs), self.ours.level)

    @property
    def p(self) -> float | None:
        """Two-sided p value of Welch's test that both means are equal; None if one side never varies."""
        if not (self.ours.half_width > 0 and self.theirs.half_width > 0):
            return None
        return welch_of(_moments(self.ours), _moments(self.theirs)).p


def from_deviation(mean: float, sd: float, n: int, level: float = LEVEL) -> Interval:
    """Return the Student t interval of a mean, from its standard deviation `sd` over `n` runs."""
    half = t_quantile(level, n - 1) * sd / math.sqrt(n) if n > 1 else math.nan
    return Interval(mean, half, n, level)


def unaltered(compared: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons without those whose scenario a user changed."""
    return [one for one in compared if one.outcome != ALTERED]


def by_point(compared: Sequence[Comparison]) -> dict[tuple[str, float, str], Comparison]:
    """Return the comparisons by (experiment, x, variant), without those whose scenario a user changed."""
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
    """Compare our value at one point with the peer's value by a test of equivalence within the tolerance.

    Args:
        at: Experiment, x and variant.
        ours: Our mean and interval.
        theirs: The peer's mean and interval.
        tolerance: Greatest difference of the means that counts as agreement, as a fraction of the peer's mean.
        rounding: Unit of the last digit of the peer's values; the tolerance is widened by it.
        altered: True if a user changed the scenario behind our value; then the values are not compared.
    """
    if altered:
        return Comparison(*at, ours, theirs, ALTERED)
    margin = tolerance * abs(theirs.mean) + rounding
    return Comparison(
        *at, ours, theirs, _OUTCOMES[equivalence(_moments(ours), _moments(theirs), margin).verdict]
    )


def _moments(value: Interval) -> Moments:
    if not value.known:
        return value.mean, math.nan, min(value.n, 1)
    error = value.half_width / t_quantile(value.level, value.n - 1)
    return value.mean, error**2 * value.n, value.n
