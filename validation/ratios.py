"""Coverage, by simulation, of confidence intervals for the ratio of two means: ackclock's rule and its alternatives.

    python -m validation.ratios           # the table of docs/explanation/ratios.md; 5 to 10 minutes
    python -m validation.ratios 200       # 200 data sets per row: seconds

Each row draws data sets of a kind that occurs in comparisons and studies: n replications of a numerator and a base with
given coefficients of variation. They are correlated as with common random numbers, uncorrelated, or independent
samples. The true ratio is known. A rule's coverage is the share of data sets whose 95 % interval contains the true
ratio; data sets for which a rule gives no interval are left out and counted separately.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from ackclock.stats import Ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]

LEVEL: Final = 0.95

RESAMPLES: Final = 999
"""Number of bootstrap samples of each data set."""

COUNTS: Final = (3, 5, 10, 20, 30)
"""Numbers of replications."""

VARIATIONS: Final = ((0.02, 0.02), (0.1, 0.1), (0.05, 0.3), (0.3, 0.05), (0.3, 0.3))
"""Coefficients of variation of numerator and base."""

LINKS: Final = {"correlated 0.8": 0.8, "uncorrelated": 0.0, "independent": None}
"""Correlation within a pair; `None` for independent samples, which are not paired."""

RATIOS: Final = (1.1, 9.0)
"""True ratios. A rule that is equivariant to the numerator's scale has the same coverage for both."""


@dataclass(frozen=True)
class Kind:
    """A kind of data set.

    Attributes:
        shape: Name of the distribution, a key of `SHAPES`.
        n: Number of replications.
        above: Coefficient of variation of the numerator.
        below: Coefficient of variation of the base.
        link: A key of `LINKS`.
        ratio: The true ratio of the means.
    """

    shape: str
    n: int
    above: float
    below: float
    link: str
    ratio: float = 9.0

    @property
    def paired(self) -> bool:
        """True if replication i of the numerator and replication i of the base form a pair."""
        return LINKS[self.link] is not None

    def draw(self, rng: np.random.Generator, sets: int) -> tuple[Array, Array]:
        """Return numerators and bases, one data set per row; their means are `ratio` and 1."""
        rho = LINKS[self.link] or 0.0
        x, y = rng.standard_normal((2, sets, self.n))
        y = rho * x + np.sqrt(1 - rho * rho) * y
        shape = SHAPES[self.shape]
        return self.ratio * (1 + self.above * shape(x)), 1 + self.below * shape(y)


def _skewed(z: Array) -> Array:
    """Map normal values to a standardised log-normal distribution with coefficient of variation 0.5 (skewness 1.6)."""
    s = np.sqrt(np.log1p(0.25))
    values: Array = (np.exp(s * z - s * s / 2) - 1) / 0.5
    return values


SHAPES: Final[Mapping[str, Callable[[Array], Array]]] = {
    "normal": lambda z: z,
    "skewed to the right": _skewed,
    "skewed to the left": lambda z: -_skewed(-z),
}
"""Standardised distributions, each as a function of standard normal values."""

Ends: TypeAlias = "tuple[Array, Array]"


def _moments(a: Array, b: Array, paired: bool) -> tuple[Array, Array, Array, Array]:
    """Return the ratio of means, the base's mean, the ratio's variance by the delta method, and degrees of freedom."""
    n = a.shape[1]
    base = b.mean(1)
    ratio = a.mean(1) / base
    if paired:
        return ratio, base, (a - ratio[:, None] * b).var(1, ddof=1) / n / base**2, np.full(len(a), n - 1.0)
    own, other = a.var(1, ddof=1) / n, ratio**2 * b.var(1, ddof=1) / n
    return ratio, base, (own + other) / base**2, (own + other) ** 2 / ((own**2 + other**2) / (n - 1))


def fixed(a: Array, b: Array, paired: bool) -> Ends:
    """Return Student's interval of the difference divided by the base's mean, which is taken as known.

    This was ackclock's former rule.
    """
    n = a.shape[1]
    base = b.mean(1)
    middle = (a.mean(1) - base) / base
    var = (a - b).var(1, ddof=1) if paired else a.var(1, ddof=1) + b.var(1, ddof=1)
    half = stdtrit(n - 1.0 if paired else 2.0 * (n - 1), 0.5 + LEVEL / 2) * np.sqrt(var / n) / base
    return 1 + middle - half, 1 + middle + half


def delta(a: Array, b: Array, paired: bool) -> Ends:
    """Return the interval of the ratio of means, from the delta method's variance and Student's t."""
    ratio, _, var, degrees = _moments(a, b, paired)
    half = stdtrit(degrees, 0.5 + LEVEL / 2) * np.sqrt(var)
    return ratio - half, ratio + half


def log_ratio(a: Array, b: Array, paired: bool) -> Ends:
    """Return Student's interval of the mean of the pairs' log ratios; its centre is a geometric mean of ratios."""
    n = a.shape[1]
    with np.errstate(invalid="ignore"):
        x, y = np.log(a), np.log(b)
    if paired:
        degrees, var = np.full(len(a), n - 1.0), (x - y).var(1, ddof=1) / n
    else:
        own, other = x.var(1, ddof=1) / n, y.var(1, ddof=1) / n
        degrees, var = (own + other) ** 2 / ((own**2 + other**2) / (n - 1)), own + other
    middle, half = (x.mean(1) - y.mean(1)), stdtrit(degrees, 0.5 + LEVEL / 2) * np.sqrt(var)
    return np.exp(middle - half), np.exp(middle + half)


def fieller(a: Array, b: Array, paired: bool) -> Ends:
    """Return Fieller's interval, computed by ackclock's own code."""
    found = [
        Ratio(tuple(x), tuple(y), paired).interval(LEVEL) for x, y in zip(a.tolist(), b.tolist(), strict=True)
    ]
    return np.array([one.low for one in found]), np.array([one.high for one in found])


def bootstrap(a: Array, b: Array, paired: bool, rng: np.random.Generator) -> tuple[Ends, Ends]:
    """Return the bootstrap's percentile and BCa (bias-corrected and accelerated, Efron 1987) intervals.

    Data sets are processed in chunks to limit memory.
    """
    chunks = [_bootstrap(a[i : i + 100], b[i : i + 100], paired, rng) for i in range(0, len(a), 100)]
    joined = [np.concatenate([np.stack(one[k]) for one in chunks], axis=1) for k in (0, 1)]
    return (joined[0][0], joined[0][1]), (joined[1][0], joined[1][1])


def _bootstrap(a: Array, b: Array, paired: bool, rng: np.random.Generator) -> tuple[Ends, Ends]:
    sets, n = a.shape
    picks = rng.integers(n, size=(sets, RESAMPLES * n))
    others = picks if paired else rng.integers(n, size=(sets, RESAMPLES * n))
    tops, bases = (
        np.take_along_axis(values, chosen, 1).reshape(sets, RESAMPLES, n).mean(2)
        for values, chosen in ((a, picks), (b, others))
    )
    drawn = np.sort(tops / bases, axis=1)
    ratio = a.mean(1) / b.mean(1)
    tail = (1 - LEVEL) / 2
    below = ((drawn < ratio[:, None]).mean(1) + (drawn <= ratio[:, None]).mean(1)) / 2
    bias = ndtri(np.clip(below, 0.5 / RESAMPLES, 1 - 0.5 / RESAMPLES))
    less = [(values.sum(1, keepdims=True) - values) / (n - 1) for values in (a, b)]
    if paired:
        without = less[0] / less[1]
        pulls = without.mean(1, keepdims=True) - without
    else:
        sides = less[0] / b.mean(1, keepdims=True), a.mean(1, keepdims=True) / less[1]
        pulls = np.concatenate([side.mean(1, keepdims=True) - side for side in sides], axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        pull = np.nan_to_num((pulls**3).sum(1) / (6 * (pulls**2).sum(1) ** 1.5))
    moved = []
    for z in ndtri([tail, 1 - tail]):
        at = ndtr(bias + (bias + z) / (1 - pull * (bias + z)))
        moved.append(drawn[np.arange(sets), np.clip((at * RESAMPLES).astype(int), 0, RESAMPLES - 1)])
    plain = np.quantile(drawn, [tail, 1 - tail], axis=1)
    return (plain[0], plain[1]), (moved[0], moved[1])


RULES: Final = ("fixed base", "log ratio", "delta", "Fieller", "percentile", "BCa")
"""The rules, in the order in which `ends` yields their intervals."""


def ends(kind: Kind, sets: int, rng: np.random.Generator) -> Iterator[Ends]:
    """Draw data sets and yield every rule's intervals for them.

    The delta method's intervals leave out data sets that have no Fieller interval, so that the two rules can be
    compared.
    """
    a, b = kind.draw(rng, sets)
    ours = fieller(a, b, kind.paired)
    low, high = delta(a, b, kind.paired)
    none = np.isnan(ours[0])
    yield fixed(a, b, kind.paired)
    yield log_ratio(a, b, kind.paired)
    yield np.where(none, np.nan, low), np.where(none, np.nan, high)
    yield ours
    yield from bootstrap(a, b, kind.paired, rng)


def coverage(found: Ends, truth: float) -> tuple[float, float]:
    """Return the percentage of intervals that contain the true ratio, and of data sets without an interval."""
    low, high = found
    known = ~np.isnan(low)
    holds = (low <= truth) & (truth <= high)
    return 100 * float(holds[known].mean()), 100 * float((~known).mean())


def kinds() -> Iterator[Kind]:
    """Yield every kind of data set."""
    for shape, n, (above, below), link, ratio in product(SHAPES, COUNTS, VARIATIONS, LINKS, RATIOS):
        yield Kind(shape, n, above, below, link, ratio)


def main(sets: int = 2000) -> None:
    """Print each rule's coverage by shape and number of replications, and its distance from 95 % over all rows."""
    found: dict[Kind, list[tuple[float, float]]] = {}
    for i, kind in enumerate(kinds()):
        rng = np.random.default_rng(i)
        found[kind] = [coverage(one, kind.ratio) for one in ends(kind, sets, rng)]
    none = RULES.index("Fieller")
    heads = ["data", "n", *RULES, "no interval"]
    print("| " + " | ".join(heads) + " |\n" + "|---|" + "---:|" * (len(heads) - 1))
    for shape, n in product(SHAPES, COUNTS):
        rows = [cells for kind, cells in found.items() if (kind.shape, kind.n) == (shape, n)]
        columns = list(zip(*rows, strict=True))
        spans = [f"{min(c for c, _ in col):.0f} to {max(c for c, _ in col):.0f}" for col in columns]
        print(f"| {shape} | {n} | {' | '.join(spans)} | {max(x for _, x in columns[none]):.0f} |")
    columns = list(zip(*found.values(), strict=True))
    within = [sum(93 <= c <= 97 for c, _ in col) for col in columns]
    off = [(sum((c - 95) ** 2 for c, _ in col) / len(col)) ** 0.5 for col in columns]
    print(f"| kinds within 93 to 97 | of {len(found)} | {' | '.join(map(str, within))} | |")
    print(f"| distance from 95, root mean square | | {' | '.join(f'{x:.2f}' for x in off)} | |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
