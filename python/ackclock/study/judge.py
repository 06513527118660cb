"""Statistical tests of published claims: from the values of replications to a verdict.

A claim is divided into tests. There are two kinds, and all tests of a claim are of one kind.

**A range** (`Test`) has one number per replication, and the range in which the claim says its mean lies. "Vegas beats
SACK at 3 % error" becomes the difference of the two variants, paired by replication, and the range above 0. Differences
that do not matter lie within a margin on either side of the range's end. The margin is stated before the runs, in the
unit of the number. `MARGINS` has the margins of percent and percentage points; a test in another unit states its own::

    supported                   the interval lies in the range, beyond the margin: the difference exists and matters.
    no difference that matters  the interval lies within the margin (equivalence test).
    contradicted                the interval lies wholly outside the range, and not within the margin, at a level made
                                stricter by the number of tests (Bonferroni), since one contradicted test is enough.
    cannot decide               anything else: more replications are needed.

A claim that says several things ("rises linearly": it rises, and it lies on a line) declares them as statements, and
all of them must hold. The verdict on a statement is the first of these that applies::

    contradicted                one of its tests is contradicted.
    cannot decide               one of its tests cannot be decided, or it has no test.
    supported                   all tests are supported. Each test may use the plain level (intersection-union test):
                                a wrong "supported" stays less likely than 1 - level with any number of tests.
    no difference that matters  all tests find no difference that matters.
    supported in part           some tests support the statement, and the others find no difference that matters.

A claim's verdict is that of its weakest statement. From the weakest to the strongest, the verdicts are: contradicted,
cannot decide, no difference that matters, supported in part, supported.

**A published number** (`Number`) has one number per replication, the number that the paper states, and a tolerance.
By default the tolerance is `TOLERANCE_PERCENT` of the published number. It is never more than half the distance to the
nearest published alternative, so that the test can tell the two numbers apart::

    reproduced                              the interval lies within the tolerance of the published number.
    same direction and order of magnitude   the interval lies on the published number's side of "no effect", and
                                            within a factor of `SAME_ORDER` of the published number.
    not reproduced                          the interval lies outside the range of the same direction and order of
                                            magnitude, at the stricter level.
    cannot decide                           anything else.

A claim of several numbers gets the first of these verdicts that one of its numbers has: not reproduced, cannot decide,
same direction and order of magnitude, reproduced. No published number is ever "supported", since an interval near the
number does not prove the number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ackclock.report.model import Judgement, Part, Verdict
from ackclock.stats.statistics import LEVEL, Ratio, interval
from ackclock.stats.statistics import percent_above as percent_above
from ackclock.stats.statistics import ratio_of_means as ratio_of_means

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ackclock.stats.statistics import Interval, Values

MARGIN_PERCENT: Final = 1.0
"""Default margin of a difference in percent or in percentage points."""

MARGINS: Final = dict.fromkeys(("%", "points", "percentage points"), MARGIN_PERCENT)
"""Default margin of a difference, by its unit."""

TOLERANCE_PERCENT: Final = 10.0
"""Default tolerance within which a published number counts as reproduced, in percent of that number."""

SAME_ORDER: Final = math.sqrt(10)
"""Greatest ratio of two numbers of the same order of magnitude: the square root of 10."""


@dataclass(frozen=True)
class Test:
    """One number per replication, and the range in which the claim says its mean lies.

    Attributes:
        where: The point, in words ("error 3 %").
        what: The quantity ("Vegas - SACK").
        values: The number in each replication, in `unit`, or a ratio of means.
        above: Lower end of the range, exclusive.
        below: Upper end of the range, exclusive.
        unit: Unit of the values, as printed.
        once: The value by the paper's own procedure (one run without jitter); None if there is no such run.
        difference: True if the number is a difference, and so printed with its sign.
        margin: The margin on either side of the range's end, in `unit`. By default it is the unit's margin for a
            difference compared with 0, and 0 for all other ranges, since their ends already state the differences that
            matter.
        statement: The claim's statement that the test belongs to; empty if the claim has only one.
    """

    where: str
    what: str
    values: Values
    above: float = -math.inf
    below: float = math.inf
    unit: str = "%"
    once: float | None = None
    difference: bool = True
    margin: float | None = None
    statement: str = ""

    def __post_init__(self) -> None:
        """Fill in the default margin; refuse a negative one."""
        if self.margin is None:
            object.__setattr__(self, "margin", self._margin())
        elif not self.margin >= 0:
            raise ValueError(f"margin of {self.what}: must be 0 or more, not {self.margin:g}")

    def _margin(self) -> float:
        if not self.difference or 0.0 not in (self.above, self.below):
            return 0.0
        if self.unit not in MARGINS:
            known = ", ".join(MARGINS)
            raise ValueError(
                f"{self.what}: a difference in {self.unit or 'a number without unit'} needs a margin; only {known} "
                "have one of their own"
            )
        return MARGINS[self.unit]

    def holds_once(self) -> bool | None:
        """Return true if the value by the paper's own procedure is in the range; None without such a value."""
        return None if self.once is None else self.above < self.once < self.below

    def verdict(self, plain: Interval, strict: Interval) -> Verdict:
        """Return the verdict from the intervals at the plain and at the stricter confidence level."""
        margin = self.margin or 0.0
        if not plain.known:
            return Verdict.UNDECIDED
        if any(end - margin < plain.low and plain.high < end + margin for end in self._ends()):
            return Verdict.EQUIVALENT
        if self.above + margin < plain.low and plain.high < self.below - margin:
            return Verdict.SUPPORTED
        if strict.known and (strict.high < self.above or self.below < strict.low):
            return Verdict.CONTRADICTED
        return Verdict.UNDECIDED

    def room(self, found: Interval) -> float:
        """Return the distance of the interval from the nearer end of the range, in `unit`; negative beyond an end."""
        low, high = (found.low, found.high) if found.known else (found.mean, found.mean)
        return min(low - self.above, self.below - high)

    def _ends(self) -> list[float]:
        """Return the finite ends of the range; none if the margin is 0."""
        return [end for end in (self.above, self.below) if self.margin and math.isfinite(end)]

    def part(self, found: Interval, verdict: Verdict) -> Part:
        """Return the test with its outcome, for the report."""
        return _part(self, found, verdict, statement=self.statement, margin=self.margin or 0.0)


@dataclass(frozen=True)
class Number:
    """One number per replication, and the number that the paper states.

    Attributes:
        where: The point, in words.
        what: The quantity ("throughput of Vegas").
        values: The number in each replication, in `unit`, or a ratio of means.
        published: The number that the paper states.
        alternatives: Other numbers that the test has to tell apart from the published one, such as the paper's numbers
            for the other variants, or the number by another interpretation of the paper.
        tolerance: Distance within which the published number counts as reproduced, in `unit`. By default it is
            `TOLERANCE_PERCENT` of the number's distance from `nothing`, or half the distance to the nearest alternative
            if that is less.
        nothing: The number that stands for no effect: 0 for a level or a difference, 1 for a ratio.
        unit: Unit of the values, as printed.
        once: The value by the paper's own procedure (one run without jitter); None if there is no such run.
        difference: True if the number is a difference, and so printed with its sign.
    """

    where: str
    what: str
    values: Values
    published: float
    alternatives: tuple[float, ...] = ()
    tolerance: float | None = None
    nothing: float = 0.0
    unit: str = "%"
    once: float | None = None
    difference: bool = False

    def __post_init__(self) -> None:
        """Fill in the default tolerance; refuse one that includes an alternative."""
        found = tolerance(self.published, self.alternatives, self.nothing)
        if self.tolerance is None:
            object.__setattr__(self, "tolerance", found)
        elif self.tolerance > _half_gap(self.published, self.alternatives):
            others = [x for x in self.alternatives if x != self.published]
            nearest = min(others, key=lambda x: abs(x - self.published))
            raise ValueError(
                f"tolerance of {self.what}: {self.tolerance:g} does not tell {self.published:g} from {nearest:g}, "
                "which the paper also has: half the distance at most"
            )
        if not self.reach > 0:
            raise ValueError(f"tolerance of {self.what}: must be above 0, not {self.reach:g}")

    @property
    def reach(self) -> float:
        """The tolerance: the one given, or the default."""
        return self.tolerance or 0.0

    @property
    def alike(self) -> tuple[float, float]:
        """Ends of the range of numbers that agree with the published one in direction and order of magnitude.

        The range includes the tolerance.
        """
        effect = self.published - self.nothing
        ends = [self.nothing + effect / SAME_ORDER, self.nothing + effect * SAME_ORDER]
        return min(*ends, self.published - self.reach), max(*ends, self.published + self.reach)

    def holds_once(self) -> bool | None:
        """Return true if the value by the paper's own procedure is within the tolerance; None without such a value."""
        return None if self.once is None else abs(self.once - self.published) <= self.reach

    def verdict(self, plain: Interval, strict: Interval) -> Verdict:
        """Return the verdict from the intervals at the plain and at the stricter confidence level."""
        low, high = self.alike
        if not plain.known:
            return Verdict.UNDECIDED
        if self.published - self.reach <= plain.low and plain.high <= self.published + self.reach:
            return Verdict.REPRODUCED
        if low <= plain.low and plain.high <= high:
            return Verdict.SIMILAR
        if strict.known and (strict.high < low or high < strict.low):
            return Verdict.NOT_REPRODUCED
        return Verdict.UNDECIDED

    def room(self, found: Interval) -> float:
        """Return 1 minus the estimate's distance from the published number, as a multiple of the tolerance."""
        return 1 - abs(found.mean - self.published) / self.reach

    def part(self, found: Interval, verdict: Verdict) -> Part:
        """Return the test with its outcome, for the report."""
        return _part(self, found, verdict, margin=self.reach, published=self.published)


def _part(of: Test | Number, found: Interval, verdict: Verdict, **own: Any) -> Part:
    """Return a test with its outcome, for the report; `own` has the fields that only this kind of test has."""
    return Part(of.where, of.what, found, of.unit, verdict, of.once, of.difference, **own)


def tolerance(published: float, alternatives: Sequence[float] = (), nothing: float = 0.0) -> float:
    """Return the default distance from a published number within which it counts as reproduced."""
    own = TOLERANCE_PERCENT / 100 * abs(published - nothing)
    return min(own, _half_gap(published, alternatives))


def _half_gap(published: float, alternatives: Sequence[float]) -> float:
    """Return half the distance to the nearest alternative that differs from the published number."""
    return min((abs(x - published) / 2 for x in alternatives if x != published), default=math.inf)


def positive(
    where: str,
    what: str,
    values: Values,
    unit: str = "%",
    once: float | None = None,
    margin: float | None = None,
) -> Test:
    """Return the test that a difference is above 0; the default margin is that of the unit."""
    return Test(where, what, values, above=0.0, unit=unit, once=once, margin=margin)


def within(limit: float, where: str, what: str, values: Values, once: float | None = None) -> Test:
    """Return the test that the absolute value of a deviation in percent is less than `limit`."""
    return Test(where, what, values, above=-limit, below=limit, once=once)


def level(
    where: str,
    what: str,
    values: Values,
    above: float = -math.inf,
    below: float = math.inf,
    unit: str = "%",
    once: float | None = None,
) -> Test:
    """Return the test that a level (not a difference) lies in a range."""
    return Test(where, what, values, above, below, unit, once, difference=False)


def statement(name: str, tests: Iterable[Test]) -> list[Test]:
    """Return the tests, assigned to the claim's statement `name`."""
    return [replace(test, statement=name) for test in tests]


def scaled(values: Values, factor: float) -> Values:
    """Return the values multiplied by `factor`, which converts their unit."""
    if isinstance(values, Ratio):
        return replace(values, scale=factor * values.scale, shift=factor * values.shift)
    return tuple(factor * x for x in values)


_RANGES: Final = (
    Verdict.CONTRADICTED,
    Verdict.UNDECIDED,
    Verdict.EQUIVALENT,
    Verdict.PARTLY,
    Verdict.SUPPORTED,
)
"""Verdicts on a statement, from the weakest to the strongest."""

_NUMBERS: Final = (Verdict.NOT_REPRODUCED, Verdict.UNDECIDED, Verdict.SIMILAR, Verdict.REPRODUCED)
"""Verdicts on a published number, from the weakest to the strongest."""


def judge(
    tests: Sequence[Test] | Sequence[Number], level: float = LEVEL, statements: Sequence[str] = ()
) -> Judgement:
    """Return the verdict on a claim from its tests, with the decisive test.

    Of the tests that have the claim's verdict, the decisive one has the least room to the end of its range.

    Args:
        tests: The claim's tests, at least one, all of one kind.
        level: Confidence level.
        statements: The claim's statements, if there are several; a statement without a test cannot be decided.
    """
    strict = 1 - (1 - level) / len(tests)
    pairs = []
    for test in tests:
        found = interval(test.values, level)
        pairs.append((test.part(found, test.verdict(found, interval(test.values, strict))), test))
    parts = [part for part, _ in pairs]
    verdict = _join(tests, parts, statements)
    telling = [pair for pair in pairs if pair[0].verdict is verdict]
    decisive = min(telling or pairs, key=lambda pair: pair[1].room(pair[0].interval))[0]
    once = [test.holds_once() for test in tests]
    others = [pair for pair in pairs if not pair[0].holds]
    return Judgement(
        verdict=verdict,
        decisive=decisive,
        parts=tuple(parts),
        held_once=None if None in once else sum(held is True for held in once),
        exception=min(others, key=lambda pair: pair[1].room(pair[0].interval))[0] if others else None,
    )


def _join(
    tests: Sequence[Test] | Sequence[Number], parts: Sequence[Part], statements: Sequence[str]
) -> Verdict:
    """Return the verdict on a claim from the verdicts on its tests."""
    if all(isinstance(test, Number) for test in tests):
        if statements:
            raise ValueError("statements are of ranges: a published number is a claim of its own")
        return min((part.verdict for part in parts), key=_NUMBERS.index)
    if any(isinstance(test, Number) for test in tests):
        raise ValueError("a claim has ranges or published numbers, not both: a number is a claim of its own")
    declared = tuple(statements) or ("",)
    unknown = sorted({part.statement for part in parts} - set(declared))
    if unknown:
        raise ValueError(
            f"tests of a statement that the claim does not make: {', '.join(map(repr, unknown))}"
        )
    return min((_of([p.verdict for p in parts if p.statement == s]) for s in declared), key=_RANGES.index)


def _of(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict on one statement from the verdicts on its tests."""
    for decides in (Verdict.CONTRADICTED, Verdict.UNDECIDED):
        if decides in verdicts:
            return decides
    if not verdicts:
        return Verdict.UNDECIDED
    return verdicts[0] if len(set(verdicts)) == 1 else Verdict.PARTLY
