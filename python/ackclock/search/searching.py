"""The search: a first sample of a family, then rounds of both engines, the shrinker, and the verdict."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from ackclock import executors
from ackclock.comparisons.variants import Variant
from ackclock.errors import UserError
from ackclock.search.case import Case
from ackclock.search.engines import ENGINES, Engine, Scored
from ackclock.search.families import Family, suited
from ackclock.search.measures import Measure
from ackclock.search.outcomes import Kept
from ackclock.search.report import EngineStats, Found, Report, Verdict
from ackclock.search.shrinking import shrunk
from ackclock.search.trials import Trials
from ackclock.search.words import account
from ackclock.stats.statistics import quantiles
from ackclock.sweeps.jobs import MemoryStore, Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Budget", "Plan", "search"]

SAMPLE: Final = 64
"""Number of candidates drawn at random from a family, which show the subject's ordinary harm."""

ROUND: Final = 24
"""Number of candidates of each engine in a round. It does not depend on the number of workers."""

TRIED: Final = 6
"""Maximum number of candidates that are repeated in search of one that is not due to its seed."""

KEPT_HARM: Final = 0.75
"""Share of the harm beyond the bar that a smaller candidate must keep."""

Told: TypeAlias = "Callable[[Family, int, int, float], None]"
"""Function that is told after each round: the family, runs done and in all, and the greatest harm in the family.

If time limits the search, runs are hundredths of a second.
"""


@dataclass(frozen=True)
class Budget:
    """Limit of a search, in runs or in time; it does not include the runs of the shrinker.

    Attributes:
        runs: Number of runs; None if time limits the search.
        seconds: Time, s; the number of rounds, and so the result, then depends on the machine.
    """

    runs: int | None = 2000
    seconds: float | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Parse ``2000`` (runs) or ``10min`` (time).

        Raises:
            UserError: If it is neither, or too small.
        """
        from ackclock import _core

        given = text.strip().removesuffix("runs").strip()
        if given.isdecimal():
            if int(given) < SAMPLE:
                raise UserError(
                    f"--budget {text}: too few runs\n  allowed: {SAMPLE} runs or more, or a time such as 10min"
                )
            return cls(int(given), None)
        try:
            seconds = _core.seconds(given)
        except ValueError as why:
            raise UserError(
                f"--budget: cannot read {text!r}\n  allowed: a number of runs such as 2000, or a time such as 10min"
            ) from why
        if seconds <= 0:
            raise UserError(f"--budget {text}: allowed: more than 0 s")
        return cls(None, seconds)

    def shared(self, count: int) -> Budget:
        """Return the part of one of `count` families."""
        runs = None if self.runs is None else self.runs // count
        return Budget(runs, None if self.seconds is None else self.seconds / count)


@dataclass(frozen=True)
class Plan:
    """Options of a search.

    Attributes:
        measure: The harm that is sought.
        families: Families of scenarios; those that suit the measure if empty.
        budget: Limit of the whole search.
        engines: Names of the ways of searching.
        seed: Seed of the search, and of the runs.
        duration_s: Length of a run, s; None for the family's.
    """

    measure: Measure
    families: tuple[Family, ...] = ()
    budget: Budget = field(default_factory=Budget)
    engines: tuple[str, ...] = tuple(ENGINES)
    seed: int = 1
    duration_s: float | None = None

    @property
    def chosen(self) -> tuple[Family, ...]:
        """The families that are searched."""
        return self.families or tuple(suited(self.measure.name))


def search(
    subject: str | Variant,
    plan: Plan,
    *,
    store: Registry | None = None,
    threads: int = 0,
    executor: executors.ExecutorLike = None,
    told: Told | None = None,
) -> Report:
    """Search families of scenarios for those in which a subject does worst, and shrink what is found.

    ``search("vegas", Plan(measure_of("goodput"), (family_of("routes"),)))``

    Args:
        subject: A variant, FILE.py:Class or a stack.
        plan: Options of the search.
        store: Store of finished runs, by which an interrupted search continues.
        threads: Number of runs at the same time; 0 for one per core.
        executor: Executor of the runs; results do not depend on it.
        told: Function that is given the greatest harm so far.
    """
    variant = subject if isinstance(subject, Variant) else Variant.parse(subject)
    budget = plan.budget.shared(len(plan.chosen))
    if budget.runs is not None and budget.runs < SAMPLE:
        raise UserError(
            f"--budget {plan.budget.runs}: too few runs for {len(plan.chosen)} families\n"
            f"  allowed: {SAMPLE * len(plan.chosen)} runs or more, or fewer families (--family)"
        )
    kept = Kept(MemoryStore() if store is None else store)
    found = []
    with executors.opened(executor, threads) as pool:
        for number, family in enumerate(plan.chosen):
            trials = Trials(variant, plan.measure, pool, kept)
            later = None if told is None else _later(told, number, len(plan.chosen))
            found.append(_Hunt(family, plan, budget, trials, later).found())
    return Report(variant.label, plan.measure, plan.seed, tuple(found))


def _later(told: Told, number: int, count: int) -> Told:
    """Return the function that is told of one of several families, with the progress of the whole search."""
    return lambda family, done, total, harm: told(family, done + number * total, count * total, harm)


class _Hunt:
    """The search of one family."""

    def __init__(self, family: Family, plan: Plan, budget: Budget, trials: Trials, told: Told | None) -> None:
        self._family, self._plan, self._trials, self._told = family, plan, trials, told
        self._budget, self._began = budget, time.monotonic()
        self._seed = zlib.crc32(f"{plan.seed} {family.name}".encode())
        self._best: dict[Case, float] = {}
        self._stats: dict[str, EngineStats] = {}

    def found(self) -> Found:
        """Search, and return what was found."""
        dimension = len(self._family.genes)
        draw = np.random.default_rng([self._seed, 0])
        first = self._scored([draw.random(dimension) for _ in range(SAMPLE)], "sample")
        quartiles = quantiles([one.harm for one in first], [0.25, 0.5, 0.75])
        engines = {name: ENGINES[name](dimension, self._seed) for name in self._plan.engines}
        for engine in engines.values():
            engine.tell(first)
        rounds = 0
        while self._goes_on():
            self._round(engines)
            rounds += 1
        return self._judged(quartiles, rounds)

    @property
    def _tried(self) -> int:
        """Number of candidates so far."""
        return sum(one.runs for one in self._stats.values())

    def _goes_on(self) -> bool:
        if self._budget.runs is not None:
            return self._tried + ROUND * len(self._plan.engines) <= self._budget.runs
        return self._progress()[0] < self._progress()[1]

    def _progress(self) -> tuple[int, int]:
        """Return how much of the budget is spent, and the budget: runs, or hundredths of a second."""
        if self._budget.runs is not None:
            return self._tried, self._budget.runs
        return round(100 * (time.monotonic() - self._began)), round(100 * (self._budget.seconds or 0.0))

    def _round(self, engines: dict[str, Engine]) -> None:
        """Let each engine ask, run all that they ask for together, and tell each its own outcomes."""
        asked = {name: engine.ask(ROUND) for name, engine in engines.items()}
        self._trials.outcomes([self._case(x) for points in asked.values() for x in points])
        for name, points in asked.items():
            engines[name].tell(self._scored(points, name))
        if self._told is not None:
            self._told(self._family, *self._progress(), max(self._best.values()))

    def _case(self, x: NDArray[np.float64]) -> Case:
        return self._family.case(x.tolist(), self._plan.duration_s, self._plan.seed)

    def _scored(self, points: Sequence[NDArray[np.float64]], engine: str) -> list[Scored]:
        cases = [self._case(x) for x in points]
        scored = []
        stats = self._stats.setdefault(engine, EngineStats(engine))
        for x, case, outcome in zip(points, cases, self._trials.outcomes(cases), strict=True):
            harm = self._trials.measure.harm(case, outcome)
            scored.append(Scored(x, harm, outcome.states))
            self._best[case] = harm
            stats.learn(harm, outcome.states, harm >= self._trials.measure.least)
        return scored

    def _judged(self, quartiles: Sequence[float], rounds: int) -> Found:
        measure, median = self._trials.measure, quartiles[1]
        throughout = median >= measure.least
        bar = measure.least if throughout else max(measure.least, median + measure.beyond)
        order = sorted(self._best, key=lambda case: -self._best[case])
        pair = self._smallest([one for one in order[:TRIED] if self._best[one] >= bar], bar)
        worst, case = pair or (order[0], order[0])
        verdict = Verdict.FOUND if pair else Verdict.NONE
        return Found(
            family=self._family,
            verdict=Verdict.THROUGHOUT if throughout else verdict,
            quartiles=tuple(quartiles),
            bar=bar,
            worst=worst,
            worst_harm=self._best[worst],
            case=case,
            harms=tuple(self._trials.repeated(case)),
            engines=tuple(self._stats.values()),
            rounds=rounds,
            runs=self._trials.runs,
            account=account(self._trials, case),
            scenario=case.scenario(self._trials.subject),
        )

    def _smallest(self, candidates: Sequence[Case], bar: float) -> tuple[Case, Case] | None:
        """Return the first candidate that repetitions confirm, and what the shrinker makes of it."""
        for one in candidates:
            level = bar + KEPT_HARM * (self._best[one] - bar)
            caused = self._trials.quiet(one) < bar
            shows = partial(self._trials.show, level=level, bar=bar, caused=caused)
            if shows([one])[0]:
                return one, shrunk(one, shows)
        return None
