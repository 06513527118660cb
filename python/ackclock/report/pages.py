"""A report as one HTML file, without scripts and light or dark as the device is, and as Markdown."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from ackclock._io.template import render
from ackclock.plot.palette import ALL
from ackclock.report.text import once, part_name, part_number, part_once, tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ackclock.report.model import Judgement, Part, Report

_PACKAGE: Final = "ackclock.report"
_POLICY: Final = Markup(
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
"""Content that a page may load: its own styles and pictures; no script, nothing from elsewhere."""

_PARTS: Final = ("where", "what", "number", "paper's procedure", "alone")


def html(report: Report, plots: Mapping[str, Markup]) -> str:
    """Write a report as a page.

    Args:
        report: The report.
        plots: The inline SVG of each figure, by its key.
    """
    return _render("report.html.j2", report=report, plots=plots, hues=ALL, policy=_POLICY)


def markdown(report: Report) -> str:
    """Write a report, with the same content, whose plots lie in `plots/`."""
    return _render("report.md.j2", report=report).removesuffix("\n")


def _render(name: str, **values: Any) -> str:
    return render(
        _PACKAGE,
        name,
        {**values, "parts_columns": _PARTS},
        kind=lambda block: type(block).__name__,
        rich=_rich,
        cell=lambda text: _plain(text).replace("|", "\\|"),
        plain=_plain,
        fence=_fence,
        capital=str.capitalize,
        **{"class": lambda verdict: verdict.name.lower()},
        tally=tally,
        once=once,
        part=_part,
        number=part_number,
        parts=_parts,
    )


def _part(part: Part) -> str:
    return f"{part_name(part)}: {part_number(part)}"


def _parts(judgement: Judgement) -> list[tuple[str, ...]]:
    """Return every test of a verdict, as rows of a table."""
    return [
        (
            p.where,
            f"{p.statement}: {p.what}" if p.statement else p.what,
            part_number(p),
            part_once(p),
            p.verdict.value,
        )
        for p in judgement.parts
    ]


def _rich(text: str) -> Markup:
    """Escape text, set words between backquotes as code, and keep a per cent sign with its number."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return Markup(marked.replace(" %", "\N{NO-BREAK SPACE}%"))


def _plain(text: str) -> str:
    """Escape text for Markdown, without HTML, links and formulas; words between backquotes are code."""
    parts = re.split(r"(`[^`]+`)", text)
    # Every other part is code, in which all signs stand for themselves.
    return "".join(
        part if i % 2 else re.sub(r"[\\<&$]|(?<=\])\(", _sign, part) for i, part in enumerate(parts)
    )


def _fence(lines: Iterable[str]) -> str:
    """Return the backquotes around code in Markdown: one more than its longest row of them, at least three."""
    longest = max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
    return "`" * max(3, longest + 1)


def _sign(found: re.Match[str]) -> str:
    sign = found.group()
    return {"<": "&lt;", "&": "&amp;"}.get(sign, f"\\{sign}")
