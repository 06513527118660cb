"""The draws of a comparison or a sweep: replications on slightly changed links (`ackclock.runs.ties`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ackclock import executors
from ackclock.runs.run import Run
from ackclock.runs.ties import DRAWS, SIZES, Spread, hangs_on, perturbed
from ackclock.scenario.scenario import Scenario
from ackclock.stats.measures import measures, mixed_measures
from ackclock.stats.statistics import mean
from ackclock.sweeps.jobs import (
    PLAIN,
    Job,
    Progress,
    Registry,
    finish_jobs,
    summaries_of,
    watch_jobs,
)
from ackclock.sweeps.randomness import Randomness

Of: TypeAlias = "str | int"
"""Subject of a draw: a variant by its label, or a point of a grid by its number."""

Measured: TypeAlias = Mapping[str, float]
"""Every measure of one run."""


@dataclass(frozen=True)
class Taken:
    """Measures to take from a run: every measure of some of its flows."""

    own: tuple[int, ...] | None = None
    """Numbers of the flows; all if None."""
    other: tuple[int, ...] = ()
    """In a mix: the other variant's flows."""
    link: str | None = None
    """Link, network or cell for utilisation and queue; the busiest if None."""

    def of(self, summary: Mapping[str, Any]) -> dict[str, float]:
        """Take the measures from a run's summary."""
        mixed = mixed_measures(summary, self.own or (), self.other) if self.other else {}
        return {**measures(summary, self.own, self.link), **mixed}


@dataclass(frozen=True)
class Drawn:
    """The measures of every run of every draw."""

    runs: Mapping[str, Sequence[Mapping[Of, Sequence[Measured]]]]
    """By size, draw, and subject: the measures of each replication."""

    def means(self, of: Of, measure: str) -> dict[str, list[float]]:
        """Return the mean of a measure over the replications of each draw, by size."""
        return {size: [_mean(one[of], measure) for one in draws] for size, draws in self.runs.items()}

    def spread(self, of: Of, measure: str) -> Spread:
        """Return the range of the mean of a measure."""
        return Spread.of(self.means(of, measure))

    def apart(self, one: Of, other: Of, measure: str) -> dict[str, list[float]]:
        """Return the mean difference, paired by replication, in each draw, by size."""
        return {
            size: [_mean_difference(drawn[one], drawn[other], measure) for drawn in draws]
            for size, draws in self.runs.items()
        }

    def hangs_on(self, base: float, one: Of, other: Of, measure: str) -> str | None:
        """Return the effect that decides the sign of a difference of `base`: ``ties``, ``phase``, or None."""
        return hangs_on(base, self.apart(one, other, measure))


@dataclass(frozen=True)
class Drawing:
    """Request for draws, the same for each variant or point."""

    scenario: Scenario
    reps: int
    taken: Taken
    jitter_s: float
    """Bound of the start jitter of each replication, seconds."""


def draw(
    what: Mapping[Of, Drawing],
    *,
    seed: int | None,
    pool: executors.WorkerPool,
    progress: Progress | None,
    store: Registry | None = None,
) -> Drawn:
    """Run every replication of every scenario in every draw, and return the measures of each run.

    Draws of scenarios with the same links, and of all replications of one, perturb them alike. Finished runs are kept
    in the store if there is one.
    """
    jobs: dict[tuple[str, int], list[Job]] = {}
    for size in SIZES:
        for number in range(DRAWS):
            jobs[size, number] = [
                job
                for of, one in what.items()
                for job in Randomness(one.jitter_s, 0.0).replications(
                    perturbed(one.scenario, size, number, seed=seed), one.reps, seed=seed, labels={"of": of}
                )
            ]
    every = [job for some in jobs.values() for job in some]
    keep = _Keep({of: one.taken for of, one in what.items()})
    if store is None:
        found = iter(watch_jobs(every, PLAIN, keep, executor=pool, progress=progress))
    else:
        finish_jobs(every, store, executor=pool, progress=progress)
        found = (
            keep.of(job, summary)
            for some in jobs.values()
            for job, summary in zip(some, summaries_of(some, store), strict=True)
        )
    runs: dict[str, list[Mapping[Of, Sequence[Measured]]]] = {size: [] for size in SIZES}
    for (size, _), some in jobs.items():
        drawn: dict[Of, list[Measured]] = {of: [] for of in what}
        for job in some:
            drawn[job.labels["of"]].append(next(found))
        runs[size].append(drawn)
    return Drawn(runs)


@dataclass(frozen=True)
class _Keep:
    """Takes the measures of its variant or point from each run."""

    taken: Mapping[Of, Taken]

    def __call__(self, job: Job, run: Run) -> dict[str, float]:
        return self.of(job, run.summary)

    def of(self, job: Job, summary: Mapping[str, Any]) -> dict[str, float]:
        return self.taken[job.labels["of"]].of(summary)


def _mean(runs: Sequence[Measured], measure: str) -> float:
    return mean([one[measure] for one in runs if not math.isnan(one[measure])])


def _mean_difference(runs: Sequence[Measured], others: Sequence[Measured], measure: str) -> float:
    both = [a[measure] - b[measure] for a, b in zip(runs, others, strict=True)]
    return mean([one for one in both if not math.isnan(one)])
