"""Exceptions and messages for errors that a user can cause.

The reader of such an error can correct it, so the command line shows at most a screen of text and exits with status 2,
without a traceback. Any other exception is a bug in ackclock.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from pathlib import Path
from typing import SupportsIndex

from ackclock._core import ControlError, ScenarioError
from ackclock.errors.suggestions import nearest

__all__ = [
    "ControlError",
    "ExperimentWarning",
    "FileError",
    "InsufficientSpaceError",
    "ScenarioError",
    "UserError",
    "whole",
]


class UserError(Exception):
    """An error in the user's input outside a scenario, such as an option, an argument, a study's name or a file.

    ``str(error)`` is the whole message: the given value, the allowed values, and the nearest valid choice.
    """


class ExperimentWarning(UserWarning):
    """Warns of a setting that is valid but probably unintended: a finding of ``ackclock check``."""


class FileError(UserError):
    """Raised if a file cannot be read or written."""

    @classmethod
    def unreadable(
        cls, path: Path, why: OSError | UnicodeDecodeError, examples: Iterable[str] = ()
    ) -> FileError:
        """Return the error for `path` with its reason; if the file is missing, suggest the nearest file in the folder.

        `examples` are names of the package's examples, which are suggested, too.
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
    """Raised if the traces of a run are estimated to exceed the memory or the free disk space."""


def whole(name: str, given: SupportsIndex, least: int) -> int:
    """Return `given` as an int; NumPy integers are accepted.

    Raises:
        UserError: If it is not an integer, or is less than `least`; the message begins with `name`.

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
