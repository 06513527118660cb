"""Layout of a sweep's figures: measures, horizontal axis, curves and panels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ackclock import _core
from ackclock.errors import UserError, choices
from ackclock.stats.measures import MIXED, Measure, measures_of
from ackclock.sweeps.axes import Axis

USUAL = ("goodput_bps", "packet_rtt_p95_s", "loss_ratio", "jain")
"""Default measures of figures: throughput, delay, loss and fairness (RFC 5166)."""


PRODUCTS = "BDP"
"""Unit of buffers in bandwidth-delay products."""


@dataclass(frozen=True)
class Scale:
    """Positions of the values of an axis in a figure."""

    places: tuple[float, ...]
    """Position of each value: the number, or the value's rank if values are names."""
    unit: str = ""
    """Unit of the numbers; empty if there is none."""
    numeric: bool = True
    """True if values are numbers, false if they are names."""

    @property
    def log(self) -> bool:
        """True for a logarithmic axis: numbers above 0 that span a factor of 16, or of 4 if they are buffers in BDP."""
        span = 4 if self.unit == PRODUCTS else 16
        return self.numeric and min(self.places) > 0 and max(self.places) >= span * min(self.places)


def scale_of(values: Sequence[str]) -> Scale:
    """Return the scale of an axis; numbers, rates, times and sizes have positions by value, names by rank."""
    readers: tuple[tuple[Callable[[str], float], tuple[tuple[float, str], ...]], ...] = (
        (float, ((1.0, ""),)),
        (_core.bits_per_second, ((1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s"), (1.0, "bit/s"))),
        (_core.seconds, ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))),
        (_core.size_bytes, ((1e6, "MB"), (1e3, "kB"), (1.0, "B"))),
        (_bandwidth_delay_products, ((1.0, PRODUCTS),)),
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
    """Return the number of bandwidth-delay products in a buffer size such as ``0.5bdp``."""
    number, unit = value[:-3], value[-3:]
    if unit.lower() != "bdp":
        raise ValueError(value)
    return float(number)


@dataclass(frozen=True)
class View:
    """Layout of the figures of a sweep."""

    measures: tuple[Measure, ...]
    """Measures; each has its own figure."""
    x: Axis
    """Setting on the horizontal axis."""
    by: Axis | None = None
    """Setting whose values are shown as curves or, in a heat map, on the vertical axis."""
    facets: tuple[Axis, ...] = ()
    """Settings for which there is a panel for each combination of values."""
    heat: bool = False
    """True for a heat map over `x` and `by`."""

    @classmethod
    def of(
        cls, axes: Sequence[Axis], plot: str | None = None, x: str | None = None, by: str | None = None
    ) -> View | None:
        """Return the layout for a sweep's axes; None if the sweep has no axes.

        Args:
            axes: Axes of the sweep.
            plot: Names of measures, separated by commas; `USUAL` if None.
            x: Path, or end of the path, of the setting on the horizontal axis; the first numeric setting if None.
            by: Setting whose values are the curves. If None, it is the first of the other settings, and a heat map is
                drawn if both settings are numeric.

        Raises:
            UserError: If there is no such measure or axis, or `x` and `by` are the same axis.

        """
        measures = measures_of(plot or ",".join(USUAL), "--plot")
        mixed = next((one for one in measures if one in MIXED), None)
        if mixed is not None:
            raise UserError(
                f"--plot: only a mix of ackclock compare has {mixed.name}\n  for a group of flows: goodput_share:GROUP"
            )
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
        return cls(measures, across, curves, tuple(one for one in others if one is not curves), heat)


def _numeric(axis: Axis) -> bool:
    return len(axis.values) > 1 and scale_of(axis.values).numeric


def _named(axes: Sequence[Axis], given: str, option: str) -> Axis:
    """Return the axis whose path is `given`, or the only axis whose path ends with `given`."""
    meant = [one for one in axes if one.path == given] or [
        one for one in axes if one.path.endswith(f".{given}")
    ]
    if len(meant) == 1:
        return meant[0]
    raise UserError(f"{option}: {given} is not varied{choices(given, [one.path for one in axes])}")
