"""Parses published numbers in a CSV file: quantity, value, unit, flow, and settings of the scenario.

The digits of a value are its precision: 1.82447 is known to half a unit of its last digit, and so is 30.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from ackclock._io.files import read_text
from ackclock.errors import UserError, choices
from ackclock.readings.quantities import BY_NAME, NAMES, WORDS, Quantity
from ackclock.readings.units import Unit, units

OWN_COLUMNS: Final = ("quantity", "value", "unit", "flow", "runs", "source")
"""Columns with a meaning of their own; all others are paths of the scenario."""

MOST_ROWS: Final = 10_000
"""Maximum number of published numbers in a file."""

_DIGITS: Final = re.compile(r"([<>]?)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\Z")


@dataclass(frozen=True)
class Number:
    """A published number with its printed precision."""

    quantity: Quantity
    text: str
    """Value as printed."""
    unit: Unit
    flow: str = ""
    """Flow by name or number, ``sum`` or ``mean``; empty if the paper does not say."""
    settings: tuple[tuple[str, str], ...] = ()
    """Paths of the scenario with the values for which the number was published."""
    runs: int = 1
    """Number of runs of which the printed value is the mean."""
    source: str = ""
    """Place in the paper."""
    line: int = 0
    """Line of the file."""

    @property
    def bound(self) -> str:
        """``<`` or ``>`` if the paper gives only a bound, otherwise empty."""
        return self.text[0] if self.text[0] in "<>" else ""

    @property
    def decimal(self) -> Decimal:
        """The value, in its unit."""
        return Decimal(self.text.lstrip("<> "))

    @property
    def value(self) -> float:
        """The value, in its unit."""
        return float(self.decimal)

    @property
    def half(self) -> float:
        """Half a unit of the last printed digit, in the number's unit."""
        exponent = self.decimal.as_tuple().exponent
        assert isinstance(exponent, int)
        return float(Decimal(5).scaleb(exponent - 1))

    @property
    def base(self) -> float:
        """The value in the unit of its dimension, such as bit/s or s."""
        return self.unit.in_base(self.value)

    @property
    def base_half(self) -> float:
        """Half a unit of the last printed digit, in the unit of its dimension."""
        return self.unit.in_base(self.half)

    @property
    def name(self) -> str:
        """Name of the number in sentences: quantity, flow and settings."""
        ends = [value for _, value in self.settings]
        about = ", ".join([*ends, *([self.flow] if self.flow else [])])
        return f"{self.quantity.name} ({about})" if about else self.quantity.name

    def __str__(self) -> str:
        return f"{self.text} {self.unit.name}".strip()


@dataclass(frozen=True)
class Published:
    """The numbers of a paper: results, with which runs are compared, and settings that the paper states."""

    numbers: tuple[Number, ...]
    stated: tuple[Number, ...] = ()
    """Stated facts, such as duration and packet size; they are not compared with runs."""
    paths: tuple[str, ...] = ()
    """Columns that are paths of the scenario."""

    def stating(self, name: str) -> list[Number]:
        """Return the stated facts of this name, such as ``duration``."""
        return [one for one in self.stated if one.quantity.name == name]


def read(path: str | Path) -> Published:
    """Read a file of published numbers.

    Raises:
        UserError: If a column, a quantity, a unit or a value cannot be used; the error names line and column.

    """
    return parse(read_text(Path(path)), str(path))


def parse(text: str, name: str = "published.csv") -> Published:
    """Read published numbers from the text of a CSV file; `name` names the file in errors."""
    lines = "".join(one for one in text.splitlines(keepends=True) if not one.lstrip().startswith("#"))
    rows = csv.reader(io.StringIO(lines), skipinitialspace=True)
    header = [one.strip() for one in next(rows, [])]
    paths = _paths(header, name)
    found: list[Number] = []
    for number, row in enumerate(rows, 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) > len(header):
            raise UserError(
                f"{name}, line {number}: {len(row)} cells under {len(header)} columns\n"
                "  put text with commas into double quotes"
            )
        cells = dict(zip(header, (*row, *[""] * (len(header) - len(row))), strict=True))
        found.append(_number({key: cell.strip() for key, cell in cells.items()}, paths, number, name))
        if len(found) > MOST_ROWS:
            raise UserError(f"{name}: more than {MOST_ROWS:,} numbers")
    if not found:
        raise UserError(
            f"{name} has no numbers\n  wanted: a line with quantity,value,unit and lines below it"
        )
    return Published(
        tuple(one for one in found if not one.quantity.stated),
        tuple(one for one in found if one.quantity.stated),
        paths,
    )


def _paths(header: list[str], name: str) -> tuple[str, ...]:
    """Return the columns that are paths of the scenario; raise `UserError` if the header cannot be used."""
    for wanted in ("quantity", "value"):
        if wanted not in header:
            raise UserError(
                f"{name}: the first line has no column {wanted}\n"
                f"  wanted: quantity,value,unit,flow and paths of the scenario\n  given: {','.join(header)}"
            )
    doubled = next((one for i, one in enumerate(header) if one in header[:i]), None)
    if doubled is not None:
        raise UserError(f"{name}: column {doubled!r} is there twice")
    paths = [one for one in header if one not in OWN_COLUMNS]
    for one in paths:
        if "." not in one and one not in ("duration", "seed"):
            shown = f"{', '.join(OWN_COLUMNS)}, or a path such as flow.*.tcp.variant"
            raise UserError(
                f"{name}: column {one!r} is neither one of these nor a path of a scenario"
                f"{choices(one, OWN_COLUMNS, shown=shown)}"
            )
    return tuple(paths)


def _number(cells: Mapping[str, str], paths: tuple[str, ...], line: int, name: str) -> Number:
    where = f"{name}, line {line}"
    quantity = _quantity(cells["quantity"], where)
    runs = cells.get("runs", "")
    if runs and not (runs.isdecimal() and int(runs) > 0):
        raise UserError(f"{where}: runs {runs!r} is not a whole number of at least 1")
    settings = tuple((path, cells[path]) for path in paths if cells[path])
    changed = any(" to " in value for _, value in settings)
    return Number(
        quantity,
        _value(cells["value"], where),
        _unit(cells.get("unit", ""), quantity, where, changed=changed),
        cells.get("flow", ""),
        settings,
        int(runs or 1),
        cells.get("source", ""),
        line,
    )


def _quantity(given: str, where: str) -> Quantity:
    plain = given.lower().replace("_", " ")
    name = WORDS.get(plain, plain)
    if name not in BY_NAME:
        raise UserError(f"{where}: there is no quantity {given!r}{choices(plain, NAMES, words=WORDS)}")
    return BY_NAME[name]


def _unit(given: str, quantity: Quantity, where: str, *, changed: bool) -> Unit:
    """Return a unit; a change between two settings is a share, whatever the quantity."""
    known = units("share" if changed else quantity.dimension)
    if given not in known:
        what = f"change of {quantity.name}" if changed else quantity.name
        shown = ", ".join(one or '"" (no unit)' for one in known)
        said = f"no unit {given!r}" if given else "a unit is missing"
        raise UserError(f"{where}: {what}: {said}{choices(given, known, shown=shown)}")
    return known[given]


def _value(given: str, where: str) -> str:
    """Return a value as printed, without surrounding blanks."""
    match = _DIGITS.match(given)
    if match is None:
        hint = "put the unit into the column unit" if re.search(r"\d\s*[A-Za-z%]", given) else ""
        hint = hint or ("write it without separators of thousands" if re.search(r"\d[ ,']\d", given) else "")
        hint = hint or "give the digits as printed, such as 1.82447 or < 0.6"
        raise UserError(f"{where}: value {given!r} is no number\n  {hint}")
    return match[1] + match[2]
