"""All criteria, in the order of RFC 9743, and their selection by name."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Final

from ackclock.errors import UserError, choices
from ackclock.evaluate import changing, congestion, receivers, sharing, unmeasured
from ackclock.evaluate.declared import Case, Criterion

__all__ = ["CRITERIA", "case_of", "cases_of", "chosen"]


def _order(criterion: Criterion) -> tuple[bool, tuple[int, ...]]:
    """Return the key by which criteria are sorted: those with a section first, by their sections' numbers."""
    first = criterion.section.split(",")[0]
    measured = criterion.key != "documents"
    return (not (first and measured), tuple(int(part) for part in first.split(".")) if first else ())


CRITERIA: Final[dict[str, Criterion]] = {
    one.key: one
    for one in sorted(
        (
            *congestion.CRITERIA,
            *sharing.CRITERIA,
            *changing.CRITERIA,
            *receivers.CRITERIA,
            *unmeasured.CRITERIA,
        ),
        key=_order,
    )
}
"""All criteria by name."""


def chosen(only: Collection[str]) -> tuple[Criterion, ...]:
    """Return the criteria of these names, or all of them if there are no names.

    Raises:
        UserError: If there is no such criterion; the message names the nearest.
    """
    for name in only:
        if name not in CRITERIA:
            raise UserError(f"--only: there is no criterion {name!r}: {choices(name, list(CRITERIA))}")
    return tuple(one for key, one in CRITERIA.items() if not only or key in only)


@cache
def _cases(criterion: str) -> tuple[Case, ...]:
    return CRITERIA[criterion].cases()


def cases_of(criterion: Criterion, *, quick: bool) -> tuple[Case, ...]:
    """Return a criterion's cases, in the quick form only those that belong to it."""
    return tuple(one for one in _cases(criterion.key) if one.quick or not quick)


def case_of(criterion: str, case: str) -> Case:
    """Return a case by the names of criterion and case."""
    return next(one for one in _cases(criterion) if one.key == case)
