"""A published claim as a study declares it, and the verdicts on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from ackclock.report import model
from ackclock.study.data import noting_altered
from ackclock.study.judge import Number, Test, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence, Set

S = TypeVar("S")
"""The study's results, which its tests read."""

C = TypeVar("C")
"""The supposition of a column of the verdicts."""


@dataclass(frozen=True)
class Claim(Generic[S, C]):
    """A claim of the paper, turned into tests before the runs.

    Attributes:
        key: Its short name.
        figure: The published figure or table ("Figure 3").
        text: The claim, in our words.
        reading: Its translation into numbers, if the text leaves that open.
        test: The test, or those that must all hold, on the assumptions of a column; none if it cannot judge the claim.
        needs: Figures whose runs it can be judged by, any of them; if empty, the figure that publishes it.
        blank: Text for a column that does not judge it.
        statements: The statements of a claim that makes several, each of which must hold; its tests name theirs.
    """

    key: str
    figure: str
    text: str
    reading: str
    test: Callable[[S, C], Test | Number | Sequence[Test] | Sequence[Number]]
    needs: tuple[str, ...] = ()
    blank: str = model.SAME
    statements: tuple[str, ...] = ()

    def wanted(self, figures: Set[str]) -> bool:
        """Tell whether its runs are made for one of these figures."""
        own = self.figure.lower().replace("figure ", "fig").replace(" ", "")
        return bool(figures & set(self.needs or (own,)))


def _judged(claim: Claim[S, C], results: S, column: C) -> model.Judgement | None:
    """Return the verdict under a column, with the user's settings that changed the runs of its tests."""
    with noting_altered() as altered:
        found = claim.test(results, column)
    tests: Sequence[Test] | Sequence[Number]
    match found:
        case Test():
            tests = (found,)
        case Number():
            tests = (found,)
        case _:
            tests = found
    return replace(judge(tests, statements=claim.statements), altered=frozenset(altered)) if tests else None


def judged(
    declared: Iterable[Claim[S, C]], results: S, columns: Sequence[C], figures: Set[str] | None = None
) -> tuple[model.Claim, ...]:
    """Judge every claim, or those of some figures, under each column; a claim without a test is left out."""
    out = []
    for claim in declared:
        if figures is None or claim.wanted(figures):
            judgements = tuple(_judged(claim, results, column) for column in columns)
            if any(judgements):
                out.append(
                    model.Claim(claim.key, claim.figure, claim.text, claim.reading, judgements, claim.blank)
                )
    return tuple(out)
