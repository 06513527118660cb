"""Sweeps whose results exceed memory: one Parquet file is written for each point, with summaries from the store."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from ackclock._io.files import atomic_folder, write_parquet
from ackclock.errors import UserError
from ackclock.runs.columns import parsed
from ackclock.sweeps.results import SweepResult
from ackclock.sweeps.store import Store
from ackclock.sweeps.tables import columns_of, frame_of, without_nan

if TYPE_CHECKING:
    from polars import DataType

    from ackclock.sweeps.jobs import Job

Columns: TypeAlias = "dict[str, DataType]"
"""Names and types of a table's columns."""

TABLES = ("flows", "runs")
"""Names of the folders of Parquet files: ``flows`` has one row per flow and run, ``runs`` one row per run."""

CHUNK = 200
"""Number of summaries that are read from the store at once."""


@dataclass(frozen=True)
class Stored(Sequence[dict[str, Any]]):
    """Sequence of the summaries of jobs; each is read from a sweep's store when it is accessed."""

    folder: Path
    keys: tuple[str, ...]

    def __len__(self) -> int:
        """Return the number of summaries."""
        return len(self.keys)

    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice) -> Stored: ...
    def __getitem__(self, key: int | slice) -> dict[str, Any] | Stored:
        """Return a summary by number; for a slice, return a shorter sequence that is also read on access."""
        if isinstance(key, slice):
            return Stored(self.folder, self.keys[key])
        return next(iter(Stored(self.folder, (self.keys[key],))))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the summaries in the order of the jobs; at most `CHUNK` of them are in memory at a time."""
        with Store(self.folder) as store:
            for i in range(0, len(self.keys), CHUNK):
                some = self.keys[i : i + CHUNK]
                texts = store.get(some)
                for key in some:
                    yield parsed(key, texts[key])


def write_points(found: SweepResult, out: Path) -> None:
    """Write the folders ``flows`` and ``runs`` into `out`, with one Parquet file per point.

    Raises:
        UserError: If a column has values of different types at different points.

    """
    with atomic_folder(out) as draft:
        for table in TABLES:
            (draft / table).mkdir()
        ends = [i for i, job in enumerate(found.jobs) if job.replication == 0] + [len(found.jobs)]
        for number, (begin, end) in enumerate(itertools.pairwise(ends)):
            _write_point(found, slice(begin, end), draft, f"point-{number:06}.parquet")
        for table in TABLES:
            _aligned(draft / table)


def _write_point(found: SweepResult, which: slice, draft: Path, name: str) -> None:
    part = SweepResult(found.sweep, found.jobs[which], list(found.summaries[which]))
    for folder, table in zip(TABLES, (part.flow_columns(), columns_of(part.run_rows())), strict=True):
        write_parquet(frame_of(without_nan(table)), draft / folder / name)


def _aligned(folder: Path) -> None:
    """Rewrite the files of a table so that all have the same columns and types, and can be read as one table."""
    import polars as pl

    paths = sorted(folder.glob("*.parquet"))
    schemas = [pl.read_parquet_schema(path) for path in paths]
    try:
        empty = [pl.DataFrame(schema=schema) for schema in _distinct(schemas)]
        wanted = pl.concat(empty, how="diagonal_relaxed").schema
    except pl.exceptions.PolarsError as why:
        raise UserError(f"the points have columns that do not fit together: {why}") from why
    for path, schema in zip(paths, schemas, strict=True):
        if schema != wanted:
            frame = pl.read_parquet(path)
            missing = [
                pl.lit(None, dtype).alias(name) for name, dtype in wanted.items() if name not in schema
            ]
            write_parquet(frame.with_columns(missing).select(wanted.names()).cast(wanted), path)


def _distinct(schemas: Sequence[Columns]) -> list[Columns]:
    seen: dict[str, Columns] = {}
    for schema in schemas:
        seen.setdefault(str(schema), schema)
    return list(seen.values())


def stored(folder: Path, jobs: Sequence[Job]) -> Stored:
    """Return the summaries of finished jobs, which are read from the store in `folder` on access."""
    return Stored(Path(folder), tuple(job.key for job in jobs))
