"""From replications to a verdict on a published claim. Shared by all studies.

A claim is taken apart into tests. Each test is one number per replication and the range that the claim says
its mean lies in: "Vegas beats SACK at 3 % error" is the difference of the two, paired by replication, and the
range above 0.

    supported                   the test's interval lies in its range. All tests of a claim must hold at once, so
                                each may use the plain level (intersection-union test): a wrong "supported" stays
                                less likely than 1 - level.
    no difference that matters  the test's interval lies within the margin on both sides of the end of its range
                                (equivalence test): which side it is on does not matter, however sure it is.
    contradicted                the test's interval lies wholly outside its range, at a level made stricter by the
                                number of tests (Bonferroni), since any one of them would do.
    cannot decide               anything else: more replications are needed.

A claim is contradicted where one of its tests is, and cannot be decided where one cannot be. Otherwise it is
supported where more than half of its tests are: the others make no difference that matters. Else the claim itself
makes none. Margins are stated before the runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ackclock.report.model import Judgement, Part, Verdict
from ackclock.sweep.statistics import interval, mean

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Test:
    """One number per replication, and where the claim says its mean lies.

    Attributes:
        where: Which point, in words ("error 3 %").
        what: What the number is ("Vegas - SACK").
        values: The number in each replication, in `unit`.
        above: Lower end of the range, not itself in it.
        below: Upper end of the range, not itself in it.
        unit: Unit of the number, as printed after it.
        once: The number in the paper's own procedure (no jitter), where it was run.
        difference: Whether the number is a difference, and so printed with its sign.
        margin: What does not matter on either side of the end of the range, in `unit`.
    """

    where: str
    what: str
    values: tuple[float, ...]
    above: float = -math.inf
    below: float = math.inf
    unit: str = "%"
    once: float | None = None
    difference: bool = True
    margin: float = 0.0

    def holds_once(self) -> bool | None:
        """Whether the paper's own procedure lands in the range; None where it was not run."""
        return None if self.once is None else self.above < self.once < self.below


MARGIN_PERCENT: Final = 1.0
"""What does not matter of a difference in percent."""


def positive(
    where: str,
    what: str,
    values: tuple[float, ...],
    unit: str = "%",
    once: float | None = None,
    margin: float | None = None,
) -> Test:
    """A difference that the claim says is above 0; in percent, its margin is `MARGIN_PERCENT` where none is given."""
    own = MARGIN_PERCENT if unit == "%" else 0.0
    return Test(
        where, what, values, above=0.0, unit=unit, once=once, margin=own if margin is None else margin
    )


def within(
    margin: float, where: str, what: str, values: tuple[float, ...], once: float | None = None
) -> Test:
    """A deviation that the claim says is less than so many percent, either way."""
    return Test(where, what, values, above=-margin, below=margin, once=once)


def level(
    where: str,
    what: str,
    values: tuple[float, ...],
    above: float = -math.inf,
    below: float = math.inf,
    unit: str = "%",
    once: float | None = None,
) -> Test:
    """A number by itself, no difference, that the claim says is in a range."""
    return Test(where, what, values, above, below, unit, once, difference=False)


def percent_above(a: Sequence[float], b: Sequence[float]) -> tuple[float, ...]:
    """Return a - b for each replication, in percent of the mean of b."""
    base = mean(b)
    return tuple(100 * (x - y) / base for x, y in zip(a, b, strict=True))


def ratio_of_means(a: Sequence[float], b: Sequence[float]) -> tuple[float, ...]:
    """Return numbers whose mean is mean(a) / mean(b), and whose interval is that of the ratio.

    They are R + (a - R b) / mean(b) for each replication, R the ratio of the means: the ratio linearised
    (delta method), so that a small b in one replication does not weigh more than a large one.
    """
    base = mean(b)
    ratio = mean(a) / base
    return tuple(ratio + (x - ratio * y) / base for x, y in zip(a, b, strict=True))


def judge(tests: Sequence[Test], level: float = 0.95) -> Judgement:
    """Join tests to a verdict. Its number is that of the test with least room to its range's end.

    Args:
        tests: At least one.
        level: Confidence level.
    """
    strict = 1 - (1 - level) / len(tests)
    parts = [_part(test, level, strict) for test in tests]
    verdicts = [part.verdict for part in parts]
    if Verdict.CONTRADICTED in verdicts:
        verdict = Verdict.CONTRADICTED
    elif Verdict.UNDECIDED in verdicts:
        verdict = Verdict.UNDECIDED
    elif 2 * verdicts.count(Verdict.SUPPORTED) > len(verdicts):
        verdict = Verdict.SUPPORTED
    else:
        verdict = Verdict.EQUIVALENT
    candidates = [(part, test) for part, test in zip(parts, tests, strict=True) if part.verdict is verdict]
    decisive = min(candidates, key=lambda pair: _room(*pair))[0]
    once = [test.holds_once() for test in tests]
    others = [pair for pair in zip(parts, tests, strict=True) if pair[0].verdict is not Verdict.SUPPORTED]
    return Judgement(
        verdict=verdict,
        decisive=decisive,
        parts=tuple(parts),
        held_once=None if None in once else sum(held is True for held in once),
        exception=min(others, key=lambda pair: _room(*pair))[0] if others else None,
    )


def _part(test: Test, level: float, strict: float) -> Part:
    plain, wide = interval(test.values, level), interval(test.values, strict)
    if math.isnan(plain.half_width):
        verdict = Verdict.UNDECIDED
    elif any(end - test.margin < plain.low and plain.high < end + test.margin for end in _ends(test)):
        verdict = Verdict.EQUIVALENT
    elif test.above < plain.low and plain.high < test.below:
        verdict = Verdict.SUPPORTED
    elif wide.high < test.above or test.below < wide.low:
        verdict = Verdict.CONTRADICTED
    else:
        verdict = Verdict.UNDECIDED
    return Part(
        where=test.where,
        what=test.what,
        interval=plain,
        unit=test.unit,
        verdict=verdict,
        once=test.once,
        difference=test.difference,
    )


def _ends(test: Test) -> list[float]:
    """The ends of a test's range that are somewhere, where it has a margin."""
    return [end for end in (test.above, test.below) if test.margin and math.isfinite(end)]


def _room(part: Part, test: Test) -> float:
    half = 0.0 if math.isnan(part.interval.half_width) else part.interval.half_width
    return min(part.interval.mean - half - test.above, test.below - part.interval.mean - half)
