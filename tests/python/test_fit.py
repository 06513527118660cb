"""Tables on the terminal: no number and no word is cut, at any width."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from ackclock.cli.fit import Table


def shown(table: Table, columns: int) -> str:
    """Return the output of a table on a terminal of `columns` columns."""
    made, _ = table.fitted(columns)
    console = Console(width=columns, file=io.StringIO(), highlight=False, markup=False)
    console.print(made.rich(columns))
    return console.file.getvalue()


words = st.text("abcdefg", min_size=1, max_size=12)
heads = st.lists(words, min_size=1, max_size=3).map(" ".join)
numbers = st.floats(1e-6, 1e6).map("{:.4g}".format)


@given(st.data(), st.integers(1, 9), st.integers(40, 130))
def test_no_number_is_ever_cut(data: st.DataObject, columns: int, width: int) -> None:
    titles = data.draw(st.lists(heads, min_size=columns, max_size=columns, unique=True))
    row = st.tuples(words, *[numbers] * (columns - 1))
    rows = data.draw(st.lists(row, min_size=1, max_size=4))
    table = Table("", tuple(titles), tuple(rows))
    lines = shown(table, width).splitlines()
    kept = table.fitted(width)[0]
    for cells in kept.rows:
        assert any(line.split() == list(cells) for line in lines), (cells, lines)
    for title in kept.columns:
        assert all(any(word in line for line in lines) for word in title.split()), (title, lines)
