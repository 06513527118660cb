"""Verdicts from made-up replications."""

from __future__ import annotations

import math
import random

import pytest

from ackclock.report.model import Verdict
from ackclock.report.text import part_name, part_number, tally
from ackclock.study.claims import Claim, judged
from ackclock.study.judge import Number, judge, positive, statement, tolerance, within
from ackclock.study.judge import Test as Claimed

CLEAR = (1.0, 1.1, 0.9, 1.05, 0.95)
NOISY = (1.0, -3.0, 4.0, -2.0, 3.0)
WRONG = tuple(-x for x in CLEAR)
ZERO = (0.0,) * 5
"""Five replications in which the increase is 0.00 %."""


def above_zero(values, where="here", once=None, margin=0.0):
    return Claimed(where=where, what="a - b", values=tuple(values), above=0.0, once=once, margin=margin)


@pytest.mark.parametrize(
    ("values", "verdict"),
    [(CLEAR, Verdict.SUPPORTED), (NOISY, Verdict.UNDECIDED), (WRONG, Verdict.CONTRADICTED)],
)
def test_one_test(values, verdict):
    assert judge([above_zero(values)]).verdict is verdict


def test_a_claim_of_one_test_needs_no_list():
    claim = Claim("faster", "Figure 1", "a is faster", "", lambda _results, _column: above_zero(CLEAR))
    (found,) = judged([claim], None, [None])
    assert found.judgements[0].verdict is Verdict.SUPPORTED


def test_all_must_hold_and_one_failure_decides():
    assert judge([above_zero(CLEAR), above_zero(CLEAR)]).verdict is Verdict.SUPPORTED
    assert judge([above_zero(CLEAR), above_zero(NOISY)]).verdict is Verdict.UNDECIDED
    found = judge([above_zero(CLEAR), above_zero(NOISY), above_zero(WRONG, "there")])
    assert found.verdict is Verdict.CONTRADICTED
    assert found.decisive.where == "there"
    assert found.supported == 1


def test_the_number_is_that_of_the_narrowest_test():
    wide = above_zero([x + 10 for x in CLEAR], "wide")
    found = judge([wide, above_zero(CLEAR, "narrow")])
    assert found.decisive.where == "narrow"
    assert found.decisive.interval.mean == pytest.approx(1.0)


def test_contradiction_needs_more_when_many_are_tested():
    # As a single test the difference is significant at 95 %, but as one of fifty tests it is not.
    values = (-1.0, -2.0, -0.5, -1.5, -0.4)
    assert judge([above_zero(values)]).verdict is Verdict.CONTRADICTED
    assert judge([above_zero(values)] + [above_zero(CLEAR)] * 49).verdict is Verdict.UNDECIDED


def test_a_range_has_two_ends():
    def verdict(values):
        return judge([Claimed("", "off", tuple(values), above=-5, below=5)]).verdict

    assert verdict(CLEAR) is Verdict.SUPPORTED
    assert verdict([x + 20 for x in CLEAR]) is Verdict.CONTRADICTED
    assert verdict([x - 20 for x in CLEAR]) is Verdict.CONTRADICTED
    assert verdict([x + 4 for x in CLEAR]) is Verdict.UNDECIDED


def test_a_tie_in_every_replication_is_neither_support_nor_contradiction():
    assert judge([above_zero(ZERO)]).verdict is Verdict.UNDECIDED
    assert judge([above_zero(ZERO, margin=1.0)]).verdict is Verdict.EQUIVALENT


def test_a_difference_inside_the_margin_does_not_matter_however_sure_it_is():
    tiny = [x / 10 for x in CLEAR]
    assert judge([above_zero(tiny)]).verdict is Verdict.SUPPORTED
    assert judge([above_zero(tiny, margin=1.0)]).verdict is Verdict.EQUIVALENT
    assert judge([above_zero([-x for x in tiny], margin=1.0)]).verdict is Verdict.EQUIVALENT
    assert judge([above_zero([2 * x for x in CLEAR], margin=1.0)]).verdict is Verdict.SUPPORTED


def test_a_difference_that_may_or_may_not_matter_is_not_support():
    """The difference is significantly above 0, but its interval contains the margin, so it may not matter."""
    assert judge([above_zero(CLEAR, margin=1.0)]).verdict is Verdict.UNDECIDED


def test_tests_without_a_difference_that_matters_neither_outvote_nor_support():
    clear = above_zero(CLEAR, margin=0.5)
    exception = above_zero([-0.1 * x for x in CLEAR], "there", margin=0.5)
    many = judge([clear] * 3 + [exception])
    assert many.verdict is Verdict.PARTLY
    assert tally(many) == "3 of 4, largest exception \N{MINUS SIGN}0.10 %"
    assert judge([clear] + [exception] * 99).verdict is Verdict.PARTLY
    assert judge([exception] * 100).verdict is Verdict.EQUIVALENT


def test_rises_of_nothing_do_not_rise_linearly():
    """Eight increases of 0.00 % and nine points on a line must not support "rises linearly".

    The claim was once judged "supported", because nine of its seventeen tests held.
    """
    names = ("it rises", "it lies on a line")
    flat = statement(names[0], [positive("k", "rise", ZERO)] * 8)
    line = statement(names[1], [within(5.0, "k", "off the line", ZERO)] * 9)
    assert judge([*flat, *line], statements=names).verdict is Verdict.EQUIVALENT
    steep = statement(names[0], [positive("k", "rise", tuple(5 + x for x in CLEAR))] * 8)
    found = judge([*steep, *line], statements=names)
    assert found.verdict is Verdict.SUPPORTED
    assert part_name(found.parts[0]) == "it rises: rise, k"


def test_a_statement_without_a_test_leaves_the_claim_open():
    tests = statement("it rises", [positive("k", "rise", tuple(5 + x for x in CLEAR))])
    assert judge(tests, statements=("it rises",)).verdict is Verdict.SUPPORTED
    assert judge(tests, statements=("it rises", "it lies on a line")).verdict is Verdict.UNDECIDED


def test_tests_of_an_undeclared_statement_are_refused():
    with pytest.raises(ValueError, match="'it falls'"):
        judge(statement("it falls", [above_zero(CLEAR)]), statements=("it rises",))
    with pytest.raises(ValueError, match="'it falls'"):
        judge(statement("it falls", [above_zero(CLEAR)]))


def test_a_margin_holds_for_every_unit():
    """+0.38 percentage points are as negligible as +0.38 %; a claim in another unit must state its margin."""
    values = tuple(0.38 + x / 100 for x in CLEAR)
    for unit in ("%", "points", "percentage points"):
        assert judge([positive("", "gap", values, unit)]).verdict is Verdict.EQUIVALENT
    for unit in ("ms", "kb/s", "segments", ""):
        with pytest.raises(ValueError, match="needs a margin"):
            positive("", "gap", values, unit)
        assert judge([positive("", "gap", values, unit, margin=0.1)]).verdict is Verdict.SUPPORTED
    with pytest.raises(ValueError, match="0 or more"):
        positive("", "gap", values, margin=-1.0)


def test_one_replication_decides_nothing():
    found = judge([above_zero([5.0])])
    assert found.verdict is Verdict.UNDECIDED
    assert math.isnan(found.decisive.interval.half_width)


def test_the_papers_procedure_is_counted_beside():
    found = judge([above_zero(CLEAR, once=0.5), above_zero(CLEAR, once=-0.5)])
    assert found.held_once == 1
    assert judge([above_zero(CLEAR)]).held_once is None


def around(centre, spread=1.0):
    return tuple(centre + spread * x for x in (-1.0, -0.5, 0.0, 0.5, 1.0))


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        (17.2, Verdict.REPRODUCED),
        (12.36, Verdict.SIMILAR),
        (40.0, Verdict.SIMILAR),
        (2.0, Verdict.NOT_REPRODUCED),
        (-17.05, Verdict.NOT_REPRODUCED),
        (5.5, Verdict.UNDECIDED),
    ],
)
def test_a_published_number_is_reproduced_alike_or_not(ours, verdict):
    one = Number("", "fall", around(ours), published=17.05, difference=True)
    assert one.reach == pytest.approx(1.705)
    assert judge([one]).verdict is verdict


def test_an_interval_that_straddles_the_tolerance_is_alike_at_least():
    assert judge([Number("", "fall", around(18.5), published=17.05)]).verdict is Verdict.SIMILAR


def test_no_published_number_is_ever_supported():
    draw = random.Random(4)
    for _ in range(300):
        values = tuple(draw.gauss(draw.uniform(-40, 40), 5) for _ in range(5))
        found = judge([Number("", "fall", values, published=17.05)])
        assert found.verdict not in (Verdict.SUPPORTED, Verdict.PARTLY, Verdict.EQUIVALENT)
        if found.verdict is Verdict.REPRODUCED:
            assert 15.345 <= found.decisive.interval.low <= found.decisive.interval.high <= 18.755


def test_a_tolerance_separates_the_published_alternatives():
    """The published alternatives 1033 and 913 kb/s differ by 120 kb/s, so 874 kb/s reproduces neither."""
    published = (1033.34, 912.624)
    assert tolerance(published[0], published) == pytest.approx(60.358)
    ours = [Number("", "rate", around(874.0), published=p, alternatives=published) for p in published]
    assert [judge([one]).verdict for one in ours] == [Verdict.SIMILAR, Verdict.REPRODUCED]
    found = judge(ours)
    assert found.verdict is Verdict.SIMILAR
    assert tally(found).startswith("1 of 2, largest exception 874")
    assert part_number(found.decisive).endswith("published 1,033.34, tolerance 60")
    with pytest.raises(ValueError, match=r"does not tell 1033\.34 from 912\.624"):
        Number("", "rate", around(874.0), published=1033.34, alternatives=published, tolerance=200.0)


def test_a_ratio_has_its_direction_from_one():
    """If the published ratio is 2, a ratio of 1.05 has another order of magnitude, and 0.5 another direction."""

    def verdict(ratio):
        return judge([Number("", "a / b", around(ratio, 0.01), published=2.0, nothing=1.0, unit="")]).verdict

    assert [verdict(x) for x in (2.05, 1.5, 1.05, 0.5)] == [
        Verdict.REPRODUCED,
        Verdict.SIMILAR,
        Verdict.NOT_REPRODUCED,
        Verdict.NOT_REPRODUCED,
    ]


def test_a_published_nothing_is_reproduced_or_not():
    assert (
        judge([Number("", "packets", around(3), published=0.0, tolerance=50.0)]).verdict is Verdict.REPRODUCED
    )
    assert (
        judge([Number("", "packets", around(90), published=0.0, tolerance=50.0)]).verdict
        is Verdict.NOT_REPRODUCED
    )
    with pytest.raises(ValueError, match="above 0"):
        Number("", "packets", around(3), published=0.0)


def test_narrow_tolerances_are_written_in_full():
    found = judge(
        [Number("", "index", around(0.989, 0.0001), published=0.989, alternatives=(0.994,), unit="")]
    )
    assert part_number(found.decisive).endswith("published 0.989, tolerance 0.0025")


def test_a_number_is_a_claim_of_its_own():
    number = Number("", "fall", CLEAR, published=1.0)
    with pytest.raises(ValueError, match="not both"):
        judge([number, above_zero(CLEAR)])
    with pytest.raises(ValueError, match="claim of its own"):
        judge([number], statements=("by so much",))


@pytest.mark.parametrize("tests", [1, 3])
@pytest.mark.parametrize("truth", [0.0, 0.9, 1.0])
@pytest.mark.parametrize("spread", [0.1, 1.0, 5.0])
def test_what_does_not_matter_is_seldom_supported(tests, truth, spread):
    """A false claim (a difference of 0, or within the margin of 1) is called supported in at most 5 % of cases."""
    draw = random.Random(f"{tests} {truth} {spread}")
    called = 0
    for _ in range(1000):
        values = [tuple(draw.gauss(truth, spread) for _ in range(5)) for _ in range(tests)]
        called += judge([positive("", "gap", one) for one in values]).verdict is Verdict.SUPPORTED
    assert called <= 50


def test_what_matters_is_found():
    draw = random.Random(7)
    called = 0
    for _ in range(200):
        values = [tuple(draw.gauss(3.0, 1.0) for _ in range(10)) for _ in range(8)]
        called += judge([positive("", "gap", one) for one in values]).verdict is Verdict.SUPPORTED
    assert called > 190
