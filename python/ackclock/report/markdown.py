"""A report as Markdown: the same content as the page, with the plots as files beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.report.model import Claims, Code, Figure, Table, Text
from ackclock.report.text import once, part_name, part_number, tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.report.model import Block, Report


def markdown(report: Report) -> str:
    """Write a report whose plots lie in `plots/`."""
    lines = [f"# {report.title}", "", report.subtitle, ""]
    for paragraph in report.lead:
        lines += [paragraph, ""]
    for section in report.sections:
        lines += [f"## {section.title}", ""]
        for block in section.blocks:
            lines += _block(block)
    if report.footer:
        lines += ["---", "", report.footer, ""]
    return "\n".join(lines)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Text():
            for paragraph in block.paragraphs:
                yield from (paragraph, "")
        case Code():
            yield from ("```sh", *block.lines, "```", "")
        case Table():
            yield from _table(block)
        case Figure():
            yield from _figure(block)
        case Claims():
            yield from _claims(block)


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield from (f"### {table.title}", "")
    yield from _grid(table.columns, table.rows, table.text_columns)
    for note in table.notes:
        yield from (note, "")


def _figure(figure: Figure) -> Iterator[str]:
    yield from (f"### {figure.title}", "")
    yield from (f"![{figure.alt or figure.title}](plots/{figure.key}.svg)", "")
    if figure.claim:
        yield from (f"The paper: {figure.claim}", "")
    for note in figure.notes:
        yield from (note, "")


def _claims(block: Claims) -> Iterator[str]:
    columns = ["claim", "published in"]
    for name in block.columns:
        columns += [name, "number that decides", "paper's procedure"]
    rows = []
    for claim in block.claims:
        row = [claim.text, claim.figure]
        for judgement in claim.judgements:
            if judgement is None:
                row += ["(the same)", "", ""]
            else:
                share = tally(judgement)
                verdict = f"**{judgement.verdict}**" + (f" ({share})" if share else "")
                decisive = judgement.decisive
                row += [verdict, f"{part_name(decisive)}: {part_number(decisive)}", once(judgement)]
        rows.append(tuple(row))
    yield from _grid(tuple(columns), tuple(rows), len(columns))
    for note in block.notes:
        yield from (note, "")
    yield from ("### How each claim was read", "")
    for claim in block.claims:
        yield f"- {claim.figure}, {claim.text} Read as: {claim.reading}."
    yield ""


def _grid(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], text_columns: int) -> Iterator[str]:
    yield "| " + " | ".join(columns) + " |"
    yield "|" + "|".join("---" if i < text_columns else "---:" for i in range(len(columns))) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""
