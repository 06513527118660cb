"""Files that are whole or absent: written aside, moved into place when everything is done."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.errors import FileError

if TYPE_CHECKING:
    import polars

    from ackclock import _core


LARGEST_TEXT = 16 << 20
"""The largest scenario file, and the largest file with a congestion control, bytes."""

_ROW_GROUP = 1 << 18
"""Rows of a Parquet file that are written, and can be read, together."""


def make_folder(folder: str | Path) -> Path:
    """Make a folder, with those above it, and return its path; `FileError` where that cannot be."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise FileError(f"cannot make the folder {folder}: {why.strerror}") from why
    return folder


def read_text(path: str | Path) -> str:
    """Return the text of a regular file of at most `LARGEST_TEXT` bytes.

    Raises:
        FileError: if it is another kind of file (a folder, a device, a pipe), is larger, is not UTF-8 text, or cannot
            be read.

    """
    path = Path(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            kind = "a folder" if path.is_dir() else "a device, a pipe or a socket"
            raise FileError(f"cannot read {path}: it is {kind}\n  wanted: a regular file")
        with path.open("rb") as file:
            data = file.read(LARGEST_TEXT + 1)
        if len(data) > LARGEST_TEXT:
            raise FileError(f"cannot read {path}: it is too large\n  allowed: {LARGEST_TEXT >> 20} MiB")
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, UnicodeDecodeError) as why:
        raise FileError.unreadable(path, why) from why


def check_writable(folder: str | Path) -> None:
    """Refuse a folder into which nothing can be written, before there is anything to write; nothing is made.

    Raises:
        FileError: if it is a file, or it, or the nearest folder above it that exists, takes no files.

    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise FileError(f"cannot write into {folder}: it is a file, not a folder")
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    try:
        Path(tempfile.mkdtemp(prefix=".", suffix=".partial", dir=nearest)).rmdir()
    except OSError as why:
        raise FileError(f"cannot write into {folder}: {why.strerror} ({nearest})") from why


def atomic_write(path: str | Path, content: str | bytes) -> Path:
    """Write a file so that it is there whole or not at all; what was there before is replaced at once."""
    path = Path(path)
    data = content.encode() if isinstance(content, str) else content
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".partial", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException as why:
        Path(name).unlink(missing_ok=True)
        if isinstance(why, OSError):
            raise FileError(f"cannot write {path}: {why.strerror}") from why
        raise
    return path


def write_parquet(frame: polars.DataFrame, path: Path) -> None:
    """Write a table, compressed; `FileError` where that cannot be, a full disk among others."""
    with _told(path):
        frame.write_parquet(path, compression="zstd")


def write_parquet_batches(batches: Sequence[_core.ArrowTable], path: Path) -> None:
    """As `write_parquet`, of a table that may be larger than memory: one batch of its rows is read at a time."""
    import polars as pl
    from polars.io.plugins import register_io_source

    last = pl.DataFrame(batches[-1])
    if len(batches) == 1:
        write_parquet(last, path)
        return

    def frames(*_options: object) -> Iterator[pl.DataFrame]:
        return (pl.DataFrame(batch) for batch in batches)

    with _told(path):
        lazy = register_io_source(frames, schema=last.schema)
        lazy.sink_parquet(path, compression="zstd", row_group_size=_ROW_GROUP, maintain_order=True)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    from polars.exceptions import PolarsError

    try:
        yield
    except (OSError, PolarsError) as why:
        raise FileError(f"cannot write {path}: {why}") from why


@contextlib.contextmanager
def atomic_folder(out: str | Path, stale: Iterable[str] = ()) -> Iterator[Path]:
    """Give a folder whose files move to `out` together at the end, or vanish where anything goes wrong.

    Where there is no `out` it appears with all of its files at once. Otherwise files of the same name are replaced,
    and those go that an earlier manifest in `out` lists under ``files``, or that `stale` (patterns of names) matches;
    others stay.

    Raises:
        FileError: if `out` cannot be written, or the disk is full.

    """
    out = Path(out)
    check_writable(out)
    above = make_folder(out.parent)
    draft = Path(tempfile.mkdtemp(prefix=f".{out.name}-", suffix=".partial", dir=above))
    try:
        yield draft
        made = sorted(path.relative_to(draft) for path in draft.rglob("*") if path.is_file())
        for name in made:
            _settle(draft / name)
        if not out.exists():
            draft.chmod(0o777 & ~_umask())
            draft.replace(out)
            return
        for old in {*_listed(out), *(path for pattern in stale for path in out.glob(pattern))} - {
            out / name for name in made
        }:
            old.unlink(missing_ok=True)
        for name in made:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (draft / name).replace(out / name)
    except OSError as why:
        raise FileError(f"cannot write into {out}: {why.strerror or why}") from why
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _listed(folder: Path) -> list[Path]:
    """Return the files of a folder that its manifest lists."""
    try:
        files = json.loads((folder / "manifest.json").read_text(encoding="utf-8")).get("files", ())
        paths = [folder / name for name in files]
    except (OSError, ValueError, TypeError, AttributeError):
        return []
    return [path for path in paths if path.is_file() and path.resolve().is_relative_to(folder.resolve())]


def _settle(path: Path) -> None:
    """Wait until a file is on the disk, so that its name never stands for half of it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def json_text(value: object) -> str:
    """Return data as JSON for people and diffs: indented, in order, ending in a newline. NaN becomes null."""
    return json.dumps(_without_nan(value), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


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
