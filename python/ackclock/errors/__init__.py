"""Errors that a user can cause, and their messages.

Every error here is one that its reader can put right, so it is shown as one screen of text and exit status 2,
never as a traceback. Anything else that is raised is a bug of ours.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import SupportsIndex

from ackclock._core import ControlError, ScenarioError
from ackclock.scenario import examples

__all__ = [
    "ControlError",
    "FileError",
    "RoomError",
    "ScenarioError",
    "UserError",
    "choices",
    "nearest",
    "whole",
]


class UserError(Exception):
    """A mistake of the user that is not about a scenario: a study's name, an option, a file.

    ``str(error)`` is the whole message: what was given, what is allowed, and the nearest valid choice.
    """


class FileError(UserError):
    """A file that cannot be read or written."""

    @classmethod
    def unreadable(cls, path: Path, why: OSError | UnicodeDecodeError) -> FileError:
        """Return the error for `path`, with the reason, and the nearest file name of its folder if it is missing."""
        if isinstance(why, UnicodeDecodeError):
            return cls(f"cannot read {path}: it is not UTF-8 text (byte {why.start})")
        reason = why.strerror or type(why).__name__
        message = f"cannot read {path}: {reason}"
        if isinstance(why, FileNotFoundError):
            folder = path.parent
            if not folder.is_dir():
                return cls(f"{message}\n  there is no folder {folder}")
            names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
            close = nearest(path.name, names)
            known = examples.names() if str(path) == path.name else []
            example = nearest(path.name, known)
            if close is not None:
                message += f"\n  did you mean {folder / close}?"
            elif example is not None:
                message += f"\n  did you mean the example {example}? (ackclock list scenarios)"
        return cls(message)


class RoomError(UserError):
    """The results of a run do not fit into memory or on a disk."""


SAID = {
    "bandwidth": "rate",
    "capacity": "rate",
    "buffer": "queue",
    "latency": "delay",
    "time": "duration",
    "length": "duration",
    "runs": "reps",
    "repetitions": "reps",
    "replications": "reps",
    "confidence": "level",
    "link": "bottleneck",
    "metric": "by",
}
"""Names that others use for an option or an argument, with ours."""


def choices(given: str, names: Iterable[str], shown: str = "", words: Mapping[str, str] | None = None) -> str:
    """Return the end of a message about a name: the existing names (or `shown`), and the nearest.

    `words` has what people say instead of a name, and the name.
    """
    names = list(names)
    close = (words or {}).get(given.lower()) or nearest(given, names)
    return f"\n  allowed: {shown or ', '.join(names)}" + (f"\n  did you mean {close}?" if close else "")


def whole(name: str, given: SupportsIndex, least: int) -> int:
    """Return a whole number; NumPy's count.

    Raises:
        UserError: if it is none, or smaller than `least`; `name` says what it is for.
    """
    try:
        number = operator.index(given)
    except TypeError:
        number = None
    if number is None or number < least:
        raise UserError(
            f"{name}: not allowed\n  given:   {given!r}\n  allowed: a whole number, {least} or more"
        )
    return number


def nearest(given: str, names: Iterable[str]) -> str | None:
    """Return the name most like `given`, or None if none is near."""
    by_lower = {name.lower(): name for name in names}
    close = difflib.get_close_matches(given.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[close[0]] if close else None
