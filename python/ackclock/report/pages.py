"""A report as one HTML file, without scripts and light or dark as the device is, and as Markdown."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, Final

from ackclock.report.palette import ALL
from ackclock.report.text import once, part_name, part_number, part_once, tally
from ackclock.template import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.report.model import Judgement, Part, Report

_PACKAGE: Final = "ackclock.report"
_PARTS: Final = ("where", "what", "number", "paper's procedure", "alone")


def html(report: Report, plots: Mapping[str, str]) -> str:
    """Write a report as a page.

    Args:
        report: What to write.
        plots: The inline SVG of each figure, by its key.
    """
    return _render("report.html.j2", report=report, plots=plots, hues=ALL)


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
        cell=lambda text: text.replace("|", "\\|"),
        capital=str.capitalize,
        **{"class": lambda verdict: verdict.name.lower()},
        tally=tally,
        once=once,
        part=_part,
        parts=_parts,
    )


def _part(part: Part) -> str:
    return f"{part_name(part)}: {part_number(part)}"


def _parts(judgement: Judgement) -> list[tuple[str, ...]]:
    """Every test that a verdict rests on, as the row of a table."""
    return [(p.where, p.what, part_number(p), part_once(p), p.verdict.value) for p in judgement.parts]


def _rich(text: str) -> str:
    """Escape, set what stands between backquotes as code, and keep a per cent sign with its number."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)).replace(" %", "\N{NO-BREAK SPACE}%")
