"""Statistics over replications: confidence intervals, differences, ratios, fairness and warm-up.

Ratios have one rule, `Ratio`: the estimate is the ratio of the means, and its interval is Fieller's. Student's t
distribution comes from scipy, which is loaded when first needed.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    import numpy

LEVEL: Final = 0.95
"""Default confidence level."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean or a ratio of means with its confidence interval, in the unit of the values.

    ``str(ac.stats.interval([9.1, 9.4, 9.2]))`` is the mean with its half width.
    """

    mean: float
    """The estimate."""
    half_width: float
    """Half the width of the interval; NaN if there is no interval, and 0 if all values are equal."""
    n: int
    """Number of values (replications)."""
    level: float
    """Confidence level, 0 to 1."""
    offset: float = 0.0
    """Centre of the interval minus the estimate; 0 for a mean, usually not for a ratio."""

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.mean + self.offset - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.mean + self.offset + self.half_width

    @property
    def known(self) -> bool:
        """True if there is an interval.

        It needs at least two values, and for a ratio a base whose own interval does not contain 0.
        """
        return not math.isnan(self.half_width)

    def lopsided(self, least: float = 0.0) -> bool:
        """Return true if the interval's centre is more than `least` from the estimate, so that ± would be wrong."""
        return abs(self.offset) > least

    @property
    def zero_variance(self) -> bool:
        """True if there are several replications with equal values, so that the interval is meaningless."""
        return self.n > 1 and self.half_width == 0.0

    @property
    def relative(self) -> float:
        """Half width as a fraction of the mean; infinite if the mean is 0."""
        return self.half_width / abs(self.mean) if self.mean else math.inf

    def contains(self, x: float) -> bool:
        """Return true if `x` is in the interval or at one of its ends."""
        return self.low <= x <= self.high

    def overlaps(self, other: Interval) -> bool:
        """Return true if the intervals have a point in common."""
        return self.low <= other.high and other.low <= self.high

    def __str__(self) -> str:
        """Return ``mean ± half width`` or ``mean [low, high]``; only the mean if there is no interval."""
        if not self.known:
            return f"{self.mean:.6g}"
        if self.lopsided():
            return f"{self.mean:.6g} [{self.low:.6g}, {self.high:.6g}]"
        return f"{self.mean:.6g} ± {self.half_width:.2g}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of two means, with confidence interval and t test."""

    interval: Interval
    t: float
    """t statistic; NaN if it cannot be computed, infinite if the difference is constant but not 0."""
    degrees: float
    """Degrees of freedom."""
    p: float
    """Two-sided p value for "no difference"; NaN if it cannot be computed."""

    @property
    def mean(self) -> float:
        """The difference of the means."""
        return self.interval.mean

    @property
    def effect(self) -> float:
        """Effect size of a paired difference, Cohen's d_z: mean divided by standard deviation of the differences.

        It equals t / sqrt(n), and is infinite if the difference is constant and not 0.
        """
        return self.t / math.sqrt(self.interval.n) if self.interval.n else math.nan

    @property
    def decided(self) -> bool:
        """True if the difference is significant at the interval's level: the interval does not contain 0."""
        return self.interval.known and not self.interval.contains(0.0)


def mean(values: Sequence[float]) -> float:
    """Return the mean, by exact summation, so that the order of the values does not matter; NaN without values."""
    return math.fsum(values) / len(values) if len(values) else math.nan


def variance(values: Sequence[float]) -> float:
    """Return the sample variance (n - 1); NaN for fewer than two values, exactly 0 for equal values."""
    if len(values) < 2:
        return math.nan
    if min(values) == max(values):
        return 0.0
    middle = mean(values)
    return math.fsum((x - middle) ** 2 for x in values) / (len(values) - 1)


def t_quantile(level: float, degrees: float) -> float:
    """Return the two-sided quantile of Student's t: ``t_quantile(0.95, 9)`` is 2.262."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + level / 2))


def t_p_value(t: float, degrees: float) -> float:
    """Return the two-sided p value of a t statistic."""
    from scipy.special import stdtr

    return 2.0 * float(stdtr(degrees, -abs(t)))


def interval(values: Values, level: float = LEVEL) -> Interval:
    """Return Student's interval for the mean of independent replications, or Fieller's for a `Ratio`."""
    if isinstance(values, Ratio):
        return values.interval(level)
    n = len(values)
    if n < 2:
        return Interval(mean(values), math.nan, n, level)
    spread = variance(values)
    half = t_quantile(level, n - 1) * math.sqrt(spread / n) if spread > 0 else 0.0
    return Interval(mean(values) if spread > 0 else values[0], half, n, level)


def condensed(keys: Sequence[Hashable], *columns: Sequence[float]) -> tuple[list[float], ...]:
    """Return for each column one number per group of repeated replications; a group's keys are equal.

    If all keys differ or all columns are constant, the columns are returned unchanged. Otherwise a group's number is
    m + G/n times the sum of its deviations from the mean m, with G groups of n replications in total. The mean stays m,
    and Student's interval of the G numbers is robust to dependence within groups (clustered standard errors: Liang and
    Zeger 1986, with the factor G/(G - 1) for few groups). Replications with NaN in a column are left out.
    """
    there = [i for i in range(len(keys)) if not any(math.isnan(column[i]) for column in columns)]
    kept = [keys[i] for i in there]
    clean = [[column[i] for i in there] for column in columns]
    groups = list(dict.fromkeys(kept))
    if len(groups) == len(kept) or all(min(column) == max(column) for column in clean):
        return tuple(clean)
    found = []
    for column in clean:
        middle, weight = mean(column), len(groups) / len(kept)
        inside: dict[Hashable, list[float]] = {key: [] for key in groups}
        for key, value in zip(kept, column, strict=True):
            inside[key].append(value - middle)
        found.append([middle + weight * math.fsum(some) for some in inside.values()])
    return tuple(found)


Moments: TypeAlias = tuple[float, float, int]
"""Mean, variance and size of an independent sample."""


def _moments(values: Sequence[float]) -> Moments:
    return mean(values), variance(values), len(values)


@dataclass(frozen=True)
class Ratio:
    """The ratio of two means, times `scale`, plus `shift`.

    The estimate is the ratio of the means, so that a replication with a small base does not weigh more than others. The
    interval is Fieller's (1954): it contains each ratio r for which Student's t test does not reject that the mean of
    ``above - r * below`` is 0. It accounts for the uncertainty of the base and need not be symmetric. If the base's own
    interval contains 0, no finite interval is valid, and there is none.

    `docs/reference/compare.md` has the simulated coverage of this rule and of its alternatives.
    """

    above: tuple[float, ...]
    """Numerator in each replication."""
    below: tuple[float, ...]
    """Base (denominator) in each replication."""
    paired: bool = True
    """True if replication i of both uses common random numbers, false if the samples are independent."""
    scale: float = 1.0
    shift: float = 0.0

    def __post_init__(self) -> None:
        """Check that paired samples have the same length."""
        if self.paired and len(self.above) != len(self.below):
            raise ValueError(
                f"paired values must be as many on both sides, not {len(self.above)} and {len(self.below)}"
            )

    def __len__(self) -> int:
        """Return the number of replications in the smaller sample."""
        return min(len(self.above), len(self.below))

    def __neg__(self) -> Ratio:
        """Return the negated ratio, which turns an increase into a decrease."""
        return replace(self, scale=-self.scale, shift=-self.shift)

    @property
    def mean(self) -> float:
        """The estimate; NaN if the mean of the base is 0."""
        base = mean(self.below)
        return self.shift + self.scale * mean(self.above) / base if base else math.nan

    def linearised(self) -> tuple[float, ...]:
        """Return one number per pair, linearised by the delta method; their mean is the estimate.

        Use it for quantities composed of several ratios, for which there is no Fieller interval.
        """
        base = mean(self.below)
        ratio = mean(self.above) / base
        pairs = zip(self.above, self.below, strict=True)
        return tuple(self.shift + self.scale * (ratio + (x - ratio * y) / base) for x, y in pairs)

    def interval(self, level: float = LEVEL) -> Interval:
        """Return the estimate with its interval, which is absent for fewer than two values or a base near 0."""
        n, base = len(self), mean(self.below)
        if n < 2 or not base:
            return Interval(self.mean, math.nan, n, level)
        if not self.paired:
            found = _fieller_of(_moments(self.above), _moments(self.below), level)
        else:
            ratio = mean(self.above) / base
            rest = [x - ratio * y for x, y in zip(self.above, self.below, strict=True)]
            middle = mean(rest)
            both = math.fsum((x - middle) * (y - base) for x, y in zip(rest, self.below, strict=True))
            errors = variance(rest) / n, variance(self.below) / n, both / (n - 1) / n
            found = _fieller(base, *errors, float(n - 1), level)
        half, offset = found
        return Interval(self.mean, abs(self.scale) * half, n, level, self.scale * offset)


def _fieller(
    base: float, of_rest: float, of_base: float, both: float, degrees: float, level: float
) -> tuple[float, float]:
    """Return the half width of Fieller's interval and the offset of its centre from the ratio; NaN if there is none.

    The difference ``above - r * below`` of the test equals ``rest - x * below``, with ``x = r - ratio`` and ``rest =
    above - ratio * below``, whose mean is 0. The test statistic is then ``x * base`` divided by the standard error of
    ``rest - x * below``, so no large terms cancel.

    Args:
        base: Mean of the base.
        of_rest: Squared standard error of the mean of `rest`.
        of_base: Squared standard error of the mean of the base.
        both: Covariance of the two means.
        degrees: Degrees of freedom.
        level: Confidence level.
    """
    if of_rest == 0.0:
        return 0.0, 0.0  # All replications have the same ratio, even if the base varies.
    t2 = t_quantile(level, degrees) ** 2
    room = base**2 - t2 * of_base
    if room <= 0:
        return math.nan, 0.0
    return math.sqrt((t2 * both) ** 2 + t2 * room * of_rest) / room, -t2 * both / room


def _fieller_of(a: Moments, b: Moments, level: float) -> tuple[float, float]:
    """Return the result of `_fieller` for independent samples, with Satterthwaite's degrees of freedom."""
    ratio = a[0] / b[0]
    of_base = b[1] / b[2]
    own, other = a[1] / a[2], ratio**2 * of_base
    parts = own**2 / (a[2] - 1) + other**2 / (b[2] - 1)
    degrees = (own + other) ** 2 / parts if parts > 0 else math.inf
    return _fieller(b[0], own + other, of_base, -ratio * of_base, degrees, level)


def ratio_of_means(a: Sequence[float], b: Sequence[float], *, paired: bool = True) -> Ratio:
    """Return the ratio mean(a) / mean(b); with `paired`, replication i of both uses common random numbers."""
    return Ratio(tuple(a), tuple(b), paired)


def percent_above(a: Sequence[float], b: Sequence[float], *, paired: bool = True) -> Ratio:
    """Return mean(a) minus mean(b), in percent of the absolute value of mean(b)."""
    sign = math.copysign(100.0, mean(b))
    return Ratio(tuple(a), tuple(b), paired, sign, -sign)


def percent_above_of(a: Moments, b: Moments, level: float = LEVEL) -> Interval:
    """Return the mean of `a` minus that of `b`, in percent of the latter, for independent samples given by moments."""
    n = min(a[2], b[2])
    middle = 100 * (a[0] - b[0]) / abs(b[0]) if b[0] else math.nan
    if n < 2 or not b[0]:
        return Interval(middle, math.nan, n, level)
    half, offset = _fieller_of(a, b, level)
    return Interval(middle, 100 * half, n, level, math.copysign(100.0, b[0]) * offset)


Values: TypeAlias = "Sequence[float] | Ratio"
"""Argument of `interval`: replications of a value, or a ratio."""


def paired(a: Sequence[float], b: Sequence[float], level: float = LEVEL) -> Difference:
    """Return the mean of a - b, paired by replication, with interval and t test.

    Replication i of both must use common random numbers, whose shared variation then cancels.
    """
    if len(a) != len(b):
        raise ValueError(f"paired values must be as many on both sides, not {len(a)} and {len(b)}")
    differences = [x - y for x, y in zip(a, b, strict=True)]
    found = interval(differences, level)
    if found.n < 2:
        return Difference(found, math.nan, found.n - 1, math.nan)
    if found.half_width == 0.0:
        return Difference(found, *_constant(found.mean, found.n - 1))
    t = found.mean / math.sqrt(variance(differences) / found.n)
    return Difference(found, t, found.n - 1, t_p_value(t, found.n - 1))


def welch(a: Sequence[float], b: Sequence[float], level: float = LEVEL) -> Difference:
    """Return mean(a) - mean(b) for independent samples with possibly different variances, with Welch's test."""
    return welch_of(_moments(a), _moments(b), level)


def welch_of(a: Moments, b: Moments, level: float = LEVEL) -> Difference:
    """Return Welch's test for samples given by their moments, with the Welch-Satterthwaite degrees of freedom."""
    n = min(a[2], b[2])
    gap = a[0] - b[0]
    if n < 2:
        return Difference(Interval(gap, math.nan, n, level), math.nan, math.nan, math.nan)
    part_a, part_b = a[1] / a[2], b[1] / b[2]
    total = part_a + part_b
    if total == 0.0:
        return Difference(Interval(gap, 0.0, n, level), *_constant(gap, math.inf))
    degrees = total**2 / (part_a**2 / (a[2] - 1) + part_b**2 / (b[2] - 1))
    t = gap / math.sqrt(total)
    half = t_quantile(level, degrees) * math.sqrt(total)
    return Difference(Interval(gap, half, n, level), t, degrees, t_p_value(t, degrees))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p values adjusted for multiple testing (Holm 1979), in the given order; a NaN counts as a test."""
    order = sorted(range(len(p_values)), key=lambda i: (math.isnan(p_values[i]), p_values[i]))
    adjusted = [math.nan] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(order):
        if not math.isnan(p_values[i]):
            highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
            adjusted[i] = highest
    return adjusted


def jain(values: Sequence[float]) -> float:
    """Return Jain's fairness index, (sum x)^2 / (n sum x^2).

    The index is 1 if all values are equal, 1/n if one of n values is the whole sum, and NaN if all are 0.
    """
    squares = math.fsum(x * x for x in values)
    if squares > 0 and min(values) == max(values):
        return 1.0  # Return exactly 1, which rounding could miss.
    return math.fsum(values) ** 2 / (len(values) * squares) if squares > 0 else math.nan


def zero_variance_warning(values: Sequence[float], what: str) -> str | None:
    """Return a warning if all of two or more replications have the same value of `what`, else None."""
    if len(values) < 2 or min(values) != max(values):
        return None
    return (
        f"all {len(values)} replications gave the same {what} ({values[0]:.6g}): an interval would mean "
        "nothing. Nothing random reaches it: add start jitter, random loss or on-off traffic, or take the "
        "one value as it is."
    )


def mser_cut(values: Sequence[float], batch: int = 5) -> int:
    """Return how many leading values to discard as warm-up, by MSER (White 1997).

    MSER chooses the cut that minimises the standard error of the mean of the rest. Values are first averaged in
    batches, so the cut is a multiple of `batch`; it is at most half of the values.
    """
    batches = [mean(values[i : i + batch]) for i in range(0, len(values) - batch + 1, batch)]
    best, best_error = 0, math.inf
    for cut in range(len(batches) // 2 + 1):
        rest = batches[cut:]
        if len(rest) < 2:
            break
        middle = mean(rest)
        error = math.fsum((x - middle) ** 2 for x in rest) / len(rest) ** 2
        if error < best_error:
            best, best_error = cut, error
    return best * batch


def replications_needed(values: Values, relative: float, level: float = LEVEL) -> int | None:
    """Estimate how many replications give a half width of `relative` times the mean; None if unknown."""
    now = interval(values, level)
    if now.n < 2 or now.zero_variance or now.mean == 0:
        return None
    return max(now.n, math.ceil(now.n * (now.relative / relative) ** 2))


MOST_NEEDED = 100_000
"""Maximum that `replications_to_tell` returns."""


def paired_power(effect: float, n: int, alpha: float) -> float:
    """Return the power of a two-sided paired t test of `n` pairs for a true `effect` (Cohen's d_z) at level `alpha`.

    It follows from the noncentral t distribution with n - 1 degrees of freedom and noncentrality effect sqrt(n).
    """
    from scipy.special import nctdtr

    if n < 2:
        return 0.0
    bound, shift = t_quantile(1 - alpha, n - 1), abs(effect) * math.sqrt(n)
    return 1.0 - float(nctdtr(n - 1, shift, bound)) + float(nctdtr(n - 1, shift, -bound))


def replications_to_tell(effect: float, alpha: float, power: float = 0.8) -> int | None:
    """Return the minimum number of pairs for which a paired t test detects `effect` (Cohen's d_z) with this power.

    None if the effect is 0, or if it takes more than `MOST_NEEDED` pairs.
    """
    if math.isnan(effect) or effect == 0 or paired_power(effect, MOST_NEEDED, alpha) < power:
        return None
    low, high = 1, 2
    while paired_power(effect, high, alpha) < power:
        low, high = high, min(2 * high, MOST_NEEDED)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if paired_power(effect, middle, alpha) >= power else (middle, high)
    return high


def quantiles(values: Sequence[float] | numpy.ndarray, at: Sequence[float]) -> list[float]:
    """Return the quantiles, interpolated linearly between order statistics; NaN without values."""
    import numpy as np

    return [math.nan] * len(at) if not len(values) else [float(x) for x in np.quantile(values, at)]


def _constant(gap: float, degrees: float) -> tuple[float, float, float]:
    """Return t, degrees of freedom and p for a constant difference, for which there is no test."""
    return (0.0, degrees, 1.0) if gap == 0 else (math.copysign(math.inf, gap), degrees, math.nan)
