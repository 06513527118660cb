"""Coverage of intervals of a mean: Student's t beside bootstraps, for normal and for skewed values.

``python -m validation.means`` prints the table of docs/explanation/ratios.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ackclock.stats import interval

SIZES: Final = (3, 5, 10, 30)
"""Numbers of replications."""

SETS: Final = 2000
"""Data sets of each kind."""

SAMPLES: Final = 999
"""Samples of a bootstrap."""

VARIATION: Final = 0.5
"""Coefficient of variation of skewed values, whose skewness is 1.6."""

TRUTH: Final = 1.0
"""Mean of every kind."""

Values: TypeAlias = "NDArray[np.float64]"

Ends: TypeAlias = "tuple[float, float]"


def _log_normal(rng: np.random.Generator, n: int) -> Values:
    sigma = math.sqrt(math.log(1 + VARIATION**2))
    return rng.lognormal(-(sigma**2) / 2, sigma, n)


KINDS: Final[dict[str, Callable[[np.random.Generator, int], Values]]] = {
    "normal": lambda rng, n: rng.normal(TRUTH, VARIATION, n),
    "skewed to the right": _log_normal,
    "skewed to the left": lambda rng, n: 2 * TRUTH - _log_normal(rng, n),
}
"""Kinds of values, by name."""


def student(values: Values, _: np.random.Generator) -> Ends:
    """Return ackclock's interval."""
    found = interval(values.tolist())
    return found.low, found.high


def _samples(values: Values, rng: np.random.Generator) -> Values:
    return values[rng.integers(0, len(values), (SAMPLES, len(values)))]


def bca(values: Values, rng: np.random.Generator) -> Ends:
    """Return the bias-corrected and accelerated bootstrap's interval (Efron 1987)."""
    means = _samples(values, rng).mean(axis=1)
    left = (
        np.count_nonzero(means < values.mean()) + 0.5 * np.count_nonzero(means == values.mean())
    ) / SAMPLES
    bias = stats.norm.ppf(min(max(left, 1e-4), 1 - 1e-4))
    apart = values.mean() - (values.sum() - values) / (len(values) - 1)
    spread = float((apart**2).sum())
    speed = float((apart**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    z = stats.norm.ppf([0.025, 0.975])
    low, high = np.quantile(means, stats.norm.cdf(bias + (bias + z) / (1 - speed * (bias + z))))
    return float(low), float(high)


def studentized(values: Values, rng: np.random.Generator) -> Ends:
    """Return the bootstrap-t interval (Hall 1988); samples of equal values are left out."""
    drawn = _samples(values, rng)
    errors = drawn.std(axis=1, ddof=1)
    kept = errors > 0
    t = (drawn.mean(axis=1)[kept] - values.mean()) / errors[kept]
    low, high = np.quantile(t, [0.025, 0.975])
    own = values.std(ddof=1)
    return float(values.mean() - high * own), float(values.mean() - low * own)


RULES: Final = {"Student's t": student, "BCa": bca, "bootstrap-t": studentized}
"""Rules for an interval, by name."""


def coverage(
    rule: Callable[[Values, np.random.Generator], Ends], kind: str, n: int, sets: int = SETS
) -> float:
    """Return the share of data sets, in percent, whose 95 % interval holds the true mean."""
    rng = np.random.default_rng([7, n, list(KINDS).index(kind)])
    inside = 0
    for _ in range(sets):
        low, high = rule(KINDS[kind](rng, n), rng)
        inside += low <= TRUTH <= high
    return 100 * inside / sets


def main() -> None:
    """Print the table."""
    print(f"| data | n | {' | '.join(RULES)} |\n|---|---:|{'---:|' * len(RULES)}")
    for kind in KINDS:
        for n in SIZES:
            print(
                f"| {kind} | {n} | {' | '.join(f'{coverage(rule, kind, n):.1f}' for rule in RULES.values())} |"
            )


if __name__ == "__main__":
    main()
