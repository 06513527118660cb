"""Readings: combinations of settings that a paper leaves open, and the jobs of their runs."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from ackclock.errors import ScenarioError, UserError, choices
from ackclock.executors.pool import cores
from ackclock.lint.world import World
from ackclock.readings.choices import MEAN, SUM, Cell, cells_of
from ackclock.readings.published import Number
from ackclock.scenario.scenario import Scenario, expand, sets_copies
from ackclock.sweeps.axes import Axis
from ackclock.sweeps.jobs import Job

MOST_READINGS: Final = 20_000
"""Maximum number of readings of a search."""

MOST_CACHED: Final = 5_000
"""Maximum number of scenarios that are kept between the stages of a search."""

SLACK: Final = 1.25
"""Factor by which a printed throughput may exceed the rate of its path: sent data include data that queues drop."""


@dataclass(frozen=True)
class Space:
    """A scenario, the settings that vary, and the settings for which numbers were published."""

    scenario: Scenario
    axes: tuple[Axis, ...]
    cells: tuple[Cell, ...]
    _made: dict[tuple[int, Cell], Scenario | None] = field(
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

    def exceeds(self, reading: int, numbers: Sequence[Number]) -> bool:
        """Return true if a reading's links cannot carry a printed throughput, or take longer than a printed RTT."""
        if not self._is_bounded:
            return False
        for one in numbers:
            cells = cells_of([one])
            if one.quantity.name not in ("throughput", "rtt") or one.bound or len(cells) > 1:
                continue
            scenario = self.scenario_of(reading, cells[0])
            if scenario is not None and _exceeds(World.read(scenario), one):
                return True
        return False

    @cached_property
    def _is_bounded(self) -> bool:
        """True if there is one flow and its path consists of links, so that the path bounds its numbers."""
        return (
            not self._varies_copies
            and len(self.scenario.document().get("flow", ())) == 1
            and 0 in World.read(self.scenario).paths
        )


def check_flows(scenario: Scenario, numbers: Sequence[Number]) -> None:
    """Raise `UserError` if a number names a flow that the scenario does not have."""
    names = [str(one["name"]) for one in scenario.describe().get("flow", ())]
    known = {"", SUM, MEAN, *names, *map(str, range(len(names)))}
    for one in numbers:
        if one.flow not in known:
            raise UserError(
                f"line {one.line}: there is no flow {one.flow!r}{choices(one.flow, [*names, SUM, MEAN])}"
            )


def _exceeds(world: World, number: Number) -> bool:
    if 0 not in world.paths:
        return False
    path = world.paths[0]
    if number.quantity.name == "rtt":
        return number.base + number.base_half < path.rtt_s
    return number.base - number.base_half > SLACK * path.rate_bps


def _long(time_s: float) -> str:
    """Return a long time as text in the largest unit of which it has one or more."""
    for name, length in (("years", 365.25 * 86400), ("days", 86400.0), ("hours", 3600.0)):
        if time_s >= length:
            return f"{time_s / length:.2g} {name}"
    return f"{time_s / 60:.2g} minutes"
