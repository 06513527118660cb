"""Errors that a user can cause, and their messages.

Every error here is one that its reader can put right, so it is shown as one screen of text and exit status 2,
never as a traceback. Anything else that is raised is a bug of ours.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from pathlib import Path
from typing import SupportsIndex

from ackclock._core import ControlError, ScenarioError
from ackclock.errors.suggestions import nearest

__all__ = ["ControlError", "FileError", "InsufficientSpaceError", "ScenarioError", "UserError", "whole"]


class UserError(Exception):
    """A mistake of the user that is not about a scenario: a study's name, an option, a file.

    ``str(error)`` is the whole message: what was given, what is allowed, and the nearest valid choice.
    """


class FileError(UserError):
    """A file that cannot be read or written."""

    @classmethod
    def unreadable(
        cls, path: Path, why: OSError | UnicodeDecodeError, examples: Iterable[str] = ()
    ) -> FileError:
        """Return the error for `path`, with the reason, and the nearest file name of its folder if it is missing.

        `examples` are names that stand for files of the package.
        """
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
            example = nearest(path.name, examples) if str(path) == path.name else None
            if close is not None:
                message += f"\n  did you mean {folder / close}?"
            elif example is not None:
                message += f"\n  did you mean the example {example}? (ackclock list scenarios)"
        return cls(message)


class InsufficientSpaceError(UserError):
    """The results of a run do not fit into memory or on a disk."""


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
