"""Writes a report to a folder as ``report.html``, ``report.md`` and figure files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.report.pages import html, markdown
from ackclock.report.plots import draw, save

if TYPE_CHECKING:
    from pathlib import Path

    from markupsafe import Markup

    from ackclock.report.model import Report


@dataclass(frozen=True)
class Written:
    """Paths of the files of a written report.

    Attributes:
        page: Path of the HTML page.
        plots: Paths of all figures: SVG, PNG and PDF.
    """

    page: Path
    plots: tuple[Path, ...]


def write(report: Report, folder: Path, style: str = "page") -> Written:
    """Draw a report and write it into an existing folder; the figure files have the `style`, one of `plots.LOOKS`."""
    plots = folder / "plots"
    plots.mkdir(exist_ok=True)
    paths: list[Path] = []
    inline: dict[str, Markup] = {}
    for figure in report.figures():
        drawn = draw(figure)
        paths += save(figure, drawn if style == "page" else draw(figure, style), plots)
        inline[figure.key] = drawn.inline
    page = folder / "report.html"
    page.write_text(html(report, inline), encoding="utf-8")
    (folder / "report.md").write_text(markdown(report), encoding="utf-8")
    return Written(page, tuple(paths))
