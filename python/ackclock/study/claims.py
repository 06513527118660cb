"""Published claims as a study declares them, and the verdicts on the claims."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from ackclock.report import model
from ackclock.study.data import noting_altered
from ackclock.study.judge import Number, Test, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence, Set

S = TypeVar("S")
"""Type of a study's results, which are the first argument of a claim's test."""

C = TypeVar("C")
"""Type of the assumption behind one column of verdicts."""


@dataclass(frozen=True)
class Claim(Generic[S, C]):
    """A claim of the paper with the tests that decide it; both are fixed before the runs.

    Attributes:
        key: Short name of the claim.
        figure: The published figure or table ("Figure 3").
        text: The claim in our words.
        reading: Our interpretation of the claim in numbers, if the paper's text leaves the numbers open.
        test: Function of the results and a column's assumption. It returns one test, or several that must all hold; an
            empty sequence if the claim cannot be judged in that column.
        needs: Figures of which each alone has all runs that the tests need; by default the figure that publishes the
            claim.
        blank: Text in the cell of a column that does not judge the claim.
        statements: Names of the statements, if the claim makes several. All must hold, and each test names its
            statement.
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
        """Return true if the runs of one of these figures suffice to judge the claim."""
        own = self.figure.lower().replace("figure ", "fig").replace(" ", "")
        return bool(figures & set(self.needs or (own,)))


def _judged(claim: Claim[S, C], results: S, column: C) -> model.Judgement | None:
    """Return the verdict on the claim in one column, with the user's settings that changed its tests' runs."""
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
    """Return the claims with their verdicts in each column.

    With `figures`, only claims that can be judged from their runs are returned. A claim without a verdict in any column
    is left out.
    """
    out = []
    for claim in declared:
        if figures is None or claim.wanted(figures):
            judgements = tuple(_judged(claim, results, column) for column in columns)
            if any(judgements):
                out.append(
                    model.Claim(claim.key, claim.figure, claim.text, claim.reading, judgements, claim.blank)
                )
    return tuple(out)
