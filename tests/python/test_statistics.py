"""Statistics are compared with values computed by hand; some properties are tested with arbitrary values."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
from hypothesis import assume, given
from hypothesis import strategies as some

from ackclock.stats import statistics as st
from validation import means

NUMBERS = some.floats(-1e6, 1e6, allow_nan=False)
SAMPLES = some.lists(NUMBERS, min_size=2, max_size=30)


def test_interval_of_one_to_five() -> None:
    # The mean is 3, the sample variance 2.5 and t(0.975, 4) = 2.776445, so the half width is 2.776445 * sqrt(2.5 / 5).
    found = st.interval([1, 2, 3, 4, 5])
    assert found.mean == 3
    assert found.half_width == pytest.approx(1.963243, abs=1e-6)
    assert (found.n, found.level) == (5, 0.95)
    assert found.contains(4.9)
    assert not found.contains(5.0)
    assert str(found) == "3 ± 2"


def test_higher_level_is_wider() -> None:
    # The quantile is t(0.995, 4) = 4.604095.
    assert st.interval([1, 2, 3, 4, 5], 0.99).half_width == pytest.approx(4.604095 * math.sqrt(0.5), abs=1e-6)


def test_one_value_has_no_interval() -> None:
    found = st.interval([7.0])
    assert found.mean == 7
    assert math.isnan(found.half_width)
    assert not found.zero_variance
    assert math.isnan(st.interval([]).mean)


def test_equal_values_have_zero_variance_whatever_rounding_does() -> None:
    found = st.interval([0.1] * 10)
    assert found.half_width == 0
    assert found.mean == 0.1
    assert found.zero_variance


def test_paired_difference() -> None:
    # The differences 1, 2, 2 have mean 5/3, variance 1/3 and standard error 1/3, so t = 5 with 2 degrees of freedom.
    # The quantile is t(0.975, 2) = 4.302653.
    found = st.paired([10, 12, 14], [9, 10, 12])
    assert found.mean == pytest.approx(5 / 3)
    assert found.t == pytest.approx(5)
    assert found.degrees == 2
    assert found.p == pytest.approx(0.037750, abs=1e-6)
    assert found.interval.half_width == pytest.approx(1.434218, abs=1e-6)
    assert found.decided


def test_pairing_sees_what_independent_samples_hide() -> None:
    a, b = [1.0, 5.0, 9.0, 13.0], [0.9, 4.8, 8.9, 12.8]
    assert st.paired(a, b).decided
    assert not st.welch(a, b).decided


def test_paired_needs_as_many_on_both_sides() -> None:
    with pytest.raises(ValueError, match="3 and 2"):
        st.paired([1, 2, 3], [1, 2])


def test_constant_difference_is_known_but_not_tested() -> None:
    found = st.paired([2, 3, 4], [1, 2, 3])
    assert found.interval.zero_variance
    assert found.decided
    assert math.isnan(found.p)
    same = st.paired([1, 2, 3], [1, 2, 3])
    assert not same.decided
    assert same.p == 1


def test_welch() -> None:
    # The means are 2.5 and 6, the variances 5/3 and 10, and the variances of the means 5/12 and 2, so t = -3.5 /
    # sqrt(29/12). Degrees of freedom: (29/12)^2 / ((5/12)^2 / 3 + 2^2 / 4) = 5.520788.
    found = st.welch([1, 2, 3, 4], [2, 4, 6, 8, 10])
    assert found.mean == -3.5
    assert found.t == pytest.approx(-2.251436, abs=1e-6)
    assert found.degrees == pytest.approx(5.520788, abs=1e-6)
    assert 0.05 < found.p < 0.08
    assert not found.decided


def test_holm() -> None:
    assert st.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert st.holm([]) == []
    assert st.holm([0.9, 0.8]) == [1.0, 1.0]
    adjusted = st.holm([0.01, math.nan])
    assert adjusted[0] == pytest.approx(0.02)
    assert math.isnan(adjusted[1])


def test_jain() -> None:
    assert st.jain([1, 2, 3]) == pytest.approx(36 / 42)
    assert st.jain([5, 5, 5, 5]) == 1
    assert st.jain([1, 0, 0, 0]) == 0.25
    assert math.isnan(st.jain([0, 0]))


def test_zero_variance_is_warned_of() -> None:
    text = st.zero_variance_warning([3.0, 3.0, 3.0], "goodput")
    assert text is not None
    assert "all 3 replications gave the same goodput (3)" in text
    assert st.zero_variance_warning([3.0, 3.1], "goodput") is None
    assert st.zero_variance_warning([3.0], "goodput") is None


def test_warm_up_is_cut_where_it_ends() -> None:
    assert st.mser_cut([0.0] * 20 + [10.0, 11.0, 9.0, 10.0, 10.0] * 16) == 20
    assert st.mser_cut([10.0, 11.0, 9.0, 10.0, 10.0] * 16) == 0
    assert st.mser_cut([1.0, 2.0]) == 0


def test_replications_needed_grow_with_the_square_of_precision() -> None:
    values = [9.0, 10.0, 11.0, 10.0]
    now = st.interval(values).relative
    assert st.replications_needed(values, now) == 4
    assert st.replications_needed(values, now / 2) == 16
    assert st.replications_needed([5.0, 5.0], 0.01) is None


@given(SAMPLES, some.floats(0.5, 0.99))
def test_interval_holds_its_mean(values: list[float], level: float) -> None:
    found = st.interval(values, level)
    assert found.low <= found.mean <= found.high
    assert min(values) - 1e-6 <= found.mean <= max(values) + 1e-6


@given(SAMPLES, some.randoms(use_true_random=False))
def test_interval_does_not_depend_on_order(values: list[float], random: object) -> None:
    shuffled = values.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert st.interval(shuffled).mean == st.interval(values).mean or st.interval(values).zero_variance


@given(SAMPLES, NUMBERS)
def test_interval_moves_with_the_values(values: list[float], by: float) -> None:
    assume(max(values) - min(values) > 1e-3)
    one, moved = st.interval(values), st.interval([x + by for x in values])
    assert moved.half_width == pytest.approx(one.half_width, rel=1e-3)
    assert moved.mean == pytest.approx(one.mean + by, abs=1e-6)


@given(some.lists(some.floats(0, 1), max_size=12))
def test_holm_never_makes_a_difference_surer(p_values: list[float]) -> None:
    adjusted = st.holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    assert [adjusted[i] for i in order] == sorted(adjusted)


@given(some.lists(some.floats(0.001, 1e6), min_size=1, max_size=50))
def test_jain_lies_between_one_nth_and_one(values: list[float]) -> None:
    assert 1 / len(values) - 1e-9 <= st.jain(values) <= 1 + 1e-9


def test_paired_agrees_with_scipy() -> None:
    from scipy import stats

    a, b = [9.1, 8.7, 9.9, 9.4, 8.8], [8.9, 8.8, 9.1, 9.0, 8.5]
    found, theirs = st.paired(a, b), stats.ttest_rel(a, b)
    assert (found.t, found.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    low, high = theirs.confidence_interval()
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))
    welch = stats.ttest_ind(a, b, equal_var=False)
    assert (st.welch(a, b).t, st.welch(a, b).p) == pytest.approx((welch.statistic, welch.pvalue))


def test_effect_is_the_difference_in_standard_deviations() -> None:
    # The differences 1, 2, 2 have mean 5/3 and standard deviation sqrt(1/3).
    assert st.paired([10, 12, 14], [9, 10, 12]).effect == pytest.approx(5 / 3 / math.sqrt(1 / 3))
    assert st.paired([2, 3, 4], [1, 2, 3]).effect == math.inf
    assert st.paired([1, 2], [1, 2]).effect == 0
    assert math.isnan(st.paired([1], [2]).effect)


def test_power_and_replications_to_tell() -> None:
    # For Cohen's medium and small effects, a two-sided level of 0.05 and a power of 0.8, G*Power 3 gives 34 and 199
    # pairs.
    assert st.replications_to_tell(0.5, 0.05) == 34
    assert st.replications_to_tell(-0.2, 0.05) == 199
    assert st.paired_power(0.5, 34, 0.05) >= 0.8 > st.paired_power(0.5, 33, 0.05)
    assert st.paired_power(0.0, 20, 0.05) == pytest.approx(0.05)
    assert st.paired_power(1.0, 1, 0.05) == 0
    assert st.replications_to_tell(100.0, 0.05) == 2
    assert st.replications_to_tell(0.0, 0.05) is None
    assert st.replications_to_tell(math.nan, 0.05) is None
    assert st.replications_to_tell(1e-5, 0.05) is None


def test_power_is_what_simulated_tests_find() -> None:
    import numpy as np

    draws = np.random.default_rng(1).normal(0.8, 1.0, (4000, 12))
    t = draws.mean(axis=1) / (draws.std(axis=1, ddof=1) / math.sqrt(12))
    found = float((abs(t) > st.t_quantile(0.95, 11)).mean())
    assert st.paired_power(0.8, 12, 0.05) == pytest.approx(found, abs=0.025)


def test_quantiles() -> None:
    assert st.quantiles([1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 0.5, 0.625, 1.0]) == [1.0, 3.0, 3.5, 5.0]
    assert math.isnan(st.quantiles([], [0.5])[0])


def test_replications_that_repeat_each_other_count_once() -> None:
    values = [1.0, 1.0, 5.0, 5.0, 3.0, 3.0]
    (found,) = st.condensed("aabbcc", values)
    assert sorted(found) == pytest.approx([1.0, 3.0, 5.0])
    # If groups differ in size, the mean is unchanged, and the interval uses clustered standard errors.
    keys, values = "aaab", [1.0, 1.2, 1.1, 4.0]
    (found,) = st.condensed(keys, values)
    assert st.mean(found) == pytest.approx(st.mean(values))
    sums = [sum(x - 1.825 for x in values[:3]), 4.0 - 1.825]
    error = math.sqrt(2 / 1 * sum(x * x for x in sums) / 4**2)
    assert st.interval(found).half_width == pytest.approx(st.t_quantile(0.95, 1) * error)


def test_what_repeats_nothing_or_is_constant_stays() -> None:
    assert st.condensed([1, 2, 3], [7.0, 8.0, 9.0]) == ([7.0, 8.0, 9.0],)
    assert st.condensed("aaa", [7.0, 7.0, 7.0], [1.0, 1.0, 1.0]) == ([7.0] * 3, [1.0] * 3)
    assert st.condensed("abc", [7.0, math.nan, 9.0], [1.0, 2.0, 3.0]) == ([7.0, 9.0], [1.0, 3.0])
    assert st.interval(st.condensed("aaa", [7.0, 7.1, 7.2])[0]).n == 1
    assert st.condensed("", []) == ([],)


@pytest.mark.parametrize("paths", [3, 5])
def test_intervals_of_repeated_runs_hold_the_mean_of_what_was_not_repeated(paths: int) -> None:
    """Ten replications repeat a few of many sample paths; the interval must contain the mean over all these paths."""
    import numpy as np

    draws, plain, held = np.random.default_rng(paths), 0, 0
    for _ in range(400):
        level = draws.normal(size=paths)
        keys = [*range(paths), *draws.integers(0, paths, size=10 - paths)]
        values = [level[key] + draws.normal(0, 1e-3) for key in keys]
        plain += st.interval(values).contains(0.0)
        held += st.interval(st.condensed([int(key) for key in keys], values)[0]).contains(0.0)
    assert held / 400 > 0.89 > plain / 400


def covered(draw: Callable[[Any], tuple[list[int], list[float]]], truth: float, *, repeated: bool) -> float:
    """Return the percentage of 2000 data sets whose 95 % interval of the mean contains the true mean."""
    rng = np.random.default_rng(11)
    inside = 0
    for _ in range(2000):
        keys, values = draw(rng)
        (some,) = st.condensed(keys, values) if repeated else (values,)
        inside += st.interval(some).contains(truth)
    return inside / 20


@pytest.mark.parametrize("n", [3, 5, 10, 30])
def test_intervals_of_means_cover_what_they_claim(n: int) -> None:
    def draw(rng: Any) -> tuple[list[int], list[float]]:
        return list(range(n)), list(rng.normal(5, 1, n))

    assert 93 <= covered(draw, 5, repeated=True) <= 97


@pytest.mark.parametrize(
    ("kind", "wanted"), [("normal", 95.8), ("skewed to the right", 93.0), ("skewed to the left", 93.0)]
)
def test_intervals_of_skewed_values_cover_what_the_page_says(kind: str, wanted: float) -> None:
    """With ten skewed values Student's interval covers less than 95 %; the page on intervals gives the share."""
    assert round(means.coverage(means.student, kind, 10), 1) == wanted
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "ratios.md").read_text(encoding="utf-8")
    assert f"| {kind} | 10 | {wanted} |" in page


@pytest.mark.parametrize("courses", [4, 6, 8])
def test_ten_replications_of_few_courses_have_an_interval_for_these(courses: int) -> None:
    """Replications with equal courses add little; counted as independent, their interval covers far too rarely."""

    def draw(rng: Any) -> tuple[list[int], list[float]]:
        keys = [i % courses for i in range(10)]
        means = rng.normal(5, 1, courses)
        return keys, [means[key] + rng.normal(0, 0.05) for key in keys]

    assert 93 <= covered(draw, 5, repeated=True) <= 97
    assert covered(draw, 5, repeated=False) < 92


def test_arrays_and_series_are_taken_as_lists_are() -> None:
    values = [1.0, 2.0, 4.0]
    both: list[Any] = [np.array(values), polars.Series(values)]
    for same in both:
        assert st.interval(same) == st.interval(values)
        assert st.paired(same, same[::-1]) == st.paired(values, values[::-1])
