"""Axes of a sweep, which are varied settings with their values, and the grid that the axes span."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from ackclock.errors import UserError


@dataclass(frozen=True, slots=True)
class Axis:
    """A varied setting and its values."""

    path: str
    """Path of the setting in the scenario; ``*`` stands for every entry of a list."""
    values: tuple[str, ...]
    """Values as texts, in the form that follows ``--set PATH=``."""

    @classmethod
    def parse(cls, text: str) -> Axis:
        """Parse ``PATH=V1,V2,V3``; commas inside brackets, braces or quotes do not separate values."""
        path, equals, listed = text.partition("=")
        values = tuple(part.strip() for part in split_values(listed))
        if not equals or not path.strip() or not all(values):
            raise UserError(
                f"cannot read --vary {text!r}\n  wanted: PATH=V1,V2,...   for example link.bottleneck.rate=1Mbps,2Mbps"
            )
        repeated = next((value for i, value in enumerate(values) if value in values[:i]), None)
        if repeated is not None:
            raise UserError(f"--vary {path}: {repeated} is listed twice")
        return cls(path.strip(), values)


def split_values(text: str) -> list[str]:
    """Return the parts of a text between commas that are outside of brackets, braces and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for i, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def points(axes: Sequence[Axis]) -> list[dict[str, str]]:
    """Return every combination of the axes' values; the last axis varies fastest.

    Without axes there is one empty point.
    """
    names = [axis.path for axis in axes]
    doubled = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if doubled is not None:
        raise UserError(f"--vary {doubled} is given twice: list all its values in one")
    return [
        dict(zip(names, values, strict=True)) for values in itertools.product(*(axis.values for axis in axes))
    ]
