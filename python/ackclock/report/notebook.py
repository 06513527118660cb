"""`ackclock.figures` and `ackclock.write_report`: a comparison's or sweep's figures and report in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.comparisons.comparison import Comparison
from ackclock.errors import UserError, choices
from ackclock.errors.suggestions import named_arguments
from ackclock.sweeps.view import View

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from ackclock.report.model import Report, Table
    from ackclock.sweeps.results import SweepResult


@named_arguments
def figures(
    found: Comparison | SweepResult,
    *,
    plot: str | None = None,
    x: str | None = None,
    by: str | None = None,
    style: str = "page",
) -> dict[str, Figure]:
    """Draw the figures of a comparison's or sweep's report; return matplotlib figures by name.

    ``ac.figures(ac.sweep("dumbbell", {"link.bottleneck.rate": ["1Mbps", "2Mbps"]}), plot="goodput_bps")``.

    Args:
        found: Result of `ackclock.compare` or `ackclock.sweep`.
        plot: For a sweep: names of measures, separated by commas; default measures if not given.
        x: For a sweep: path, or end of the path, of the setting on the horizontal axis.
        by: For a sweep: path, or end of the path, of the setting whose values are the curves.
        style: ``"page"``, or ``"paper"`` for one column of a paper.

    """
    from ackclock.report.plots import on_canvas

    _known(style)
    return {one.key: on_canvas(one, style) for one in _report(found, plot, x, by).figures()}


def report_tables(found: Comparison | SweepResult) -> dict[str, Table]:
    """Return by name the tables that the command line prints for a comparison or a sweep.

    ``ac.report.report_tables(ac.compare("reno", "sack"))["results"].to_latex()`` gives LaTeX for booktabs and siunitx;
    ``.to_csv()`` writes each interval as two columns. A comparison has ``results``, ``differences`` and, for a mix,
    ``friendliness``; a sweep has ``points``.
    """
    from ackclock.report import comparison, sweep

    if not isinstance(found, Comparison):
        return {"points": sweep.points(found)}
    made = {"results": comparison.summary(found)}
    if len(found.variants) > 1:
        made["differences"] = comparison.differences(found)
    if found.plan.against:
        made["friendliness"] = comparison.friendliness(found)
    return made


@named_arguments
def write_report(
    found: Comparison | SweepResult,
    folder: str | Path,
    *,
    plot: str | None = None,
    x: str | None = None,
    by: str | None = None,
    style: str = "page",
) -> Path:
    """Write the report of a comparison or a sweep into a folder; return the path of its HTML page.

    ``ac.write_report(ac.compare("reno", "vegas", rate="2Mbps"), "out")``. If an error occurs, nothing is written. The
    folder of a comparison also contains its data. The tables of a sweep are written by ``ac.sweep(..., out=folder)``;
    both may use the same folder.

    Args:
        found: Result of `ackclock.compare` or `ackclock.sweep`.
        folder: Folder of the report.
        plot: As in `figures`.
        x: As in `figures`.
        by: As in `figures`.
        style: Style of the figure files, as in `figures`; the page always has style ``"page"``.

    """
    from pathlib import Path

    from ackclock._io.files import atomic_folder
    from ackclock.report.folder import save
    from ackclock.report.writer import write

    _known(style)
    made = _report(found, plot, x, by)
    if isinstance(found, Comparison):
        return save(found, folder, style=style).page
    with atomic_folder(Path(folder)) as draft:
        write(made, draft, style)
    return Path(folder) / "report.html"


def _report(found: Comparison | SweepResult, plot: str | None, x: str | None, by: str | None) -> Report:
    from ackclock.report import comparison, sweep

    if not isinstance(found, Comparison):
        return sweep.report(found, View.of(found.sweep.axes, plot, x, by))
    given = next(
        (name for name, value in {"plot": plot, "x": x, "by": by}.items() if value is not None), None
    )
    if given:
        raise UserError(
            f"{given}: the figures of a comparison are always the same ones; a sweep's can be chosen"
        )
    return comparison.report(found)


def _known(style: str) -> None:
    from ackclock.report.plots import LOOKS

    if style not in LOOKS:
        raise UserError(f"style: there is no {style!r}{choices(style, LOOKS)}")
