"""Numbers and intervals as text, the same in every output."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.report.model import SAME
from ackclock.sweep.text import brief as brief
from ackclock.sweep.text import estimate as estimate

if TYPE_CHECKING:
    from ackclock.report.model import Claim, Judgement, Part
    from ackclock.sweep.statistics import Interval


def number(value: float, digits: int = 2) -> str:
    """Write a number with thousands set apart; a minus sign that is one."""
    return f"{value:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def signed(value: float, digits: int = 2) -> str:
    """The same with its sign; no sign where it prints as zero."""
    text = f"{value:+,.{digits}f}"
    return text[1:] if float(text.replace(",", "")) == 0 else text.replace("-", "\N{MINUS SIGN}")


def with_interval(value: Interval, digits: int = 0) -> str:
    """Write `mean ± half width`; the mean alone where there is no interval or no spread."""
    if math.isnan(value.half_width) or value.half_width == 0:
        return number(value.mean, digits)
    return f"{number(value.mean, digits)} ± {number(value.half_width, digits)}"


def part_number(part: Part) -> str:
    """Write a test's number: mean, unit and interval."""
    unit = f" {part.unit}" if part.unit else ""
    i = part.interval
    write = signed if part.difference else number
    if math.isnan(i.half_width):
        return f"{write(i.mean)}{unit} (one replication, no interval)"
    if i.half_width == 0:
        return f"{write(i.mean)}{unit} (the same in all {i.n} replications)"
    return f"{write(i.mean)}{unit} [{write(i.low)}, {write(i.high)}]"


def part_once(part: Part) -> str:
    """Write a test's number in the paper's own procedure."""
    if part.once is None:
        return "-"
    return signed(part.once) if part.difference else number(part.once)


def part_name(part: Part) -> str:
    """Name a test: what, and where if that says anything."""
    return f"{part.what}, {part.where}" if part.where else part.what


def tally(judgement: Judgement) -> str:
    """Say how many tests support the claim, where there are several, and the largest exception where few are."""
    if len(judgement.parts) == 1:
        return ""
    share = f"{judgement.supported} of {len(judgement.parts)}"
    worst = judgement.exception
    if worst is None or judgement.supported == 0:
        return share
    write, unit = signed if worst.difference else number, f" {worst.unit}" if worst.unit else ""
    return f"{share}, largest exception {write(worst.interval.mean)}{unit}"


def once(judgement: Judgement) -> str:
    """Say in how many tests the paper's own procedure meets the claim."""
    if judgement.held_once is None:
        return "-"
    if len(judgement.parts) == 1:
        return "holds" if judgement.held_once else "does not hold"
    return f"{judgement.held_once} of {len(judgement.parts)}"


def verdicts(claims: list[Claim], column: int) -> dict[str, int]:
    """Count verdicts in one column; a claim that is the same there as in the first counts with the first."""
    counts: dict[str, int] = {}
    for claim in claims:
        judgement = claim.judgements[column] or (claim.judgements[0] if claim.blank == SAME else None)
        if judgement is not None:
            counts[judgement.verdict.value] = counts.get(judgement.verdict.value, 0) + 1
    return counts
