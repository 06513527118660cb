"""Converts printed tables to LaTeX (booktabs, siunitx) and CSV.

A cell such as ``9.7132 ±0.0018`` or ``845.7 [822.1, 877.4]`` is an estimate with its interval. In LaTeX it becomes one
number of siunitx, in CSV three columns.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

NO_VALUES: Final = ("", "–", "-")
"""Cell texts that mean that there is no value."""

_NUMBER: Final = r"[+\-−]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?"
_CELL: Final = re.compile(
    rf"(?P<mean>{_NUMBER})(?:\s?±\s?(?P<half>{_NUMBER})| \[(?P<low>{_NUMBER}), (?P<high>{_NUMBER})\])?"
    r"(?P<unit>\s?%)?(?P<star>\s\*)?(?: \((?P<note>same|one run|no interval)\))?"
)


@dataclass(frozen=True)
class Estimate:
    """A number in a cell, with its interval if it has one.

    Attributes:
        mean: The number, as text.
        low: Lower end of the interval, if the cell has one.
        high: Upper end of the interval.
        half: Half the width of the interval, if the cell states that.
        unit: Unit in the cell.
        star: True if a star marks the number.
    """

    mean: Decimal
    low: Decimal | None = None
    high: Decimal | None = None
    half: Decimal | None = None
    unit: str = ""
    star: bool = False

    @classmethod
    def read(cls, cell: str) -> Estimate | None:
        """Parse a cell; return None if it does not contain a number."""
        found = _CELL.fullmatch(cell.strip())
        if found is None:
            return None
        mean, half, low, high = (
            None if found[part] is None else Decimal(found[part].replace(",", "").replace("−", "-"))
            for part in ("mean", "half", "low", "high")
        )
        assert mean is not None
        if found["note"] == "same":
            low = high = mean
        if half is not None:
            low, high = mean - half, mean + half
        return cls(mean, low, high, half, (found["unit"] or "").strip(), found["star"] is not None)


Column = list[Estimate | None] | None
"""Numbers in a column, with None for rows without value; None in place of the list for a text column."""


def to_csv(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return a table as CSV text: numbers have no thousands separators, intervals become columns ``low`` and ``high``.

    The first `left` columns are text. A column whose cells have intervals becomes three columns. Stars are left out.
    """
    heads: list[str] = []
    cells: list[list[str]] = [[] for _ in rows]
    for i, (head, numbers) in enumerate(zip(_plain(columns), _columns(columns, rows, left), strict=True)):
        if numbers is None:
            heads.append(head)
            for own, row in zip(cells, rows, strict=True):
                own.append("" if row[i] in NO_VALUES else row[i])
            continue
        name = _with_unit(head, numbers)
        spread = any(one is not None and one.low is not None for one in numbers)
        heads += [name, f"{name} low", f"{name} high"] if spread else [name]
        for own, one in zip(cells, numbers, strict=True):
            parts = (None, None, None) if one is None else (one.mean, one.low, one.high)
            own += ["" if part is None else str(part) for part in (parts if spread else parts[:1])]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([heads, *cells])
    return out.getvalue()


def to_latex(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: int = 1,
    *,
    caption: str = "",
    notes: Sequence[str] = (),
) -> str:
    """Return a table as LaTeX for ``booktabs`` and ``siunitx``; plain numbers are aligned at the decimal point.

    The first `left` columns are text. An estimate with its interval becomes one number with its interval.
    """
    kinds: list[str] = []
    heads: list[str] = []
    body: list[list[str]] = [[] for _ in rows]
    for i, (head, numbers) in enumerate(zip(_plain(columns), _columns(columns, rows, left), strict=True)):
        if numbers is None:
            kinds.append("l" if i < left else "r")
            heads.append(escaped(head))
            for own, row in zip(body, rows, strict=True):
                own.append(escaped(row[i]))
            continue
        name = escaped(_with_unit(head, numbers))
        aligned = all(one is None or (one.low is None and not one.star) for one in numbers)
        kinds.append(_aligned([one for one in numbers if one is not None]) if aligned else "r")
        heads.append(f"{{{name}}}" if aligned else name)
        for own, one in zip(body, numbers, strict=True):
            own.append(("{--}" if aligned else "--") if one is None else _number(one, aligned=aligned))
    lines = [
        "% \\usepackage{booktabs,siunitx}   \\sisetup{separate-uncertainty = true}",
        "\\begin{table}",
        "\\centering",
        *([f"\\caption{{{escaped(caption)}}}"] if caption else []),
        f"\\begin{{tabular}}{{{' '.join(kinds)}}}",
        "\\toprule",
        f"{' & '.join(heads)} \\\\",
        "\\midrule",
        *(f"{' & '.join(row)} \\\\" for row in body),
        "\\bottomrule",
        "\\end{tabular}",
        *(f"\\par\\smallskip\\footnotesize {escaped(note)}" for note in notes),
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


_ESCAPES: Final = {
    "\\": r"\textbackslash{}",
    **{letter: rf"\{letter}" for letter in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "±": r"$\pm$",
    "−": "$-$",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "µ": r"\textmu{}",
    "\n": " ",
}


def escaped(text: str) -> str:
    """Return text escaped for LaTeX."""
    return "".join(_ESCAPES.get(letter, letter) for letter in text)


def one_line(head: str) -> str:
    """Return a heading without line breaks; a break inside a path becomes nothing, any other a space."""
    return head.replace("\n.", ".").replace("\n", " ")


def _plain(columns: Sequence[str]) -> list[str]:
    return [one_line(head) for head in columns]


def _columns(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> list[Column]:
    """Return the numbers of each column that contains only numbers; None for any other column."""
    found: list[Column] = []
    for i in range(len(columns)):
        cells = [row[i] for row in rows]
        read = [Estimate.read(cell) for cell in cells]
        numeric = all(one is not None or cell in NO_VALUES for one, cell in zip(read, cells, strict=True))
        units = {one.unit for one in read if one is not None}
        found.append(read if i >= left and numeric and len(units) == 1 else None)
    return found


def _with_unit(head: str, numbers: Sequence[Estimate | None]) -> str:
    unit = next((one.unit for one in numbers if one is not None), "")
    return f"{head} ({unit})" if unit and unit not in head else head


def _aligned(numbers: Sequence[Estimate]) -> str:
    """Return the siunitx column specification for plain numbers, wide enough for the longest."""
    parts = [f"{one.mean:f}".lstrip("-").partition(".") for one in numbers]
    whole, after = max(len(part[0]) for part in parts), max(len(part[2]) for part in parts)
    sign = "-" if any(one.mean < 0 for one in numbers) else ""
    return f"S[table-format={sign}{whole}.{after}]"


def _number(one: Estimate, *, aligned: bool) -> str:
    mean = f"{one.mean:f}"
    if aligned:
        return mean
    star = "\\,*" if one.star else ""
    if one.half is not None:
        return f"\\num{{{mean} +- {one.half:f}}}{star}"
    if one.low is not None and one.high is not None and one.low != one.high:
        return f"\\num{{{mean}}} [\\num{{{one.low:f}}}, \\num{{{one.high:f}}}]{star}"
    return f"\\num{{{mean}}}{star}"
