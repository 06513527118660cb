"""A sweep's store of finished runs on disk.

A sweep's folder contains ``finished.sqlite`` with one row per finished run: its key (a hash of all inputs), its
summary, and a digest of both. An interrupted run has no row, so a repeated sweep makes only the missing runs. If a row
is damaged on the disk, it is ignored, and its run counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from ackclock._io.files import make_folder
from ackclock.errors import FileError


class Store:
    """A sweep's store of finished runs in an SQLite database; use it as a context manager.

    Each batch of results is one transaction, so the process may be killed at any moment. Several processes may have the
    same store open.
    """

    FILE = "finished.sqlite"
    FORMER = "campaign.sqlite"
    """File name of the store in versions before 0.1.0; if a folder has this file, it is used."""
    every_s = 1.0
    """Time during which results are collected before they are written, seconds; if the process is killed, only these
    are lost."""

    def __init__(self, folder: str | Path) -> None:
        """Open the store in `folder`; create folder and store if necessary."""
        self.folder = make_folder(folder)
        former, own = self.folder / self.FORMER, self.folder / self.FILE
        self.path = former if former.exists() and not own.exists() else own
        with self._used():
            self._base = sqlite3.connect(self.path, timeout=30.0)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute(
                "CREATE TABLE IF NOT EXISTS runs"
                " (key TEXT PRIMARY KEY, summary TEXT NOT NULL, digest TEXT) WITHOUT ROWID"
            )
            if "digest" not in {row[1] for row in self._base.execute("PRAGMA table_info(runs)")}:
                self._base.execute("ALTER TABLE runs ADD COLUMN digest TEXT")

    @contextlib.contextmanager
    def _used(self) -> Iterator[None]:
        """Convert database errors inside the context to `FileError` with an explanation and a fix."""
        path = self.path
        try:
            yield
        except sqlite3.IntegrityError:  # the inserted row is wrong, not the file
            raise
        except sqlite3.OperationalError as why:
            raise FileError(f"cannot use {path}: {why}") from why
        except sqlite3.DatabaseError as why:
            raise FileError(f"cannot use {path}: {why}\n  move it away, and its runs are run again") from why

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; all inserted rows have been written before."""
        self._base.close()

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the summaries (JSON text) of the finished runs among `keys`, by key."""
        return dict(self._found(keys))

    def missing(self, keys: Sequence[str]) -> set[str]:
        """Return the keys of runs that are not in the store."""
        return set(keys) - {key for key, _ in self._found(keys)}

    def _found(self, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
        damaged: list[str] = []
        with self._used():
            for i in range(0, len(keys), 500):
                some = keys[i : i + 500]
                marks = ",".join("?" * len(some))
                rows = self._base.execute(
                    f"SELECT key, summary, digest FROM runs WHERE key IN ({marks})", some
                )
                for key, summary, known in rows:
                    # Rows from earlier versions have no digests.
                    if known is None or known == digest(key, summary):
                        yield key, summary
                    else:
                        damaged.append(key)
            if damaged:
                self._set_aside(damaged)

    def _set_aside(self, keys: Sequence[str]) -> None:
        with self._base:
            self._base.execute("CREATE TABLE IF NOT EXISTS damaged (key TEXT, summary TEXT, digest TEXT)")
            for key in keys:
                self._base.execute("INSERT INTO damaged SELECT * FROM runs WHERE key = ?", (key,))
                self._base.execute("DELETE FROM runs WHERE key = ?", (key,))
        rows = "row" if len(keys) == 1 else "rows"
        text = f"{self.path}: {len(keys)} damaged {rows} set aside; run again"
        warnings.warn(text, RuntimeWarning, stacklevel=2)

    def put(self, results: Iterable[tuple[str, str]]) -> None:
        """Add finished runs, given as pairs of key and summary (JSON text), in one atomic step."""
        rows = ((key, summary, digest(key, summary)) for key, summary in results)
        with self._used(), self._base:
            self._base.executemany(
                "INSERT OR REPLACE INTO runs (key, summary, digest) VALUES (?, ?, ?)", rows
            )

    def __len__(self) -> int:
        """Return the number of runs in the store."""
        (count,) = self._base.execute("SELECT COUNT(*) FROM runs").fetchone()
        return int(count)


def digest(key: str, summary: str | None) -> str:
    """Return a digest of a run's key and summary, by which damage is detected."""
    return hashlib.blake2b(f"{key}\n{summary}".encode(), digest_size=12).hexdigest()
