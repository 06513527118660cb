"""Files that are whole or absent: written aside, moved into place when everything is done."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ackclock.errors import FileError


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
