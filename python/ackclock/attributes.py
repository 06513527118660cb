"""Misspelt attributes of results, answered with the right one also where no traceback adds a hint (notebooks)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ackclock.errors import nearest

__all__ = ["Named"]


class Named:
    """A class whose objects name the right attribute when one is asked for that they do not have."""

    CALLED: ClassVar[str] = ""
    """What users call such an object; the class's own name where empty."""

    ELSEWHERE: ClassVar[Mapping[str, str]] = {}
    """What users look for under another name, and what to write."""

    if not TYPE_CHECKING:  # a type checker goes by what is declared

        def __getattr__(self, name: str) -> Any:
            """Say which attribute was probably meant."""
            if name in dir(type(self)):
                return object.__getattribute__(self, name)  # a property that failed: its own error
            called = self.CALLED or type(self).__name__
            message = f"{called} has no attribute {name!r}"
            if name.startswith("_"):
                raise AttributeError(message, name=name, obj=self)
            public = [one for one in dir(self) if not one.startswith("_") and not one.isupper()]
            meant = self.ELSEWHERE.get(name, "").format(name) or nearest(name, public)
            hint = f"did you mean {meant}?" if meant else f"it has {', '.join(public)}"
            raise AttributeError(f"{message}: {hint}")
