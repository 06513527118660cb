"""The runs of a search, and the values that they give to published numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from ackclock import _core, executors
from ackclock.readings.chance import MOST_TABLES
from ackclock.readings.choices import Cell, Group, Measured, measured, predicted
from ackclock.readings.correction import corrected
from ackclock.readings.quantities import MEASURED_FROM
from ackclock.readings.score import Predictions, Printed, best_choices, predictions, typical_spread
from ackclock.readings.space import Space
from ackclock.readings.traced import TRACES, Columns, TracedStore
from ackclock.readings.units import COUNT
from ackclock.runs.columns import parsed
from ackclock.sweeps.jobs import Job, Progress, Registry, finish_jobs, watch_jobs

if TYPE_CHECKING:
    from ackclock.readings.published import Number
    from ackclock.readings.quantities import Quantity
    from ackclock.readings.score import Array

BATCHES: Final = 20
"""Maximum number of batches into which a stage's readings are divided; after each batch the best reading so far is
reported.
"""

Told: TypeAlias = Callable[[dict[str, str], float], None]
"""Function that is given the best setting so far and its distance."""


@dataclass(frozen=True)
class Plan:
    """Options of a search."""

    reps: int
    """Replications of the best readings; the first has the scenario's seed, each other one the next seed."""
    jitter_s: float = 0.0
    """Upper bound of the start jitter from the second replication on, seconds."""
    hold: int = 0
    """Number of published numbers that the search does not see."""
    definitions: str | None = None
    """Tool whose definitions hold; None for all."""
    traced: bool = False
    """True to record the packets of each run, for definitions that need them."""
    facts: Mapping[str, float] = field(default_factory=dict)
    """Facts that the paper states, by name, in base units; definitions may need them."""
    tables: int = MOST_TABLES
    """Number of permuted, and of perturbed tables from which the chance is computed."""


@dataclass
class Search:
    """A search in progress: values of runs by reading and replication."""

    space: Space
    groups: tuple[Group, ...]
    plan: Plan
    store: Registry
    values: list[Array] = field(default_factory=list)
    """By group: reading, replication, number and choice; NaN if not run."""
    shortened: dict[float, list[Array]] = field(default_factory=dict)
    """The same of shortened runs, by length as a share of the full one."""
    runs: int = 0
    """Number of runs, including those found in the store and without those of a search that this one repeats."""

    def __post_init__(self) -> None:
        if not self.values:
            self.values = self._unknown(self.plan.reps)

    def _unknown(self, reps: int) -> list[Array]:
        """Return arrays for the values of so many replications, by group."""
        return [
            np.full((len(self.space), reps, len(one.numbers), len(one.choices)), np.nan)
            for one in self.groups
        ]

    def again(self, numbers: Sequence[Number]) -> Search:
        """Return a search for other values of the same numbers, which shares the values of runs made so far."""
        by_line = {one.line: one for one in numbers}
        groups = tuple(
            replace(one, numbers=tuple(by_line[number.line] for number in one.numbers)) for one in self.groups
        )
        return replace(self, groups=groups, runs=0)

    def has(self, reading: int, replication: int, into: list[Array]) -> bool:
        """Return true if the values of a replication are known."""
        return any(not np.isnan(one[reading, replication]).all() for one in into)

    @property
    def wanted(self) -> list[tuple[Quantity, str]]:
        """Pairs of quantity and flow that the numbers need."""
        return list(dict.fromkeys((one.quantity, one.flow) for group in self.groups for one in group.numbers))

    def run(
        self,
        readings: Sequence[int],
        replications: Sequence[int],
        pool: executors.WorkerPool,
        progress: Progress | None,
        told: Told | None,
        short: float = 1.0,
    ) -> list[Array]:
        """Run replications of readings and return their values.

        Shortened runs have one replication; `short` is their length.
        """
        if short != 1.0 and short not in self.shortened:
            self.shortened[short] = self._unknown(1)
        into = self.values if short == 1.0 else self.shortened[short]
        size = max(1, -(-len(readings) // BATCHES))
        total, done = len(readings) * len(replications) * len(self.space.cells), 0
        for start in range(0, len(readings), size):
            some = readings[start : start + size]
            jobs = [
                (reading, replication, list(self._jobs(reading, replication, short)))
                for reading in some
                for replication in replications
                if not self.has(reading, replication, into)
            ]
            flat = [job for _, _, these in jobs for job in these]
            self._finish(flat, _later(progress, done, total), pool)
            done += len(some) * len(replications) * len(self.space.cells)
            self.runs += len(flat)
            self._read(jobs, into, short)
            if told is not None:
                seen = readings[: start + size]
                bits = self.surprise(seen, into)
                best = int(np.argmin(bits))
                told(self.space.setting(seen[best]), float(bits[best]) / self.numbers)
        return into

    def _finish(self, jobs: Sequence[Job], progress: Progress | None, pool: executors.WorkerPool) -> None:
        """Run the jobs that the store lacks."""
        if self._traced is None:
            finish_jobs(jobs, self.store, progress=progress, executor=pool)
            return
        cache = self._traced
        watch_jobs(jobs, TRACES, cache.columns, progress=progress, cache=cache, executor=pool)

    @property
    def _traced(self) -> TracedStore | None:
        """Store of the summaries with columns from packets; None if the search has no definitions that need them."""
        return (
            TracedStore(self.store, Columns(self.plan.facts.get(MEASURED_FROM))) if self.plan.traced else None
        )

    @property
    def numbers(self) -> int:
        """Number of published numbers that are compared."""
        return sum(len(one.numbers) for one in self.groups)

    def _jobs(self, reading: int, replication: int, short: float) -> list[Job]:
        jobs = list(self.space.jobs(reading, replication, self.plan.jitter_s))
        if short == 1.0:
            return jobs
        found = []
        for job in jobs:
            length = job.scenario.document()["duration"]
            scenario = job.scenario.set("duration", _scaled(str(length), short))
            found.append(Job(scenario, job.seed, job.jitter_s, job.labels, job.replication))
        return found

    def _read(self, jobs: Sequence[tuple[int, int, list[Job]]], into: list[Array], short: float) -> None:
        """Enter the values of finished runs; counts of shortened runs are scaled to the full length."""
        for reading, replication, these in jobs:
            runs = self._measured(these, self.wanted)
            for group, array in zip(self.groups, into, strict=True):
                scale = 1 / short if group.quantity.dimension == COUNT and not group.is_change else 1.0
                for i, number in enumerate(group.numbers):
                    values = [scale * predicted(number, one, runs) for one in group.choices]
                    array[reading, replication, i] = values

    def _measured(self, jobs: Sequence[Job], wanted: Sequence[tuple[Quantity, str]]) -> dict[Cell, Measured]:
        return {
            cell: measured(one, wanted, self.plan.facts)
            for cell, one in zip(self.space.cells, self._stored(jobs), strict=True)
        }

    def _stored(self, jobs: Sequence[Job]) -> list[dict[str, Any]]:
        if self._traced is not None:
            found = self._traced.get(jobs)
            return [parsed(job.key, text or "") for job, text in zip(jobs, found, strict=True)]
        texts = self.store.get([job.key for job in jobs])
        return [parsed(job.key, texts[job.key]) for job in jobs]

    def measured(
        self, reading: int, replication: int, wanted: Sequence[tuple[Quantity, str]]
    ) -> dict[Cell, Measured]:
        """Return the values of a finished replication of a reading, by cell."""
        return self._measured(self._jobs(reading, replication, 1.0), wanted)

    def summaries(self, reading: int) -> dict[Cell, Mapping[str, Any]]:
        """Return the summaries of the first replication of a reading, by cell."""
        return dict(zip(self.space.cells, self._stored(self._jobs(reading, 0, 1.0)), strict=True))

    @property
    def flows(self) -> int:
        """Number of flows of the scenario."""
        return len(self.space.scenario.document().get("flow", ()))

    def predictions(
        self, readings: Sequence[int], values: list[Array], *, first: bool = False
    ) -> list[Predictions]:
        """Return the predictions of readings, by group; with `first`, from their first replication alone."""
        rows = np.asarray(readings, dtype=int)
        return [
            predictions(group, one[rows][:, :1] if first else one[rows], spread_of=typical_spread(group, one))
            for group, one in zip(self.groups, values, strict=True)
        ]

    def corrected(self, readings: Sequence[int], short: list[Array], sample: Sequence[int]) -> Array:
        """Return the total surprise of each reading, bits, predicted from short runs (see `correction`)."""
        total = np.zeros(len(readings))
        for group, some, full in zip(self.groups, short, self.values, strict=True):
            made = corrected(self.space, group, some, full, readings, sample)
            total += best_choices(made, Printed.of(group))[0]
        return total

    def surprise(self, readings: Sequence[int], values: list[Array], *, first: bool = False) -> Array:
        """Return the total surprise of each reading, bits."""
        total = np.zeros(len(readings))
        for one in self.predictions(readings, values, first=first):
            total += best_choices(one, Printed.of(one.group))[0]
        return total


def _later(progress: Progress | None, done: int, total: int) -> Progress | None:
    """Return a progress callback for a part of a stage of `total` runs, of which `done` were finished before."""
    if progress is None:
        return None
    return lambda part, _: progress(done + part, total)


def _scaled(duration: str, share: float) -> str:
    return f"{1e3 * share * _core.seconds(duration):.9g}ms"
