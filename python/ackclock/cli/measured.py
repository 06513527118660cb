"""``ackclock import`` and ``ackclock plot``: measurements as runs, and figures of runs in folders."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ackclock.cli.options import (
    FigureStyle,
    Json,
    Output,
    Style,
    Tables,
    grouped,
    option,
    out_option,
)
from ackclock.cli.run import Form, check_names
from ackclock.cli.run import names as split_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ackclock.runs.run import Run
    from ackclock.runs.stored import StoredRun

IMPORT_EXAMPLES = """\
ackclock import pcap mine.pcap --out results/mine
ackclock import pcap mine.pcapng --variant cubic --plot sequence,rtt
ackclock import qlog client.sqlog --variant cubic --plot cwnd,rtt
ackclock import ss mine.ss --plot cwnd,rtt
ackclock import flent rrul.flent.gz --plot throughput
"""

PLOT_EXAMPLES = """\
ackclock plot results/mine --plot rtt,throughput
ackclock plot measured=results/mine simulated=results/model --plot sequence,rtt --out results/beside
"""


FIT_EXAMPLES = """\
ackclock fit mine.pcap
ackclock fit mine.pcap --out fitted.toml && ackclock run fitted.toml
"""


class Place(StrEnum):
    """Places on the path where a capture may be made."""

    sender = "sender"
    middle = "middle"
    receiver = "receiver"


@grouped
def import_(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="pcap, qlog, ss or flent.", show_default=False)],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="File of the measurement.", show_default=False)
    ],
    out: Annotated[
        Path | None, out_option("Write tables and traces here, as ackclock run --out does [results/FILE].")
    ] = None,
    at: Annotated[
        Place | None,
        option("sender|middle|receiver", "Where a capture was made [found from its round trips]."),
    ] = None,
    variant: Annotated[
        str, option("NAME", "Congestion control of the senders, for labels, if the file does not tell it.")
    ] = "",
    bin_s: Annotated[
        float,
        typer.Option("--bin", metavar="SECONDS", min=1e-6, help="Width of the bins of the throughput trace."),
    ] = 1.0,
    plot: Annotated[
        str | None, option("A,B", "Draw these figures, such as sequence, rtt, throughput, rtt-cdf.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="csv, or parquet beside it.")] = Form.csv,
    *,
    output: Output,
) -> None:
    """Read a measurement and write it as a run: the same tables, traces and figures.

    Values that the file does not show are left out. Losses are inferred from retransmissions. See
    docs/howto/read-a-capture.md.
    """
    from ackclock import measured
    from ackclock.cli.console import check_json, place, show, tables_as, write_json
    from ackclock.cli.results import flows_table

    tables_as(output.table)
    check_json(output.json)
    figures = split_names(plot)
    check_names("plot", figures)
    found = measured.read(kind, file, at=at, variant=variant, bin_s=bin_s)
    folder = out or Path("results") / file.name.split(".")[0]
    paths = _write(found, folder, figures, form)
    if output.json is not None:
        write_json(output.json, found.summary_json)
    if output.quiet or output.json == "-":
        return
    show(flows_table(found, f"{found.manifest['duration_s']:.4g} s measured"), wide=output.wide)
    for path in paths:
        place(path)


@grouped
def plot(
    folders: Annotated[
        list[str],
        typer.Argument(
            metavar="[LABEL=]FOLDER...",
            help="Folders of ackclock run --out, or of ackclock import.",
            show_default=False,
        ),
    ],
    figures: Annotated[
        str,
        option(
            "A,B",
            "Figures to draw, such as rtt, throughput, sequence, cwnd, rtt-cdf [rtt,throughput].",
            "--plot",
        ),
    ] = "rtt,throughput",
    out: Annotated[Path | None, out_option("Write the figures here [the first folder].")] = None,
    flows: Annotated[
        str | None, option("A,B", "Flows that the figures show, by name or number [all].")
    ] = None,
    style: FigureStyle = Style.page,
    *,
    output: Output,
) -> None:
    """Draw figures of runs in folders; of several runs side by side, such as a measured and a simulated one."""
    from ackclock.cli.console import check_json, place, show, tables_as, write_json
    from ackclock.cli.results import flows_table
    from ackclock.plot.drawing import paper, save
    from ackclock.plot.ellipses import FIGURES as ELLIPSES
    from ackclock.plot.ellipses import ellipse
    from ackclock.runs.stored import beside

    tables_as(output.table)
    check_json(output.json)
    names = split_names(figures)
    check_names("plot", names)
    runs = labelled(folders)
    found = next(iter(runs.values())) if len(runs) == 1 else beside(runs)
    chosen = split_names(flows) or (
        None if len(runs) == 1 else [str(row["name"]) for row in found.summary["flows"]]
    )

    def drawn_as(name: str) -> Figure:
        """Draw a figure; in a figure with ellipses, each folder has one, not each variant."""
        if name in ELLIPSES and len(runs) > 1:
            return ellipse(runs, name.rpartition("-")[0], flows=split_names(flows) or None)
        return found.plot.named(name, flows=chosen)

    folder = out or Path(folders[0].rpartition("=")[2])
    with paper(style is Style.paper):
        drawn = [(name, drawn_as(name)) for name in names]
    folder.mkdir(parents=True, exist_ok=True)
    paths = [path for name, figure in drawn for path in save(figure, folder / name)]
    if output.json is not None:
        write_json(output.json, found.summary_json)
    if output.quiet or output.json == "-":
        return
    show(flows_table(found, ", ".join(runs)), wide=output.wide)
    for path in paths:
        place(path)


def fit(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A capture: pcap or pcapng.", show_default=False)
    ],
    out: Annotated[Path | None, option("FILE.toml", "Write a scenario with the path here.")] = None,
    flow: Annotated[
        str | None, option("NAME", "Flow by name or number [the one with the most data].")
    ] = None,
    variant: Annotated[
        str, typer.Option("--variant", metavar="NAME", help="Congestion control of the scenario's flow.")
    ] = "cubic",
    at: Annotated[
        Place | None,
        option("sender|middle|receiver", "Where the capture was made [found from its round trips]."),
    ] = None,
    json: Json = None,
    table: Tables = None,
) -> None:
    """Estimate the path of a captured transfer: rate, delay, buffer and random loss, each with how sure it is."""
    from dataclasses import asdict

    from ackclock import measured
    from ackclock._io.files import atomic_write, json_text
    from ackclock.cli.console import check_json, place, show, tables_as, write_json
    from ackclock.cli.fit import Table as Printed

    tables_as(table)
    check_json(json)
    found = measured.fit("pcap", file, flow=flow, at=at)
    text = None if out is None else found.to_toml(variant)
    if json is not None:
        write_json(json, json_text(asdict(found.path)))
    if out is not None and text is not None:
        atomic_write(out, text)
    if json != "-":
        title = f"path of flow {found.path.flow}"
        heads = ("quantity", "estimate [95 % interval]", "from")
        show(Printed(title, heads, tuple(found.rows()), left=3))
        if out is not None:
            place(out)


def _write(run: Run, out: Path, figures: list[str], form: Form) -> list[Path]:
    """Write a run, all its traces and the named figures of all its flows into a folder; return the paths."""
    from ackclock._io.files import atomic_folder
    from ackclock.plot.drawing import save
    from ackclock.runs.run import stale

    every = [str(row["name"]) for row in run.summary["flows"]]
    drawn = [(name, run.plot.named(name, flows=every)) for name in figures]
    with atomic_folder(out, stale()) as draft:
        run.save(draft, form=form.value)
        for name, figure in drawn:
            save(figure, draft / name)
        return [out / name for name in sorted(path.name for path in draft.iterdir())]


def labelled(folders: list[str]) -> dict[str, StoredRun]:
    """Return the runs in ``LABEL=FOLDER`` by label; without a label, the folder's name is the label."""
    from ackclock.errors import UserError
    from ackclock.runs.stored import read_run

    runs: dict[str, StoredRun] = {}
    for text in folders:
        label, given, folder = text.partition("=")
        path = Path(folder if given and not Path(text).exists() else text)
        name = label if given and path != Path(text) else path.resolve().name
        if name in runs:
            raise UserError(f"two folders are called {name!r}\n  give each a label: {name}1={path}")
        runs[name] = read_run(path)
    return runs
