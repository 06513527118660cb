"""Makes HTML tables for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_table(heads: Sequence[str], rows: Sequence[Sequence[str]], below: str = "") -> str:
    """Return an HTML table from plain text; `below` is a remark in small print."""
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(one)}</td>" for one in row) + "</tr>" for row in rows)
    note = f"<small>{escape(below)}</small>" if below else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"
