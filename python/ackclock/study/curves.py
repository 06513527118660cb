"""Series of a study's figures: curves of means with intervals, and points of published or other values."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from ackclock.plot.palette import HUES
from ackclock.report.model import Series

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from ackclock.stats.statistics import Interval


def means(
    label: str,
    hue: int,
    x: Sequence[float],
    values: Sequence[Interval],
    *,
    dashed: bool = False,
    bars: bool = True,
) -> Series:
    """Return a curve of means, with bars for the intervals if `bars` is True and every mean has an interval."""
    bars = bars and all(value.known for value in values)
    return Series(
        label=label,
        hue=hue,
        x=tuple(x),
        y=tuple(value.mean for value in values),
        low=tuple(value.low for value in values) if bars else (),
        high=tuple(value.high for value in values) if bars else (),
        dashed=dashed,
    )


def hue(own: Mapping[str, int], added: Sequence[str], variant: str) -> int:
    """Return the number of a variant's colour: the declared one or, for an added variant, the next free one."""
    if variant in own:
        return own[variant]
    taken = set(own.values())
    free = itertools.chain((i for i in range(len(HUES)) if i not in taken), itertools.count(len(HUES)))
    return next(itertools.islice(free, list(added).index(variant), None))


def points(kind: str, hue: int, at: Iterable[tuple[float, float | None]]) -> Series:
    """Return (x, value) points without a legend entry, such as published values; a value of None is left out."""
    there = [(x, y) for x, y in at if y is not None]
    return Series("", hue, tuple(x for x, _ in there), tuple(y for _, y in there), kind=kind)


def mean_of(value: Interval | None) -> float | None:
    """Return the mean of an interval, or None if `value` is None."""
    return None if value is None else value.mean


class Palette:
    """Names, colours and dashes of a study's curves; a variant that a user adds gets a free colour."""

    def __init__(
        self,
        names: Mapping[str, str],
        hues: Mapping[str, int],
        added: Sequence[str],
        dashed: Container[str] = (),
    ) -> None:
        self._names, self._hues, self._added, self._dashed = names, hues, added, dashed

    def hue(self, variant: str) -> int:
        """Return the number of a variant's colour."""
        return hue(self._hues, self._added, variant)

    def curve(
        self, variant: str, x: Sequence[float], values: Sequence[Interval], *, bars: bool = True
    ) -> Series:
        """Return a variant's means over `x` as a curve, with bars for the intervals if `bars` is True."""
        dashed = variant in self._dashed
        return means(self._names[variant], self.hue(variant), x, values, dashed=dashed, bars=bars)

    def points(self, kind: str, variant: str, at: Iterable[tuple[float, float | None]]) -> Series:
        """Return (x, value) points in a variant's colour, such as published values, drawn with marks of kind `kind`."""
        return points(kind, self.hue(variant), at)
