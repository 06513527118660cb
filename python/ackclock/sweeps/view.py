"""The view of a sweep in figures: its measures, its horizontal axis, its curves and panels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ackclock import _core
from ackclock.errors import UserError, choices
from ackclock.stats.measures import BY_NAME, MEASURES, Measure
from ackclock.sweeps.axes import Axis

USUAL = ("goodput_bps", "packet_rtt_p95_s", "loss_ratio", "jain")
"""Measures that are drawn if none are given: throughput, delay, loss, fairness (RFC 5166)."""


@dataclass(frozen=True)
class Scale:
    """The values of an axis as positions."""

    places: tuple[float, ...]
    """Position of each value: the number itself, or its rank."""
    unit: str = ""
    """Unit of the numbers; empty if they have none."""
    numeric: bool = True
    """True if they are numbers; false for names in a row."""

    @property
    def log(self) -> bool:
        """True if they are drawn on a logarithmic axis: positive, and spread over more than a decade."""
        return self.numeric and min(self.places) > 0 and max(self.places) >= 16 * min(self.places)


def scale_of(values: Sequence[str]) -> Scale:
    """Return the positions of an axis's values: numbers, rates, times or sizes; names in a row."""
    readers: tuple[tuple[Callable[[str], float], tuple[tuple[float, str], ...]], ...] = (
        (float, ((1.0, ""),)),
        (_core.bits_per_second, ((1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1.0, "bit/s"))),
        (_core.seconds, ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))),
        (_core.size_bytes, ((1e6, "MB"), (1e3, "kB"), (1.0, "B"))),
        (_bandwidth_delay_products, ((1.0, "BDP"),)),
    )
    for read, units in readers:
        try:
            numbers = [float(read(value.strip("\"'"))) for value in values]
        except ValueError:
            continue
        if all(math.isfinite(number) for number in numbers):
            size, unit = next((one for one in units if max(map(abs, numbers)) >= one[0]), units[-1])
            return Scale(tuple(number / size for number in numbers), unit)
    return Scale(tuple(float(i) for i in range(len(values))), numeric=False)


def _bandwidth_delay_products(value: str) -> float:
    """Read the size of a buffer such as ``0.5bdp``."""
    number, unit = value[:-3], value[-3:]
    if unit.lower() != "bdp":
        raise ValueError(value)
    return float(number)


@dataclass(frozen=True)
class View:
    """The content of the figures of a sweep."""

    measures: tuple[Measure, ...]
    """The measures, each in a figure of its own."""
    x: Axis
    """The setting along the horizontal axis."""
    by: Axis | None = None
    """The setting with a curve for each value; in a heat map, the one along the vertical axis."""
    facets: tuple[Axis, ...] = ()
    """The settings with a panel for each combination of values."""
    heat: bool = False
    """True if the two axes span a map instead."""

    @classmethod
    def of(
        cls, axes: Sequence[Axis], plot: str | None = None, x: str | None = None, by: str | None = None
    ) -> View | None:
        """Return the view asked for; None if a sweep varies nothing, so that there is nothing to draw.

        Args:
            axes: of the sweep.
            plot: measures, separated by commas; the usual ones if None.
            x: the axis along the horizontal, by its path or the end of it; the first that is numeric if None.
            by: the axis that tells curves apart; if None the first of the others, or a heat map if both are numeric.

        Raises:
            UserError: if there is no such measure or axis, or one axis is asked for twice.

        """
        names = [one.strip() for one in plot.split(",") if one.strip()] if plot else list(USUAL)
        known = [measure.name for measure in MEASURES]
        for name in names:
            if name not in known:
                raise UserError(f"--plot: there is no measure {name!r}{choices(name, known)}")
        if not axes:
            if plot or x or by:
                raise UserError("nothing is varied, so there is nothing to draw\n  add --vary PATH=V1,V2,...")
            return None
        across = _named(axes, x, "--x") if x else next((one for one in axes if _numeric(one)), axes[0])
        others = [one for one in axes if one is not across]
        curves = _named(axes, by, "--by") if by else next(iter(others), None)
        if curves is across:
            raise UserError(f"--by {by}: it is along the x axis already\n  take another one of --vary")
        heat = by is None and curves is not None and _numeric(across) and _numeric(curves)
        measures = tuple(BY_NAME[name] for name in dict.fromkeys(names))
        return cls(measures, across, curves, tuple(one for one in others if one is not curves), heat)


def _numeric(axis: Axis) -> bool:
    return len(axis.values) > 1 and scale_of(axis.values).numeric


def _named(axes: Sequence[Axis], given: str, option: str) -> Axis:
    """Return the axis of this path, or the only one whose path ends like this."""
    meant = [one for one in axes if one.path == given] or [
        one for one in axes if one.path.endswith(f".{given}")
    ]
    if len(meant) == 1:
        return meant[0]
    raise UserError(f"{option}: {given} is not varied{choices(given, [one.path for one in axes])}")
