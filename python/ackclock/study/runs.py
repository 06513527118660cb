"""The runs of a study, and the tables that are made of their results."""

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
    """A run that a study asks for. Its labels begin the rows that it leaves.

    Attributes:
        traces: The traces that are recorded.
        bin_s: Width of the bins of trace `throughput`, s.
        batch: Runs of one batch that are traced alike stand together in the tables.
        alike: Of equal runs in batches that are alike one is carried out; only equal runs of one batch where empty.
        family: Runs of one family and seed differ in one setting. Where the first of them never came to need it (see
            `Study.unasked`), others are not run: they would be the same.
        altered: The settings of a user's that made its scenario another one; empty if none did.
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
    """Yield runs with the starts as given, the paper's procedure, then replications with jittered starts.

    Their label `jittered` tells them apart. Replications count from 1, and each has its number after the first seed.

    Args:
        scenario: The scenario.
        labels: Its labels.
        jittered: Number of replications with jittered starts.
        jitter_s: Each start moves by U(0, `jitter_s`), s.
        once: Number of runs with the starts as given.
        how: Further fields of `StudyJob`, such as `traces`.
    """
    for moved, numbers in ((False, range(once)), (True, range(1, jittered + 1))):
        for r in numbers:
            jitter = jitter_s if moved else 0.0
            yield StudyJob(scenario, BASE_SEED + r, jitter, {**labels, "jittered": moved}, **how)


@dataclass(frozen=True)
class RunTable:
    """The way in which a table of a study is made of its runs.

    Attributes:
        labels: First columns of each row: labels of the run, or `seed`.
        rows: Makes the further columns from one run; None if it has no such data.
        of: Tells the runs that have rows in this table.
        hashed: True if each row ends with the hash of the run's scenario.
    """

    labels: tuple[str, ...]
    rows: Callable[[StudyJob, Run], pl.DataFrame | None]
    of: Callable[[StudyJob], bool] = lambda _: True
    hashed: bool = True


def traced(name: str) -> Callable[[StudyJob], bool]:
    """Return a test of whether a trace is recorded of a run."""
    return lambda job: name in job.traces


ALTERED: Final = "altered"
"""The column of a table with the user's settings that changed a row's scenario; absent if none did for any row."""

Rows: TypeAlias = "dict[str, tuple[pl.DataFrame, str]]"
"""The rows of a run for each table, with the hash of its scenario."""


@dataclass(frozen=True)
class RowsFromRun:
    """Makes the rows of each table from a run.

    Attributes:
        tables: The tables, by name.
        study: The address of their study; needed if runs are made in other processes.
    """

    tables: Mapping[str, RunTable]
    study: str = ""

    def __call__(self, job: StudyJob, run: Run) -> Rows:
        """Make the rows of one run."""
        scenario = str(run.manifest["scenario_hash"])
        made = {name: table.rows(job, run) for name, table in self.tables.items() if table.of(job)}
        made[DROPS] = drops_of(job, run)
        return {name: (rows, scenario) for name, rows in made.items() if rows is not None}

    def __reduce__(self) -> tuple[Callable[[str], RowsFromRun], tuple[str]]:
        """Pickle as the study's address: functions that make rows need not be picklable."""
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
    """Run every job that may differ from those before, and make the tables that have rows.

    Args:
        jobs: The jobs.
        tables: The tables, by name.
        threads: Number of runs at a time; 0: one per core.
        progress: Told (done, total) in runs.
        store: The store of finished runs, which is searched first.
        executor: The executor of the runs; threads of this process if None.
        study: The address of the study whose tables these are; executors other than threads need it.
        unasked: Tells whether a run is the same as the first of its family: by its rows that one never needed the value
            that the run varies.
        seen: Is told the drops of each run, if given.
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
    """Return what runs that may turn out the same have in common; None for a run that has no such kin."""
    return (job.family, job.seed, job.jitter_s, job.traces, job.bin_s) if job.family else None


@cache
def _scenario_hash(document: str) -> str:
    """Return the hash that a run of the scenario states."""
    return _core.scenario_hash(_core.check(document, "json", []))


@dataclass
class _Told:
    """Reports the progress of all runs while they are carried out in two passes.

    Attributes:
        progress: The progress display.
        waiting: Runs of the second go.
        before: Runs that are done, or need none.
    """

    progress: Progress | None
    waiting: int
    before: int = 0
    first: int = 0

    def __call__(self, done: int, total: int) -> None:
        """Report the progress of the present pass."""
        self.first = total
        if self.progress is not None:
            self.progress(self.before + done, self.before + total + self.waiting)

    def go_on(self, spared: int) -> None:
        """Begin the second pass, in which `spared` runs need not be carried out."""
        self.before, self.waiting = self.first + spared, 0


@dataclass(frozen=True)
class RowCache:
    """The rows of finished runs in a store.

    Attributes:
        store: The store.
        study: The study whose rows they are, by its address; empty if none is named.
    """

    store: Store
    study: str = ""

    @property
    def every_s(self) -> float:
        """Seconds for which rows are gathered before they are written."""
        return self.store.every_s

    def get(self, jobs: Sequence[StudyJob]) -> list[Rows | None]:
        """Return the stored rows of each job; None if there are none."""
        keys = [self._key(job) for job in jobs]
        found = self.store.get(keys)
        return [_unpacked(found[key]) if key in found else None for key in keys]

    def put(self, made: Iterable[tuple[StudyJob, Rows]]) -> None:
        """Store the rows of runs."""
        self.store.put((self._key(job), _packed(rows)) for job, rows in made)

    def _key(self, job: StudyJob) -> str:
        labels = json.dumps(dict(job.labels), sort_keys=True, default=str)
        traced = f"{job.traces} {job.bin_s}"
        return hashlib.sha256("\0".join([job.key, traced, labels, _code(self.study)]).encode()).hexdigest()


@cache
def _code(study: str) -> str:
    """Return a hash of the code of the kit and of a study: rows made by other code are not used."""
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
    """Return rows as a table of data; whole numbers of each column have one width."""
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
