"""Suggests the nearest valid name for a wrong one: a choice, an argument of a function, an attribute of a result."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeVar

__all__ = ["SAID", "Named", "choices", "named_arguments", "nearest"]

P = ParamSpec("P")
T = TypeVar("T")

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
"""Common words for an option or an argument, with ackclock's name."""


def choices(given: str, names: Iterable[str], shown: str = "", words: Mapping[str, str] | None = None) -> str:
    """Return the end of an error message: the valid names (or the text `shown` in their place), and the nearest.

    `words` maps common words to valid names.
    """
    names = list(names)
    close = (words or {}).get(given.lower()) or nearest(given, names)
    return f"\n  allowed: {shown or ', '.join(names)}" + (f"\n  did you mean {close}?" if close else "")


def nearest(given: str, names: Iterable[str]) -> str | None:
    """Return the name that is most similar to `given`, or None if none is similar."""
    by_lower = {name.lower(): name for name in names}
    close = difflib.get_close_matches(given.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[close[0]] if close else None


def named_arguments(call: Callable[P, T]) -> Callable[P, T]:
    """Return the function with errors that name the nearest argument for an unknown keyword."""
    known = list(inspect.signature(call).parameters)

    @wraps(call)
    def checked(*args: P.args, **named: P.kwargs) -> T:
        for name in named:
            if name not in known:
                words = {said: ours for said, ours in SAID.items() if ours in known}
                raise TypeError(
                    f"{call.__name__}() has no argument {name!r}{choices(name, known, words=words)}"
                )
        return call(*args, **named)

    return checked


class Named:
    """Base class whose objects suggest the nearest attribute if an unknown attribute is read."""

    __slots__ = ()

    ELSEWHERE: ClassVar[Mapping[str, str]] = {}
    """Names that users may look for, each with the expression to write instead."""

    if not TYPE_CHECKING:  # type checkers must see only declared attributes

        def __getattr__(self, name: str) -> Any:
            """Raise `AttributeError` with the nearest attribute."""
            if name in dir(type(self)):
                return object.__getattribute__(
                    self, name
                )  # a property that failed raises its own error again
            message = f"{type(self).__name__} has no attribute {name!r}"
            if name.startswith("_"):
                raise AttributeError(message, name=name, obj=self)
            public = [one for one in dir(self) if not one.startswith("_") and not one.isupper()]
            meant = self.ELSEWHERE.get(name, "").format(name) or nearest(name, public)
            hint = f"did you mean {meant}?" if meant else f"it has {', '.join(public)}"
            raise AttributeError(f"{message}: {hint}")
