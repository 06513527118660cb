"""Choices between the definitions of printed quantities, and the values that runs have under each choice.

All numbers of one quantity in a paper have the same definition, so a choice is made once per quantity, or once for all
changes of a quantity between two settings.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ackclock.errors import UserError, choices
from ackclock.readings.published import Number
from ackclock.readings.quantities import FRAME_OVERHEAD, PRESETS, Quantity

Cell: TypeAlias = tuple[tuple[str, str], ...]
"""Settings for which a number was published: pairs of path and value."""

FROM_TO: Final = " to "
"""Separator of the two values of a change between settings, as in ``0.9 to 0.1``."""

OR: Final = ";"
"""Separator of the values of a setting over which a number is averaged."""

SUM, MEAN = "sum", "mean"


@dataclass(frozen=True)
class Choice:
    """One meaning of a quantity's numbers."""

    definition: int
    """Index of the definition in its quantity."""
    over: str = ""
    """``sum`` or ``mean`` of the flows if the paper does not say; otherwise empty."""
    is_binary: bool = False
    """True if the prefixes of units are powers of 1024."""
    of_last: bool = False
    """True if a change is a share of the last value instead of the first."""
    of_each: bool = False
    """True if a mean change is the mean of the changes instead of the change of the means."""

    def text(self, group: Group) -> str:
        """Return the choice as text, with only those parts between which there is a choice."""
        parts = [group.quantity.definitions[self.definition].name]
        parts += [f"{self.over} of flows"] if self.over else []
        parts += ["prefixes of 1024"] if self.is_binary else []
        if group.is_change:
            parts.append("percent of the last" if self.of_last else "percent of the first")
            parts.append("mean of changes" if self.of_each else "change of means")
        return ", ".join(parts)


@dataclass(frozen=True)
class Group:
    """Numbers of one quantity, all plain values or all changes, with the choices between their definitions."""

    quantity: Quantity
    is_change: bool
    numbers: tuple[Number, ...]
    choices: tuple[Choice, ...]

    @property
    def name(self) -> str:
        """Name of the group in results."""
        return f"change of {self.quantity.name}" if self.is_change else self.quantity.name


def groups(
    numbers: Sequence[Number],
    flows: int,
    preset: str | None = None,
    *,
    traced: bool = False,
    stated: Container[str] = (),
) -> tuple[Group, ...]:
    """Return the numbers in groups with their choices.

    Args:
        numbers: Published numbers.
        flows: Number of flows of the scenario.
        preset: Name of a tool whose definitions hold; None for all definitions.
        traced: True to include definitions that need the packets of a run.
        stated: Names of the facts that the paper states; definitions that need another one are left out.

    """
    if preset is not None and preset not in PRESETS:
        raise UserError(f"--definitions: there is no tool {preset!r}{choices(preset, PRESETS)}")
    found: dict[tuple[str, bool], list[Number]] = {}
    for one in numbers:
        found.setdefault((one.quantity.name, is_change(one)), []).append(one)
    meanings = [_definitions(some[0].quantity, preset, traced, stated) for some in found.values()]
    return tuple(
        Group(some[0].quantity, changed, tuple(some), _choices(some, flows, changed, meant))
        for ((_, changed), some), meant in zip(found.items(), meanings, strict=True)
    )


def is_change(number: Number) -> bool:
    """Return true if a number is a change between two settings."""
    return any(FROM_TO in value for _, value in number.settings)


def _definitions(quantity: Quantity, preset: str | None, traced: bool, stated: Container[str]) -> list[int]:
    """Return the indices of the definitions that a quantity may have."""
    wanted = None if preset is None else PRESETS[preset].get(quantity.name)
    named = [i for i, one in enumerate(quantity.definitions) if wanted in (None, one.name)]
    usable = [i for i in named if traced or not quantity.definitions[i].is_traced]
    if not usable:
        raise UserError(
            f"--definitions {preset}: its {quantity.name} needs the packets of each run\n  add --traced"
        )
    return [i for i in usable if not quantity.definitions[i].needs or quantity.definitions[i].needs in stated]


def _choices(
    numbers: Sequence[Number], flows: int, changed: bool, definitions: Sequence[int]
) -> tuple[Choice, ...]:
    quantity = numbers[0].quantity
    is_open = quantity.is_sum and flows > 1 and any(not one.flow for one in numbers)
    binary = (False, True) if any(one.unit.prefix for one in numbers) and not changed else (False,)
    averaged = any(OR in value for one in numbers for _, value in one.settings)
    return tuple(
        Choice(*one)
        for one in itertools.product(
            definitions,
            (SUM, MEAN) if is_open else ("",),
            binary,
            (False, True) if changed else (False,),
            (False, True) if changed and averaged else (False,),
        )
    )


def parts_of(number: Number) -> tuple[tuple[Cell, ...], ...]:
    """Return the cells of a number: one list for a plain value, two for a change; a value is the mean over its list."""
    ends = 2 if is_change(number) else 1
    found = []
    for end in range(ends):
        lists = []
        for path, value in number.settings:
            both = value.split(FROM_TO)
            if len(both) > 2:
                raise UserError(
                    f"line {number.line}: {path}: {value!r} is no change\n  wanted: FIRST to LAST"
                )
            chosen = both[end] if len(both) == 2 else value
            lists.append([(path, one.strip()) for one in chosen.split(OR)])
        found.append(tuple(itertools.product(*lists)))
    return tuple(found)


def cells_of(numbers: Sequence[Number]) -> list[Cell]:
    """Return all cells of some numbers, each once."""
    return list(dict.fromkeys(cell for one in numbers for part in parts_of(one) for cell in part))


Measured: TypeAlias = Mapping[tuple[str, str], Sequence[tuple[float, float]]]
"""Values of a run by quantity and flow: for each definition the sum and the mean over flows."""


def measured(
    summary: Mapping[str, Any],
    wanted: Sequence[tuple[Quantity, str]],
    facts: Mapping[str, float] | None = None,
) -> Measured:
    """Return the values of a run that numbers need.

    Args:
        summary: Summary of the run.
        wanted: Pairs of quantity and flow.
        facts: Facts that the paper states, by name, in base units.

    """
    duration = summary["manifest"]["duration_s"]
    overhead = (facts or {}).get(FRAME_OVERHEAD, math.nan)
    rows = [
        {
            **flow,
            "duration_s": duration,
            "frame_overhead_bytes": overhead * (flow.get("received_packets") or 0),
        }
        for flow in summary["flows"]
    ]
    found = {}
    for quantity, flow in wanted:
        if quantity.of_run:
            values = [one.value(summary) for one in quantity.definitions]
            found[quantity.name, flow] = [(value, value) for value in values]
        else:
            chosen = rows if flow in ("", SUM, MEAN) else [_row(rows, flow)]
            found[quantity.name, flow] = [
                _over([one.value(row) for row in chosen]) for one in quantity.definitions
            ]
    return found


def _row(rows: Sequence[dict[str, Any]], flow: str) -> dict[str, Any]:
    for i, row in enumerate(rows):
        if flow in (row["name"], str(i)):
            return row
    names = [str(row["name"]) for row in rows]
    raise UserError(f"flow: there is no flow {flow!r}{choices(flow, [*names, SUM, MEAN])}")


def _over(values: Sequence[float]) -> tuple[float, float]:
    """Return sum and mean of the values that are not NaN."""
    there = [one for one in values if not math.isnan(one)]
    total = math.fsum(there)
    return (total, total / len(there)) if there else (math.nan, math.nan)


def predicted(number: Number, choice: Choice, runs: Mapping[Cell, Measured]) -> float:
    """Return a number under a choice, in the number's unit, given the values of a run for each of its cells."""
    ends = [[_value(number, choice, runs[cell]) for cell in part] for part in parts_of(number)]
    if len(ends) == 1:
        return number.unit.from_base(math.fsum(ends[0]) / len(ends[0]), binary=choice.is_binary)
    first, last = ends
    if choice.of_each:
        changes = [_change(a, b, choice) for a, b in zip(first, last, strict=True)]
        return number.unit.from_base(math.fsum(changes) / len(changes))
    return number.unit.from_base(_change(math.fsum(first), math.fsum(last), choice))


def _value(number: Number, choice: Choice, run: Measured) -> float:
    total, mean = run[number.quantity.name, number.flow][choice.definition]
    over = number.flow or choice.over
    if over == SUM or (not over and number.quantity.is_sum):
        return total
    return mean


def _change(first: float, last: float, choice: Choice) -> float:
    base = last if choice.of_last else first
    return (last - first) / base if base else math.nan
