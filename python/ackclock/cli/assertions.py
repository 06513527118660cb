"""``ackclock run --assert``: conditions on the results of a run, for scripts and CI."""

from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from ackclock import _core
from ackclock.errors import UserError, choices

FAILED: Final = 3
"""Exit status if a condition of ``run --assert`` does not hold, or a test case of ``conform`` fails."""

FORM: Final = (
    "flow.NAME.COLUMN, link.NAME.COLUMN or MEASURE; <, <=, >, >=, == or !=; a number or another value"
)
"""The notation of a condition, for help and errors."""

EXAMPLE: Final = "flow.cubic.goodput_bps > 4e6"

OPERATORS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
"""Comparison operators; longer ones come first, so that ``<=`` is not taken for ``<``."""

QUANTITY: Final = re.compile(r"(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(?P<unit>[A-Za-z%/]*)")

TABLES: Final = {"flow": "flows", "link": "links"}
"""Tables of results by the first part of a path."""


@dataclass(frozen=True)
class Outcome:
    """A place in the results where a condition does not hold or cannot be judged."""

    place: str
    """Name of the value on the left of the condition."""
    found: str
    """The values found there, as text."""


@dataclass(frozen=True)
class Condition:
    """A condition on the results of a run."""

    text: str
    left: str
    sign: str
    right: str

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Parse a condition such as ``flow.cubic.goodput_bps > 4e6``.

        Raises:
            UserError: If the text has another form, or names a column or measure that does not exist.
        """
        # Try an operator between blanks first, since the name of a link direction such as r0>r1 contains ">" as well.
        found = re.fullmatch(r"\s*(\S.*?)\s+(<=|>=|==|!=|<|>)\s*(.+?)\s*", text) or re.fullmatch(
            r"\s*([^<>=!]+?)\s*(<=|>=|==|!=|<|>)\s*(.+?)\s*", text
        )
        if found is None:
            raise UserError(f"--assert: cannot read {text!r}\n  wanted: {FORM}\n  for example {EXAMPLE}")
        made = cls(text.strip(), *found.groups())
        _check_name(made.left)
        if QUANTITY.fullmatch(made.right) is None:
            _check_name(made.right)
        else:
            _number(made.right, made.left)
        return made

    def check_names(self, described: Mapping[str, Any]) -> None:
        """Raise `UserError` if the condition names a flow or link that the described scenario does not have."""
        for side in (self.left, self.right):
            kind, name, _ = _split(side)
            if kind is None or name == "*":
                continue
            named = [str(one.get("name") or i) for i, one in enumerate(described.get(kind, ()))]
            ends = [_direction(one) for one in described.get("link", ())] if kind == "link" else []
            known = [*named, *(str(i) for i in range(len(named))), *(way for both in ends for way in both)]
            if name not in known:
                shown = [*named, *(way for both in ends for way in both)]
                raise UserError(f"--assert {self.text}: there is no {kind} {name!r}{choices(name, shown)}")

    def failures(self, summary: Mapping[str, Any]) -> list[Outcome]:
        """Return the places in a run's results where the condition does not hold; a missing value fails, too."""
        holds = OPERATORS[self.sign]
        number = QUANTITY.fullmatch(self.right)
        others = [("", _number(self.right, self.left))] if number else list(_values(self.right, summary))
        found = []
        for place, value in _values(self.left, summary):
            for name, other in others:
                if math.isnan(value) or math.isnan(other) or not holds(value, other):
                    shown = _shown(value) if not name else f"{_shown(value)}, {name} is {_shown(other)}"
                    found.append(Outcome(place, shown))
        return found


def failed(conditions: Sequence[Condition], summary: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each place in which a condition does not hold."""
    return [
        f"assertion failed: {one.text}: {outcome.place} is {outcome.found}"
        for one in conditions
        for outcome in one.failures(summary)
    ]


def _split(path: str) -> tuple[str | None, str, str]:
    """Return kind, name and column of a path; for a measure of the run, None, an empty name and the measure."""
    kind, dot, rest = path.partition(".")
    if kind not in TABLES or not dot:
        return None, "", path
    name, dot, column = rest.rpartition(".")
    return kind, name, column


def _check_name(path: str) -> None:
    from ackclock.stats.measures import MIXED, measure_of

    kind, name, column = _split(path)
    if kind is None:
        if measure_of(path, "--assert") in MIXED:
            raise UserError(f"--assert: only a comparison has {path}")
        return
    known = _columns(TABLES[kind])
    if not name or column not in known:
        raise UserError(f"--assert: {path}: there is no column {column!r} of {kind}s{choices(column, known)}")


@cache
def _columns(table: str) -> list[str]:
    """Return the columns of a table of results."""
    return [str(one["name"]) for one in json.loads(_core.catalogue("metrics")) if one["table"] == table]


def _number(text: str, path: str) -> float:
    """Return the number in the text of a condition, in the unit of the column or measure at `path`.

    A number with another unit, such as ``4Mbps``, is converted.
    """
    found = QUANTITY.fullmatch(text)
    if found is None:
        raise AssertionError(text)
    unit = found["unit"]
    if not unit:
        return float(found["number"])
    if unit == "%":
        return float(found["number"]) / 100
    column = path.partition(":")[0]
    read = next((read for end, read in _READERS.items() if column.endswith(end)), None)
    try:
        if read is not None:
            return float(read(text.replace(" ", "")))
    except ValueError as why:
        raise UserError(f"--assert: {text}: {why}") from why
    raise UserError(f"--assert: {text}: {column} has no unit\n  wanted: a number")


_READERS: Final[Mapping[str, Callable[[str], float]]] = {
    "_bps": _core.bits_per_second,
    "_s": _core.seconds,
    "_bytes": _core.size_bytes,
}


def _values(path: str, summary: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield name and value of everything at a path; the value is NaN if it is missing."""
    from ackclock.stats.measures import group_value, measure_of, measures

    kind, name, column = _split(path)
    if kind is None:
        of = measure_of(path)
        yield path, measures(summary)[of.name] if of.group is None else group_value(of, summary)
        return
    for shown, record in _records(kind, name, summary):
        yield f"{kind}.{shown}.{column}", _value(record, column)


def _records(kind: str, name: str, summary: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the records that a name or number selects; a link's own name or number selects its forward direction."""
    records: Sequence[Mapping[str, Any]] = summary[TABLES[kind]]
    if name == "*":
        return [(str(one["name"]), one) for one in records]
    named = [(name, one) for one in records if name in (one["name"], one.get("link"))]
    if not named and name.isdigit():
        step = 2 if kind == "link" else 1  # a link has two directions
        named = [(name, one) for one in records[step * int(name) : step * int(name) + 1]]
    if not named:
        raise UserError(
            f"--assert: there is no {kind} {name!r}{choices(name, [str(one['name']) for one in records])}"
        )
    return named[:1]


def _value(record: Mapping[str, Any], column: str) -> float:
    from ackclock.sweeps.tables import flatten

    found = flatten(dict(record)).get(column)
    return float(found) if isinstance(found, int | float) else math.nan


def _shown(value: float) -> str:
    return "absent" if math.isnan(value) else f"{value:.6g}"


def _direction(link: Mapping[str, Any]) -> tuple[str, str]:
    a, b = link["between"]
    return f"{a}>{b}", f"{b}>{a}"
