"""The runs of a study, and the tables that are made of what they leave."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

from ackclock.sweep.jobs import Job, watch_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import polars as pl

    from ackclock.run import Run
    from ackclock.sweep.jobs import Progress
    from ackclock.sweep.store import Store


@dataclass(frozen=True)
class StudyJob(Job):
    """A run that a study asks for. Its labels begin the rows that it leaves.

    Attributes:
        traces: What is recorded of it.
        bin_s: Width of the bins of trace `throughput`, s.
        batch: Runs of one batch that are traced alike stand together in the tables.
    """

    traces: tuple[str, ...] = ()
    bin_s: float = 1.0
    batch: str = ""


@dataclass(frozen=True)
class RunTable:
    """How a table of a study is made of its runs.

    Attributes:
        labels: What each row begins with: labels of the run, or `seed`.
        rows: What follows, of one run; None where the run has no part in this table.
        hashed: Whether each row ends with the hash of the run's scenario.
    """

    labels: tuple[str, ...]
    rows: Callable[[StudyJob, Run], pl.DataFrame | None]
    hashed: bool = True


Rows: TypeAlias = "dict[str, tuple[pl.DataFrame, str]]"
"""What a run leaves for each table, with the hash of its scenario."""


def simulate(
    jobs: Iterable[StudyJob],
    tables: Mapping[str, RunTable],
    threads: int = 0,
    progress: Progress | None = None,
    store: Store | None = None,
) -> dict[str, pl.DataFrame]:
    """Run every job and make the tables that have rows.

    Args:
        jobs: What to run.
        tables: The tables, by name.
        threads: How many runs at a time; all cores where 0.
        progress: Told (done, total) in runs.
        store: Where what runs leave is kept and looked for first.
    """
    batches: dict[tuple[str, tuple[str, ...], float], list[StudyJob]] = {}
    for job in jobs:
        batches.setdefault((job.batch, job.traces, job.bin_s), []).append(job)

    def keep(job: StudyJob, run: Run) -> Rows:
        made = {name: table.rows(job, run) for name, table in tables.items()}
        scenario = str(run.manifest["scenario_hash"])
        return {name: (rows, scenario) for name, rows in made.items() if rows is not None}

    left: dict[str, list[tuple[Mapping[str, Any], pl.DataFrame]]] = {name: [] for name in tables}
    sizes = [len({job.key for job in batch}) for batch in batches.values()]
    for i, ((_, traces, bin_s), batch) in enumerate(batches.items()):
        told = None if progress is None else _shifted(progress, sum(sizes[:i]), sum(sizes))
        shelf = None if store is None else Shelf(store, f"{traces} {bin_s}")
        found = watch_jobs(batch, traces, keep, bin_s=bin_s, threads=threads, progress=told, shelf=shelf)
        for job, made in zip(batch, found, strict=True):
            for name, (rows, scenario) in made.items():
                labels = {**job.labels, "seed": job.seed, "scenario_hash": scenario}
                left[name].append((labels, rows))
    return {name: _table(tables[name], parts) for name, parts in left.items() if parts}


@dataclass(frozen=True)
class Shelf:
    """Where the rows of runs that are traced alike are kept in a store.

    Attributes:
        store: The store.
        traced: What is recorded of them.
    """

    store: Store
    traced: str

    def get(self, jobs: Iterable[StudyJob]) -> dict[str, Rows]:
        """What was kept of these jobs, by their keys."""
        keys = {self._key(job): job.key for job in jobs}
        return {keys[key]: _unpacked(text) for key, text in self.store.get(list(keys)).items()}

    def put(self, made: Iterable[tuple[StudyJob, Rows]]) -> None:
        """Keep what runs left."""
        self.store.put((self._key(job), _packed(rows)) for job, rows in made)

    def _key(self, job: StudyJob) -> str:
        labels = json.dumps(dict(job.labels), sort_keys=True, default=str)
        return hashlib.sha256("\0".join([job.key, self.traced, labels, _code()]).encode()).hexdigest()


@cache
def _code() -> str:
    """A hash of the studies' own code: rows that other code made are of no use."""
    package = files("ackclock.studies")
    folders = [package, *(entry for entry in package.iterdir() if entry.is_dir())]
    sources = [each for folder in folders for each in folder.iterdir() if each.name.endswith(".py")]
    return hashlib.sha256(b"".join(sorted(each.read_bytes() for each in sources))).hexdigest()


def _packed(rows: Rows) -> str:
    def packed(table: pl.DataFrame) -> str:
        buffer = io.BytesIO()
        table.write_ipc(buffer)
        return base64.b64encode(buffer.getvalue()).decode()

    return json.dumps({name: [packed(table), scenario] for name, (table, scenario) in rows.items()})


def _unpacked(text: str) -> Rows:
    import polars as pl

    return {
        name: (pl.read_ipc(io.BytesIO(base64.b64decode(table))), scenario)
        for name, (table, scenario) in json.loads(text).items()
    }


def frame(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows as a table of data: of each column, whole numbers of one width."""
    import polars as pl

    return pl.DataFrame(rows, infer_schema_length=None)


def _table(made: RunTable, parts: Sequence[tuple[Mapping[str, Any], pl.DataFrame]]) -> pl.DataFrame:
    import polars as pl
    import polars.selectors as cs

    def repeated(name: str) -> pl.Series:
        return pl.Series(name, [labels[name] for labels, rows in parts for _ in range(rows.height)])

    first = [repeated(name) for name in made.labels]
    body = pl.concat([rows for _, rows in parts]).get_columns()
    last = [repeated("scenario_hash")] if made.hashed else []
    return pl.DataFrame([*first, *body, *last]).with_columns(cs.integer().cast(pl.Int64)).rechunk()


def _shifted(progress: Progress, before: int, total: int) -> Progress:
    return lambda done, _: progress(before + done, total)
