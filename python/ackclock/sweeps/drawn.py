"""The draws of a comparison or a sweep: replications on slightly perturbed links (`ackclock.runs.ties`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ackclock import executors
from ackclock.runs.run import Run
from ackclock.runs.ties import DRAWS, SIZES, Spread, hangs_on, perturbed
from ackclock.scenario.scenario import Scenario
from ackclock.stats.measures import Measure, group_value, measure_value, measures, mixed_measures
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
"""Key of a scenario: the label of a variant, or the number of a grid point."""

Measured: TypeAlias = Mapping[str, float]
"""Measures of one run, by name."""


@dataclass(frozen=True)
class Taken:
    """The flows and the resource of a run for which measures are computed."""

    own: tuple[int, ...] | None = None
    """Numbers of the flows; None for all flows."""
    other: tuple[int, ...] = ()
    """Numbers of the competing variant's flows in a mix."""
    link: str | None = None
    """Link, network or cell whose utilisation and queue are measured; None for the busiest."""
    groups: tuple[Measure, ...] = ()
    """Measures of groups of flows."""

    def of(self, summary: Mapping[str, Any]) -> dict[str, float]:
        """Return the measures of a run from its summary."""
        mixed = mixed_measures(summary, self.own or (), self.other) if self.other else {}
        grouped = {one.name: group_value(one, summary) for one in self.groups}
        return {**measures(summary, self.own, self.link), **mixed, **grouped}

    def value(self, name: str, summary: Mapping[str, Any]) -> float:
        """Return one of the measures that `of` returns."""
        grouped = next((one for one in self.groups if one.name == name), None)
        if grouped is not None:
            return group_value(grouped, summary)
        mixed = mixed_measures(summary, self.own or (), self.other) if self.other else {}
        return mixed[name] if name in mixed else measure_value(name, summary, self.own, self.link)


@dataclass(frozen=True)
class Drawn:
    """The measures of all runs in all draws."""

    runs: Mapping[str, Sequence[Mapping[Of, Sequence[Measured]]]]
    """Measures of each replication, by size of perturbation, then draw, then variant or point."""

    def means(self, of: Of, measure: str) -> dict[str, list[float]]:
        """Return for each size of perturbation a list with a measure's mean over replications in each draw."""
        return {size: [_mean(one[of], measure) for one in draws] for size, draws in self.runs.items()}

    def spread(self, of: Of, measure: str) -> Spread:
        """Return the spread over the draws of a measure's mean."""
        return Spread.of(self.means(of, measure))

    def apart(self, one: Of, other: Of, measure: str) -> dict[str, list[float]]:
        """Return, by size of perturbation, for each draw the mean of `one` minus `other`, paired by replication."""
        return {
            size: [_mean_difference(drawn[one], drawn[other], measure) for drawn in draws]
            for size, draws in self.runs.items()
        }

    def hangs_on(self, base: float, one: Of, other: Of, measure: str) -> str | None:
        """Return the effect that the sign of the difference `base` depends on: ``ties``, ``phase``, or None."""
        return hangs_on(base, self.apart(one, other, measure))


@dataclass(frozen=True)
class Drawing:
    """Inputs for the draws of one variant or point."""

    scenario: Scenario
    reps: int
    taken: Taken
    jitter_s: float
    """Upper bound of the start jitter of each replication, seconds."""


def draw(
    what: Mapping[Of, Drawing],
    *,
    seed: int | None,
    pool: executors.WorkerPool,
    progress: Progress | None,
    store: Registry | None = None,
) -> Drawn:
    """Run every replication of every scenario in every draw, and return the measures of all runs.

    A draw changes equal links in the same way, in all scenarios and replications. If `store` is given, it keeps
    finished runs.
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
    """Callable that extracts the measures of its variant or point from a run."""

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
