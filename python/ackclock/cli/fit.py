"""Fitting of output to the terminal's width: the least important columns are left out first, and no word is split."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ackclock._io.tabular import one_line, to_csv, to_latex

if TYPE_CHECKING:
    from typing import TextIO

    from rich.table import Table as RichTable

LABEL = "  allowed: "
"""Beginning of a line with a list in an error message; further lines are indented to the list's first name."""

GAP = 3
"""Distance between two columns, characters."""

NO_VALUE = "–"
"""Text of a cell without a value."""


def width(stream: TextIO) -> int | None:
    """Return the line width, characters: COLUMNS, otherwise the terminal's width; None for a pipe or a file."""
    given = os.environ.get("COLUMNS", "")
    if given.isdigit() and int(given) > 0:
        return int(given)
    return shutil.get_terminal_size().columns if stream.isatty() else None


def wrapped(text: str, width: int | None) -> str:
    """Return text wrapped to lines of at most `width` characters.

    Continuation lines are indented by four characters, or by the length of ``  allowed: `` if the line begins so.
    """
    if width is None:
        return text
    lines = (
        textwrap.wrap(
            line,
            max(width, 20),
            subsequent_indent=" " * len(LABEL) if line.startswith(LABEL) else "    ",
            break_long_words=False,
            break_on_hyphens=False,
            replace_whitespace=False,
            drop_whitespace=True,
        )
        or [line]
        for line in text.replace("\n" + " " * len(LABEL), " ").splitlines()
    )
    return "\n".join(part for line in lines for part in line)


@dataclass(frozen=True)
class Table:
    """A table of text that can be fitted into lines of a given width."""

    title: str
    columns: tuple[str, ...]
    """Headings of the columns; a heading may have two lines."""
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    """Number of columns from the left that contain words; the other columns contain numbers."""
    least: tuple[str, ...] = ()
    """Headings of columns in the order in which they are left out. Columns without values are left out before these
    columns, and the table's last columns after them."""
    kept: int = 1
    """Number of columns from the left that are never left out."""

    def fitted(self, width: int | None) -> tuple[Table, list[str]]:
        """Return the table without the columns that do not fit into `width` characters, and the headings left out."""
        gone: list[str] = []
        made = self
        while width is not None and len(made.columns) > made.kept and made.narrowest > width:
            least = (made.columns.index(one) for one in self.least if one in made.columns)
            at = next(itertools.chain(made._empty(), least), -1)
            at = at if at >= made.kept else len(made.columns) - 1
            gone.append(one_line(made.columns[at]))
            made = replace(
                made,
                columns=(*made.columns[:at], *made.columns[at + 1 :]),
                rows=tuple((*row[:at], *row[at + 1 :]) for row in made.rows),
                left=made.left - (at < made.left),
            )
        return made, gone

    def _empty(self) -> Iterator[int]:
        """Yield the numbers of columns that have no value in any row and may be left out."""
        for at, column in enumerate(self._cells()):
            if at >= self.kept and self.rows and set(column[1:]) <= {NO_VALUE, ""}:
                yield at

    @property
    def narrowest(self) -> int:
        """Minimum line width in which no word and no number is split, characters."""
        return self._line([self._least(i, column) for i, column in enumerate(self._cells())])

    def _cells(self) -> list[tuple[str, ...]]:
        """Return the columns, each as a heading followed by its cells."""
        return list(zip(self.columns, *self.rows, strict=True))

    @staticmethod
    def _line(widths: Sequence[int]) -> int:
        """Return the line width of columns with these widths, characters."""
        return sum(widths) + GAP * (len(widths) - 1) + 2

    def _widths(self, width: int | None) -> list[int]:
        """Return the width of each column in a line of `width` characters.

        Each column gets its minimum width. The remaining width is given to columns from the left, to each as much as
        its cells need to stay on one line.
        """
        cells = self._cells()
        liked = [max(map(_longest_line, column)) for column in cells]
        if width is None or self._line(liked) <= width:
            return liked
        widths = [self._least(i, column) for i, column in enumerate(cells)]
        for i, most in enumerate(liked):
            widths[i] += max(0, min(most - widths[i], width - self._line(widths)))
        return widths

    def _least(self, at: int, column: Sequence[str]) -> int:
        """Return the minimum width of a column, characters: its longest word, or for numbers its longest cell."""
        head, *cells = column
        whole = _longest_word if at < self.left else _longest_line
        return max(_longest_word(head), *map(whole, cells), 1)

    def to_latex(self) -> str:
        """Return the table as LaTeX (booktabs, siunitx), with all columns."""
        return to_latex(self.columns, self.rows, self.left, caption=self.title)

    def to_csv(self) -> str:
        """Return the table as CSV text, with all columns."""
        return to_csv(self.columns, self.rows, self.left)

    def rich(self, width: int | None = None) -> RichTable:
        """Return the table as an object that rich prints in lines of `width` characters; apply `fitted` before."""
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        made = RichTable(
            title=Text(self.title) if self.title else None,
            title_justify="left",
            title_style="bold",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
        )
        for i, (column, wide) in enumerate(zip(self.columns, self._widths(width), strict=True)):
            justify: Literal["left", "right"] = "left" if i < self.left else "right"
            # Set the width explicitly, since rich might cut a number.
            made.add_column(Text(column), justify=justify, width=max(wide, 1))
        for row in self.rows:
            made.add_row(*(Text(cell) for cell in row))
        return made


def _longest_word(text: str) -> int:
    """Return the length of the longest word, characters; a no-break space does not separate words."""
    return max(map(len, re.split("[ \n]+", text)), default=0)


def _longest_line(text: str) -> int:
    return max(map(len, text.splitlines()), default=0)
