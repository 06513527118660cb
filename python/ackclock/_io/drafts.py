"""Drafts, which are files and folders still being written, and removal of drafts that a killed process left.

A draft is written beside its target under a unique name, and is locked while its writer lives: the kernel releases the
lock when the process ends in any way. So the next writer of the same target can remove abandoned drafts without
touching those that are being written. Without file locks (Windows, some network file systems) no draft is removed.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

LOCKS: Any = importlib.import_module("fcntl") if importlib.util.find_spec("fcntl") else None
"""Module ``fcntl``, which provides file locks; None on Windows."""

SUFFIX: Final = ".partial"
"""Suffix of every draft's name."""

_NEW: Final = ".new"
"""Suffix of a draft's name until it is locked."""


@contextlib.contextmanager
def draft_folder(target: Path) -> Iterator[Path]:
    """Yield an empty folder beside `target`, and remove it at the end of the context if it still exists.

    Raises:
        OSError: If the folder cannot be made.

    """
    sweep(target)
    with _held(Path(tempfile.mkdtemp(prefix=_prefix(target), suffix=_NEW, dir=target.parent))) as path:
        yield path


@contextlib.contextmanager
def draft_file(target: Path) -> Iterator[Path]:
    """Yield an empty file beside `target`, and remove it at the end of the context if it still exists.

    Raises:
        OSError: If the file cannot be made.

    """
    sweep(target)
    handle, name = tempfile.mkstemp(prefix=_prefix(target), suffix=_NEW, dir=target.parent)
    os.close(handle)
    with _held(Path(name)) as path:
        yield path


@contextlib.contextmanager
def _held(made: Path) -> Iterator[Path]:
    """Lock a new draft, rename it so that `sweep` can find it, and yield the new path."""
    path, lock = made.with_suffix(SUFFIX), _locked(made)
    try:
        made.rename(path)
        yield path
    finally:
        for one in (made, path):
            _remove(one)
        _release(lock)


def sweep(target: Path) -> None:
    """Remove abandoned drafts of `target`, which are those whose writers have ended."""
    if LOCKS is None:
        return
    for left in target.parent.glob(f"{_escaped(_prefix(target))}*{SUFFIX}"):
        lock = _locked(left)
        if lock < 0:
            continue
        _remove(left)
        _release(lock)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _prefix(target: Path) -> str:
    return f".{target.name}-"


def _escaped(text: str) -> str:
    return "".join(f"[{one}]" if one in "*?[" else one for one in text)


def _locked(path: Path) -> int:
    """Lock a file or folder and return its descriptor; -1 if it is locked already or file locks do not exist."""
    if LOCKS is None:
        return -1
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return -1
    try:
        LOCKS.flock(handle, LOCKS.LOCK_EX | LOCKS.LOCK_NB)
    except OSError:
        os.close(handle)
        return -1
    return handle


def _release(handle: int) -> None:
    if handle >= 0:
        with contextlib.suppress(OSError):
            os.close(handle)
