"""Jobs: one run each, spread over the cores in one process, kept in a store as they finish."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeAlias, TypeVar

from ackclock import _core
from ackclock.run import Run
from ackclock.scenario import Scenario
from ackclock.sweep.defaults import START_JITTER
from ackclock.sweep.store import Store

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of runs done and of all runs."""

Asked = TypeVar("Asked", bound="Job")
"""A job, or what a caller makes of it."""

Given = TypeVar("Given", bound="Job", contravariant=True)
"""A job that a shelf is handed."""

Kept = TypeVar("Kept")
"""What is kept of a watched run."""

START_JITTER_S = _core.seconds(START_JITTER)
"""`START_JITTER`, seconds."""


class Shelf(Protocol[Given, Kept]):
    """Where what is kept of watched runs outlives an interruption."""

    def get(self, jobs: Iterable[Given]) -> dict[str, Kept]:
        """Return what was kept of these jobs, by their keys."""

    def put(self, made: Iterable[tuple[Given, Kept]]) -> None:
        """Keep what was taken of runs."""


BATCH_S = 3.0
"""Runs are made in batches of about this many seconds: an interruption loses no more than one."""


@dataclass(frozen=True)
class Job:
    """One run to be made."""

    scenario: Scenario
    seed: int
    jitter_s: float = 0.0
    """Bound of the start jitter, seconds."""
    labels: Mapping[str, Any] = field(default_factory=dict)
    """What tells this job from others in tables: the varied values."""
    replication: int = 0

    @cached_property
    def document(self) -> str:
        """The scenario as JSON text."""
        return self.scenario.json()

    @cached_property
    def key(self) -> str:
        """What identifies the result: a hash of scenario, seed, jitter and the simulator's version."""
        canonical = json.dumps(self.scenario.document(), sort_keys=True, ensure_ascii=False)
        parts = [_core.__version__, str(self.seed), repr(float(self.jitter_s)), canonical]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def replications(
    scenario: Scenario,
    reps: int,
    *,
    seed: int | None = None,
    jitter_s: float = START_JITTER_S,
    labels: Mapping[str, Any] | None = None,
) -> list[Job]:
    """Return `reps` jobs of one scenario: replication r has seed + r, and start jitter unless r is 0.

    `seed` is the first one; the scenario's own where None. Jobs of different scenarios with the same seed
    meet the same random draws, which is what `ackclock.sweep.statistics.paired` needs.
    """
    first = int(scenario.document().get("seed", 1)) if seed is None else seed
    return [Job(scenario, first + r, jitter_s if r else 0.0, dict(labels or {}), r) for r in range(reps)]


def run_jobs(
    jobs: Sequence[Job], *, store: Store | None = None, threads: int = 0, progress: Progress | None = None
) -> list[dict[str, Any]]:
    """Run jobs and return their summaries (parsed JSON) in the order of `jobs`.

    Args:
        jobs: what to run; equal jobs are run once.
        store: where finished runs are kept and looked for first; without one everything is run and nothing
            kept.
        threads: how many at a time; 0: as many as there are cores.
        progress: told as runs finish, those found in the store first.

    Raises:
        ScenarioError: before anything is run, where a scenario makes no sense.
        KeyboardInterrupt: within a second of Ctrl-C; batches already finished stay in the store.

    """
    unique = {job.key: job for job in jobs}
    done = store.get(list(unique)) if store else {}
    missing = {key: job for key, job in unique.items() if key not in done}
    _check(jobs)
    if progress is not None:
        progress(len(done), len(unique))
    for batch in _batches(missing, (), threads, len(done), len(unique), progress):
        finished = [(key, result.summary.decode()) for key, result in batch]
        if store is not None:
            store.put(finished)
        done.update(finished)
    parsed = {key: json.loads(text) for key, text in done.items()}
    return [parsed[job.key] for job in jobs]


def watch_jobs(
    jobs: Sequence[Asked],
    traces: Sequence[str],
    keep: Callable[[Asked, Run], Kept],
    *,
    bin_s: float = 1.0,
    threads: int = 0,
    progress: Progress | None = None,
    shelf: Shelf[Asked, Kept] | None = None,
) -> list[Kept]:
    """Run jobs with traces and return what `keep` takes from each job and its run, in the order of `jobs`.

    Of equal jobs one is run, and `keep` sees that one. Runs are made in small batches and let go once `keep` has seen
    them: their traces never stand in memory all together. What `keep` took is put on the shelf, where there is one,
    batch by batch, and looked for there first. Otherwise as `run_jobs`.
    """
    unique = {job.key: job for job in jobs}
    _check(jobs)
    kept = {} if shelf is None else shelf.get(unique.values())
    missing = {key: job for key, job in unique.items() if key not in kept}
    if progress is not None:
        progress(len(kept), len(unique))
    for batch in _batches(missing, traces, threads, len(kept), len(unique), progress, bin_s=bin_s):
        made = [(key, keep(unique[key], _run(unique[key], result, traces, bin_s))) for key, result in batch]
        if shelf is not None:
            shelf.put((unique[key], left) for key, left in made)
        kept.update(made)
    return [kept[job.key] for job in jobs]


def _run(job: Job, result: _core.RunResult, traces: Sequence[str], bin_s: float) -> Run:
    return Run(job.scenario, result, seed=job.seed, jitter_s=job.jitter_s, bin_s=bin_s, traces=tuple(traces))


def _check(jobs: Sequence[Job]) -> None:
    for document in dict.fromkeys(job.document for job in jobs):
        _core.check(document, "json", [])


def _batches(
    missing: Mapping[str, Job],
    traces: Sequence[str],
    threads: int,
    before: int,
    total: int,
    progress: Progress | None,
    *,
    bin_s: float = 1.0,
) -> Iterator[list[tuple[str, _core.RunResult]]]:
    """Run in batches of about `BATCH_S` seconds, of few runs at a time where traces are recorded."""
    left = list(missing.items())
    workers = threads or os.cpu_count() or 1
    size = 2 * workers
    done = before
    while left:
        batch, left = left[:size], left[size:]
        began = time.monotonic()
        results = _core.run_many(
            [(job.document, job.seed, job.jitter_s) for _, job in batch],
            threads=threads,
            traces=list(traces),
            bin_s=bin_s,
            progress=None if progress is None else _shifted(progress, done, total),
        )
        yield [(key, result) for (key, _), result in zip(batch, results, strict=True)]
        done += len(batch)
        took = max(time.monotonic() - began, 1e-3)
        most = (4 if traces else 256) * workers
        size = max(2 * workers, min(most, round(size * BATCH_S / took)))


def _shifted(progress: Progress, before: int, total: int) -> Progress:
    return lambda done, _: progress(before + done, total)
