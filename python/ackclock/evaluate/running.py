"""Runs a plan: keeps finished runs, and estimates the cost of those that are missing."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from ackclock.evaluate.criteria import case_of
from ackclock.evaluate.declared import Case
from ackclock.evaluate.observed import Observed
from ackclock.evaluate.paths import bdp, bulk, through
from ackclock.evaluate.plan import NOBODY, Entry, Plan
from ackclock.executors import ExecutorLike
from ackclock.executors.build import here
from ackclock.runs.run import Run
from ackclock.scenario.scenario import Scenario
from ackclock.stats.independence import drop_sequence, has_random_times
from ackclock.sweeps.jobs import Job, Progress, Traced, watch_jobs

__all__ = ["Cost", "Finished", "Measured", "estimate", "run_plan"]

DEARER: Final = 2.0
"""Processor time of a case over that of the calibration's, per packet: most cases have more flows and drops."""

EACH_S: Final = 0.008
"""Processor time of a run besides its packets: reading the scenario and computing the metrics, s."""


@dataclass(frozen=True)
class Measured:
    """The metrics of one run.

    Attributes:
        values: Metrics by name; NaN for one that the run does not have.
        drops: Key of the run's drop sequence, by which replications that repeat each other are recognised.
    """

    values: Mapping[str, float]
    drops: str

    def text(self) -> str:
        """Return the metrics as JSON text for the store."""
        return json.dumps({"values": dict(self.values), "drops": self.drops})

    @classmethod
    def read(cls, text: str) -> Measured:
        """Return the metrics from the output of `text`."""
        found = json.loads(text)
        return cls({key: float(value) for key, value in found["values"].items()}, str(found["drops"]))


Finished: TypeAlias = "dict[tuple[Entry, str], list[Measured]]"
"""The runs of each entry and size of change (empty for unchanged links), in order of number."""


class Registry(Protocol):
    """Interface of a store of texts by key, such as `ackclock.sweeps.store.Store`."""

    @property
    def every_s(self) -> float:
        """Time during which results are collected before they are written together, seconds."""

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the texts that are there, by key."""

    def put(self, results: Iterable[tuple[str, str]]) -> None:
        """Add texts by key, in one atomic step."""


class Kept:
    """Cache of metrics in a store; results of other builds of ackclock have other keys."""

    def __init__(self, store: Registry) -> None:
        """Use a store of texts."""
        self._store = store
        self._build = "\0".join(str(here()[key]) for key in ("version", "extension", "sources"))

    @property
    def every_s(self) -> float:
        """Time during which results are collected before they are written together, seconds."""
        return self._store.every_s

    def key(self, job: Job) -> str:
        """Return the key of a run: a hash of scenario, seed, jitter, case and build."""
        parts = (job.key, _batch(job), self._build)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def get(self, jobs: Sequence[Job]) -> list[Measured | None]:
        """Return the stored metrics of each job; None for a job that has none."""
        keys = [self.key(job) for job in jobs]
        found = self._store.get(keys)
        return [Measured.read(found[key]) if key in found else None for key in keys]

    def put(self, made: Iterable[tuple[Job, Measured]]) -> None:
        """Store the metrics of runs."""
        self._store.put([(self.key(job), one.text()) for job, one in made])


class _Keep:
    """Callable that extracts a case's metrics from a run; it can be pickled, since it looks the case up by name."""

    def __call__(self, job: Job, run: Run) -> Measured:
        case = case_of(job.labels["criterion"], job.labels["case"])
        alone = job.labels["own"] == NOBODY
        own = () if alone else case.own
        other, fixed = (_renumbered(some, case.own if alone else ()) for some in (case.other, case.fixed))
        seen = Observed(case, run, own, other, fixed)
        # A stalled flow is a fault of the stack or of the simulator, so that the run's numbers mean nothing.
        stalled = any(flow.get("stalled_s") is not None for flow in run.summary["flows"])
        values = {}
        for metric in case.metrics:
            whose = metric.harm if alone else "any"
            values[metric.name] = metric.of(seen) if whose and not stalled else math.nan
        return Measured(values, drop_sequence(run.summary, timed=has_random_times(job.scenario)))


def _renumbered(flows: tuple[int, ...], removed: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers of flows after others have been removed from the scenario."""
    return tuple(one - sum(gone < one for gone in removed) for one in flows)


def _batch(job: Job) -> str:
    """Return criterion and case of a job; equal scenarios of different cases have different metrics."""
    return f"{job.labels['criterion']}/{job.labels['case']}"


def _traced(job: Job) -> Traced:
    case = case_of(job.labels["criterion"], job.labels["case"])
    return Traced(("throughput", *case.traces), case.bin_s)


def planned(plan: Plan) -> list[tuple[Case, Entry, Job]]:
    """Return all runs of a plan, each with its case and entry."""
    return [
        (case, entry, job)
        for criterion in plan.criteria
        for case in plan.cases(criterion)
        for entry in plan.entries(criterion, case)
        for job in plan.jobs(case, entry)
    ]


def run_plan(
    runs: Sequence[tuple[Case, Entry, Job]],
    store: Registry,
    *,
    threads: int = 0,
    progress: Progress | None = None,
    executor: ExecutorLike = None,
) -> Finished:
    """Make the runs that the store does not have, and return the metrics of all.

    Args:
        runs: All runs of a plan, from `planned`.
        store: Store of finished runs.
        threads: Runs at a time; 0 for as many as there are cores.
        progress: Function that is called with the number of finished runs and of all.
        executor: Executor of the runs; threads if None.
    """
    jobs = [job for _, _, job in runs]
    found = watch_jobs(
        jobs,
        _traced,
        _Keep(),
        batch=_batch,
        threads=threads,
        progress=progress,
        cache=Kept(store),
        executor=executor,
    )
    finished: Finished = {}
    for (_, entry, job), one in zip(runs, found, strict=True):
        finished.setdefault((entry, str(job.labels["size"])), []).append(one)
    return finished


@dataclass(frozen=True)
class Cost:
    """Estimated cost of an evaluation.

    Attributes:
        runs: Number of different runs.
        missing: Runs that the store does not have.
        cpu_s: Processor time of the missing runs, s.
    """

    runs: int
    missing: int
    cpu_s: float


def estimate(plan: Plan, runs: Sequence[tuple[Case, Entry, Job]], store: Registry) -> Cost:
    """Estimate the cost of the missing runs from one short run of each control."""
    kept = Kept(store)
    there = kept.get([job for _, _, job in runs])
    missing: dict[str, tuple[Case, Entry]] = {}
    for (case, entry, job), one in zip(runs, there, strict=True):
        if one is None:
            missing[kept.key(job)] = (case, entry)
    each = {role: _per_packet(plan, role) for role in plan.roles} if missing else {}
    total = 0.0
    for case, entry in missing.values():
        # A run of media alone has no control; it counts like one with the mean of all.
        rates = [each[role] for role in (entry.own, entry.other) if role != NOBODY] or list(each.values())
        total += EACH_S + DEARER * case.packets * sum(rates) / len(rates)
    return Cost(len({kept.key(job) for _, _, job in runs}), len(missing), total)


def _per_packet(plan: Plan, role: int) -> float:
    """Return the processor time of one control per packet of a plain path, s."""
    rate, rtt, duration = "10Mbps", "40ms", 3.0
    document = through([bulk()], rate=rate, rtt=rtt, queue=bdp(rate, rtt, 1), duration=duration)
    run: Any = plan.variant(role).on(Scenario(document), [0]).run(seed=plan.seed)
    return float(run.cpu_s) / (duration * 10e6 / 12_000)
