"""A report as Markdown: the same content as the page, with the plots as files beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.report.model import Claims, Code, Figure, Table, Text
from ackclock.report.text import once, part_name, part_number, part_once, tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ackclock.report.model import Block, Claim, Judgement, Report


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
    if block.detailed:
        for claim in block.claims:
            yield from _claim(claim, block)
    else:
        rows = [(c.text, c.figure, *(_brief(judgement) for judgement in c.judgements)) for c in block.claims]
        yield from _grid(("claim", "published in", *block.columns), tuple(rows), 2 + len(block.columns))
    for note in block.notes:
        yield from (note, "")


def _claim(claim: Claim, block: Claims) -> Iterator[str]:
    yield from (f"### {claim.figure}: {claim.text}", "", f"Read as: {claim.reading}.", "")
    for supposing, judgement in zip(block.columns, claim.judgements, strict=True):
        if judgement is None:
            continue
        yield from (f"{supposing}: {_brief(judgement)}.", "")
        if judgement.held_once is not None:
            yield from (f"{block.once.capitalize()}: {once(judgement)}.", "")
        rows = [(p.where, p.what, part_number(p), part_once(p), p.verdict.value) for p in judgement.parts]
        yield from _grid(("where", "what", "number", "paper's procedure", "alone"), tuple(rows), 2)


def _brief(judgement: Judgement | None) -> str:
    if judgement is None:
        return "the same"
    share, decisive = tally(judgement), judgement.decisive
    verdict = f"**{judgement.verdict}**" + (f" ({share})" if share else "")
    return f"{verdict}; {part_name(decisive)}: {part_number(decisive)}"


def _grid(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], text_columns: int) -> Iterator[str]:
    yield "| " + " | ".join(columns) + " |"
    yield "|" + "|".join("---" if i < text_columns else "---:" for i in range(len(columns))) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""
