"""The shrinker: makes a harmful candidate smaller while it still shows the fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Final, TypeAlias

from ackclock.search.case import Burst, Case, DelayChange, Part, Path, RateChange, Spike, significant

__all__ = ["PLAIN", "Shows", "shrunk"]

Shows: TypeAlias = Callable[[Sequence[Case]], list[bool]]
"""Function that runs candidates and tells which of them show the fault."""

PLAIN: Final = Path(10e6, 0.04, 1.0)
"""The plain path toward which paths are changed: 10 Mb/s, 40 ms, one bandwidth-delay product."""

ROUNDS: Final = 4
"""Maximum number of passes over all numbers."""

HALVINGS: Final = 4
"""Maximum number of times that a number is brought halfway to its plain value."""

INTEGERS: Final = ("packet",)
"""Fields that are whole numbers."""


def shrunk(case: Case, shows: Shows, told: Callable[[Case], None] | None = None) -> Case:
    """Return the smallest candidate found that still shows the fault.

    The parts are removed first, by delta debugging (Zeller and Hildebrandt 2002). Then the path becomes plainer and
    each remaining number milder, and each is rounded to as few digits as possible. In one batch of smaller candidates
    the first that shows the fault is taken, so the result does not depend on the number of workers.

    Args:
        case: A candidate that shows the fault.
        shows: Function that runs candidates.
        told: Function that is given each smaller candidate.
    """
    for _ in range(ROUNDS):
        before = case
        case = _fewer(case, shows, told)
        case = _plainer(case, shows, told)
        case = _rounder(case, shows, told)
        if case == before:
            break
    return case


def _first(candidates: Sequence[Case], shows: Shows, told: Callable[[Case], None] | None) -> Case | None:
    """Return the first candidate that shows the fault; None if none does."""
    candidates = [one for one in candidates if one.is_valid]
    if not candidates:
        return None
    found = next((one for one, fine in zip(candidates, shows(candidates), strict=True) if fine), None)
    if found is not None and told is not None:
        told(found)
    return found


def _fewer(case: Case, shows: Shows, told: Callable[[Case], None] | None) -> Case:
    """Remove parts in ever smaller groups."""
    size = len(case.parts)
    while size:
        groups = [range(at, min(at + size, len(case.parts))) for at in range(0, len(case.parts), size)]
        left = [[part for i, part in enumerate(case.parts) if i not in group] for group in groups]
        found = _first([case.with_parts(parts) for parts in left], shows, told)
        if found is None:
            size = 0 if size == 1 else -(-size // 2)
        else:
            case = found
            size = min(size, len(case.parts))
    return case


def _plainer(case: Case, shows: Shows, told: Callable[[Case], None] | None) -> Case:
    """Bring the path toward the plain path, and each number of a part toward its mildest value."""
    for place in _places(case):
        for _ in range(HALVINGS):
            value, plain = _get(case, place), _mildest(case, place)
            if plain is None or plain == value:
                break
            half = significant((value * plain) ** 0.5 if value > 0 < plain else (value + plain) / 2, 3)
            tried = [_set(case, place, one) for one in dict.fromkeys((plain, half)) if one != value]
            found = _first(tried, shows, told)
            if found is None:
                break
            case = found
    return case


def _rounder(case: Case, shows: Shows, told: Callable[[Case], None] | None) -> Case:
    """Round each number to one significant digit, or to two."""
    for place in _places(case):
        value = _get(case, place)
        rounded = dict.fromkeys(significant(value, digits) for digits in (1, 2))
        tried = [_set(case, place, one) for one in rounded if one != value]
        case = _first(tried, shows, told) or case
    return case


Place: TypeAlias = tuple[int, str]
"""A number of a candidate: the number of the part (-1 for the path) and the name of the field."""


def _places(case: Case) -> Iterator[Place]:
    yield from ((-1, one.name) for one in fields(Path))
    for i, part in enumerate(case.parts):
        yield from ((i, one.name) for one in fields(part))


def _get(case: Case, place: Place) -> float:
    owner: Any = case.path if place[0] < 0 else case.parts[place[0]]
    return float(getattr(owner, place[1]))


def _set(case: Case, place: Place, value: float) -> Case:
    number, name = place
    given: Any = round(value) if name in INTEGERS else value
    if number < 0:
        return replace(case, path=replace(case.path, **{name: given}))
    parts = list(case.parts)
    parts[number] = replace(parts[number], **{name: given})
    return case.with_parts(parts)


def _mildest(case: Case, place: Place) -> float | None:
    """Return the value of a number at which it does the least; None if its value says nothing of that."""
    number, name = place
    if number < 0:
        return float(getattr(PLAIN, name))
    part: Part = case.parts[number]
    if isinstance(part, RateChange) and name == "rate_bps":
        return case.path.rate_bps
    if isinstance(part, DelayChange) and name == "rtt_s":
        return case.path.rtt_s
    if isinstance(part, Burst) and name == "rate_bps":
        return case.path.rate_bps
    if isinstance(part, Burst) and name == "period_s":
        return 4 * part.period_s
    if (isinstance(part, Burst) and name == "on_s") or (isinstance(part, Spike) and name != "at_s"):
        return _get(case, place) / 4  # no value does nothing, so each pass takes a quarter at most
    return None
