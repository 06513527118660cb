"""Misspelt attributes of results and arguments of functions, answered with the right one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeVar

from ackclock.errors import SAID, choices, nearest

__all__ = ["Named", "named_arguments"]

P = ParamSpec("P")
T = TypeVar("T")


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
