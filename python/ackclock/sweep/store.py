"""Where results are kept: tables on disk, and a campaign's registry of finished runs.

A campaign folder holds ``campaign.sqlite``: one row per finished run, keyed by everything that decides its
result. A run that was cut short leaves no row, so starting the campaign again runs what is missing and
nothing else.
"""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from ackclock.errors import FileError
from ackclock.files import make_folder


class Store:
    """A campaign's registry of finished runs. Use it as a context manager.

    Safe to kill at any moment (each batch of results is one transaction) and to open from several processes
    at once.
    """

    FILE = "campaign.sqlite"
    every_s = 1.0
    """Results are gathered for so many seconds before they are written: a kill loses no more than those."""

    def __init__(self, folder: str | Path) -> None:
        """Open the registry of `folder`, making both where there is none."""
        self.folder = make_folder(folder)
        try:
            self._base = sqlite3.connect(self.folder / self.FILE, timeout=30.0)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute(
                "CREATE TABLE IF NOT EXISTS runs (key TEXT PRIMARY KEY, summary TEXT NOT NULL) WITHOUT ROWID"
            )
        except sqlite3.DatabaseError as why:
            raise FileError(f"cannot use {self.folder / self.FILE}: {why}") from why

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the registry."""
        self.close()

    def close(self) -> None:
        """Close the registry; what was put in stays."""
        self._base.close()

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the summaries (JSON text) of those `keys` that are there."""
        return {str(key): str(summary) for key, summary in self._found("key, summary", keys)}

    def missing(self, keys: Sequence[str]) -> set[str]:
        """Return those of `keys` that are not there."""
        return set(keys) - {str(key) for (key,) in self._found("key", keys)}

    def _found(self, columns: str, keys: Sequence[str]) -> Iterator[tuple[str, ...]]:
        for i in range(0, len(keys), 500):
            some = keys[i : i + 500]
            marks = ",".join("?" * len(some))
            yield from self._base.execute(f"SELECT {columns} FROM runs WHERE key IN ({marks})", some)

    def put(self, results: Iterable[tuple[str, str]]) -> None:
        """Add finished runs, all of them or none: pairs of key and summary (JSON text)."""
        with self._base:
            self._base.executemany("INSERT OR REPLACE INTO runs (key, summary) VALUES (?, ?)", results)

    def __len__(self) -> int:
        """Return how many runs are there."""
        (count,) = self._base.execute("SELECT COUNT(*) FROM runs").fetchone()
        return int(count)


def csv_text(rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows as CSV, columns in the order of their first appearance; NaN and None are empty."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        values = map(row.get, columns)
        writer.writerow(["" if value is None or value != value else value for value in values])
    return text.getvalue()


def write_rows(folder: Path, stem: str, rows: Sequence[Mapping[str, object]]) -> list[Path]:
    """Write rows as ``stem.csv`` and ``stem.parquet`` into `folder`, one of `atomic_folder`; return both.

    NaN is written as no value.
    """
    import polars as pl

    comma, parquet = folder / f"{stem}.csv", folder / f"{stem}.parquet"
    comma.write_text(csv_text(rows), encoding="utf-8")
    clean = [{name: value if value == value else None for name, value in row.items()} for row in rows]
    pl.DataFrame(clean, infer_schema_length=None).write_parquet(parquet, compression="zstd")
    return [comma, parquet]
