"""Writes a report as Markdown and as a single HTML file with a dark mode and without scripts."""

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
"""Content security policy of a page: it permits only the page's own styles and images, and no scripts."""

_PARTS: Final = ("where", "what", "number", "paper's procedure", "alone")


def html(report: Report, plots: Mapping[str, Markup]) -> str:
    """Return a report as an HTML page.

    Args:
        report: The report.
        plots: Inline SVG of each figure, by key.
    """
    return _render("report.html.j2", report=report, plots=plots, hues=ALL, policy=_POLICY)


def markdown(report: Report) -> str:
    """Return a report as Markdown with the same content; figures are files in ``plots/``."""
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
    """Return all tests of a verdict as table rows."""
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
    """Escape text for HTML, set words in backquotes as code, and keep each per cent sign with its number."""
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return Markup(marked.replace(" %", "\N{NO-BREAK SPACE}%"))


def _plain(text: str) -> str:
    """Escape text for Markdown so that it contains no HTML, links or formulas; words in backquotes stay code."""
    parts = re.split(r"(`[^`]+`)", text)
    # Every second part is code, which needs no escapes.
    return "".join(
        part if i % 2 else re.sub(r"[\\<&$]|(?<=\])\(", _sign, part) for i, part in enumerate(parts)
    )


def _fence(lines: Iterable[str]) -> str:
    """Return the fence of a code block: at least three backquotes, and more than any run of them in its lines."""
    longest = max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
    return "`" * max(3, longest + 1)


def _sign(found: re.Match[str]) -> str:
    sign = found.group()
    return {"<": "&lt;", "&": "&amp;"}.get(sign, f"\\{sign}")
