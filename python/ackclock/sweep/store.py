"""Where results are kept: files that are whole or absent, and a campaign's registry of finished runs.

A campaign folder holds ``campaign.sqlite``: one row per finished run, keyed by everything that decides its
result. A run that was cut short leaves no row, so starting the campaign again runs what is missing and
nothing else.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ackclock.errors import FileError


class Store:
    """A campaign's registry of finished runs. Use it as a context manager.

    Safe to kill at any moment (each batch of results is one transaction) and to open from several processes
    at once.
    """

    FILE = "campaign.sqlite"

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
        found: dict[str, str] = {}
        for i in range(0, len(keys), 500):
            some = keys[i : i + 500]
            marks = ",".join("?" * len(some))
            found.update(
                self._base.execute(f"SELECT key, summary FROM runs WHERE key IN ({marks})", some).fetchall()
            )
        return found

    def put(self, results: Iterable[tuple[str, str]]) -> None:
        """Add finished runs, all of them or none: pairs of key and summary (JSON text)."""
        with self._base:
            self._base.executemany("INSERT OR REPLACE INTO runs (key, summary) VALUES (?, ?)", results)

    def __len__(self) -> int:
        """Return how many runs are there."""
        (count,) = self._base.execute("SELECT COUNT(*) FROM runs").fetchone()
        return int(count)


def make_folder(folder: str | Path) -> Path:
    """Make a folder, with those above it, and return its path; `FileError` where that cannot be."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise FileError(f"cannot make the folder {folder}: {why.strerror}") from why
    return folder


def atomic_write(path: str | Path, content: str | bytes) -> Path:
    """Write a file so that it is there whole or not at all; what was there before is replaced at once."""
    path = Path(path)
    data = content.encode() if isinstance(content, str) else content
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".partial", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException as why:
        Path(name).unlink(missing_ok=True)
        if isinstance(why, OSError):
            raise FileError(f"cannot write {path}: {why.strerror}") from why
        raise
    return path


@contextlib.contextmanager
def atomic_folder(out: str | Path) -> Iterator[Path]:
    """Give a folder whose files move to `out` together at the end, or vanish where anything goes wrong.

    Files of the same name in `out` are replaced, others stay.
    """
    out = Path(out)
    above = make_folder(out.parent)
    if out.exists() and not out.is_dir():
        raise FileError(f"cannot write into {out}: it is a file, not a folder")
    draft = Path(tempfile.mkdtemp(prefix=f".{out.name}-", suffix=".partial", dir=above))
    try:
        yield draft
        make_folder(out)
        for source in sorted(path for path in draft.rglob("*") if path.is_file()):
            target = out / source.relative_to(draft)
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def json_text(value: object) -> str:
    """Return data as JSON for people and diffs: indented, in order, ending in a newline. NaN becomes null."""
    return json.dumps(_without_nan(value), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def csv_text(rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows as CSV, columns in the order of their first appearance; NaN and None are empty."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(["" if _missing(row.get(name)) else row[name] for name in columns])
    return text.getvalue()


def write_rows(folder: Path, stem: str, rows: Sequence[Mapping[str, object]]) -> list[Path]:
    """Write rows as ``stem.csv`` and ``stem.parquet`` into `folder`, one of `atomic_folder`; return both."""
    import polars as pl

    comma, parquet = folder / f"{stem}.csv", folder / f"{stem}.parquet"
    comma.write_text(csv_text(rows), encoding="utf-8")
    clean = [{name: None if _missing(value) else value for name, value in row.items()} for row in rows]
    pl.DataFrame(clean, infer_schema_length=None).write_parquet(parquet, compression="zstd")
    return [comma, parquet]


def _missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _without_nan(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_nan(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(one) for one in value]
    return None if isinstance(value, float) and (value != value or abs(value) == float("inf")) else value


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
