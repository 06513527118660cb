"""``ackclock sweep``: runs a scenario over a grid of settings, with replications; interrupted sweeps can continue."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ackclock.cli import completion
from ackclock.cli.options import (
    AllowCode,
    FigureStyle,
    Output,
    Page,
    Settings,
    Style,
    Workers,
    grouped,
    opened,
    option,
    out_option,
    words_of,
)
from ackclock.cli.refine import find_boundary
from ackclock.cli.shards import put_together, run_part, say_part, slurm
from ackclock.errors import UserError
from ackclock.sweeps.options import FolderOptions, SweepOptions

if TYPE_CHECKING:
    from ackclock.sweeps.results import SweepResult
    from ackclock.sweeps.shards import Shard
    from ackclock.sweeps.sweep import Sweep
    from ackclock.sweeps.view import View


EXAMPLES = """\
ackclock sweep mine.toml --vary link.bottleneck.rate=1Mbps,2Mbps,5Mbps
ackclock sweep mine.toml --vary link.bottleneck.queue.packets=5,20,50 \\
         --vary 'flow.*.tcp.variant=reno,vegas' --plot goodput_bps
ackclock sweep mine.toml --vary link.bottleneck.rate=1Mbps,2Mbps \\
         --executor dask:tcp://10.0.0.5:8786
ackclock sweep mine.toml --vary link.bottleneck.rate=1Mbps,16Mbps \\
         --vary link.bottleneck.delay=5ms,80ms \\
         --vary 'flow.*.tcp.variant=sack,vegas' --refine 3
ackclock sweep mine.toml --vary link.bottleneck.rate=1Mbps,2Mbps --shard 1/8
ackclock sweep --merge results/mine-sweep        when all 8 have run
"""


@dataclass(frozen=True)
class Grid:
    """Options for the grid of runs."""

    vary: Annotated[
        list[str] | None,
        option(
            "PATH=V1,V2",
            "Values of one setting; several --vary make a grid.",
            autocompletion=completion.settings,
        ),
    ] = None
    settings: Settings = None
    allow_code: AllowCode = False
    refine: Annotated[
        int | None,
        option(
            "N",
            "Find where the better of two variants changes over two numeric settings: split the cells where it does "
            "into four, N times.",
            min=1,
        ),
        Page("See [sweeping a parameter](../howto/sweep-a-parameter.md)."),
    ] = None


@dataclass(frozen=True)
class Drawn:
    """Options for the content of figures."""

    plot: Annotated[
        str | None,
        option(
            "Y,..",
            "Measures to draw [goodput, packet RTT, loss, fairness]; ackclock list metrics.",
            autocompletion=completion.measures,
        ),
        Page(
            "Each measure, of table `runs` or of [a group of flows](compare.md#measures-of-groups-of-flows), gets a "
            "figure. If flows of several variants compete, their shares of goodput get one, too."
        ),
    ] = None
    x: Annotated[
        str | None,
        option(
            "PATH", "Setting along the x axis, or the end of its path [the first that is numeric].", "--x"
        ),
        Page("For example `queue.packets`."),
    ] = None
    by: Annotated[
        str | None,
        option("PATH", "Setting with a curve for each value [the next; two numeric ones make a heat map]."),
    ] = None
    style: FigureStyle = Style.page


@dataclass(frozen=True)
class Divided:
    """Options for a sweep in shards, on several machines."""

    shard: Annotated[
        str | None,
        option("I/N", "Run part I of N, into a folder of its own that another machine can merge."),
        Page("The folder is `shard-I-of-N` in the folder of the sweep."),
    ] = None
    merge: Annotated[
        bool,
        typer.Option("--merge", help="Put the shards in these folders together: sweep --merge FOLDER..."),
    ] = False
    print_slurm: Annotated[
        int | None, option("N", "Print the Slurm array job that runs the sweep in N shards.", min=1)
    ] = None


@dataclass(frozen=True)
class Target:
    """Options for folder and form of the results."""

    out: Annotated[Path | None, out_option("Folder of the sweep [results/FILE-sweep].")] = None


@grouped
def sweep(
    context: typer.Context,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Scenario file (TOML, or JSON by its ending), or an example: ackclock list scenarios. With --merge: "
            "folders of shards.",
            show_default=False,
            autocompletion=completion.scenario_files,
        ),
    ] = None,
    *,
    grid: Grid,
    asked: SweepOptions,
    drawn: Drawn,
    divided: Divided,
    target: Target,
    tables: FolderOptions,
    workers: Workers,
    output: Output,
) -> None:
    """Run a scenario over a grid of settings, each point replicated; print and draw means with intervals.

    Finished runs are kept in the folder of the sweep. Interrupt it whenever you like: the same command runs what
    is missing and nothing else.
    """
    from ackclock.cli.console import check_json, meter, tables_as
    from ackclock.cli.rules import warn
    from ackclock.executors import named
    from ackclock.sweeps.shards import Shard
    from ackclock.sweeps.view import View

    tables_as(output.table)
    check_json(output.json)
    if divided.merge:
        if (grid, asked, divided) != (Grid(), SweepOptions(), Divided(merge=True)):
            raise UserError(
                "--merge takes the whole sweep from its shards: leave out what varies, --shard and the like"
            )
        _merge(files or [], drawn, target.out, tables, output)
        return
    file = _the_one(files)
    wanted = _sweep(file, grid, asked, drawn)
    view = None if grid.refine else View.of(wanted.axes, drawn.plot, drawn.x, drawn.by)
    _refuse_together(grid, asked, divided, tables)
    _say_grid(wanted, output)
    part = None if divided.shard is None else Shard.parse(divided.shard)
    executor = named(workers.executor)
    randomness = wanted.randomness
    warn(
        {file.name: randomness.on(wanted.scenario)},
        reps=wanted.reps,
        jitter_s=randomness.jitter_s(wanted.scenario),
    )
    folder = target.out if target.out is not None else _folder(file, wanted, part, replace=tables.replace)
    command = _command(file, grid, context.params, drawn)
    both = (workers.jobs, executor)
    if grid.refine is not None:
        find_boundary(wanted, grid.refine, folder, command, drawn.style, both, output, replace=tables.replace)
    elif divided.print_slurm is not None:
        typer.echo(slurm(command, file.stem, divided.print_slurm, folder), nl=False)
    elif part is not None:
        shown = {name: getattr(drawn, name) for name in ("plot", "x", "by")}
        report_options = {"command": command, **shown, "style": drawn.style.value}
        with meter(file.name, quiet=output.quiet) as progress:
            made = run_part(wanted, part, folder, report_options, both, progress)
        say_part(made, folder, quiet=output.quiet)
    else:
        with meter(file.name, quiet=output.quiet or output.json == "-") as progress:
            found = wanted.run(
                folder, threads=workers.jobs, progress=progress.jobs, executor=executor, **tables.values()
            )
        _finish(found, view, folder, command, drawn.style, output, by_point=tables.by_point)


def _say_grid(sweep: Sweep, output: Output) -> None:
    """Print how to give a grid if nothing varies, unless output is quiet."""
    from ackclock.cli.console import note

    if sweep.axes or output.quiet:
        return
    links = [str(one.get("name", i)) for i, one in enumerate(sweep.scenario.described["link"])]
    link = "bottleneck" if "bottleneck" in links else next(iter(links), None)
    path = "duration=10s,30s" if link is None else f"link.{link}.rate=1Mbps,2Mbps,5Mbps"
    note(
        f"nothing varies, so the file alone is run {sweep.least} times; a grid: --vary {path} "
        "(each further --vary is an axis)"
    )


def _folder(file: Path, sweep: Sweep, part: Shard | None, *, replace: bool) -> Path:
    """Return the default folder of a sweep.

    If the usual folder contains another sweep, the varied settings are added to the name. Shards of one sweep run on
    several machines, so their folder does not depend on existing folders.
    """
    from ackclock.cli.console import note

    first = Path("results") / f"{file.stem}-sweep"
    if part is not None or replace:
        return first
    varied = "-".join(axis.path.replace("*", "all") for axis in sweep.axes) or "alone"
    digest = hashlib.sha256(sweep.scenario.canonical().encode()).hexdigest()[:8]
    for folder in (first, Path(f"{first}-{varied}"), Path(f"{first}-{varied}-{digest}")):
        try:
            sweep.refuse_other(folder)
        except UserError as why:
            taken = str(why).splitlines()[0]
            continue
        if folder != first:
            note(f"{taken}; this one goes to {folder}")
        return folder
    return first


def _the_one(files: list[Path] | None) -> Path:
    if not files or len(files) > 1:
        said = "name a scenario file" if not files else f"one scenario file, not {len(files)}"
        raise UserError(
            f"{said}\n  for example: ackclock sweep dumbbell --vary link.bottleneck.rate=1Mbps,2Mbps"
        )
    return files[0]


def _refuse_together(grid: Grid, asked: SweepOptions, divided: Divided, tables: FolderOptions) -> None:
    """Raise an error if two given options exclude each other.

    ``--refine``, ``--until`` and ``--ties`` decide during the sweep which runs are made. So they exclude, among others,
    options that need the list of runs in advance, such as ``--shard``.
    """
    given = {
        "--refine": grid.refine,
        "--until": asked.until,
        "--shard": divided.shard,
        "--print-slurm": divided.print_slurm,
        "--by-point": tables.by_point or None,
    }
    for one, others in (
        ("--refine", ("--until", "--shard", "--print-slurm", "--by-point")),
        ("--until", ("--shard", "--print-slurm")),
    ):
        beside = [other for other in others if given[other] is not None]
        if given[one] is not None and beside:
            raise UserError(
                f"{one} decides as it goes along which runs are made: {beside[0]} cannot stand beside it"
            )
    beside = [other for other in ("--refine", "--shard", "--print-slurm") if given[other] is not None]
    if asked.ties and beside:
        raise UserError(f"--ties goes with a sweep that is run here as a whole: leave out {beside[0]}")


def _merge(
    folders: list[Path], drawn: Drawn, out: Path | None, tables: FolderOptions, output: Output
) -> None:
    from ackclock.control.loading import trusting
    from ackclock.sweeps.view import View

    with trusting("unread"):  # merging runs no code, so controls are replaced by stand-ins
        found, folder, report_options = put_together(folders, out, replace=tables.replace)
        plot, x, by = (getattr(drawn, name) or report_options.get(name) for name in ("plot", "x", "by"))
        style = drawn.style if drawn.style is not Style.page else Style(report_options["style"])
        view = View.of(found.sweep.axes, plot, x, by)
        _finish(found, view, folder, report_options["command"], style, output, by_point=False)


def _finish(
    found: SweepResult,
    view: View | None,
    folder: Path,
    command: str,
    style: Style,
    output: Output,
    *,
    by_point: bool,
) -> None:
    """Write the report and print the results."""
    from ackclock._io.files import json_text
    from ackclock._io.versions import SCHEMA_VERSION
    from ackclock.cli.console import write_json

    figures = _report(found, view, folder, command, style)
    if output.json is not None:
        tables = {
            "schema_version": SCHEMA_VERSION,
            "points": found.point_rows(),
            "runs": found.run_rows(),
            "manifest": found.sweep.manifest(),
        }
        write_json(output.json, json_text(tables))
    _show(found, folder, figures, output, by_point=by_point)


def _sweep(file: Path, grid: Grid, asked: SweepOptions, drawn: Drawn) -> Sweep:
    from ackclock.cli.options import say_left_out
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.sweep import Sweep

    axes = tuple(Axis.parse(text) for text in grid.vary or [])
    scenario = opened(file, grid.settings, allow_code=grid.allow_code)
    say_left_out(scenario, [axis.path for axis in axes])
    by = drawn.plot.split(",")[0].strip() if drawn.plot else asked.by
    drawn_groups = [name for name in (drawn.plot or "").split(",") if ":" in name]
    measure = ",".join(dict.fromkeys([*filter(None, [asked.measure]), *drawn_groups])) or None
    return Sweep(scenario, axes, **{**asked.values(), "by": by, "measure": measure})


def _report(
    found: SweepResult, view: View | None, folder: Path, command: str, style: Style
) -> tuple[str, ...]:
    """Write the report into the sweep's folder and return the names of the report's figures."""
    from ackclock._io.files import atomic_folder
    from ackclock.report.sweep import report
    from ackclock.report.writer import write

    made = report(found, view, command)
    with atomic_folder(folder) as draft:
        write(made, draft, style.value)
    return tuple(figure.key for figure in made.figures())


def _show(
    found: SweepResult, folder: Path, figures: tuple[str, ...], output: Output, *, by_point: bool
) -> None:
    from ackclock.cli.comparison import fitting
    from ackclock.cli.console import note, place, show
    from ackclock.report.spreads import sweep_spreads
    from ackclock.report.sweep import points

    for text in found.warnings():
        note(text, warning=True)
    if output.quiet or output.json == "-":
        return
    table = points(found)
    show(fitting(table, kept=table.text_columns + 1), *table.notes, "", wide=output.wide)
    drawn = sweep_spreads(found, (found.sweep.by,))
    if drawn is not None:
        show(fitting(drawn, kept=len(drawn.columns)), "", wide=output.wide)
    runs = "runs/*.parquet" if by_point else "runs.csv"
    for name in ("report.html", *(f"plots/{key}.svg" for key in figures), "points.csv", runs):
        place(folder / name)


def _command(file: Path, grid: Grid, given: Mapping[str, Any], drawn: Drawn) -> str:
    """Return the command line with all those options that affect the results."""
    words = ["ackclock", "sweep", str(file)]
    for name, values in (("--vary", grid.vary), ("--set", grid.settings)):
        for value in values or []:
            words += [name, value]
    words += ["--allow-code"] if grid.allow_code else []
    words += ["--refine", str(grid.refine)] if grid.refine is not None else []
    words += words_of(SweepOptions, given)
    usual = Drawn()
    for name in ("plot", "x", "by", "style"):
        if getattr(drawn, name) != getattr(usual, name):
            words += [f"--{name}", str(getattr(drawn, name))]
    return shlex.join(words)
