"""A store of finished runs for shards; its files never change, since shards are often on a network file system."""

from __future__ import annotations

import os
import socket
import uuid
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

from ackclock._io.files import atomic_write, make_folder, read_parquet
from ackclock.errors import FileError
from ackclock.sweeps.store import digest


class ShardStore:
    """Store of finished runs in Parquet files, each of which is written once under a unique name.

    Several processes on several machines may write into one folder, without locks. A run that occurs in two files
    counts once.
    """

    FOLDER = "finished"
    every_s = 20.0
    """Time during which results are collected before a file is written, seconds."""

    def __init__(self, folder: str | Path) -> None:
        """Open the store in a shard's folder; create the folder if necessary."""
        self.folder = make_folder(Path(folder) / self.FOLDER)
        self._name = f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._written = 0
        self._known: dict[str, str] | None = None

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the summaries (JSON text) of the finished runs among `keys`, by key."""
        known = self._all()
        return {key: known[key] for key in keys if key in known}

    def missing(self, keys: Sequence[str]) -> set[str]:
        """Return the keys of runs that are not in the store."""
        return set(keys) - self._all().keys()

    def put(self, results: Iterable[tuple[str, str]]) -> None:
        """Add finished runs as one file that appears atomically; they are pairs of key and summary (JSON text)."""
        import io

        import polars as pl

        made = dict(results)
        buffer = io.BytesIO()
        columns = {
            "key": list(made),
            "summary": list(made.values()),
            "digest": [digest(key, summary) for key, summary in made.items()],
        }
        pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).write_parquet(buffer)
        atomic_write(self.folder / f"{self._name}-{self._written:05}.parquet", buffer.getvalue())
        self._written += 1
        if self._known is not None:
            self._known.update(made)

    def __len__(self) -> int:
        """Return the number of runs in the store."""
        return len(self._all())

    def _all(self) -> dict[str, str]:
        if self._known is None:
            import polars as pl

            self._known = {}
            for path in sorted(self.folder.glob("*.parquet")):
                try:
                    frame = read_parquet(path)
                    found = dict(zip(frame["key"], frame["summary"], strict=True))
                    # Files from earlier versions have no digests.
                    known = frame["digest"] if "digest" in frame.columns else None
                    whole = known is None or list(known) == [digest(*row) for row in found.items()]
                except (FileError, pl.exceptions.PolarsError):
                    whole, found = False, {}
                if whole:
                    self._known.update(found)
                else:
                    self._set_aside(path)
        return self._known

    def _set_aside(self, path: Path) -> None:
        path.replace(path.with_suffix(".damaged"))
        text = f"{path} is damaged and set aside as {path.stem}.damaged: what it held is run again"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
