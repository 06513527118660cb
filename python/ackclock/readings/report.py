"""The outcome of a search as sentences, as rows of tables, and as plain data for JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ackclock import _core
from ackclock.readings.arithmetic import digits
from ackclock.readings.chance import THRESHOLD
from ackclock.readings.choices import Cell, measured
from ackclock.readings.finding import listed
from ackclock.readings.published import Number
from ackclock.readings.quantities import QUANTITIES
from ackclock.readings.ranking import MOST_TIED, Found
from ackclock.readings.score import Printed, surprise

SHOWN: Final = 10
"""Number of readings in tables."""

ALIKE_BITS: Final = 0.1
"""Difference in total surprise up to which two definitions cannot be told apart, bits."""

CAME_OUT: Final = 2.0
"""Largest error of a number that came out, in units of precision and spread."""

LEAST_PERCENT: Final = 0.01
"""Least probability that a sentence gives as a number, percent."""

LEAST_SHARE: Final = 0.05
"""Least probability of a value of a setting that is told."""

APART: Final = 0.01
"""Least relative difference by which a further number tells two readings apart."""


def verdict(found: Found) -> list[str]:
    """Return the verdict in sentences; it says "found after the fact", since a search confirms nothing."""
    how, first = found.chance, found.order[0]
    count = f"{found.tried:,} readings" + (" were tried" if not found.excluded else "")
    if found.excluded:
        count += f" were tried, of which links and windows rule {found.excluded:,} out"
    said = [f"{count}, with {found.runs:,} runs."]
    told = []
    if how.permuted is not None:
        told.append(f"{_percent(how.permuted)} of the tables with permuted numbers")
    told.append(
        f"{_percent(how.perturbed)} of {how.tables} tables with numbers drawn from the ranges that the readings give"
    )
    as_well = f"As good a match comes in {listed(told)}."
    if how.is_match:
        said.append(f"Found after the fact: {_setting(found, first)}.")
        said.append(f"It leaves {found.distance(first):.3g} bits per number unexplained. {as_well}")
        said.append(
            f"If one of these readings is true and the simulator is the paper's, another one is with a probability "
            f"of {_percent(1 - found.probability(*found.tied))}."
        )
    else:
        said.append("No reading explains these numbers better than chance.")
        said.append(f"The nearest leaves {found.distance(first):.3g} bits per number unexplained. {as_well}")
        said.append(f"A match is one that at most {100 * THRESHOLD:g} % of the tables reach.")
    if how.permuted is None:
        said.append(
            "There are too few numbers per quantity to permute them, so a reading that gives only some of the numbers "
            "may be called a match."
        )
    return [*said, *ties(found), *held(found)]


def ties(found: Found) -> Iterator[str]:
    """Yield sentences on readings that the numbers do not tell apart, with the numbers that would."""
    if len(found.tied) < 2:
        return
    first, *others = found.tied[:MOST_TIED]
    yield f"The numbers do not tell {len(found.tied)} readings apart."
    yield from shares(found)
    for other in others:
        differ = {
            path: value
            for path, value in found.space.setting(other).items()
            if found.space.setting(first)[path] != value
        }
        what = f"{listed([f'{path}={value}' for path, value in differ.items()])} is tied with the first"
        further = separating(found, first, other)
        if further is None:
            yield f"{what}; no further number would tell them apart."
        else:
            name, ours, theirs = further
            yield f"{what}; {name} would tell them apart: {ours:.5g} against {theirs:.5g}."


def shares(found: Found) -> Iterator[str]:
    """Yield a sentence for each setting in which tied readings differ, with the probabilities of its values."""
    for axis in found.space.axes:
        by_value: dict[str, list[int]] = {}
        for one in found.order:
            by_value.setdefault(found.space.setting(one)[axis.path], []).append(one)
        if len({found.space.setting(one)[axis.path] for one in found.tied}) > 1:
            ranked = sorted(
                ((found.probability(*some), value) for value, some in by_value.items()), reverse=True
            )
            told = [f"{_percent(share)} for {value}" for share, value in ranked if share >= LEAST_SHARE]
            yield f"If one of the readings is true, the probabilities of {axis.path} are {listed(told)}."


def separating(found: Found, first: int, other: int) -> tuple[str, float, float] | None:
    """Return the number that tells two readings apart best, in base units; None if no number differs.

    Quantities that the paper prints come before others, and numbers that are 0 in neither reading before those that
    are 0 in one. A printed quantity has the definition that is best for the first reading.
    """
    meant = {
        group.quantity.name: group.choices[at].definition
        for group, at in zip(found.groups, found.picked[first], strict=True)
    }
    known = {(one.quantity.name, one.settings) for group in found.groups for one in group.numbers}
    printed = {name for name, _ in known}
    best: tuple[tuple[bool, bool, float], str, float, float] | None = None
    wanted = [(one, "") for one in QUANTITIES if not one.stated]
    for cell in found.space.cells:
        ours, theirs = (measured(found.summaries[one][cell], wanted) for one in (first, other))
        for quantity, _ in wanted:
            if (quantity.name, cell) in known:
                continue
            at = meant.get(quantity.name, 0)
            (a, _), (b, _) = (of[quantity.name, ""][at] for of in (ours, theirs))
            apart = abs(a - b) / max(abs(a), abs(b)) if max(abs(a), abs(b)) > 0 else 0.0
            rank = (quantity.name in printed, a * b != 0, apart)
            if apart > APART and (best is None or rank > best[0]):
                best = (rank, f"{quantity.name}{_at(cell)}", a, b)
    return None if best is None else best[1:]


def _at(cell: Cell) -> str:
    return f" at {listed([value for _, value in cell])}" if cell else ""


def held(found: Found) -> Iterator[str]:
    """Yield a sentence for each number that was held back."""
    for number, value, scale in found.held:
        came = "came out" if abs(value - number.value) <= CAME_OUT * scale else "did not come out"
        yield f"Held back: {number.name} of {number} {came}: {value:.6g}."


def stated_and_found(found: Found) -> list[tuple[str, str, str]]:
    """Return rows of path, value in the scenario file, and value of the first reading."""
    given = found.space.scenario.view
    full = found.space.scenario.described
    rows = []
    for path, value in found.space.setting(found.order[0]).items():
        before = value_at(given, path)
        default = value_at(full, path) if before is None else None
        said = (
            _text(before)
            if before is not None
            else f"{_text(default)} (default)"
            if default is not None
            else "-"
        )
        rows.append((path, said, value))
    return rows


def value_at(document: Any, path: str) -> Any:
    """Return a value of a document by its path; of several entries that ``*`` names, the first that has it."""
    head, _, rest = path.partition(".")
    if not head:
        return document
    if isinstance(document, Mapping):
        return value_at(document[head], rest) if head in document else None
    if not isinstance(document, list):
        return None
    for i, one in enumerate(document):
        if head in ("*", str(i)) or (isinstance(one, Mapping) and one.get("name") == head):
            value = value_at(one, rest)
            if value is not None:
                return value
    return None


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def sensitivity(found: Found) -> list[tuple[str, str, str, float]]:
    """Return rows of path, best value, next best value, and the bits per number that the latter adds."""
    first = found.order[0]
    own = found.space.setting(first)
    rows = []
    for axis in found.space.axes:
        near = [
            (found.bits[reading], value)
            for value in axis.values
            if value != own[axis.path]
            and (reading := found.space.index({**own, axis.path: value})) in found.bits
        ]
        if near:
            bits, value = min(near)
            rows.append((axis.path, own[axis.path], value, (bits - found.bits[first]) / found.numbers))
    return rows


def alike(found: Found, reading: int) -> dict[str, list[str]]:
    """Return, by quantity, all definitions under which a reading gives the numbers as well as under the best."""
    same = {}
    for group, one in zip(found.groups, found.predicted[reading], strict=True):
        bits = surprise(one, Printed.of(group))[0].sum(axis=0)
        near = [
            choice.text(group)
            for choice, own in zip(group.choices, bits, strict=True)
            if own <= bits.min() + ALIKE_BITS
        ]
        same[group.name] = near
    return same


def plain(found: Found) -> dict[str, Any]:
    """Return the outcome as plain data for JSON."""
    how = found.chance
    return {
        "verdict": verdict(found),
        "is_match": how.is_match,
        "tried": found.tried,
        "runs": found.runs,
        "excluded": found.excluded,
        "impossible": found.impossible,
        "chance": {
            "permuted": how.permuted,
            "perturbed": how.perturbed,
            "other_reading": 1 - found.probability(*found.tied),
            "threshold": THRESHOLD,
            "tables": how.tables,
        },
        "readings": [_reading(found, one) for one in found.order if one in found.predicted],
        "stated": {path: said for path, said, _ in stated_and_found(found)},
        "found": found.space.setting(found.order[0]),
        "held": [
            {**_number(number), "found": _finite(value), "scale": _finite(scale)}
            for number, value, scale in found.held
        ],
        "sensitivity": [
            {"path": path, "value": value, "next": other, "bits": bits}
            for path, value, other, bits in sensitivity(found)
        ],
        "digits": [
            {"kind": one.kind, "text": one.text, "chance": one.chance} for one in digits(found.published)
        ],
        "manifest": {
            "version": _core.__version__,
            "vary": {axis.path: list(axis.values) for axis in found.space.axes},
            "reps": found.plan.reps,
            "start_jitter_s": found.plan.jitter_s,
            "hold": found.plan.hold,
            "definitions": found.plan.definitions,
            "scenario": found.space.scenario.document(),
        },
    }


def _reading(found: Found, reading: int) -> dict[str, Any]:
    return {
        "setting": found.space.setting(reading),
        "definitions": found.definitions(reading),
        "alike": alike(found, reading),
        "distance": found.distance(reading),
        "tied": reading in found.tied,
        "numbers": [
            {**_number(number), "found": _finite(mean), "scale": _finite(scale), "bits": bits}
            for number, mean, scale, bits in found.rows(reading)
        ],
    }


def _number(number: Number) -> dict[str, Any]:
    return {
        "line": number.line,
        "quantity": number.quantity.name,
        "printed": number.text,
        "unit": number.unit.name,
        "flow": number.flow,
        "settings": dict(number.settings),
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _setting(found: Found, reading: int) -> str:
    return listed([f"{path}={value}" for path, value in found.space.setting(reading).items()])


def _percent(share: float) -> str:
    """Return a share as percent; smaller ones than `LEAST_PERCENT` are not told apart."""
    return f"{100 * share:.2g} %" if 100 * share >= LEAST_PERCENT else f"less than {LEAST_PERCENT:g} %"
