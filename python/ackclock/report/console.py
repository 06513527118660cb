"""Converts tables and verdicts to rich objects for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ackclock.report.model import SAME, Verdict
from ackclock.report.text import part_name, part_number, tally

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

    from ackclock.report.model import Claims, Judgement, Table

_COLOUR: Final = {
    Verdict.SUPPORTED: "green",
    Verdict.PARTLY: "green",
    Verdict.REPRODUCED: "green",
    Verdict.CONTRADICTED: "red",
    Verdict.NOT_REPRODUCED: "red",
    Verdict.EQUIVALENT: "cyan",
    Verdict.SIMILAR: "cyan",
    Verdict.UNDECIDED: "yellow",
    Verdict.APART: "dim",
}

WORD: Final = max(len(word) for verdict in Verdict for word in verdict.value.split())
"""Length of the longest word of a verdict, characters."""


def table(block: Table) -> RichTable:
    """Return the table as an object that rich can print."""
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


class Verdicts:
    """A study's verdicts as an object that rich can print; wide terminals also show the deciding numbers.

    If even the columns of verdicts leave too little room for the claims, each claim has one line per verdict, which
    names the columns with that verdict.
    """

    NUMBERS: Final = 38
    """Width of a column with deciding numbers, characters, so that a number takes two or three lines."""

    CLAIM: Final = 24
    """Minimum width for a claim and its source, characters."""

    def __init__(self, block: Claims) -> None:
        self._block = block

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        block = self._block
        numbers = options.max_width >= self.NUMBERS * (1 + len(block.columns))
        left = options.max_width - (WORD + 2) * len(block.columns)
        if numbers or left >= self.CLAIM:
            yield _claims(block, numbers=numbers)
        else:
            yield _by_verdict(block)
            yield "A column that is not named does not judge the claim."
        if not numbers:
            yield "The numbers behind each verdict are in the report."


def _claims(block: Claims, *, numbers: bool) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    out = RichTable(title="Verdicts", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    out.add_column("claim", ratio=3 if numbers else None)
    out.add_column("in")
    for column in block.columns:
        out.add_column(Text(column), ratio=3 if numbers else None, width=None if numbers else WORD)
    for claim in block.claims:
        judged = (_judged(one, claim.blank, numbers=numbers) for one in claim.judgements)
        out.add_row(Text(claim.text), Text(claim.figure), *judged)
    return out


def _by_verdict(block: Claims) -> RichTable:
    """Make a table with one row per claim, which lists the columns that share each verdict."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    out = RichTable(title="Verdicts", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    out.add_column("claim", ratio=2)
    out.add_column("verdict: where", ratio=3)
    for claim in block.claims:
        given: dict[Verdict, list[str]] = {}
        for column, own in zip(block.columns, claim.judgements, strict=True):
            judgement = own or (claim.judgements[0] if claim.blank == SAME else None)
            if judgement is not None:
                given.setdefault(judgement.verdict, []).append(column)
        lines = [
            Text.assemble((verdict.value, _COLOUR[verdict]), f": {'; '.join(columns)}")
            for verdict, columns in given.items()
        ]
        out.add_row(Text(f"{claim.text} ({claim.figure})"), Text("\n").join(lines), end_section=True)
    return out


def _judged(judgement: Judgement | None, blank: str, *, numbers: bool) -> RichText:
    from rich.text import Text

    if judgement is None:
        return Text(f"({blank})", style="dim")
    share = tally(judgement)
    text = Text(judgement.verdict.value, style=_COLOUR[judgement.verdict])
    text.append(f" ({share})" if share else "", style="default")
    if numbers:
        decisive = judgement.decisive
        text.append(f"\n{part_name(decisive)}: {part_number(decisive)}", style="dim")
    return text
