"""``ackclock run``: runs one experiment."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ackclock._io.options import Options
from ackclock.cli.options import (
    AllowCode,
    FigureStyle,
    Output,
    Page,
    ScenarioFile,
    Settings,
    Style,
    grouped,
    opened,
    option,
    out_option,
)
from ackclock.sweeps.options import SEED, TIES

if TYPE_CHECKING:
    from ackclock.runs.run import Run
    from ackclock.scenario.scenario import Scenario


EXAMPLES = """\
ackclock run scenario.toml
ackclock run scenario.toml --set flow.0.tcp.variant=vegas --seed 7
ackclock run scenario.toml --trace cwnd,queue --plot cwnd --out results/mine
ackclock run scenario.toml --plot cwnd --flows voice,3
ackclock run scenario.toml --json - | jq .fairness
ackclock run scenario.toml --animate out.html
ackclock run scenario.toml --ties                     does the order of simultaneous events decide it?
"""


class Form(StrEnum):
    """Formats of tables on disk."""

    csv = "csv"
    parquet = "parquet"


@dataclass(frozen=True)
class Written:
    """Options for files written in addition to the printed tables."""

    out: Annotated[
        Path | None,
        out_option("Write tables, manifest and traces here."),
        Page(
            "The folder gets `summary.json`, `flows.csv`, `links.csv` and each other table that has rows, "
            "`scenario.toml`, `manifest.json` and `timing.json`."
        ),
    ] = None
    trace: Annotated[
        str | None,
        option("A,B", "Record these series (see: ackclock list traces); written to --out, or results/FILE."),
        Page(
            "A trace is a CSV file, also if it has no rows. "
            "`pcap` gives a capture per host interface, `ns2` gives `trace.tr` in ns-2's wired "
            "format, and `flowmonitor` gives `flowmonitor.xml` as ns-3 writes it. `evalvid` gives three traces of each "
            "video flow, and `qlog` the log of each end of a QUIC flow."
        ),
    ] = None
    plot: Annotated[
        str | None,
        option(
            "A,B",
            "Draw these figures: cwnd, throughput, sequence, queue, rtt, theory; rtt-cdf, or another of rtt, delay, "
            "queue-delay, completion as cdf, ccdf, box or violin; written like traces.",
        ),
        Page("Each figure is a PNG, an SVG and a PDF file."),
    ] = None
    flows: Annotated[
        str | None,
        option("A,B", "Flows that the figures show, by name or number [all]."),
        Page("More than four get a small panel each."),
    ] = None
    queues: Annotated[str | None, option("A,B", "Queues that figure queue shows (r0>r1) [the longest].")] = (
        None
    )
    style: FigureStyle = Style.page
    animate: Annotated[
        Path | None,
        option("FILE.html", "Write a page that plays the run in a browser."),
        Page(
            "The page loads nothing from elsewhere. It shows packets on links coloured by flow, queues, losses by "
            "cause, nodes that move, and transmissions on the air. Above 400,000 packets it shows an evenly thinned "
            "sample, and says so: each packet shown is followed along its whole path, and every loss up to 50,000 is "
            "in it."
        ),
    ] = None
    overlay: Annotated[
        str | None,
        option(
            "A,B",
            "Draw figure theory with these models, and print what they predict: mathis, pftk, cubic, bianchi.",
        ),
        Page("`bianchi` is for saturated 802.11 stations."),
    ] = None
    form: Annotated[Form, typer.Option("--format", help="csv, or parquet beside it.")] = Form.csv


@dataclass(frozen=True, kw_only=True)
class RunOptions(Options):
    """Options that a run shares with sweeps and comparisons."""

    seed: int | None = SEED.field()
    ties: bool = replace(
        TIES,
        page="With `--out` also `ties.csv`; see [ties and phases](../howto/see-ties.md).",
    ).field()


@grouped
def run(
    file: ScenarioFile,
    settings: Settings = None,
    allow_code: AllowCode = False,
    *,
    asked: RunOptions,
    written: Written,
    bin_s: Annotated[
        float,
        typer.Option("--bin", metavar="SECONDS", min=1e-6, help="Width of the bins of the throughput trace."),
    ] = 1.0,
    output: Output,
    yes: Annotated[
        bool,
        typer.Option("--yes", "-y", help="Run though there seems to be no room for the traces."),
        Page("See [recording a trace](../howto/record-a-trace.md)."),
    ] = False,
) -> None:
    """Run one experiment and print its flows and links.

    Files are written only if --out, --trace, --plot, --animate or --json FILE asks for them, and all together at
    the end. The same file, settings and seed give the same bytes each time.
    """
    from ackclock.cli.console import check_json, meter, note, place, show, tables_as, write_json
    from ackclock.cli.results import tables, theory_table
    from ackclock.cli.ties import order_said, spreads_table, tied
    from ackclock.plot.animation import TRACES

    tables_as(output.table)
    json, quiet, wide = output.json, output.quiet, output.wide
    seed, ties = asked.seed, asked.ties
    traces, figures, animate = _names(written.trace), _names(written.plot), written.animate
    models = _names(written.overlay)
    figures = [*figures, *(["theory"] if models and "theory" not in figures else [])]
    _known("trace", traces)
    _known("plot", figures)
    shown = Shown(_names(written.flows) or None, _names(written.queues) or None, models, written.style)
    _drawn(shown, figures)
    check_json(json)
    check_animation(animate)
    scenario = opened(file, settings, allow_code=allow_code)
    recorded = [*traces, *(name for name in TRACES if animate and name not in traces)]
    out = written.out
    if out is None and (traces or figures):
        out = Path("results") / file.stem
    if recorded and not yes:
        _room(scenario, seed, recorded, bin_s, out if traces else None, written.form)
    with meter(file.name, "events", quiet=quiet or json == "-") as progress:
        found = scenario.run(
            seed=seed, traces=recorded, bin_s=bin_s, progress=progress.fraction, confirm=True
        )
    if ties:
        with meter(f"{file.name} with --ties", quiet=quiet or json == "-") as progress:
            found.spreads(progress=progress.jobs)
    for text in tied(found.summary, ties=ties):
        note(text, warning=True)
    paths = [] if out is None else _save(found, out, traces, figures, shown, written.form)
    if animate is not None:
        paths.append(found.animate(animate, title=file.stem))
    if json is not None:
        write_json(json, found.summary_json)
    if quiet or json == "-":
        return
    show(*tables(found), wide=wide)
    if ties:
        show(spreads_table(found.spreads()), *order_said(found.spreads()), wide=wide)
    if models:
        show(theory_table(found.theory(*models)), wide=wide)
    for path in paths:
        place(path)
    if empty := [] if out is None else _without_rows(paths):
        place(f"no rows, so no file: {', '.join(empty)}")
    note(f"{found.events:,} events in {found.wall_s:.2f} s ({found.events_per_s / 1e6:.2f} M/s)")


def _room(
    scenario: Scenario, seed: int | None, traces: list[str], bin_s: float, out: Path | None, form: Form
) -> None:
    """Refuse a run whose traces are estimated not to fit; at a terminal ask whether to run anyway."""
    from ackclock.errors import InsufficientSpaceError
    from ackclock.runs.footprint import OutputTarget, RunRequest, check_space

    target = None if out is None else OutputTarget(out, form is Form.parquet)
    try:
        check_space([RunRequest(scenario, seed, 0.0, traces, bin_s)], "--yes", written=target)
    except InsufficientSpaceError as why:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise
        typer.echo(why, err=True)
        if not typer.confirm("run it all the same?", err=True):
            raise typer.Exit(2) from None


@dataclass(frozen=True)
class Shown:
    """Options for content and style of figures."""

    flows: list[str] | None
    queues: list[str] | None
    models: list[str]
    style: Style


def _drawn(shown: Shown, figures: list[str]) -> None:
    """Raise an error for options of figures that no figure uses."""
    from ackclock.errors import UserError

    for option_name, given, heeding in (
        ("flows", shown.flows, set(figures) - {"queue"}),
        ("queues", shown.queues, set(figures) & {"queue"}),
    ):
        if given and not heeding:
            example = "queue" if option_name == "queues" else "cwnd"
            raise UserError(f"--{option_name}: no figure of {option_name} is drawn\n  add --plot {example}")


def _save(run: Run, out: Path, traces: list[str], figures: list[str], shown: Shown, form: Form) -> list[Path]:
    """Draw all figures, then write all files, so that a figure that cannot be drawn leaves no files."""
    from ackclock._io.files import atomic_folder

    if not figures:
        return run.save(out, traces=traces, form=form.value)
    from ackclock.plot.drawing import paper, save
    from ackclock.runs.run import stale

    with atomic_folder(out, stale()) as draft, paper(shown.style is Style.paper):
        run.save(draft, traces=traces, form=form.value)
        for name in figures:
            made = run.plot.named(name, flows=shown.flows, queues=shown.queues, models=shown.models)
            save(made, draft / name)
        written = sorted(path.name for path in draft.iterdir())
    return [out / name for name in written]


def _without_rows(paths: list[Path]) -> list[str]:
    """Return the names of the tables that have no file because they have no rows."""
    from ackclock.runs.run import SUMMARY_TABLES

    written = {path.name for path in paths}
    return [name for name in SUMMARY_TABLES if f"{name}.csv" not in written]


def check_animation(target: Path | None) -> None:
    """Raise an error, before anything is run, if the page's name does not end in .html or cannot be written."""
    if target is None:
        return
    if target.suffix.lower() not in (".html", ".htm"):
        from ackclock.errors import UserError

        raise UserError(
            f"--animate {target}: it writes a page for a browser\n  wanted: {target.with_suffix('.html')}"
        )
    from ackclock._io.files import check_writable

    check_writable(target.parent)


def _names(listed: str | None) -> list[str]:
    """Split a list of names at its commas and remove duplicates."""
    return list(dict.fromkeys(name.strip() for name in (listed or "").split(",") if name.strip()))


def _known(what: str, given: list[str]) -> None:
    """Raise an error for unknown names of traces or figures."""
    if not given:
        return
    from ackclock.errors import UserError, choices

    if what == "trace":
        from ackclock.runs.run import TRACES as EVERY

        known = [str(entry["name"]) for entry in EVERY]
        words = {word: str(entry["name"]) for entry in EVERY for word in entry["words"]}
    else:
        from ackclock.plot.run import Plots
        from ackclock.runs.run import FIGURES

        known = list(FIGURES)
        words = {word: name for word, name in Plots.ELSEWHERE.items() if name in known}
    for name in given:
        if name not in known:
            raise UserError(f"--{what}: there is no {what} {name!r}{choices(name, known, words=words)}")
