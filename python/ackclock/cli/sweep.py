"""``ackclock sweep``: a grid of settings, replicated and resumable."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ackclock.cli.options import (
    Bottleneck,
    FigureStyle,
    FormerJitter,
    Jobs,
    Json,
    Level,
    Quiet,
    Reps,
    ScenarioFile,
    Seed,
    Settings,
    StartJitter,
    Style,
    Wide,
    grouped,
    opened,
    option,
    start_jitter_s,
)
from ackclock.sweep.defaults import START_JITTER

if TYPE_CHECKING:
    from ackclock.sweep.grid import Campaign
    from ackclock.sweep.results import CampaignResult
    from ackclock.sweep.view import View


EXAMPLES = """\
ackclock sweep scenario.toml --vary link.bottleneck.rate=1Mbps,2Mbps,5Mbps
ackclock sweep scenario.toml --vary link.bottleneck.queue.packets=5,20,50 \\
         --vary 'flow.*.tcp.variant=reno,vegas' --plot goodput_bps,delay_p95_s
"""


@dataclass(frozen=True)
class Grid:
    """What is run."""

    vary: Annotated[
        list[str] | None, option("PATH=V1,V2", "Values of one setting; several --vary make a grid.")
    ] = None
    reps: Reps = 10
    start_jitter: StartJitter = START_JITTER
    jitter: FormerJitter = None
    level: Level = 0.95
    seed: Seed = None
    settings: Settings = None
    bottleneck: Bottleneck = None


@dataclass(frozen=True)
class Drawn:
    """What the figures show."""

    plot: Annotated[
        str | None,
        option("Y,..", "Measures to draw [goodput, packet RTT, loss, fairness]; ackclock list metrics."),
    ] = None
    x: Annotated[
        str | None,
        option(
            "PATH", "Setting along the x axis, or the end of its path [the first that is numeric].", "--x"
        ),
    ] = None
    by: Annotated[
        str | None,
        option("PATH", "Setting with a curve for each value [the next; two numeric ones make a heat map]."),
    ] = None
    style: FigureStyle = Style.page


@dataclass(frozen=True)
class Output:
    """Where results go."""

    out: Annotated[Path | None, option("DIR", "Campaign folder; results/FILE-sweep where not given.")] = None
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the tables of another sweep in the folder.")
    ] = False
    jobs: Jobs = 0
    json: Json = None
    quiet: Quiet = False
    wide: Wide = False


@grouped
def sweep(file: ScenarioFile, *, grid: Grid, drawn: Drawn, output: Output) -> None:
    """Run a scenario over a grid of settings, each point replicated; print and draw means with intervals.

    Finished runs are kept in the campaign folder. Interrupt it whenever you like: the same command runs what
    is missing and nothing else.
    """
    from ackclock.cli.console import check_json, meter, write_json
    from ackclock.cli.rules import warn
    from ackclock.files import json_text
    from ackclock.sweep.view import View

    check_json(output.json)
    campaign = _campaign(file, grid)
    view = View.of(campaign.axes, drawn.plot, drawn.x, drawn.by)
    warn({file.name: campaign.scenario}, reps=campaign.reps, jitter_s=campaign.jitter_s)
    folder = output.out if output.out is not None else Path("results") / f"{file.stem}-sweep"
    with meter(file.name, quiet=output.quiet or output.json == "-") as progress:
        found = campaign.run(folder, threads=output.jobs, progress=progress.jobs, replace=output.replace)
    figures = _report(found, view, folder, _command(file, grid, drawn), drawn.style)
    if output.json is not None:
        tables = {"points": found.point_rows(), "runs": found.run_rows(), "manifest": campaign.manifest()}
        write_json(output.json, json_text(tables))
    _show(found, folder, figures, output)


def _campaign(file: Path, grid: Grid) -> Campaign:
    from ackclock.cli.options import say_left_out
    from ackclock.sweep.axes import Axis
    from ackclock.sweep.grid import Campaign

    axes = tuple(Axis.parse(text) for text in grid.vary or [])
    scenario = opened(file, grid.settings)
    say_left_out(scenario, [axis.path for axis in axes])
    jitter_s = start_jitter_s(grid.start_jitter, grid.jitter)
    return Campaign(scenario, axes, grid.reps, grid.seed, jitter_s, grid.level, grid.bottleneck)


def _report(
    found: CampaignResult, view: View | None, folder: Path, command: str, style: Style
) -> tuple[str, ...]:
    """Write the report into the campaign folder; return the names of its figures."""
    from ackclock.files import atomic_folder
    from ackclock.report.sweep import report
    from ackclock.report.writer import write

    made = report(found, view, command)
    with atomic_folder(folder) as draft:
        write(made, draft, style.value)
    return tuple(figure.key for figure in made.figures())


def _show(found: CampaignResult, folder: Path, figures: tuple[str, ...], output: Output) -> None:
    from ackclock.cli.comparison import fitting
    from ackclock.cli.console import note, show
    from ackclock.report.sweep import points

    for text in found.warnings():
        note(text, warning=True)
    if output.quiet or output.json == "-":
        return
    table = points(found)
    show(fitting(table, kept=table.text_columns + 1), *table.notes, "", wide=output.wide)
    for name in ("report.html", *(f"plots/{key}.svg" for key in figures), "points.csv", "runs.csv"):
        typer.echo(folder / name)


def _command(file: Path, grid: Grid, drawn: Drawn) -> str:
    """Return the command with everything that decides the result."""
    words = ["ackclock", "sweep", str(file)]
    for name, values in (("--vary", grid.vary), ("--set", grid.settings)):
        for value in values or []:
            words += [name, value]
    default, usual = Grid(), Drawn()
    for name in ("reps", "start_jitter", "jitter", "level", "seed", "bottleneck"):
        if getattr(grid, name) != getattr(default, name):
            words += [f"--{name.replace('_', '-')}", str(getattr(grid, name))]
    for name in ("plot", "x", "by", "style"):
        if getattr(drawn, name) != getattr(usual, name):
            words += [f"--{name}", str(getattr(drawn, name))]
    return shlex.join(words)
