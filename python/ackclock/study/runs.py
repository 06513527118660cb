"""The runs of a study, and the tables made from their results."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import polars as pl

from ackclock import _core
from ackclock.study.loading import load, origin
from ackclock.study.repeats import DROPS, Seen, drops_of
from ackclock.study.settings import BASE_SEED
from ackclock.sweeps.jobs import Job, Traced, watch_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ackclock.executors import ExecutorLike
    from ackclock.runs.run import Run
    from ackclock.scenario.scenario import Scenario
    from ackclock.sweeps.jobs import Progress
    from ackclock.sweeps.store import Store


@dataclass(frozen=True)
class StudyJob(Job):
    """A run of a study. Its labels are the first columns of the run's rows in the tables.

    Attributes:
        traces: The traces to record.
        bin_s: Width of the bins of the trace `throughput`, s.
        batch: Name of a batch. Runs of one batch with the same traces and bins are made together, and their rows are
            adjacent.
        alike: Name shared by several batches. Equal runs in these batches are made only once; if it is empty, equal
            runs are made once per batch.
        family: Name of a group of runs that, for the same seed, differ in one setting only. If the group's first run
            never used the setting (see `Study.unasked`), the others are not run, since their results are the same.
        altered: The user's settings that changed the run's scenario; empty if none did.
    """

    traces: tuple[str, ...] = ()
    bin_s: float = 1.0
    batch: str = ""
    alike: str = ""
    family: str = ""
    altered: str = ""


def replicated(
    scenario: Scenario, labels: Mapping[str, Any], jittered: int, jitter_s: float, once: int = 1, **how: Any
) -> Iterator[StudyJob]:
    """Yield runs with the scenario's own start times (the paper's procedure), then replications with jittered ones.

    The label `jittered` distinguishes the two kinds. Seeds count up from `BASE_SEED` for runs with the scenario's own
    start times, and from `BASE_SEED` + 1 for jittered replications.

    Args:
        scenario: The scenario.
        labels: Labels of the runs.
        jittered: Number of replications with jittered start times.
        jitter_s: Each start time is delayed by a random time from U(0, `jitter_s`), s.
        once: Number of runs with the scenario's own start times.
        how: Further attributes of `StudyJob`, such as `traces`.
    """
    for moved, numbers in ((False, range(once)), (True, range(1, jittered + 1))):
        for r in numbers:
            jitter = jitter_s if moved else 0.0
            yield StudyJob(scenario, BASE_SEED + r, jitter, {**labels, "jittered": moved}, **how)


@dataclass(frozen=True)
class RunTable:
    """Description of a table of a study: the runs that have rows in it, and how the rows are made.

    Attributes:
        labels: Names of the first columns: labels of the run, or `seed`.
        rows: Function that returns the other columns from one run; None if the run has no such data.
        of: Function that returns true for a job with rows in this table.
        hashed: True if the last column is the hash of the run's scenario.
    """

    labels: tuple[str, ...]
    rows: Callable[[StudyJob, Run], pl.DataFrame | None]
    of: Callable[[StudyJob], bool] = lambda _: True
    hashed: bool = True


def traced(name: str) -> Callable[[StudyJob], bool]:
    """Return a function that returns true for a job that records the trace `name`."""
    return lambda job: name in job.traces


ALTERED: Final = "altered"
"""Name of the column with the user's settings that changed a row's scenario; absent from a table without such rows."""

Rows: TypeAlias = "dict[str, tuple[pl.DataFrame, str]]"
"""The rows of a run by name of the table, each with the hash of the run's scenario."""


@dataclass(frozen=True)
class RowsFromRun:
    """Function that makes the rows of all tables from one run.

    Attributes:
        tables: The tables of the study, by name.
        study: Address of the study; needed if runs are made in other processes.
    """

    tables: Mapping[str, RunTable]
    study: str = ""

    def __call__(self, job: StudyJob, run: Run) -> Rows:
        """Return the rows of one run, by table."""
        scenario = str(run.manifest["scenario_hash"])
        made = {name: table.rows(job, run) for name, table in self.tables.items() if table.of(job)}
        made[DROPS] = drops_of(job, run)
        return {name: (rows, scenario) for name, rows in made.items() if rows is not None}

    def __reduce__(self) -> tuple[Callable[[str], RowsFromRun], tuple[str]]:
        """Pickle the study's address instead of the tables, whose functions need not be picklable."""
        return (_rows_of, (self.study,))


def _rows_of(study: str) -> RowsFromRun:
    return RowsFromRun(load(study).tables, study)


def simulate(
    jobs: Iterable[StudyJob],
    tables: Mapping[str, RunTable],
    threads: int = 0,
    progress: Progress | None = None,
    store: Store | None = None,
    *,
    executor: ExecutorLike = None,
    study: str = "",
    unasked: Callable[[StudyJob, Rows], bool] = lambda *_: False,
    seen: Seen | None = None,
) -> dict[str, pl.DataFrame]:
    """Run all jobs and return the non-empty tables; a job is not run if its rows are known from an equal run.

    Args:
        jobs: The runs of the study.
        tables: The tables, by name.
        threads: Number of runs at a time; 0: one per core.
        progress: Function that is called with the number of finished runs and the number of all runs.
        store: Store of finished runs, whose rows are used instead of running again.
        executor: Executor of the runs; by default threads of this process.
        study: Address of the study; required by executors other than threads.
        unasked: Function of a job and of the rows of the first run of its family. True if those rows show that the
            setting that the job varies was never used, so that the job would give the same rows.
        seen: Collector that gets the drop sequence of each run, if given.
    """
    batches: dict[tuple[str, tuple[str, ...], float], list[StudyJob]] = {}
    for job in jobs:
        batches.setdefault((job.batch, job.traces, job.bin_s), []).append(job)
    ordered = [job for batch in batches.values() for job in batch]
    firsts: dict[object, StudyJob] = {}
    kin = [firsts.setdefault(_kin(job) or i, job) for i, job in enumerate(ordered)]
    told = _Told(progress, sum(first is not job for first, job in zip(kin, ordered, strict=True)))

    def run(wanted: Sequence[StudyJob]) -> dict[int, Rows]:
        found = watch_jobs(
            wanted,
            lambda job: Traced(job.traces, job.bin_s),
            RowsFromRun(tables, study),
            batch=lambda job: job.alike or job.batch,
            threads=threads,
            progress=told,
            cache=None if store is None else RowCache(store, study),
            executor=executor,
        )
        return {id(job): rows for job, rows in zip(wanted, found, strict=True)}

    found = run(list(firsts.values()))
    same = [
        first is not job and unasked(job, found[id(first)]) for first, job in zip(kin, ordered, strict=True)
    ]
    told.go_on(sum(same))
    found |= run(
        [job for job, spared in zip(ordered, same, strict=True) if not spared and id(job) not in found]
    )
    left: dict[str, list[tuple[Mapping[str, Any], pl.DataFrame]]] = {name: [] for name in tables}
    for job, first, spared in zip(ordered, kin, same, strict=True):
        for name, (rows, scenario) in found[id(first if spared else job)].items():
            digest = _scenario_hash(job.document) if spared else scenario
            if name == DROPS:
                if seen is not None:
                    seen.add(job, digest, rows)
                continue
            labels = {**job.labels, "seed": job.seed, "scenario_hash": digest, ALTERED: job.altered}
            left[name].append((labels, rows))
    return {name: _table(tables[name], parts) for name, parts in left.items() if parts}


def _kin(job: StudyJob) -> tuple[object, ...] | None:
    """Return a key that is equal for runs of one family whose results may be equal; None for a run without a family."""
    return (job.family, job.seed, job.jitter_s, job.traces, job.bin_s) if job.family else None


@cache
def _scenario_hash(document: str) -> str:
    """Return the scenario hash that the manifest of a run of this document has."""
    return _core.scenario_hash(_core.check(document, "json", []))


@dataclass
class _Told:
    """Progress function for runs that are made in two passes.

    Attributes:
        progress: Function that is called with the numbers of finished and of all runs.
        waiting: Number of runs left for the second pass.
        before: Number of runs that are finished or not needed.
    """

    progress: Progress | None
    waiting: int
    before: int = 0
    first: int = 0

    def __call__(self, done: int, total: int) -> None:
        """Report the progress of the current pass."""
        self.first = total
        if self.progress is not None:
            self.progress(self.before + done, self.before + total + self.waiting)

    def go_on(self, spared: int) -> None:
        """Begin the second pass; `spared` of the waiting runs are not needed."""
        self.before, self.waiting = self.first + spared, 0


@dataclass(frozen=True)
class RowCache:
    """Cache of the rows of finished runs in a store.

    Attributes:
        store: The store of finished runs.
        study: Address of the study; empty if the study has none.
    """

    store: Store
    study: str = ""

    @property
    def every_s(self) -> float:
        """Time in seconds during which rows are collected before they are written together."""
        return self.store.every_s

    def get(self, jobs: Sequence[StudyJob]) -> list[Rows | None]:
        """Return the stored rows of each job; None for a job without stored rows."""
        keys = [self._key(job) for job in jobs]
        found = self.store.get(keys)
        return [_unpacked(found[key]) if key in found else None for key in keys]

    def put(self, made: Iterable[tuple[StudyJob, Rows]]) -> None:
        """Store the rows of the jobs."""
        self.store.put((self._key(job), _packed(rows)) for job, rows in made)

    def _key(self, job: StudyJob) -> str:
        labels = json.dumps(dict(job.labels), sort_keys=True, default=str)
        traced = f"{job.traces} {job.bin_s}"
        return hashlib.sha256("\0".join([job.key, traced, labels, _code(self.study)]).encode()).hexdigest()


@cache
def _code(study: str) -> str:
    """Return a hash of the code of `ackclock.study` and of a study; rows made by other code must not be reused."""
    kit = b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py")))
    return hashlib.sha256(kit).hexdigest() + (origin(study).digest() if study else "")


def _packed(rows: Rows) -> str:
    def packed(table: pl.DataFrame) -> str:
        buffer = io.BytesIO()
        table.write_ipc(buffer)
        return base64.b64encode(buffer.getvalue()).decode()

    return json.dumps({name: [packed(table), scenario] for name, (table, scenario) in rows.items()})


def _unpacked(text: str) -> Rows:
    return {
        name: (pl.read_ipc(io.BytesIO(base64.b64decode(table))), scenario)
        for name, (table, scenario) in json.loads(text).items()
    }


def frame(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return rows as a data frame; all integer columns have 64 bits."""
    return pl.DataFrame(rows, infer_schema_length=None)


def _table(made: RunTable, parts: Sequence[tuple[Mapping[str, Any], pl.DataFrame]]) -> pl.DataFrame:
    import polars.selectors as cs

    def repeated(name: str) -> pl.Series:
        return pl.Series(name, [labels[name] for labels, rows in parts for _ in range(rows.height)])

    first = [repeated(name) for name in made.labels]
    body = pl.concat([rows for _, rows in parts]).get_columns()
    last = [repeated("scenario_hash")] if made.hashed else []
    last += [repeated(ALTERED)] if any(labels[ALTERED] for labels, _ in parts) else []
    return pl.DataFrame([*first, *body, *last]).with_columns(cs.integer().cast(pl.Int64)).rechunk()
