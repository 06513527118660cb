"""Writes files and folders atomically: drafts are moved into place once complete."""

from __future__ import annotations

import contextlib
import json
import math
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from json.encoder import encode_basestring as _quoted
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ackclock._io.drafts import SUFFIX, draft_file, draft_folder
from ackclock.errors import FileError

if TYPE_CHECKING:
    import polars

    from ackclock import _core


LARGEST_TEXT = 16 << 20
"""Maximum size of a scenario file or of a congestion control's file, bytes."""

LARGEST_JSON = 256 << 20
"""Maximum size of a manifest or of another file that describes a folder, bytes."""

_ROW_GROUP = 1 << 18
"""Number of rows in a row group of a Parquet file."""


def make_folder(folder: str | Path) -> Path:
    """Make a folder with its parents and return its path; raise `FileError` if that fails."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise FileError(f"cannot make the folder {folder}: {why.strerror}") from why
    return folder


def read_text(path: str | Path, largest: int = LARGEST_TEXT, examples: Iterable[str] = ()) -> str:
    """Return the text of a regular file of at most `largest` bytes.

    `examples` are names of the package's examples, among which the error for a missing file suggests the nearest.

    Raises:
        FileError: If it is a folder, a device or a pipe, is too large, is not UTF-8 text, or cannot be read.
    """
    path = Path(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            kind = "a folder" if path.is_dir() else "a device, a pipe or a socket"
            raise FileError(f"cannot read {path}: it is {kind}\n  wanted: a regular file")
        with path.open("rb") as file:
            data = file.read(largest + 1)
        if len(data) > largest:
            raise FileError(f"cannot read {path}: it is too large\n  allowed: {largest >> 20} MiB")
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, UnicodeDecodeError) as why:
        raise FileError.unreadable(path, why, examples) from why


def check_writable(folder: str | Path) -> None:
    """Check that files can be written into a folder, which may not exist yet; nothing is left behind.

    Raises:
        FileError: If it is a file, or if the folder or its nearest existing parent is not writable.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise FileError(f"cannot write into {folder}: it is a file, not a folder")
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    try:
        Path(tempfile.mkdtemp(prefix=".", suffix=SUFFIX, dir=nearest)).rmdir()
    except OSError as why:
        raise FileError(f"cannot write into {folder}: {why.strerror} ({nearest})") from why


def atomic_write(path: str | Path, content: str | bytes) -> Path:
    """Write a file atomically, replacing an existing one; return its path."""
    path = Path(path)
    data = content.encode() if isinstance(content, str) else content
    make_folder(path.parent)
    try:
        with draft_file(path) as draft:
            with draft.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.chmod(0o666 & ~_umask())
            draft.replace(path)
    except OSError as why:
        raise FileError(f"cannot write {path}: {why.strerror}") from why
    return path


def read_parquet(path: Path) -> polars.DataFrame:
    """Return the table in a Parquet file written by ackclock, which may be damaged.

    Raises:
        FileError: If it cannot be read.
    """
    import polars as pl
    from polars.exceptions import PanicException, PolarsError

    try:
        return pl.read_parquet(path)
    except (OSError, PolarsError, PanicException) as why:  # polars panics at some damaged files
        raise FileError(f"{path}: damaged ({next(iter(str(why).splitlines()), 'no table')})") from why


def write_parquet(frame: polars.DataFrame, path: Path) -> None:
    """Write a table as a compressed Parquet file; raise `FileError` if that fails, for example on a full disk."""
    with _told(path):
        frame.write_parquet(path, compression="zstd")


def write_parquet_batches(batches: Sequence[_core.ArrowTable], path: Path) -> None:
    """Write a table that may exceed memory as a Parquet file, in batches; raises the errors of `write_parquet`."""
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
    """Yield a draft folder; its files move to `out` together at the end, or are removed after an exception.

    If `out` does not exist, it appears with all of its files at once. Otherwise files of the same name are replaced.
    Files that an earlier manifest in `out` lists under ``files``, or that match a pattern in `stale`, are removed;
    other files are kept. Abandoned drafts of `out` are removed.

    Raises:
        FileError: If `out` cannot be written, or the disk is full.
    """
    out = Path(out)
    check_writable(out)
    make_folder(out.parent)
    with _said_of(out), draft_folder(out) as draft:
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


RESULTS: Final = (
    *("manifest.json", "summary.json", "timing.json", "comparison.json", "scenario.toml", "report.*"),
    *(
        f"{table}.{form}"
        for table in ("results", "runs", "points", "map", "boundary")
        for form in ("csv", "parquet")
    ),
)
"""Glob patterns of files that several verbs write into their folders."""


def refuse_foreign(out: Path, names: Iterable[str] = ()) -> None:
    """Raise `FileError` if a folder has no manifest of ackclock but contains files with the names of results.

    Args:
        out: Folder that will get results.
        names: Glob patterns of results besides `RESULTS`.

    Raises:
        FileError: If such files exist. The message names the option that replaces them.
    """
    if not out.is_dir() or _ours(out):
        return
    found = {path.name for pattern in (*RESULTS, *names) for path in out.glob(pattern) if path.is_file()}
    if found:
        listed = ", ".join(sorted(found)[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
        raise FileError(
            f"{out} has no manifest of ackclock, but files that would be replaced: {listed}\n"
            "  keep them: --out DIR\n  replace them: --replace"
        )


def _ours(folder: Path) -> bool:
    """Return true if the folder has the manifest of a run, a sweep, a comparison or a study."""
    try:
        manifest = read_json(folder / "manifest.json")
    except FileError:
        return False
    return "version" in manifest and not {"scenario", "plan", "study", "vary"}.isdisjoint(manifest)


@contextlib.contextmanager
def _said_of(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as why:
        raise FileError(f"cannot write into {out}: {why.strerror or why}") from why


def _listed(folder: Path) -> list[Path]:
    """Return the files that a folder's manifest lists."""
    try:
        files = read_json(folder / "manifest.json").get("files", ())
        paths = [folder / name for name in files]
    except (FileError, TypeError):
        return []
    return [path for path in paths if path.is_file() and path.resolve().is_relative_to(folder.resolve())]


def digests(folder: Path, *left_out: str) -> dict[str, str]:
    """Return each file's SHA-256 by its path relative to the folder; skip files named in `left_out`."""
    paths = sorted(
        (path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file()
    )
    return {name: digest(path) for name, path in paths if name not in left_out}


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file written by ackclock, which may be damaged.

    Raises:
        FileError: If it cannot be read, is not a regular file, is too large, or does not contain a JSON object.
    """
    try:
        text = read_text(path, LARGEST_JSON)
        found = json.loads(text)
        if "\\ud" in text.lower():  # A lone surrogate is not valid text and could not be written again.
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise FileError(f"{path}: damaged (text that is not Unicode)") from None
    except RecursionError:
        raise FileError(f"{path}: damaged (nested too deeply)") from None
    except ValueError as why:
        raise FileError(f"{path}: not JSON ({why})") from why
    if not isinstance(found, dict):
        raise FileError(f"{path}: damaged (a JSON object is wanted)")
    return found


def _settle(path: Path) -> None:
    """Flush a file to disk (fsync), so that no crash can leave an incomplete file under its final name."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


Known: TypeAlias = dict[int, tuple[object, str]]
"""Large lists and tables with their texts, which are not indented, by identity."""

_LARGE: Final = 16
"""Number of entries above which the text of a list or a table is kept for when it occurs again."""


def json_text(value: object, known: Known | None = None) -> str:
    """Return data as indented JSON with a final newline, for readable diffs; keys keep their order, NaN is null.

    Calls with the same `known`, at first empty, format large lists and tables once that their data share.
    """
    return _indented(value, "\n", {} if known is None else known) + "\n"


def _indented(value: Any, line: str, known: Known) -> str:
    """Return what `json.dumps` with an indent of 2 gives, in less time; `line` begins a line.

    Large lists and tables are formatted once each: thousands of flows share one in a description.
    """
    kind = type(value)
    if kind is str:
        return _quoted(value)
    if kind is int:
        return repr(value)
    if isinstance(value, float):
        return float.__repr__(value) if math.isfinite(value) else "null"
    inside = f"{line}  "
    if kind is dict or isinstance(value, Mapping):
        if not value:
            return "{}"
        if id(value) in known:
            return known[id(value)][1].replace("\n", line)
        each = [
            f"{_quoted(_key(key))}: {_quoted(one) if type(one) is str else _indented(one, inside, known)}"
            for key, one in value.items()
        ]
        text = f"{{{inside}{f',{inside}'.join(each)}{line}}}"
    elif isinstance(value, list | tuple):
        if not value:
            return "[]"
        if id(value) in known:
            return known[id(value)][1].replace("\n", line)
        text = f"[{inside}{f',{inside}'.join([_indented(one, inside, known) for one in value])}{line}]"
    else:
        return json.dumps(value, ensure_ascii=False)
    if len(value) > _LARGE:
        known[id(value)] = (
            value,
            text.replace(line, "\n"),
        )  # with the value, so that no other gets its identity
    return text


def _key(key: object) -> str:
    return key if isinstance(key, str) else json.dumps(key)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
