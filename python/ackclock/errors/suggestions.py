"""Suggests the nearest valid name for a wrong one, such as a choice, an argument, or an attribute of a result."""

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
"""Common words for options and arguments, each with ackclock's name."""


def choices(given: str, names: Iterable[str], shown: str = "", words: Mapping[str, str] | None = None) -> str:
    """Return the end of an error message: the valid names (or `shown` in their place), and the nearest one.

    `words` maps common words to valid names.
    """
    names = list(names)
    close = (words or {}).get(given.lower()) or nearest(given, names)
    return f"\n  allowed: {shown or ', '.join(names)}" + (f"\n  did you mean {close}?" if close else "")


def nearest(given: str, names: Iterable[str]) -> str | None:
    """Return the name most similar to `given`, or None if none is similar."""
    by_lower = {name.lower(): name for name in names}
    close = difflib.get_close_matches(given.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[close[0]] if close else None


def named_arguments(call: Callable[P, T]) -> Callable[P, T]:
    """Return the function, wrapped so that an unknown keyword raises an error that suggests the nearest argument."""
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
    """Base class that suggests the nearest attribute when an unknown one is read."""

    __slots__ = ()

    ELSEWHERE: ClassVar[Mapping[str, str]] = {}
    """Names that users may try, each with the expression to use instead."""

    if not TYPE_CHECKING:  # Type checkers must see only declared attributes.

        def __getattr__(self, name: str) -> Any:
            """Raise `AttributeError` with the nearest attribute."""
            if name in dir(type(self)):
                return object.__getattribute__(
                    self, name
                )  # Reading it again raises the failed property's own error.
            message = f"{type(self).__name__} has no attribute {name!r}"
            if name.startswith("_"):
                raise AttributeError(message, name=name, obj=self)
            public = [one for one in dir(self) if not one.startswith("_") and not one.isupper()]
            meant = self.ELSEWHERE.get(name, "").format(name) or nearest(name, public)
            hint = f"did you mean {meant}?" if meant else f"it has {', '.join(public)}"
            raise AttributeError(f"{message}: {hint}")
