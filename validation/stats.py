"""The statistics of the comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence


def mean_sd(values: Sequence[float]) -> tuple[float, float]:
    """Mean and sample standard deviation (0 for a single value)."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    return mean, math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1))


def t_half_width(sd: float, n: int, level: float = 0.95) -> float:
    """Half the width of Student's interval of a mean of n values."""
    from scipy import stats

    return float(stats.t.ppf(0.5 + level / 2, n - 1)) * sd / math.sqrt(n) if n > 1 else 0.0


def welch_p(a: tuple[float, float, int], b: tuple[float, float, int]) -> float:
    """Two-sided p-value of equal means, from (mean, sd, n) of each side; 1 or 0 where neither varies."""
    from scipy import stats

    if a[1] == 0 and b[1] == 0:
        return 1.0 if math.isclose(a[0], b[0], rel_tol=1e-6) else 0.0
    return float(stats.ttest_ind_from_stats(*a, *b, equal_var=False).pvalue)


def jain(values: Sequence[float]) -> float:
    """Jain's fairness index."""
    squares = math.fsum(v * v for v in values)
    return math.fsum(values) ** 2 / (len(values) * squares) if squares else 1.0


def relative(ours: float, theirs: float) -> float:
    """Relative deviation of ours; absolute where theirs is zero."""
    return (ours - theirs) / theirs if theirs else ours
