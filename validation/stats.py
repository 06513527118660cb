"""Statistics of the validation, for samples of which only mean, standard deviation and size are known."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ackclock.stats.statistics import mean, t_quantile, variance, welch_of


def mean_sd(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and sample standard deviation (0 for a single value)."""
    return mean(values), math.sqrt(variance(values)) if len(values) > 1 else 0.0


def t_half_width(sd: float, n: int, level: float = 0.95) -> float:
    """Return half the width of Student's interval of a mean of n values."""
    return t_quantile(level, n - 1) * sd / math.sqrt(n) if n > 1 else 0.0


def welch_p(a: tuple[float, float, int], b: tuple[float, float, int]) -> float:
    """Return Welch's two-sided p-value of equal means from (mean, sd, n) of each side; 1 or 0 if both sd are 0."""
    if a[1] == 0 and b[1] == 0:
        return 1.0 if math.isclose(a[0], b[0], rel_tol=1e-6) else 0.0
    return welch_of((a[0], a[1] ** 2, a[2]), (b[0], b[1] ** 2, b[2])).p


def relative(ours: float, theirs: float) -> float:
    """Return our relative deviation from theirs, or the absolute deviation if theirs is zero."""
    return (ours - theirs) / theirs if theirs else ours
