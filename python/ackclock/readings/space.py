"""Readings: combinations of settings that a paper leaves open, and the jobs of their runs."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from ackclock import _core
from ackclock.errors import ScenarioError, UserError, choices
from ackclock.executors.pool import cores
from ackclock.lint.world import World
from ackclock.readings.bounds import BOUNDED, FlowLimits, exceeds, holds, limits
from ackclock.readings.choices import MEAN, SUM, Cell, cells_of
from ackclock.readings.published import Number
from ackclock.scenario.scenario import Scenario, sets_copies
from ackclock.scenario.wildcards import expand
from ackclock.sweeps.axes import Axis
from ackclock.sweeps.jobs import Job

MOST_READINGS: Final = 20_000
"""Maximum number of readings of a search."""

MOST_CACHED: Final = 5_000
"""Maximum number of scenarios that are kept between the stages of a search."""


@dataclass(frozen=True)
class Space:
    """A scenario, the settings that vary, and the settings for which numbers were published."""

    scenario: Scenario
    axes: tuple[Axis, ...]
    cells: tuple[Cell, ...]
    _made: dict[tuple[int, Cell], Scenario | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    _bounds: dict[tuple[int, Cell], FlowLimits] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    _settings: dict[tuple[str, str], tuple[str, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def of(cls, scenario: Scenario, axes: Sequence[Axis], numbers: Sequence[Number]) -> Space:
        """Return the space of readings; raise an error if a path or a value cannot be set in the scenario."""
        paths = [axis.path for axis in axes]
        doubled = next((one for i, one in enumerate(paths) if one in paths[:i]), None)
        if doubled is not None:
            raise UserError(f"--vary {doubled} is given twice: list all its values in one")
        cells = cells_of(numbers)
        columns = {path for cell in cells for path, _ in cell}
        both = next((one for one in paths if one in columns), None)
        if both is not None:
            raise UserError(
                f"--vary {both}: the published numbers say for which value they hold\n"
                "  leave the column out of the file, or the option out of the command"
            )
        space = cls(scenario, tuple(axes), tuple(cells))
        space.refuse_large()
        for axis in axes:
            for value in axis.values:
                scenario.apply([f"{axis.path}={value}"])
        for cell in cells:
            scenario.apply([f"{path}={value}" for path, value in cell])
        check_flows(scenario, numbers)
        return space

    def refuse_large(self) -> None:
        """Raise `UserError` if there are more readings than a search can run, with the time that it would take."""
        if len(self) <= MOST_READINGS:
            return
        first = self.scenario.apply(f"{axis.path}={axis.values[0]}" for axis in self.axes)
        began = time.process_time()
        first.run()
        each = time.process_time() - began
        runs, workers = len(self) * max(len(self.cells), 1), cores()
        raise UserError(
            f"--vary: {len(self):,} readings with {runs:,} runs of about {each:.2g} s take "
            f"{_long(runs * each / workers)} on {workers} cores\n"
            f"  allowed: up to {MOST_READINGS:,} readings\n  leave out values, or search first "
            "what ackclock digits does not tell"
        )

    def __len__(self) -> int:
        return math.prod(len(axis.values) for axis in self.axes)

    def setting(self, reading: int) -> dict[str, str]:
        """Return the values of the varied settings in a reading, by path; the last axis varies fastest."""
        found: dict[str, str] = {}
        for axis in reversed(self.axes):
            reading, at = divmod(reading, len(axis.values))
            found[axis.path] = axis.values[at]
        return {axis.path: found[axis.path] for axis in self.axes}

    def index(self, setting: dict[str, str]) -> int:
        """Return the number of the reading with these values."""
        found = 0
        for axis in self.axes:
            found = found * len(axis.values) + axis.values.index(setting[axis.path])
        return found

    def scenario_of(self, reading: int, cell: Cell) -> Scenario | None:
        """Return the scenario of a reading in a cell; None if its settings contradict each other."""
        key = (reading, cell)
        if key not in self._made:
            if len(self._made) >= MOST_CACHED:
                self._made.clear()
            values = [*self.setting(reading).items(), *cell]
            try:
                self._made[key] = self.scenario.apply(one for each in values for one in self._expanded(*each))
            except ScenarioError:
                self._made[key] = None
        return self._made[key]

    def _expanded(self, path: str, value: str) -> tuple[str, ...]:
        """Return a setting with its ``*`` expanded to all entries that it stands for; results are cached.

        If the number of copies varies, the entries vary, too, and the setting is left as it is.
        """
        if (path, value) not in self._settings:
            text = f"{path}={value}"
            self._settings[path, value] = (
                (text,) if self._varies_copies else tuple(expand(text, self.scenario))
            )
        return self._settings[path, value]

    @cached_property
    def _varies_copies(self) -> bool:
        """True if readings or cells differ in the number of nodes, links or flows."""
        paths = [*(axis.path for axis in self.axes), *(path for cell in self.cells for path, _ in cell)]
        return any(map(sets_copies, paths))

    def is_valid(self, reading: int) -> bool:
        """Return true if the settings of a reading do not contradict each other."""
        return all(self.scenario_of(reading, cell) is not None for cell in self.cells)

    def jobs(self, reading: int, replication: int, jitter_s: float = 0.0) -> Iterator[Job]:
        """Yield the jobs of one replication of a reading, a job for each cell; the first has no start jitter."""
        seed = self.scenario.seed + replication
        for cell in self.cells:
            scenario = self.scenario_of(reading, cell)
            assert scenario is not None
            labels = {**self.setting(reading), **dict(cell)}
            yield Job(scenario, seed, jitter_s if replication else 0.0, labels, replication)

    def has_traffic_in(self, length: float) -> bool:
        """Return true if all flows start in the first half of runs of this length, a share of the full one."""
        starts = [axis for axis in self.axes if axis.path.endswith(".start")]
        shifted = [self.scenario.set(axis.path, value) for axis in starts for value in axis.values]
        for one in (self.scenario, *shifted):
            described = one.described
            latest = max((_core.seconds(flow["start"]) for flow in described.get("flow", ())), default=0.0)
            if latest > length * _core.seconds(described["duration"]) / 2:
                return False
        return True

    def exceeds(self, reading: int, numbers: Sequence[Number]) -> bool:
        """Return true if a reading's links and windows cannot give one of the printed numbers (see `bounds`)."""
        if not self._is_bounded:
            return False
        by_cell: dict[Cell, list[Number]] = {}
        for one in numbers:
            cells = cells_of([one])
            if one.quantity.name in BOUNDED and len(cells) == 1:
                by_cell.setdefault(cells[0], []).append(one)
        return any(
            exceeds(self._limits(reading, cell), one) for cell, some in by_cell.items() for one in some
        )

    def _limits(self, reading: int, cell: Cell) -> FlowLimits:
        """Return the bounds of the flows of a reading in a cell; results are cached."""
        key = (reading, cell)
        if key not in self._bounds:
            scenario = self.scenario_of(reading, cell)
            self._bounds[key] = {} if scenario is None else limits(World.read(scenario))
        return self._bounds[key]

    @cached_property
    def _is_bounded(self) -> bool:
        """True if links and windows bound the numbers of the scenario."""
        return not self._varies_copies and holds(World.read(self.scenario))


def check_flows(scenario: Scenario, numbers: Sequence[Number]) -> None:
    """Raise `UserError` if a number names a flow that the scenario does not have."""
    names = [str(one["name"]) for one in scenario.described.get("flow", ())]
    known = {"", SUM, MEAN, *names, *map(str, range(len(names)))}
    for one in numbers:
        if one.flow not in known:
            raise UserError(
                f"line {one.line}: there is no flow {one.flow!r}{choices(one.flow, [*names, SUM, MEAN])}"
            )


def _long(time_s: float) -> str:
    """Return a long time as text in the largest unit of which it has one or more."""
    for name, length in (("years", 365.25 * 86400), ("days", 86400.0), ("hours", 3600.0)):
        if time_s >= length:
            return f"{time_s / length:.2g} {name}"
    return f"{time_s / 60:.2g} minutes"
