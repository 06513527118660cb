"""The statistical test of the validation, and the page that shows its verdicts."""

from __future__ import annotations

import pytest
from validation.check import Check
from validation.readings import interval
from validation.stats import compared

from validation import __main__ as program


@pytest.mark.parametrize(
    ("mine", "theirs", "verdict"),
    [
        # This case was once called a pass, with p = 0.026, but the runs cannot decide.
        ((0.776, 0.15, 20), (0.886, 0.15, 20), "cannot decide"),
        ((0.776, 0.15, 400), (0.886, 0.15, 400), "FAIL"),
        ((0.885, 0.15, 400), (0.886, 0.15, 400), "pass"),
        ((0.9, 0.0, 1), (0.9, 0.0, 1), "pass"),
        ((0.7, 0.0, 1), (0.9, 0.0, 1), "FAIL"),
    ],
)
def test_verdicts_on_known_cases(
    mine: tuple[float, float, int], theirs: tuple[float, float, int], verdict: str
) -> None:
    check = Check.of("G", "Jain's index", compared(mine, theirs, 0.05, absolute=True, form=".3f"))
    assert check.verdict == verdict


def test_a_margin_that_is_a_share_is_one_of_the_reference() -> None:
    found = compared((109.0, 0.1, 9), (100.0, 0.1, 9), 0.1)
    assert (found.passed, found.asked) == (True, "within 10 %")
    assert found.text == "109 (sd 0, 9) against 100 (sd 0, 9): +9.0% [+8.9%, +9.1%]"
    assert compared((112.0, 0.1, 9), (100.0, 0.1, 9), 0.1).passed is False
    assert compared((-112.0, 0.1, 9), (-100.0, 0.1, 9), 0.1).passed is False


def test_sections_are_renewed_and_counted() -> None:
    held = Check("A", "one", "t", "m", True)
    checks = [held, Check("B", "two", "t", "m", None), Check("B", "three", "t", "a|b", False)]
    page = program.page(program.rows(checks))
    assert "3 checks: 1 pass, 1 fail, 0 cannot be decided, 1 are not judged." in page
    assert program.renewed(page, {}) == page
    assert program.renewed(page, program.rows(checks)) == page
    other = program.renewed(page, program.rows([Check("B", "two", "t", "m", None, undecided=True)]))
    assert "2 checks: 1 pass, 0 fail, 1 cannot be decided, 0 are not judged." in other
    assert "three" not in other
    assert "| one | t | m | pass |" in other


def test_a_section_that_a_page_lacks_is_added_where_a_full_run_has_it() -> None:
    names = [program.GROUPS[name][0] for name in ("fallfloyd", "match", "theory", "fresh")]
    fall, match, theory, fresh = [program.rows([Check(name, "one", "t", "m", True)]) for name in names]
    page = program.page({**fall, **theory})
    assert program.renewed(page, match) == program.page({**fall, **match, **theory})
    assert program.renewed(page, fresh) == page


def test_the_interval_of_a_number_of_events_has_tails_below_2_5_percent() -> None:
    assert interval([0.5] * 10) == (2, 8)  # P(0 or 1) = 1.1 %, P(0 to 2) = 5.5 %
    assert interval([0.001] * 20) == (0, 0)
    assert interval([0.18, *[0.0005] * 19]) == (0, 1)
    assert interval([0.0, 1.0, 1.0]) == (2, 2)
