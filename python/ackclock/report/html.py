"""A report as one HTML file: no script, nothing loaded from elsewhere, light or dark as the device is."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from ackclock.report.model import Claims, Code, Figure, Table, Text, Verdict
from ackclock.report.palette import ALL
from ackclock.report.text import once, part_name, part_number, part_once, tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ackclock.report.model import Block, Claim, Judgement, Report

_CLASS: Final = {
    Verdict.SUPPORTED: "supported",
    Verdict.CONTRADICTED: "contradicted",
    Verdict.UNDECIDED: "undecided",
}


def html(report: Report, plots: Mapping[str, str]) -> str:
    """Write a report as a page.

    Args:
        report: What to write.
        plots: The inline SVG of each figure, by its key.
    """
    body: list[str] = [f"<h1>{_rich(report.title)}</h1>", f'<p class="subtitle">{_rich(report.subtitle)}</p>']
    body += ['<div class="lead">', *(f"<p>{_rich(p)}</p>" for p in report.lead), "</div>"]
    for section in report.sections:
        body.append(f"<h2>{_rich(section.title)}</h2>")
        for block in section.blocks:
            body += _block(block, plots)
    if report.footer:
        body.append(f"<footer>{_rich(report.footer)}</footer>")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(report.title)}</title>\n<style>\n{_css()}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def _css() -> str:
    css = (files("ackclock.report") / "page.css").read_text(encoding="utf-8")
    css = css.replace("/* HUES-LIGHT */", " ".join(f"--{c.name}: {c.light};" for c in ALL))
    return css.replace("/* HUES-DARK */", " ".join(f"--{c.name}: {c.dark};" for c in ALL))


def _block(block: Block, plots: Mapping[str, str]) -> Iterator[str]:
    match block:
        case Text():
            yield from (f"<p>{_rich(p)}</p>" for p in block.paragraphs)
        case Code():
            yield f"<pre><code>{escape(chr(10).join(block.lines))}</code></pre>"
        case Table():
            yield from _table(block)
        case Figure():
            yield from _figure(block, plots[block.key])
        case Claims():
            yield from _claims(block)


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield f"<h3>{_rich(table.title)}</h3>"
    yield from _grid(table.columns, table.rows, table.text_columns)
    yield from (f'<p class="note">{_rich(note)}</p>' for note in table.notes)


def _figure(figure: Figure, svg: str) -> Iterator[str]:
    yield f'<figure id="{figure.key}"><h3>{_rich(figure.title)}</h3>'
    yield svg
    yield "<figcaption>"
    if figure.claim:
        yield f'<p class="paper">The paper: {_rich(figure.claim)}</p>'
    yield from (f"<p>{_rich(note)}</p>" for note in figure.notes)
    links = " · ".join(f'<a href="plots/{figure.key}.{kind}">{kind.upper()}</a>' for kind in ("svg", "png"))
    yield f'<p class="note">{links}</p>'
    yield "</figcaption></figure>"


def _claims(block: Claims) -> Iterator[str]:
    if block.detailed:
        for claim in block.claims:
            yield from _claim(claim, block)
    else:
        yield '<div class="wide"><table class="verdicts"><thead><tr><th>claim</th>'
        yield "".join(f"<th>{_rich(column)}</th>" for column in block.columns)
        yield "</tr></thead><tbody>"
        for claim in block.claims:
            where = f'<br><span class="supposing">{escape(claim.figure)}</span>'
            yield f"<tr><td>{_rich(claim.text)}{where}</td>"
            yield from (f"<td>{_brief(judgement)}</td>" for judgement in claim.judgements)
            yield "</tr>"
        yield "</tbody></table></div>"
    yield from (f'<p class="note">{_rich(note)}</p>' for note in block.notes)


def _brief(judgement: Judgement | None) -> str:
    if judgement is None:
        return '<span class="supposing">the same</span>'
    share, decisive = tally(judgement), judgement.decisive
    return (
        f'<span class="verdict {_CLASS[judgement.verdict]}">{judgement.verdict}</span> {share}'
        f'<div class="supposing">{_rich(part_name(decisive))}: {_rich(part_number(decisive))}</div>'
    )


def _claim(claim: Claim, block: Claims) -> Iterator[str]:
    where = f'<span class="where">{escape(claim.figure)}</span>'
    yield f'<div class="claim"><p><strong>{_rich(claim.text)}</strong>{where}</p>'
    yield '<div class="judged">'
    for supposing, judgement in zip(block.columns, claim.judgements, strict=True):
        if judgement is not None:
            alone = sum(j is not None for j in claim.judgements) == 1
            yield from _judgement("" if alone else supposing, judgement, block.once)
    yield f'</div><p class="reading">Read as: {_rich(claim.reading)}.</p></div>'


def _judgement(supposing: str, judgement: Judgement, procedure: str) -> Iterator[str]:
    share = tally(judgement)
    yield "<div>"
    if supposing:
        yield f'<div class="supposing">{_rich(supposing)}</div>'
    yield f'<span class="verdict {_CLASS[judgement.verdict]}">{judgement.verdict}</span>'
    if share:
        yield f" {share} tests"
    decisive = judgement.decisive
    yield f"<div>{_rich(part_name(decisive))}: {_rich(part_number(decisive))}</div>"
    if judgement.held_once is not None:
        yield f'<div class="supposing">{_rich(procedure)}: {once(judgement)}</div>'
    if share:
        rows = tuple(
            (
                part.where,
                part.what,
                part_number(part),
                part_once(part),
                part.verdict.value,
            )
            for part in judgement.parts
        )
        yield f"<details><summary>all {len(rows)} tests</summary>"
        yield from _grid(("where", "what", "number", "paper's procedure", "alone"), rows, 2)
        yield "</details>"
    yield "</div>"


def _grid(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], text_columns: int) -> Iterator[str]:
    def mark(index: int) -> str:
        return "" if index < text_columns else ' class="n"'

    yield '<div class="wide"><table><thead><tr>'
    yield "".join(f"<th{mark(i)}>{_rich(c)}</th>" for i, c in enumerate(columns))
    yield "</tr></thead><tbody>"
    for row in rows:
        yield "<tr>" + "".join(f"<td{mark(i)}>{_rich(c)}</td>" for i, c in enumerate(row)) + "</tr>"
    yield "</tbody></table></div>"


def _rich(text: str) -> str:
    """Escape, set what stands between backquotes as code, and keep a per cent sign with its number."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)).replace(" %", "\N{NO-BREAK SPACE}%")
