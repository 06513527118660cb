"""The boundary in a plane of two settings between the regions in which each of two variants is better."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ackclock.stats.measures import Measure
from ackclock.stats.statistics import Difference
from ackclock.sweeps.axes import Axis
from ackclock.sweeps.view import scale_of

Node: TypeAlias = tuple[int, int]
"""Coordinates of a point of the plane, in steps of the finest grid."""

SUFFIX = {"Gb/s": "Gbps", "Mb/s": "Mbps", "kb/s": "kbps", "bit/s": "bps", "µs": "us"}
"""Units whose notation in scenario files differs from the printed one."""

WHOLE = ("bit/s", "B")
"""Units in which values are whole numbers."""


@dataclass(frozen=True)
class Ruler:
    """A numeric axis, on which values between the given ones are interpolated."""

    axis: Axis
    steps: int
    """Number of steps of the finest grid between two neighbouring given values."""

    @property
    def log(self) -> bool:
        """True if interpolated values have equal ratios rather than equal differences."""
        return scale_of(self.axis.values).log

    @property
    def unit(self) -> str:
        """Unit of the values that `number` returns."""
        return scale_of(self.axis.values).unit

    @property
    def end(self) -> int:
        """Coordinate of the axis's last given value, in steps of the finest grid."""
        return self.steps * (len(self.axis.values) - 1)

    def number(self, step: float) -> float:
        """Return the value at a step, in `unit`."""
        places = scale_of(self.axis.values).places
        left = min(int(step // self.steps), len(places) - 2)
        part = step / self.steps - left
        low, high = places[left], places[left + 1]
        return low * (high / low) ** part if self.log else low + (high - low) * part

    def text(self, step: int) -> str:
        """Return the value at a step in the form that follows ``--set PATH=``."""
        if step % self.steps == 0:
            return self.axis.values[step // self.steps]
        number = self.number(step)
        if self.unit in WHOLE or (not self.unit and all(_whole(value) for value in self.axis.values)):
            return f"{round(number)}{SUFFIX.get(self.unit, self.unit)}"
        return f"{number:.4g}{SUFFIX.get(self.unit, self.unit)}"


def _whole(text: str) -> bool:
    return text.strip().lstrip("-").isdigit()


@dataclass(frozen=True)
class Cell:
    """A square of the plane; its fields are the lower left corner and the size, in steps."""

    x: int
    y: int
    size: int

    @property
    def corners(self) -> tuple[Node, Node, Node, Node]:
        """The four corners, in order around the cell."""
        right, up = self.x + self.size, self.y + self.size
        return (self.x, self.y), (right, self.y), (right, up), (self.x, up)

    def quarters(self) -> tuple[Cell, Cell, Cell, Cell]:
        """Return the four quarters of the cell."""
        half = self.size // 2
        right, up = self.x + half, self.y + half
        return (
            Cell(self.x, self.y, half),
            Cell(right, self.y, half),
            Cell(right, up, half),
            Cell(self.x, up, half),
        )


@dataclass(frozen=True)
class Boundary:
    """Differences between two variants at points of a plane, and the boundary where the difference changes its sign."""

    x: Ruler
    y: Ruler
    compared: Axis
    """The setting whose two values are compared."""
    measure: Measure
    differences: Mapping[Node, Difference]
    """Measure of the first value minus that of the second, paired by replication, at each point that was run."""
    cells: tuple[Cell, ...]
    """The smallest cells, which together cover the plane."""
    reps: int
    level: float

    def side(self, node: Node) -> int:
        """Return the sign of the mean difference at a point: 1 if the first value's measure is larger, -1 or 0."""
        mean = self.differences[node].mean
        return 0 if mean == 0 or math.isnan(mean) else int(math.copysign(1, mean))

    def decided(self, node: Node) -> bool:
        """Return true if the difference at a point is significant: its interval does not contain 0."""
        return self.differences[node].decided

    def changes(self, cell: Cell) -> bool:
        """Return true if the boundary crosses a cell.

        That is the case if the signs of the difference at the cell's corners are not all equal and at least one
        difference is significant. Without a significant difference, the signs may be due to chance.
        """
        sides = {self.side(corner) for corner in cell.corners}
        return len(sides) > 1 and any(self.decided(corner) for corner in cell.corners)

    @property
    def points(self) -> list[Node]:
        """Points that were run, sorted from left to right, then upwards."""
        return sorted(self.differences)

    @property
    def of(self) -> int:
        """Number of points that a grid of finest cells over the whole plane would have."""
        finest = min(cell.size for cell in self.cells)
        return (self.x.end // finest + 1) * (self.y.end // finest + 1)

    def lines(self) -> list[list[tuple[float, float]]]:
        """Return the boundary as lines of points (x, y), in steps; on it the interpolated difference is 0."""
        found = [cell for cell in self.cells if self.changes(cell)]
        return chained(
            pair for cell in found for pair in crossed(cell, lambda node: self.differences[node].mean)
        )


def crossed(
    cell: Cell, value: Callable[[Node], float]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the segments of the zero line within a cell, by marching squares with linear interpolation.

    If both pairs of diagonally opposite corners have equal signs, the sign of the corners' mean decides which pair is
    connected.
    """
    corners = cell.corners
    values = [value(corner) for corner in corners]
    found = []
    for i in range(4):
        # Interpolate from the lower end, so that two cells with a common side compute the same point.
        ((ax, ay), a), ((bx, by), b) = sorted((corners[k % 4], values[k % 4]) for k in (i, i + 1))
        if (a > 0) != (b > 0):
            part = a / (a - b)
            found.append((ax + (bx - ax) * part, ay + (by - ay) * part))
    if len(found) == 4:
        same = (sum(values) > 0) == (values[0] > 0)
        order = (0, 1, 2, 3) if same else (3, 0, 1, 2)
        found = [found[i] for i in order]
        return [(found[0], found[1]), (found[2], found[3])]
    return [(found[0], found[1])] if len(found) == 2 else []


def chained(
    pairs: Iterable[tuple[tuple[float, float], tuple[float, float]]],
) -> list[list[tuple[float, float]]]:
    """Join segments that share an end into lines."""
    left = list(pairs)
    lines: list[list[tuple[float, float]]] = []
    while left:
        line = list(left.pop(0))
        grown = True
        while grown:
            grown = False
            for piece in left:
                for one, other in (piece, piece[::-1]):
                    if line[-1] == one:
                        line.append(other)
                    elif line[0] == one:
                        line.insert(0, other)
                    else:
                        continue
                    left.remove(piece)
                    grown = True
                    break
                if grown:
                    break
        lines.append(line)
    return lines
