"""``ackclock run``: runs one experiment."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ackclock._io.options import Options
from ackclock.cli import completion
from ackclock.cli.options import (
    AllowCode,
    FigureStyle,
    OptionalScenarioFile,
    Output,
    Page,
    Replace,
    Settings,
    Style,
    given,
    grouped,
    opened,
    option,
    out_option,
    spelt,
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
ackclock run scenario.toml --assert 'flow.cubic.goodput_bps > 4e6'     else exit status 3
ackclock run --again results/mine                     the same bytes?
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
    replace: Replace = False
    trace: Annotated[
        str | None,
        option(
            "A,B",
            "Record these series (see: ackclock list traces); written to --out, or results/FILE.",
            autocompletion=completion.traces,
        ),
        Page(
            "A trace is a CSV file, also if it has no rows. `pcap` gives a capture per host interface, `pcap-all` one "
            "per interface of every node, `ns2` gives `trace.tr` in ns-2's wired format, and `flowmonitor` gives "
            "`flowmonitor.xml` as ns-3 writes it. `evalvid` gives three traces of each video flow, and `qlog` the log "
            "of each end of a TCP or QUIC flow."
        ),
    ] = None
    plot: Annotated[
        str | None,
        option(
            "A,B",
            "Draw these figures: cwnd, throughput, sequence, queue, rtt, theory; rtt-cdf, or another of rtt, delay, "
            "queue-delay, completion as cdf, ccdf, box, violin or (not completion) ellipse; written like traces.",
            autocompletion=completion.figures,
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
            autocompletion=completion.models,
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
    context: typer.Context,
    file: OptionalScenarioFile = None,
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
    asserted: Annotated[
        list[str] | None,
        option(
            "CONDITION",
            "End with exit status 3 unless this holds; repeatable: 'flow.cubic.goodput_bps > 4e6'.",
            "--assert",
        ),
        Page(
            "On the left a column of a flow or of a link (`link.bottleneck.utilisation`; a link's name stands for its "
            "direction as given), `*` for all of them, or a measure of table `runs`. On the right a number, with or "
            "without a unit, or another of these values."
        ),
    ] = None,
    again: Annotated[
        Path | None,
        option(
            "DIR",
            "Make the run in this folder again and say whether the bytes are the same.",
            autocompletion=completion.folders,
        ),
    ] = None,
) -> None:
    """Run one experiment and print its flows and links.

    Files are written only if --out, --trace, --plot, --animate or --json FILE asks for them, and all together at
    the end. The same file, settings and seed give the same bytes each time.
    """
    from ackclock._io.files import refuse_foreign
    from ackclock.cli.assertions import FAILED, Condition, failed
    from ackclock.cli.console import check_json, note, tables_as, write_json
    from ackclock.errors import UserError
    from ackclock.runs.run import stale

    tables_as(output.table)
    if again is not None:
        with_folder = {"again", "out", "json", "quiet", "wide", "allow_code"}
        other = next((name for name in given(context) if name not in with_folder), None)
        if other is not None:
            raise UserError(f"--again {again}: the folder has its settings; leave out {_spelt(other)}")
        run_again(again, out=written.out, output=output, allow_code=allow_code)
        return
    if file is None:
        raise UserError(
            "ackclock run: name a scenario file, or an example (ackclock list scenarios)\n"
            "  for example: ackclock run scenario.toml\n  see ackclock run --help"
        )
    wanted = Wanted.of(file, asked, written, bin_s)
    if wanted.out is not None and not written.replace:
        refuse_foreign(wanted.out, stale())
    check_json(output.json)
    check_animation(written.animate)
    conditions = [Condition.parse(text) for text in asserted or []]
    scenario = opened(file, settings, allow_code=allow_code)
    if conditions:
        described = scenario.described
        for one in conditions:
            one.check_names(described)
    found, paths = _carried_out(scenario, wanted, output, yes=yes)
    if output.json is not None:
        write_json(output.json, found.summary_json)
    if not (output.quiet or output.json == "-"):
        _show(found, wanted, paths, wide=output.wide)
    texts = failed(conditions, found.summary)
    for text in texts:
        note(text)
    if texts:
        raise typer.Exit(FAILED)


@dataclass(frozen=True)
class Wanted:
    """Traces, files and figures that the user wants from a run."""

    title: str
    seed: int | None
    ties: bool
    traces: list[str]
    bin_s: float
    figures: list[str]
    shown: Shown
    form: Form
    out: Path | None
    animate: Path | None

    @classmethod
    def of(cls, file: Path, asked: RunOptions, written: Written, bin_s: float) -> Wanted:
        """Return the traces, files and figures that the options ask for; raise an error for unknown names."""
        traces, figures, models = names(written.trace), names(written.plot), names(written.overlay)
        figures = [*figures, *(["theory"] if models and "theory" not in figures else [])]
        check_names("trace", traces)
        check_names("plot", figures)
        shown = Shown(names(written.flows) or None, names(written.queues) or None, models, written.style)
        _drawn(shown, figures)
        out = written.out
        if out is None and (traces or figures):
            out = Path("results") / file.stem
        return cls(
            file.name,
            asked.seed,
            asked.ties,
            traces,
            bin_s,
            figures,
            shown,
            written.form,
            out,
            written.animate,
        )


def _carried_out(
    scenario: Scenario, wanted: Wanted, output: Output, *, yes: bool, again: bool = False
) -> tuple[Run, list[Path]]:
    """Run the scenario, print warnings, and write the files; return the run and the files' paths."""
    from ackclock.cli.console import meter, note
    from ackclock.cli.rules import warn
    from ackclock.cli.ties import tied
    from ackclock.plot.animation import TRACES

    quiet = output.quiet or output.json == "-"
    animate = wanted.animate
    recorded = [*wanted.traces, *(name for name in TRACES if animate and name not in wanted.traces)]
    if recorded and not yes:
        out = wanted.out if wanted.traces else None
        _room(scenario, wanted.seed, recorded, wanted.bin_s, out, wanted.form)
    if not again:
        warn({wanted.title: scenario}, reps=None, jitter_s=0.0)
    with meter(wanted.title, "events", quiet=quiet) as progress:
        found = scenario.run(
            seed=wanted.seed, traces=recorded, bin_s=wanted.bin_s, progress=progress.fraction, confirm=True
        )
    if wanted.ties:
        with meter(f"{wanted.title} with --ties", quiet=quiet) as progress:
            found.spreads(progress=progress.jobs)
    for text in tied(found.summary, ties=wanted.ties) if not again else ():
        note(text, warning=True)
    paths = [] if wanted.out is None else save(found, wanted.out, wanted)
    if animate is not None:
        paths.append(found.animate(animate, title=Path(wanted.title).stem))
    return found, paths


def _show(found: Run, wanted: Wanted, paths: list[Path], *, wide: bool) -> None:
    """Print the results and the paths of the files."""
    from ackclock.cli.console import note, place, show
    from ackclock.cli.results import tables, theory_table
    from ackclock.cli.ties import order_said, spreads_table

    show(*tables(found), wide=wide)
    if wanted.ties:
        show(spreads_table(found.spreads()), *order_said(found.spreads()), wide=wide)
    if wanted.shown.models:
        show(theory_table(found.theory(*wanted.shown.models)), wide=wide)
    for path in paths:
        place(path)
    if empty := [] if wanted.out is None else _without_rows(paths):
        place(f"no rows, so no file: {', '.join(empty)}")
    note(f"{found.events:,} events in {found.wall_s:.2f} s ({found.events_per_s / 1e6:.2f} M/s)")


def run_again(folder: Path, *, out: Path | None, output: Output, allow_code: bool) -> None:
    """Repeat the run in a folder and compare all files byte for byte; keep the new files in `out` if it is given.

    Raises:
        UserError: If the folder contains no run, or files differ.
    """
    from ackclock.cli.again import damaged, read_manifest, verdict
    from ackclock.cli.console import write_json
    from ackclock.errors import UserError
    from ackclock.scenario.scenario import Scenario

    manifest = read_manifest(folder, "run --out", "a run")
    plan = manifest["plan"]
    try:
        if plan["changed"]:
            raise UserError(f"{folder}: a program changed the run while it ran, so it cannot be repeated")
        scenario = Scenario(manifest["scenario"], allow_code=allow_code)
        shown = Shown(
            plan.get("flows"), plan.get("queues"), plan.get("models", []), Style(plan.get("style", "page"))
        )
        with tempfile.TemporaryDirectory(prefix="ackclock-") as spare:
            made = Path(spare) / "again" if out is None else out
            wanted = Wanted(
                folder.name, manifest["seed"], plan["ties"], list(plan["traces"]), float(plan["bin_s"]),
                list(plan.get("figures", [])), shown, Form(plan["format"]), made, None,
            )  # fmt: skip
            found, _ = _carried_out(scenario, wanted, replace(output, quiet=True), yes=True, again=True)
            said = verdict(folder, made, manifest)
    except (KeyError, TypeError, ValueError, AttributeError) as why:
        raise damaged(folder, "run", why) from why
    if output.json is not None:
        write_json(output.json, found.summary_json)
    if not output.quiet and output.json != "-":
        typer.echo(said)


def _room(
    scenario: Scenario, seed: int | None, traces: list[str], bin_s: float, out: Path | None, form: Form
) -> None:
    """Refuse a run whose traces are estimated not to fit; at a terminal ask the user if it shall run anyway."""
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
    """Raise an error if an option of figures is given that none of the figures uses."""
    from ackclock.errors import UserError

    for option_name, names, heeding in (
        ("flows", shown.flows, set(figures) - {"queue"}),
        ("queues", shown.queues, set(figures) & {"queue"}),
    ):
        if names and not heeding:
            example = "queue" if option_name == "queues" else "cwnd"
            raise UserError(f"--{option_name}: no figure of {option_name} is drawn\n  add --plot {example}")


def save(run: Run, out: Path, wanted: Wanted) -> list[Path]:
    """Draw the figures, then write them and the run's files; a figure that cannot be drawn leaves no files."""
    traces, figures, shown = wanted.traces, wanted.figures, wanted.shown
    if not figures:
        return run.save(out, traces=traces, form=wanted.form.value)
    from ackclock._io.files import atomic_folder
    from ackclock.plot.drawing import paper
    from ackclock.plot.drawing import save as save_figure
    from ackclock.runs.run import stale

    with atomic_folder(out, stale()) as draft, paper(shown.style is Style.paper):
        run.save(draft, traces=traces, form=wanted.form.value)
        for name in figures:
            made = run.plot.named(name, flows=shown.flows, queues=shown.queues, models=shown.models)
            save_figure(made, draft / name)
        run.write_manifest(
            draft,
            traces=traces,
            format=wanted.form.value,
            figures=figures,
            flows=shown.flows,
            queues=shown.queues,
            models=shown.models,
            style=shown.style.value,
        )
        written = sorted(path.name for path in draft.iterdir())
    return [out / name for name in written]


def _without_rows(paths: list[Path]) -> list[str]:
    """Return the names of the result tables that have no file, since they have no rows."""
    from ackclock.runs.run import SUMMARY_TABLES

    written = {path.name for path in paths}
    return [name for name in SUMMARY_TABLES if f"{name}.csv" not in written]


def check_animation(target: Path | None) -> None:
    """Raise an error before anything is run if the page cannot be written or its name does not end in .html."""
    if target is None:
        return
    if target.suffix.lower() not in (".html", ".htm"):
        from ackclock.errors import UserError

        raise UserError(
            f"--animate {target}: it writes a page for a browser\n  wanted: {target.with_suffix('.html')}"
        )
    from ackclock._io.files import check_writable

    check_writable(target.parent)


def _spelt(name: str) -> str:
    return {
        "settings": "--set",
        "file": "FILE",
        "asserted": "--assert",
        "bin_s": "--bin",
        "form": "--format",
    }.get(name, spelt(name))


def names(listed: str | None) -> list[str]:
    """Return the names in a list separated by commas, without duplicates."""
    return list(dict.fromkeys(name.strip() for name in (listed or "").split(",") if name.strip()))


def check_names(what: str, given: list[str]) -> None:
    """Raise an error for unknown names of traces (`what` is ``trace``) or figures (`what` is ``plot``)."""
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
