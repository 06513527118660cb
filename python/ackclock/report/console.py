"""Tables and verdicts for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ackclock.report.model import Verdict
from ackclock.report.text import part_name, part_number, tally

if TYPE_CHECKING:
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

    from ackclock.report.model import Claims, Judgement, Table

_COLOUR: Final = {
    Verdict.SUPPORTED: "green",
    Verdict.CONTRADICTED: "red",
    Verdict.EQUIVALENT: "cyan",
    Verdict.UNDECIDED: "yellow",
    Verdict.APART: "dim",
}


def table(block: Table) -> RichTable:
    """A table for rich to print."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    out = RichTable(
        title=Text(block.title) if block.title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for i, column in enumerate(block.columns):
        out.add_column(Text(column), justify="left" if i < block.text_columns else "right")
    for row in block.rows:
        out.add_row(*(Text(cell) for cell in row))
    return out


def claims(block: Claims) -> RichTable:
    """The verdicts for rich to print: one line per claim, its deciding number in the first column's sense."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    out = RichTable(title="Verdicts", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    out.add_column("claim", ratio=3)
    out.add_column("in")
    for column in block.columns:
        out.add_column(Text(column), ratio=3)
    for claim in block.claims:
        out.add_row(
            Text(claim.text), Text(claim.figure), *(_judged(j, claim.blank) for j in claim.judgements)
        )
    return out


def _judged(judgement: Judgement | None, blank: str) -> RichText:
    from rich.text import Text

    if judgement is None:
        return Text(f"({blank})", style="dim")
    share = tally(judgement)
    text = Text(judgement.verdict.value, style=_COLOUR[judgement.verdict])
    text.append(f" ({share})\n" if share else "\n", style="default")
    decisive = judgement.decisive
    text.append(f"{part_name(decisive)}: {part_number(decisive)}", style="dim")
    return text
