"""The border between the areas of a plane in which one of two variants does better: points, differences, lines."""

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
"""A point of the plane, in steps of the finest grid along both axes."""

SUFFIX = {"Gb/s": "Gbps", "Mb/s": "Mbps", "kb/s": "kbps", "bit/s": "bps", "µs": "us"}
"""Units in the notation of a scenario file, for those that differ."""

WHOLE = ("bit/s", "B")
"""Units without fractions."""


@dataclass(frozen=True)
class Ruler:
    """A numeric axis that can be divided: its values, and those between them."""

    axis: Axis
    steps: int
    """Steps of the finest grid between two neighbouring values of the axis."""

    @property
    def log(self) -> bool:
        """True if values between two others are spaced by ratio."""
        return scale_of(self.axis.values).log

    @property
    def unit(self) -> str:
        """The unit of `number`."""
        return scale_of(self.axis.values).unit

    @property
    def end(self) -> int:
        """The step of the last value."""
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
    """A rectangle of the plane, by its lower left corner and its size in steps."""

    x: int
    y: int
    size: int

    @property
    def corners(self) -> tuple[Node, Node, Node, Node]:
        """The corners, in order around the cell."""
        right, up = self.x + self.size, self.y + self.size
        return (self.x, self.y), (right, self.y), (right, up), (self.x, up)

    def quarters(self) -> tuple[Cell, Cell, Cell, Cell]:
        """Return its four quarters."""
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
    """The results on a plane over which one of two variants does better in each area."""

    x: Ruler
    y: Ruler
    compared: Axis
    """The setting with two values, whose order changes."""
    measure: Measure
    differences: Mapping[Node, Difference]
    """The first value's measure minus the second's, paired by replication, at each point that was run."""
    cells: tuple[Cell, ...]
    """The cells that were not divided further; together they cover the plane."""
    reps: int
    level: float

    def side(self, node: Node) -> int:
        """Return 1 if the first value's mean is larger at a point, -1 if the second's is, 0 if they are equal."""
        mean = self.differences[node].mean
        return 0 if mean == 0 or math.isnan(mean) else int(math.copysign(1, mean))

    def decided(self, node: Node) -> bool:
        """Tell whether the interval of the difference at a point leaves out 0."""
        return self.differences[node].decided

    def changes(self, cell: Cell) -> bool:
        """Tell whether the order changes over a cell: the means at its corners differ in sign, and one is significant.

        If no corner is decided, the runs cannot tell the two apart there, and the sign of a mean says nothing.
        """
        sides = {self.side(corner) for corner in cell.corners}
        return len(sides) > 1 and any(self.decided(corner) for corner in cell.corners)

    @property
    def points(self) -> list[Node]:
        """The points that were run, from left to right, then upwards."""
        return sorted(self.differences)

    @property
    def of(self) -> int:
        """Number of points in a grid of the finest cells."""
        finest = min(cell.size for cell in self.cells)
        return (self.x.end // finest + 1) * (self.y.end // finest + 1)

    def lines(self) -> list[list[tuple[float, float]]]:
        """Return the boundary: lines of points, in steps, at which the interpolated difference is 0."""
        found = [cell for cell in self.cells if self.changes(cell)]
        return chained(
            pair for cell in found for pair in crossed(cell, lambda node: self.differences[node].mean)
        )


def crossed(
    cell: Cell, value: Callable[[Node], float]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the crossings of a cell by the line of value 0: marching squares, linear interpolation along its sides.

    If two opposite corners are on either side, the mean of the corners says which of them belong together.
    """
    corners = cell.corners
    values = [value(corner) for corner in corners]
    found = []
    for i in range(4):
        # From the lower end, so that both cells at a side find the same point.
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
    """Join pieces that share an end into lines."""
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
