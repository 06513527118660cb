"""Lists all suites, and runs a suite against a subject."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ackclock.comparisons.variants import Variant
from ackclock.conform import bbr3_probing, bbr3_startup, bbr3_undo, cubic, rack, reno
from ackclock.conform.case import Case, NotShownError, Outcome, Suite, Verdict
from ackclock.conform.report import Judged, Report
from ackclock.conform.subject import Subject
from ackclock.errors import UserError, choices

__all__ = ["SUITES", "cases_of", "conform", "subject_of", "suite_of", "verdict_on"]


def _by_section(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Return the cases sorted by the last number of the section that they cite."""
    return tuple(sorted(cases, key=lambda case: int(case.source.rpartition(".")[2])))


SUITES: dict[str, Suite] = {
    one.name: one
    for one in (
        Suite(
            "bbr3",
            "BBRv3: test cases of draft-ietf-ccwg-bbr-06, appendix A",
            "bbr3",
            _by_section((*bbr3_startup.CASES, *bbr3_probing.CASES, *bbr3_undo.CASES)),
        ),
        Suite("reno", "Reno: RFC 5681, 6582, 6675, 6928", "reno", reno.CASES),
        Suite("cubic", "CUBIC: RFC 9438", "cubic:profile=rfc,hystart=false", cubic.CASES),
        Suite("rack", "RACK-TLP: RFC 8985", "rack+reno", rack.CASES),
    )
}
"""All suites, by name."""


def suite_of(name: str) -> Suite:
    """Return a suite by name.

    Raises:
        UserError: If there is none; the message names the nearest.
    """
    if name not in SUITES:
        raise UserError(f"there is no suite {name!r}: {choices(name, list(SUITES))}")
    return SUITES[name]


def conform(
    name: str,
    *,
    suite: str | None = None,
    only: Collection[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Judge a subject by the cases of a suite: ``ac.conform.conform("bbr3")``.

    Args:
        name: The subject: a suite's name for our own variant, or any variant, FILE.py:Class, or QUIC stack.
        suite: The suite; None for the one of the subject's name.
        only: Names of the cases; all if empty.
        progress: Function that is called with the number of cases done and of all.

    Raises:
        UserError: If there is no such suite, case or variant.
    """
    chosen = suite_of(suite or name)
    cases = cases_of(chosen, only)
    subject = subject_of(name, chosen)
    judged = []
    for done, case in enumerate(cases):
        if progress is not None:
            progress(done, len(cases))
        verdict = verdict_on(case, subject)
        judged.append(Judged(case, verdict, tuple(dict.fromkeys(subject.scenarios))))
    if progress is not None:
        progress(len(cases), len(cases))
    return Report(chosen, name, tuple(judged))


def subject_of(name: str, suite: Suite) -> Subject:
    """Return the subject of this name; the name of the suite stands for our own variant.

    Raises:
        UserError: If there is no such variant.
    """
    return Subject(Variant.parse(suite.variant if name == suite.name else name), suite.name)


def cases_of(suite: Suite, only: Collection[str] = ()) -> list[Case]:
    """Return the cases of a suite, or those named in `only`.

    Raises:
        UserError: If there is no such case; the message names the nearest.
    """
    names = [case.id for case in suite.cases]
    for one in only:
        if one not in names:
            raise UserError(f"suite {suite.name} has no case {one!r}: {choices(one, names)}")
    return [case for case in suite.cases if not only or case.id in only]


def verdict_on(case: Case, subject: Subject) -> Verdict:
    """Run a case and return its verdict; the subject then has the scenarios of the case."""
    subject.scenarios.clear()
    try:
        return case.judge(subject)
    except NotShownError as reason:
        return Verdict(Outcome.NOT_APPLICABLE, str(reason))
