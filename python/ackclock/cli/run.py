"""``ackclock run``: one experiment."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ackclock.cli.options import Json, Quiet, ScenarioFile, Seed, Settings

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ackclock.run import Run


EXAMPLES = """\
ackclock run scenario.toml
ackclock run scenario.toml --set flow.0.tcp.variant=vegas --seed 7
ackclock run scenario.toml --trace cwnd,queue --plot cwnd --out results/mine
ackclock run scenario.toml --json - | jq .fairness
ackclock run scenario.toml --animate out.html
"""


class Form(StrEnum):
    """Formats of tables on disk."""

    csv = "csv"
    parquet = "parquet"


MOST_ROWS = 40
"""Rows of a table on the screen, at most."""

STATION_COLUMNS = (
    "station",
    "network",
    "in",
    "out",
    "lost",
    "causes",
    "data\nframes",
    "frames lost",
    "air %",
)
UE_COLUMNS = ("UE", "cell", "CQI", "down", "lost", "up", "lost", "buffer\nmax B")
GATEWAY_COLUMNS = (
    "node",
    "kind",
    "variant",
    "pre ACKs",
    "resent",
    "pushed back",
    "held max B",
    "undelivered B",
)

WIDE_ONLY = ("path", "throughput\nMb/s", "delay\nms", "done\ns")
"""Columns of flows that a narrow terminal has no room for."""


def run(
    file: ScenarioFile,
    seed: Seed = None,
    settings: Settings = None,
    json: Json = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Write tables, manifest and traces here.", show_default=False
        ),
    ] = None,
    trace: Annotated[
        str | None,
        typer.Option(
            "--trace",
            metavar="A,B",
            help="Record these series (see: ackclock list traces); written to --out, or results/FILE.",
            show_default=False,
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="A,B",
            help="Draw these figures: cwnd, throughput, sequence, queue, rtt; written like traces.",
            show_default=False,
        ),
    ] = None,
    animate: Annotated[
        Path | None,
        typer.Option(
            "--animate",
            metavar="FILE.html",
            help="Write a page that plays the run in a browser.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="csv, or parquet beside it.")] = Form.csv,
    bin_s: Annotated[
        float,
        typer.Option("--bin", metavar="SECONDS", min=1e-6, help="Width of the bins of the throughput trace."),
    ] = 1.0,
    quiet: Quiet = False,
) -> None:
    """Run one experiment and print its flows and links.

    Files are written only where --out, --trace, --plot, --animate or --json FILE asks for them, and all together
    at the end. The same file, settings and seed give the same bytes each time.
    """
    from ackclock.animation import TRACES
    from ackclock.cli.console import meter, note, output, show, write_json
    from ackclock.scenario import load

    traces, figures = _names(trace), _names(plot)
    _known("trace", traces)
    _known("plot", figures)
    scenario = load(file, settings or [])
    recorded = [*traces, *(name for name in TRACES if animate and name not in traces)]
    with meter(file.name, "events", quiet=quiet or json == "-") as progress:
        found = scenario.run(seed=seed, traces=recorded, bin_s=bin_s, progress=progress.fraction)
    if out is None and (traces or figures):
        out = Path("results") / file.stem
    written = [] if out is None else _save(found, out, traces, figures, form)
    if animate is not None:
        written.append(found.animate(animate, title=file.stem))
    if json is not None:
        write_json(json, found.summary_json)
    if quiet or json == "-":
        return
    show(*tables(found, output().width))
    for path in written:
        typer.echo(path)
    note(f"{found.events:,} events in {found.wall_s:.2f} s ({found.events_per_s / 1e6:.2f} M/s)")


def tables(run: Run, width: int) -> list[RenderableType]:
    """Return the tables of a run's flows, links and gateways; in less than 120 characters, fewer columns."""
    from ackclock.cli.console import table
    from ackclock.report.text import brief

    summary, manifest = run.summary, run.manifest
    wide = width >= 120
    rows = []
    for flow in summary["flows"][:MOST_ROWS]:
        cells = {
            "flow": flow["name"],
            "variant": flow["variant"],
            "path": f"{flow['from']} > {flow['to']}",
            "goodput\nMb/s": brief(flow["goodput_bps"], 1e-6),
            "throughput\nMb/s": brief(flow["throughput_bps"], 1e-6),
            "sent": brief(flow["sent_packets"]),
            "lost": brief(flow["lost_packets_total"]),
            "loss\n%": brief(flow["loss_ratio"], 1e2, 3),
            "resent": brief(flow["retransmitted_packets"]),
            "timeouts": brief(flow["timeouts"]),
            "RTT\nms": brief(flow["rtt_mean_s"], 1e3),
            "delay\nms": brief(flow["delay_mean_s"], 1e3),
            "done\ns": brief(flow["fct_s"]),
        }
        rows.append({head: cell for head, cell in cells.items() if wide or head not in WIDE_ONLY})
    links = [
        (
            link["name"],
            brief(link["utilisation"], 1e2),
            brief(link["sent_packets"]),
            brief(sum(link["drops"].values())),
            ", ".join(f"{cause} {count}" for cause, count in link["drops"].items() if count) or "–",
            brief(link["queue_mean_packets"]),
            brief(link["queue_max_packets"]),
        )
        for link in busiest(summary["links"])
    ]
    gateways = [
        (
            gateway["node"],
            gateway["kind"],
            gateway["variant"] or "–",
            brief(gateway["pre_acks"]),
            brief(gateway["retransmitted_packets"]),
            brief(gateway["pushed_back"]),
            brief(gateway["buffered_max_bytes"]),
            brief(gateway["acknowledged_undelivered_bytes"]),
        )
        for gateway in summary["gateways"][:MOST_ROWS]
    ]
    stations = [
        (
            station["station"],
            station["network"],
            brief(station["entered_packets"]),
            brief(station["delivered_packets"]),
            brief(station["lost_packets_total"]),
            _causes(station, "lost_", "_packets"),
            brief(station["data_frames"]),
            _causes(station, "failed_", "_frames"),
            brief(station["airtime_s"] / manifest["duration_s"], 1e2, 3),
        )
        for station in summary["stations"][:MOST_ROWS]
    ]
    ues = [
        (
            ue["ue"],
            ue["cell"],
            brief(ue["cqi"]),
            brief(ue["downlink_delivered_packets"]),
            _causes(ue, "downlink_lost_", "_packets"),
            brief(ue["uplink_delivered_packets"]),
            _causes(ue, "uplink_lost_", "_packets"),
            brief(ue["buffer_max_bytes"]),
        )
        for ue in summary["ues"][:MOST_ROWS]
    ]
    jain = brief(summary["fairness"]["jain"])
    title = f"{manifest['duration_s']:g} s simulated, seed {manifest['seed']}, Jain {jain}"
    if len(summary["flows"]) > MOST_ROWS:
        title += f"; the first {MOST_ROWS} of {len(summary['flows'])} flows (--json and --out give all)"
    return [
        table(
            title,
            list(rows[0]) if rows else ["flow"],
            [tuple(row.values()) for row in rows],
            left=3 if wide else 2,
        ),
        table(
            "links", ("direction", "busy %", "sent", "dropped", "causes", "queue mean", "queue max"), links
        ),
        *([table("gateways", GATEWAY_COLUMNS, gateways, left=3)] if gateways else []),
        *([table("stations", STATION_COLUMNS, stations, left=2)] if stations else []),
        *([table("UEs", UE_COLUMNS, ues, left=2)] if ues else []),
    ]


def _causes(row: dict[str, Any], start: str, end: str) -> str:
    """Name what of a row's counters between `start` and `end` is not zero."""
    keys = [key for key in row if key.startswith(start) and key.endswith(end) and row[key]]
    names = [(key.removeprefix(start).removesuffix(end), row[key]) for key in keys]
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in names) or "–"


def busiest(links: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the directions that carried anything, in their order; of many, those busy the most."""
    used = [link for link in links if link["sent_packets"]]
    top = sorted(range(len(used)), key=lambda i: (-used[i]["utilisation"], i))[:MOST_ROWS]
    return [used[i] for i in sorted(top)]


def _save(run: Run, out: Path, traces: list[str], figures: list[str], form: Form) -> list[Path]:
    """Draw first, so that a figure that cannot be drawn leaves no files; then write everything."""
    from ackclock.files import atomic_folder

    if not figures:
        return run.save(out, traces=traces, form=form.value)
    from ackclock.plot import save

    with atomic_folder(out) as draft:
        run.save(draft, traces=traces, form=form.value)
        for name in figures:
            save(getattr(run.plot, name)(), draft / name)
        written = sorted(path.name for path in draft.iterdir())
    return [out / name for name in written]


def _names(listed: str | None) -> list[str]:
    """Split a list of names at its commas; each counts once."""
    return list(dict.fromkeys(name.strip() for name in (listed or "").split(",") if name.strip()))


def _known(what: str, given: list[str]) -> None:
    """Refuse names that there are no traces or figures of."""
    import json

    from ackclock import _core
    from ackclock.errors import UserError, nearest

    if not given:
        return
    known = (
        [str(entry["name"]) for entry in json.loads(_core.catalogue("traces"))]
        if what == "trace"
        else ["cwnd", "throughput", "sequence", "queue", "rtt"]
    )
    for name in given:
        if name not in known:
            close = nearest(name, known)
            hint = f"\n  did you mean {close}?" if close else ""
            raise UserError(f"--{what}: there is no {what} {name!r}\n  allowed: {', '.join(known)}{hint}")
