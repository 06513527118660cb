"""Formats numbers, verdicts and tests of claims in the same way for all reports."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ackclock.report.model import SAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.report.model import Claim, Judgement, Part
    from ackclock.stats.statistics import Interval


def number(value: float, digits: int = 2) -> str:
    """Return a number as text with thousands separators and a true minus sign."""
    return f"{value:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def counted(n: int, noun: str) -> str:
    """Return a number with its noun in singular or plural: "1 run", "5,448 runs"."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign; without sign if it rounds to zero."""
    text = f"{value:+,.{digits}f}"
    return text[1:] if float(text.replace(",", "")) == 0 else text.replace("-", "\N{MINUS SIGN}")


def with_interval(value: Interval, digits: int = 0) -> str:
    """Return `mean ± half width` or `mean [low, high]`; only the mean if there is no interval or no variation."""
    if not value.known or value.half_width == 0:
        return number(value.mean, digits)
    if value.lopsided(0.5 * 10.0**-digits):
        return f"{number(value.mean, digits)} [{number(value.low, digits)}, {number(value.high, digits)}]"
    return f"{number(value.mean, digits)} ± {number(value.half_width, digits)}"


_MOST_STATED: Final = 8
"""Maximum number of decimals that a stated number may have."""


def part_number(part: Part) -> str:
    """Return a test's result as text: estimate, unit, interval, and the published number if there is one."""
    unit = f" {part.unit}" if part.unit else ""
    i = part.interval
    digits = _digits(part)
    write = signed if part.difference else number
    text = f"{write(i.mean, digits)}{unit} {_range(i, write, digits)}"
    if part.published is None:
        return text
    stated = write(part.published, _decimals(part.published, digits))
    return f"{text}; published {stated}, tolerance {number(part.margin, digits)}"


def _decimals(stated: float, digits: int) -> int:
    """Return how many decimals a number was stated with; `digits` if it was computed and has no finite decimals."""
    own = len(f"{stated:.15g}".partition(".")[2])
    return own if own <= _MOST_STATED else digits


def _range(i: Interval, write: Callable[[float, int], str], digits: int) -> str:
    """Return the interval in brackets, or the reason for its absence."""
    if not i.known:
        return "(one replication, no interval)" if i.n < 2 else "(no interval: the base's reaches 0)"
    if i.half_width == 0:
        return f"(the same in all {i.n} replications)"
    return f"[{write(i.low, digits)}, {write(i.high, digits)}]"


def _digits(part: Part) -> int:
    """Return the number of decimals for a test's result: two, or enough to show two digits of its tolerance."""
    if part.published is None or not part.margin:
        return 2
    return max(0, 1 - math.floor(math.log10(part.margin)))


def part_once(part: Part) -> str:
    """Return as text a test's result by the paper's own procedure."""
    if part.once is None:
        return "-"
    return (signed if part.difference else number)(part.once, _digits(part))


def part_name(part: Part) -> str:
    """Return a test's name, made of its statement, quantity and point as far as it has them."""
    named = f"{part.what}, {part.where}" if part.where else part.what
    return f"{part.statement}: {named}" if part.statement else named


def tally(judgement: Judgement) -> str:
    """Return how many of several tests support the claim, with the largest exception; empty for a single test."""
    if len(judgement.parts) == 1:
        return ""
    share = f"{judgement.supported} of {len(judgement.parts)}"
    worst = judgement.exception
    if worst is None or judgement.supported == 0:
        return share
    write, unit = signed if worst.difference else number, f" {worst.unit}" if worst.unit else ""
    return f"{share}, largest exception {write(worst.interval.mean, _digits(worst))}{unit}"


def once(judgement: Judgement) -> str:
    """Return as text in how many tests the paper's own procedure meets the claim."""
    if judgement.held_once is None:
        return "-"
    if len(judgement.parts) == 1:
        return "holds" if judgement.held_once else "does not hold"
    return f"{judgement.held_once} of {len(judgement.parts)}"


def verdicts(claims: list[Claim], column: int) -> dict[str, int]:
    """Count the verdicts in one column; where the column says "the same", use the first column's verdict."""
    counts: dict[str, int] = {}
    for claim in claims:
        judgement = claim.judgements[column] or (claim.judgements[0] if claim.blank == SAME else None)
        if judgement is not None:
            counts[judgement.verdict.value] = counts.get(judgement.verdict.value, 0) + 1
    return counts
