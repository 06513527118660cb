"""Declares test cases and their verdicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.conform.subject import Subject

__all__ = ["Case", "NotShownError", "Outcome", "Suite", "Verdict", "failed", "passed"]


class Outcome(StrEnum):
    """Result of a case."""

    PASS = "pass"
    FAIL = "fail"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True)
class Verdict:
    """Verdict on a case.

    Attributes:
        outcome: Pass, fail or not applicable.
        reason: Observation that decides, one sentence.
        from_s: Beginning of the simulated time that decides, s; None if no time decides.
        to_s: End of that time, s.
    """

    outcome: Outcome
    reason: str
    from_s: float | None = None
    to_s: float | None = None

    @property
    def when(self) -> str:
        """Simulated time that decides the verdict, as text; empty if no time decides."""
        if self.from_s is None:
            return ""
        if self.to_s is None or self.to_s == self.from_s:
            return f"{self.from_s:.3f} s"
        return f"{self.from_s:.3f} to {self.to_s:.3f} s"


class NotShownError(Exception):
    """Raised if a case does not apply: the subject does not expose what is judged, or never reaches that state."""


@dataclass(frozen=True)
class Case:
    """A test case of a specification.

    Attributes:
        id: Name, unique within its suite.
        title: Title, as the source has it.
        source: Document and section.
        scenario: The scenario, in words.
        judged: The behaviour that must be seen.
        judge: Function that runs the scenario and judges it.
    """

    id: str
    title: str
    source: str
    scenario: str
    judged: str
    judge: Callable[[Subject], Verdict]


@dataclass(frozen=True)
class Suite:
    """The cases of one specification.

    Attributes:
        name: Name, as the command line takes it.
        title: The specification.
        variant: Variant of ours that the suite judges if no other is given.
        cases: The cases, in the order of the source.
    """

    name: str
    title: str
    variant: str
    cases: tuple[Case, ...]


def passed(reason: str, from_s: float | None = None, to_s: float | None = None) -> Verdict:
    """Return the verdict that the check passed for `reason`, with the time range that shows it, s."""
    return Verdict(Outcome.PASS, reason, from_s, to_s)


def failed(reason: str, from_s: float | None = None, to_s: float | None = None) -> Verdict:
    """Return the verdict that the check failed for `reason`, with the time range that shows it, s."""
    return Verdict(Outcome.FAIL, reason, from_s, to_s)
