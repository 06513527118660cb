"""From replications to a verdict, on made-up numbers."""

from __future__ import annotations

import math

import pytest

from ackclock.report.model import Verdict
from ackclock.report.text import tally
from ackclock.studies.judge import Test as Claimed
from ackclock.studies.judge import judge, percent_above

CLEAR = (1.0, 1.1, 0.9, 1.05, 0.95)
NOISY = (1.0, -3.0, 4.0, -2.0, 3.0)
WRONG = tuple(-x for x in CLEAR)


def above_zero(values, where="here", once=None, margin=0.0):
    return Claimed(where=where, what="a - b", values=tuple(values), above=0.0, once=once, margin=margin)


@pytest.mark.parametrize(
    ("values", "verdict"),
    [(CLEAR, Verdict.SUPPORTED), (NOISY, Verdict.UNDECIDED), (WRONG, Verdict.CONTRADICTED)],
)
def test_one_test(values, verdict):
    assert judge([above_zero(values)]).verdict is verdict


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
    # Just significant by itself at 95 %, not among fifty.
    values = (-1.0, -2.0, -0.5, -1.5, -0.4)
    assert judge([above_zero(values)]).verdict is Verdict.CONTRADICTED
    assert judge([above_zero(values)] + [above_zero(CLEAR)] * 49).verdict is Verdict.UNDECIDED


def test_a_range_has_two_ends():
    def within(values):
        return judge([Claimed("", "off", tuple(values), above=-5, below=5)]).verdict

    assert within(CLEAR) is Verdict.SUPPORTED
    assert within([x + 20 for x in CLEAR]) is Verdict.CONTRADICTED
    assert within([x - 20 for x in CLEAR]) is Verdict.CONTRADICTED
    assert within([x + 4 for x in CLEAR]) is Verdict.UNDECIDED


def test_a_tie_in_every_replication_is_neither_support_nor_contradiction():
    assert judge([above_zero([0.0] * 5)]).verdict is Verdict.UNDECIDED
    assert judge([above_zero([0.0] * 5, margin=1.0)]).verdict is Verdict.EQUIVALENT


def test_a_difference_inside_the_margin_does_not_matter_however_sure_it_is():
    tiny = [x / 10 for x in CLEAR]
    assert judge([above_zero(tiny)]).verdict is Verdict.SUPPORTED
    assert judge([above_zero(tiny, margin=1.0)]).verdict is Verdict.EQUIVALENT
    assert judge([above_zero([-x for x in tiny], margin=1.0)]).verdict is Verdict.EQUIVALENT
    assert judge([above_zero(CLEAR, margin=1.0)]).verdict is Verdict.SUPPORTED


def test_an_exception_inside_the_margin_does_not_decide():
    exception = above_zero([-0.1 * x for x in CLEAR], "there", margin=0.5)
    many = judge([above_zero(CLEAR)] * 3 + [exception])
    assert many.verdict is Verdict.SUPPORTED
    assert tally(many) == "3 of 4, largest exception \N{MINUS SIGN}0.10 %"
    assert judge([above_zero(CLEAR), exception]).verdict is Verdict.EQUIVALENT


def test_one_replication_decides_nothing():
    found = judge([above_zero([5.0])])
    assert found.verdict is Verdict.UNDECIDED
    assert math.isnan(found.decisive.interval.half_width)


def test_the_papers_procedure_is_counted_beside():
    found = judge([above_zero(CLEAR, once=0.5), above_zero(CLEAR, once=-0.5)])
    assert found.held_once == 1
    assert judge([above_zero(CLEAR)]).held_once is None


def test_differences_are_paired_and_in_percent_of_the_rival():
    assert percent_above([110.0, 210.0], [100.0, 200.0]) == pytest.approx((100 / 15, 100 / 15))
