"""Verdicts on metrics of cases: the control under test beside each baseline, with interval, tie spread and harm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ackclock.evaluate.declared import Case, Criterion, Metric
from ackclock.evaluate.plan import NOBODY, SUBJECT, Entry, Plan
from ackclock.evaluate.running import Finished, Measured
from ackclock.runs.ties import SIZES
from ackclock.stats.equivalence import ALPHA, ALPHA_DIFFERENT
from ackclock.stats.statistics import LEVEL, Interval, condensed, interval, mean

__all__ = ["COURSES", "Harm", "Judged", "Verdict", "judge"]

COURSES: Final = 3
"""Least number of different replications for an interval; with fewer, it comes from the draws of phases."""


class Verdict(StrEnum):
    """Verdict on one metric of a case."""

    BETTER = "better"
    WORSE = "worse"
    NONE = "no difference found"
    EQUIVALENT = "equivalent within the margin"
    ABSENT = "not available"

    @property
    def decided(self) -> bool:
        """True if the controls differ."""
        return self in (Verdict.BETTER, Verdict.WORSE)


@dataclass(frozen=True)
class Harm:
    """Harm to other traffic (Ware et al. 2019), as a fraction from 0 (none) to 1.

    Attributes:
        subject: Harm by the control under test.
        baseline: Harm by the baseline, to itself or to the same traffic.
    """

    subject: float
    baseline: float


@dataclass(frozen=True)
class Judged:
    """One metric of a case, compared with one baseline.

    Attributes:
        criterion: The criterion.
        case: The case.
        metric: The metric.
        baseline: Role of the baseline.
        subject: Mean with its interval of the control under test.
        against: Mean with its interval of the baseline.
        difference: Difference from the baseline, with its interval; paired by replication.
        edge: Largest difference that counts as none.
        verdict: The verdict.
        drawn: The verdict on slightly changed links, by size of change.
        spreads: Least and greatest difference in the draws, by size of change.
        hangs_on: Smallest size of change that changes the verdict; None if none does.
        by_draws: True if replications repeat each other, so that the interval is that of the draws of phases.
        harm: Harm to the other camp, or to media; None for a metric without harm.
        reason: Reason why the comparison is not available; empty if it is.
    """

    criterion: Criterion
    case: Case
    metric: Metric
    baseline: int
    subject: Interval
    against: Interval
    difference: Interval
    edge: float
    verdict: Verdict
    drawn: dict[str, Verdict]
    spreads: dict[str, tuple[float, float]]
    hangs_on: str | None
    by_draws: bool
    harm: Harm | None
    reason: str = ""


def judge(plan: Plan, finished: Finished) -> list[Judged]:
    """Return the verdicts on all metrics of all cases, beside each baseline, in the order of the plan."""
    return [
        _judged(plan, finished, criterion, case, metric, baseline)
        for criterion in plan.criteria
        for case in plan.cases(criterion)
        for metric in case.metrics
        for baseline in plan.roles[1:]
    ]


def _judged(
    plan: Plan, finished: Finished, criterion: Criterion, case: Case, metric: Metric, baseline: int
) -> Judged:
    name = (criterion.key, case.key)
    beside = bool(case.other)
    subject = Entry(*name, SUBJECT, baseline if beside else NOBODY)
    against = Entry(*name, baseline, baseline if beside else NOBODY)
    refused = [plan.refused[one] for one in (subject, against) if one in plan.refused]
    mine, theirs = (finished.get((one, ""), []) for one in (subject, against))
    if refused or not mine or not theirs:
        return _absent(criterion, case, metric, baseline, (refused or ["not run"])[0])
    pairs = _Pairs.of(mine, theirs, metric.name)
    if not pairs.differences:
        return _absent(criterion, case, metric, baseline, "no run has a value, or a connection ended")
    drawn = {size: _Pairs.of(finished[subject, size], finished[against, size], metric.name) for size in SIZES}
    edge = max(metric.margin * abs(mean(pairs.theirs)), metric.floor)
    by_draws = pairs.courses < COURSES
    source = drawn["phase"] if by_draws and drawn["phase"].differences else pairs
    verdict = _verdict(source.independent, edge, metric)
    verdicts = {size: _verdict(one.independent, edge, metric) for size, one in drawn.items()}
    base = mean(source.differences)
    hangs = next(
        (size for size, one in drawn.items() if _turned(verdict, base, verdicts[size], one.differences)), None
    )
    alone = Entry(*name, NOBODY, baseline if beside else NOBODY)
    return Judged(
        criterion,
        case,
        metric,
        baseline,
        interval(pairs.mine),
        interval(pairs.theirs),
        interval(source.independent) if len(source.independent) > 1 else Interval(base, 0.0, 1, LEVEL),
        edge,
        verdict,
        verdicts,
        {size: _range(one.differences) for size, one in drawn.items()},
        hangs,
        by_draws,
        _harm(metric, finished.get((alone, ""), []), pairs),
    )


def _absent(criterion: Criterion, case: Case, metric: Metric, baseline: int, reason: str) -> Judged:
    nothing = Interval(math.nan, math.nan, 0, LEVEL)
    return Judged(
        criterion, case, metric, baseline, nothing, nothing, nothing, math.nan, Verdict.ABSENT, {}, {}, None,
        by_draws=False, harm=None, reason=reason,
    )  # fmt: skip


@dataclass(frozen=True)
class _Pairs:
    """The values of a metric of two controls, paired by replication; pairs without a value are left out."""

    mine: list[float]
    theirs: list[float]
    differences: list[float]
    independent: list[float]
    """Differences with one number for each group of replications that repeat each other."""
    courses: int
    """Number of such groups."""

    @classmethod
    def of(cls, mine: Sequence[Measured], theirs: Sequence[Measured], name: str) -> _Pairs:
        both = [
            (a.values[name], b.values[name], (a.drops, b.drops))
            for a, b in zip(mine, theirs, strict=True)
            if not (math.isnan(a.values[name]) or math.isnan(b.values[name]))
        ]
        keys = [key for *_, key in both]
        differences = [a - b for a, b, _ in both]
        independent = condensed(keys, differences)[0] if both else []
        return cls([a for a, *_ in both], [b for _, b, _ in both], differences, independent, len(set(keys)))


def _verdict(differences: Sequence[float], edge: float, metric: Metric) -> Verdict:
    """Return the verdict on paired differences.

    The controls are equivalent if the interval of level 1 - 2 `ALPHA` lies within the margin (two one-sided tests).
    They differ if the interval of level 1 - `ALPHA_DIFFERENT` does not contain 0. A single difference is taken as
    exact.
    """
    if not differences:
        return Verdict.ABSENT
    if len(differences) < 2:
        narrow = wide = Interval(differences[0], 0.0, 1, LEVEL)
    else:
        narrow, wide = interval(differences, 1 - 2 * ALPHA), interval(differences, 1 - ALPHA_DIFFERENT)
    if -edge <= narrow.low and narrow.high <= edge:
        return Verdict.EQUIVALENT
    if wide.contains(0.0):
        return Verdict.NONE
    return Verdict.BETTER if (wide.mean > 0) == (metric.better == "higher") else Verdict.WORSE


def _turned(here: Verdict, base: float, there: Verdict, differences: Sequence[float]) -> bool:
    """Return true if a verdict on changed links contradicts the verdict on the links as they are.

    A difference that is only less certain in the draws, with the same sign, is no contradiction.
    """
    if not differences:
        return False
    if not here.decided:
        return there.decided
    return there != here and (there is not Verdict.NONE or mean(differences) * base <= 0)


def _harm(metric: Metric, alone: Sequence[Measured], pairs: _Pairs) -> Harm | None:
    """Return the harm to other traffic, from the means of its metric alone, beside the subject and the baseline."""
    values = [one.values[metric.name] for one in alone if not math.isnan(one.values[metric.name])]
    if not metric.harm or not values:
        return None
    solo = mean(values)

    def of(shared: float) -> float:
        if metric.harm == "more":
            return max(0.0, (solo - shared) / solo) if solo > 0 else math.nan
        return max(0.0, (shared - solo) / shared) if shared > 0 else 0.0

    return Harm(of(mean(pairs.mine)), of(mean(pairs.theirs)))


def _range(values: Sequence[float]) -> tuple[float, float]:
    return (min(values), max(values)) if values else (math.nan, math.nan)
