"""The test of agreement, equivalence within a margin, in cases whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ackclock.stats.equivalence import ALPHA, Verdict, equivalence
from ackclock.stats.statistics import mean, variance


def moments(values: np.ndarray) -> tuple[float, float, int]:
    found = values.tolist()
    return mean(found), variance(found), len(found)


@pytest.mark.parametrize(
    ("a", "b", "margin", "verdict"),
    [
        ((5.0, 0.0, 3), (5.0, 0.0, 3), 0.0, Verdict.EQUIVALENT),
        ((5.0, 0.0, 1), (5.1, 0.0, 1), 0.2, Verdict.EQUIVALENT),
        ((5.0, 0.0, 1), (5.3, 0.0, 1), 0.2, Verdict.DIFFERENT),
        ((5.0, 0.0, 20), (5.3, 0.0, 20), 0.2, Verdict.DIFFERENT),
        # The means are equal, but two runs with so large a spread cannot decide.
        ((5.0, 4.0, 2), (5.0, 4.0, 2), 0.2, Verdict.UNDECIDED),
        ((5.0, 4.0, 100_000), (5.0, 4.0, 100_000), 0.2, Verdict.EQUIVALENT),
        # The means differ at any level, but by less than the margin.
        ((5.1, 1e-6, 50), (5.0, 1e-6, 50), 0.2, Verdict.EQUIVALENT),
        ((9.0, 0.01, 10), (5.0, 0.01, 10), 0.2, Verdict.DIFFERENT),
        # A single run is taken to have the spread of the ten runs that it is compared with.
        ((5.0, 0.0, 1), (5.0, 4.0, 10), 0.2, Verdict.UNDECIDED),
        ((50.0, 0.0, 1), (5.0, 4.0, 10), 0.2, Verdict.DIFFERENT),
    ],
)
def test_cases_with_a_known_answer(
    a: tuple[float, float, int], b: tuple[float, float, int], margin: float, verdict: Verdict
) -> None:
    assert equivalence(a, b, margin).verdict is verdict
    assert equivalence(b, a, margin).verdict is verdict


def test_the_interval_is_welchs() -> None:
    scipy = pytest.importorskip("scipy.stats")
    draw = np.random.default_rng(1)
    a, b = draw.normal(5, 1, 12), draw.normal(5.5, 3, 7)
    found = equivalence(moments(a), moments(b), 0.5).difference
    low, high = scipy.ttest_ind(a, b, equal_var=False).confidence_interval(1 - 2 * ALPHA)
    assert (found.low, found.high) == pytest.approx((low, high))


@pytest.mark.parametrize("n", [3, 10, 40])
@pytest.mark.parametrize("spread", [0.1, 1.0])
def test_means_a_margin_apart_are_called_equivalent_in_at_most_five_of_a_hundred(
    n: int, spread: float
) -> None:
    draw = np.random.default_rng(n)
    sets = 2000
    called = sum(
        equivalence(moments(draw.normal(6, spread, n)), moments(draw.normal(5, 2 * spread, n)), 1.0).verdict
        is Verdict.EQUIVALENT
        for _ in range(sets)
    )
    # The share may exceed ALPHA by four standard errors.
    assert called / sets <= ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / sets)


def test_equal_means_are_called_different_in_at_most_one_of_a_hundred() -> None:
    draw = np.random.default_rng(5)
    verdicts = [
        equivalence(moments(draw.normal(5, 1, 10)), moments(draw.normal(5, 1, 10)), 0.1).verdict
        for _ in range(1000)
    ]
    assert verdicts.count(Verdict.DIFFERENT) <= 10
    assert verdicts.count(Verdict.EQUIVALENT) == 0
    assert verdicts.count(Verdict.UNDECIDED) >= 990


def test_noise_does_not_help() -> None:
    """More noise gives fewer passes, unlike a test that passes if there is no significant difference."""
    draw = np.random.default_rng(6)

    def passes(spread: float) -> int:
        pairs = ((draw.normal(5.1, spread, 10), draw.normal(5, spread, 10)) for _ in range(300))
        return sum(equivalence(moments(a), moments(b), 0.5).verdict is Verdict.EQUIVALENT for a, b in pairs)

    counts = [passes(spread) for spread in (0.05, 0.3, 0.6, 2.0)]
    assert counts == sorted(counts, reverse=True)
    assert (counts[0], counts[-1]) == (300, 0)
