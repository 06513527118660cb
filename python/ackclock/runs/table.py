"""Tables of results in Arrow's format."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, overload

from ackclock.errors import choices
from ackclock.errors.suggestions import Named
from ackclock.runs.columns import known

if TYPE_CHECKING:
    import polars

    from ackclock import _core


class Table(Named):
    """A table of results in Arrow's format.

    polars, pandas, pyarrow, DuckDB and other libraries read it without a copy, through ``__arrow_c_stream__``:
    ``polars.DataFrame(run.flows)``. ``len(table)`` is the number of rows, ``table["goodput_bps"]`` a column,
    ``table[0]`` a row as a dictionary; ``table[:5]`` and ``table.head()`` are the first rows as a table.
    """

    ELSEWHERE: ClassVar[dict[str, str]] = dict.fromkeys(
        ("loc", "iloc", "df", "filter", "group_by", "groupby", "plot", "write_csv", "write_parquet"),
        "to_polars().{}",
    )

    def __init__(self, source: _core.ArrowTable | polars.DataFrame) -> None:
        """Wrap a table of the core, or a data frame with some of a table's rows and columns."""
        self._source = source

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the data to another library (Arrow PyCapsule interface)."""
        return self._source.__arrow_c_stream__(requested_schema)

    @cached_property
    def _frame(self) -> polars.DataFrame:
        import polars

        return polars.DataFrame(self)

    def to_polars(self) -> polars.DataFrame:
        """Return the table as a polars data frame."""
        return self._frame.clone()

    def to_pandas(self) -> Any:
        """Return the table as a ``pandas.DataFrame``; pandas is not installed with ackclock."""
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame(self._frame.to_dict(as_series=False))

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self._frame.columns

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._frame.height

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the rows as dictionaries."""
        return self._frame.iter_rows(named=True)

    @overload
    def __getitem__(self, key: str) -> polars.Series: ...
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice | list[str]) -> Table: ...
    def __getitem__(self, key: str | int | slice | list[str]) -> polars.Series | dict[str, Any] | Table:
        """Return a column (by name), a row as a dictionary (by number), or a table (by slice or list of columns)."""
        frame = self._frame
        if isinstance(key, str):
            key = known(key, frame.columns)
        elif isinstance(key, list):
            key = [known(name, frame.columns) for name in key]
        for name in [key] if isinstance(key, str) else key if isinstance(key, list) else []:
            if name not in frame.columns:
                raise KeyError(f"there is no column {name!r}{choices(name, frame.columns)}")
        if isinstance(key, int | Integral):
            return frame.row(int(key), named=True)
        return frame[key] if isinstance(key, str) else Table(frame[key])

    def to_latex(self, columns: Sequence[str] | None = None, *, digits: int = 4) -> str:
        """Return the table as LaTeX for booktabs and siunitx, with numbers to `digits` significant digits.

        ``run.flows.to_latex(["name", "variant", "goodput_bps"])`` has only these columns. Without `columns` the table
        has all columns that contain a value.
        """
        from ackclock._io.tabular import to_latex

        frame = self._filled()[0] if columns is None else self[list(columns)].to_polars()
        words = [str(one.dtype) == "String" for one in frame]
        left = next((i for i, word in enumerate(words) if not word), len(words))
        rows = [[_written(value, digits) for value in row] for row in frame.iter_rows()]
        return to_latex(frame.columns, rows, left)

    def to_csv(self) -> str:
        """Return the table as CSV text with all columns; numbers have full precision."""
        return self._frame.write_csv()

    def head(self, rows: int = 5) -> Table:
        """Return the first `rows` rows as a table."""
        return Table(self._frame.head(rows))

    def __repr__(self) -> str:
        """Show the table as text, without columns that have no values."""
        shown, said = self._filled()
        return f"{shown}{said}"

    def _repr_html_(self) -> str:
        shown, said = self._filled()
        return f"{shown._repr_html_()}<small>{said.strip()}</small>"

    def _filled(self) -> tuple[polars.DataFrame, str]:
        """Return the table without columns that have no values, and a remark with the number of these columns."""
        frame = self._frame
        kept = [one.name for one in frame if frame.is_empty() or one.null_count() < frame.height]
        left = frame.width - len(kept)
        return frame.select(kept), f"\n{left} columns without values are not shown" if left else ""


def _written(value: object, digits: int) -> str:
    if isinstance(value, float):
        return f"{Decimal(f'{value:.{digits}g}'):f}"
    return "" if value is None else str(value)
