"""Runs of candidates, and the rule that tells a finding from ordinary spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ackclock.comparisons.variants import Variant
from ackclock.search.case import Case
from ackclock.search.measures import Measure
from ackclock.search.outcomes import TRACES, Kept, Outcome, observed
from ackclock.sweeps.jobs import Job, watch_jobs

if TYPE_CHECKING:
    from ackclock.executors import WorkerPool

__all__ = ["REPEATS", "Trials"]

REPEATS: Final = 5
"""Number of runs that decide about a finding: the candidate's own, and others with other seeds and start jitter."""


@dataclass
class Trials:
    """Runs candidates on a pool of workers and counts the runs."""

    subject: Variant
    measure: Measure
    pool: WorkerPool
    store: Kept
    runs: int = 0
    _known: dict[tuple[Case, int], Outcome] = field(default_factory=dict)

    def outcomes(self, cases: Sequence[Case], repeat: int = 0) -> list[Outcome]:
        """Run candidates and return their outcomes in order; equal candidates are run once.

        Args:
            cases: The candidates.
            repeat: Number of the repetition. Each has a seed of its own; all but the first have start jitter of up to
                one round trip.
        """
        missing = [one for one in dict.fromkeys(cases) if (one, repeat) not in self._known]
        jobs = [
            Job(one.scenario(self.subject), one.seed + repeat, one.path.rtt_s if repeat else 0.0)
            for one in missing
        ]
        texts = watch_jobs(jobs, TRACES, observed, cache=self.store, executor=self.pool)
        self.runs += len(missing)
        for one, text in zip(missing, texts, strict=True):
            self._known[one, repeat] = Outcome.read(text)
        return [self._known[one, repeat] for one in cases]

    def harms(self, cases: Sequence[Case], repeat: int = 0) -> list[float]:
        """Run candidates and return the harm of each."""
        return [
            self.measure.harm(case, outcome)
            for case, outcome in zip(cases, self.outcomes(cases, repeat), strict=True)
        ]

    def repeated(self, case: Case) -> list[float]:
        """Return the harm of each repetition of a candidate."""
        return [self.harms([case], repeat)[0] for repeat in range(REPEATS)]

    def quiet(self, case: Case) -> float:
        """Return the harm on the path of a candidate without its disturbances."""
        return self.harms([case.with_parts(())])[0]

    def show(self, cases: Sequence[Case], level: float, bar: float, *, caused: bool) -> list[bool]:
        """Tell which candidates reach harm `level` with their own seed, and harm `bar` in most repetitions.

        With `caused` the path alone must stay below `bar`: otherwise the shrinker could go from a fault that the
        disturbances cause to another one, of the path. Repetitions end at the first candidate that passes, since the
        shrinker takes that one.
        """
        found = [harm >= level for harm in self.harms(cases)]
        for i, case in enumerate(cases):
            if not found[i]:
                continue
            found[i] = not (caused and self.quiet(case) >= bar) and self._is_confirmed(case, bar)
            if found[i]:
                return [*found[: i + 1], *([False] * (len(cases) - i - 1))]
        return found

    def _is_confirmed(self, case: Case, bar: float) -> bool:
        return sum(harm >= bar for harm in self.repeated(case)) > REPEATS // 2
