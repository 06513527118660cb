"""The nearest valid name for a wrong one: of choices, of arguments of functions, of attributes of results."""

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
"""Names that others use for an option or an argument, with ours."""


def choices(given: str, names: Iterable[str], shown: str = "", words: Mapping[str, str] | None = None) -> str:
    """Return the end of a message about a name: the existing names (or `shown`), and the nearest.

    `words` has what people say instead of a name, and the name.
    """
    names = list(names)
    close = (words or {}).get(given.lower()) or nearest(given, names)
    return f"\n  allowed: {shown or ', '.join(names)}" + (f"\n  did you mean {close}?" if close else "")


def nearest(given: str, names: Iterable[str]) -> str | None:
    """Return the name most like `given`, or None if none is near."""
    by_lower = {name.lower(): name for name in names}
    close = difflib.get_close_matches(given.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[close[0]] if close else None


def named_arguments(call: Callable[P, T]) -> Callable[P, T]:
    """Make a function name the right argument if it is given one that it does not have."""
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
    """A class whose objects name the right attribute when one is asked for that they do not have."""

    __slots__ = ()

    ELSEWHERE: ClassVar[Mapping[str, str]] = {}
    """Names that users look for, each with the expression to write."""

    if not TYPE_CHECKING:  # a type checker goes by what is declared

        def __getattr__(self, name: str) -> Any:
            """Raise an error that names the attribute that was probably meant."""
            if name in dir(type(self)):
                return object.__getattribute__(self, name)  # a property that failed: its own error
            message = f"{type(self).__name__} has no attribute {name!r}"
            if name.startswith("_"):
                raise AttributeError(message, name=name, obj=self)
            public = [one for one in dir(self) if not one.startswith("_") and not one.isupper()]
            meant = self.ELSEWHERE.get(name, "").format(name) or nearest(name, public)
            hint = f"did you mean {meant}?" if meant else f"it has {', '.join(public)}"
            raise AttributeError(f"{message}: {hint}")
