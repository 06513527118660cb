"""Intervals of ratios: Fieller's definition, cases without an interval, notation, and coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from validation.ratios import Kind, coverage, fieller

from ackclock.report.text import with_interval
from ackclock.stats import statistics as st
from ackclock.stats.text import estimate
from ackclock.study.tables import percent

A = (9.1, 8.2, 10.4, 9.9, 7.6, 8.8)
B = (1.2, 0.8, 1.1, 1.3, 0.7, 0.9)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_ends_are_the_ratios_that_the_paired_t_test_just_refutes(level):
    found = st.ratio_of_means(A, B).interval(level)
    assert found.mean == pytest.approx(sum(A) / sum(B))
    for end in (found.low, found.high):
        rest = [x - end * y for x, y in zip(A, B, strict=True)]
        t = st.mean(rest) / math.sqrt(st.variance(rest) / len(rest))
        assert abs(t) == pytest.approx(st.t_quantile(level, len(rest) - 1))
    assert found.low < found.mean < found.high
    assert found.high - found.mean > found.mean - found.low, "the base is uncertain: the upper side is longer"


def test_the_ends_for_independent_samples_are_those_of_welchs_test():
    a, b = A, B[:4]
    found = st.ratio_of_means(a, b, paired=False).interval()
    ratio = found.mean
    parts = st.variance(a) / len(a), st.variance(b) / len(b)
    own, other = parts[0], ratio**2 * parts[1]
    degrees = (own + other) ** 2 / (own**2 / (len(a) - 1) + other**2 / (len(b) - 1))
    for end in (found.low, found.high):
        t = (st.mean(a) - end * st.mean(b)) / math.sqrt(parts[0] + end**2 * parts[1])
        assert abs(t) == pytest.approx(st.t_quantile(0.95, degrees))
    assert found.n == 4
    known = st.percent_above_of(*((st.mean(x), st.variance(x), len(x)) for x in (a, b)))
    assert (known.low, known.high) == pytest.approx((100 * (found.low - 1), 100 * (found.high - 1)))


def test_a_percentage_leaves_out_0_where_the_paired_difference_does():
    rng = np.random.default_rng(2)
    for _ in range(300):
        a, b = rng.normal(10, 1, 6).tolist(), rng.normal(9.3, 1, 6).tolist()
        assert st.percent_above(a, b).interval().contains(0.0) is not st.paired(a, b).decided


def test_the_base_makes_the_interval_wider():
    """The interval also reflects the uncertainty of the base, whose mean the former rule took as known."""
    former = 100 * st.paired(A, B).interval.half_width / st.mean(B)
    assert st.percent_above(A, B).interval().half_width > 1.7 * former


def test_a_base_whose_interval_reaches_0_gives_none():
    base = (0.0, 0.0, 3.0, 0.1)
    assert st.interval(base).contains(0.0)
    found = st.percent_above((5.0, 6.0, 5.5, 5.2), base).interval()
    assert not found.known
    assert found.mean == pytest.approx(100 * (5.425 / 0.775 - 1))
    assert with_interval(found, 1) == "600.0"
    assert estimate(found) == "600 (no interval)"
    assert not st.percent_above((5.0, 6.0), (0.0, 0.0)).interval().known
    assert math.isnan(st.percent_above((5.0, 6.0), (0.0, 0.0)).mean)
    assert not st.percent_above_of((5.0, 1.0, 4), (0.5, 1.0, 4)).known
    assert not st.percent_above((5.0,), (4.0,)).interval().known
    with pytest.raises(ValueError, match="as many on both sides"):
        st.percent_above((5.0, 6.0), (4.0,))


def test_equal_ratios_have_an_interval_of_no_width():
    found = st.ratio_of_means((2.0, 2.2, 2.4), (1.0, 1.1, 1.2)).interval()
    assert (found.low, found.high) == pytest.approx((2.0, 2.0))
    assert st.percent_above((1.0, 9.0), (1.0, 9.0)).interval() == st.Interval(0.0, 0.0, 2, 0.95)
    assert st.percent_above((3.0, 3.0), (2.0, 2.0)).interval() == st.Interval(50.0, 0.0, 2, 0.95)
    assert st.percent_above((3.0, 3.0), (2.0, 2.0), paired=False).interval().half_width == 0.0


def test_signs_and_units_turn_the_ends_with_the_estimate():
    one, fall = st.percent_above(A, B).interval(), (-st.percent_above(A, B)).interval()
    assert (fall.mean, fall.low, fall.high) == pytest.approx((-one.mean, -one.high, -one.low))
    below = st.percent_above(tuple(-x for x in A), tuple(-x for x in B)).interval()
    assert (below.mean, below.low, below.high) == pytest.approx((fall.mean, fall.low, fall.high))
    assert st.percent_above_of((-9.0, 1.0, 5), (-3.0, 0.2, 5)).mean == pytest.approx(-200)


def test_linearised_values_have_the_ratio_as_their_mean():
    assert st.mean(st.ratio_of_means(A, B).linearised()) == pytest.approx(sum(A) / sum(B))
    narrow = [1 + x / 1000 for x in B]
    exact, linear = (
        st.ratio_of_means(A, narrow).interval(),
        st.interval(st.ratio_of_means(A, narrow).linearised()),
    )
    assert linear.half_width == pytest.approx(exact.half_width, rel=1e-5)


def test_what_is_lopsided_is_written_with_both_ends():
    found = st.percent_above(A, B).interval()
    assert percent(found) == "+800.00 % [+681.14, +988.81]"
    assert with_interval(found, 0) == "800 [681, 989]"
    assert estimate(found) == "800 [681, 989]"
    assert str(found) == "800 [681.144, 988.809]"
    # An offset is not shown if it is too small for the printed digits.
    nearly = st.Interval(10.0, 1.5, 5, 0.95, 0.001)
    assert (with_interval(nearly, 1), estimate(nearly)) == ("10.0 ± 1.5", "10.0 ±1.5")


KINDS = [
    Kind("normal", 3, 0.1, 0.1, "correlated 0.8"),
    Kind("normal", 5, 0.05, 0.3, "uncorrelated"),
    Kind("normal", 10, 0.3, 0.3, "independent"),
    Kind("normal", 30, 0.3, 0.05, "correlated 0.8", 1.1),
    Kind("skewed to the right", 3, 0.02, 0.02, "uncorrelated", 1.1),
    Kind("skewed to the right", 10, 0.1, 0.1, "correlated 0.8"),
    Kind("skewed to the right", 20, 0.3, 0.3, "uncorrelated", 1.1),
    Kind("skewed to the left", 30, 0.1, 0.1, "independent"),
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_interval_holds_the_true_ratio_as_often_as_it_says(kind):
    """A nominal 95 % interval covers the truth in 93 to 97 % of 2000 data sets.

    `docs/explanation/ratios.md` has the coverage of other rules.
    """
    found, none = coverage(fieller(*kind.draw(np.random.default_rng(5), 2000), kind.paired), kind.ratio)
    assert 93 <= found <= 97
    assert none < 1
