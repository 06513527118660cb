"""Tables of a run for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ackclock.stats.text import brief

if TYPE_CHECKING:
    from ackclock.cli.fit import Table
    from ackclock.runs.run import Run
    from ackclock.theory import Prediction

Record: TypeAlias = Mapping[str, Any]
"""One entry of a list in a summary, such as a flow, link, gateway, station or UE."""

Columns: TypeAlias = Sequence[tuple[str, Callable[[Record], str]]]
"""Columns of a table, each with its heading and a function that returns a record's cell."""

MOST_ROWS = 40
"""Maximum number of rows of a printed table."""

LEAST = (
    "causes",
    "sampled\nRTT ms",
    "throughput\nMb/s",
    "path",
    "RTT p95\nms",
    "frames lost",
    "done\ns",
    "resent",
    "timeouts",
    "delay\nms",
    "queue max",
)
"""Headings of columns that are left out at narrow terminals, in this order."""


def _text(key: str) -> Callable[[Record], str]:
    return lambda record: record[key] or "–"


def _number(key: str, scale: float = 1.0, digits: int = 4) -> Callable[[Record], str]:
    return lambda record: brief(record[key], scale, digits)


def _causes(start: str, end: str) -> Callable[[Record], str]:
    """Return a function that lists those counters of a record that are named `start` CAUSE `end` and not zero."""

    def named(record: Record) -> str:
        keys = [key for key in record if key.startswith(start) and key.endswith(end) and record[key]]
        names = [(key.removeprefix(start).removesuffix(end), record[key]) for key in keys]
        return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in names) or "–"

    return named


def _interval(record: Record, mean: str, half_width: str, scale: float = 1.0) -> str:
    """Return a mean with the half width of its 95 % interval, if it has one."""
    half = record[half_width]
    return brief(record[mean], scale) + (f" ±{brief(half, scale, 2)}" if half is not None else "")


def _response(row: Record) -> str:
    """Return the sizes of the responses to which a row of completion times refers."""
    if row["requests_of"] != "class":
        return str(row["requests_of"])
    low, high = row["from_bytes"], row["below_bytes"]
    if high is None:
        return f"{_size(low)} or more"
    return f"under {_size(high)}" if not low else f"{_size(low)} to {_size(high)}"


def _size(count: int) -> str:
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= scale:
            return f"{count / scale:g} {unit}"
    return f"{count} B"


FLOWS: Columns = (
    ("flow", _text("name")),
    ("variant", lambda flow: flow["variant"]),
    ("path", lambda flow: f"{flow['from']}>{flow['to']}"),
    ("goodput\nMb/s", _number("goodput_bps", 1e-6)),
    ("throughput\nMb/s", _number("throughput_bps", 1e-6)),
    ("sent", _number("sent_packets")),
    ("lost", _number("lost_packets_total")),
    ("loss\n%", _number("loss_ratio", 1e2, 3)),
    ("resent", _number("retransmitted_packets")),
    ("timeouts", _number("timeouts")),
    ("packet\nRTT ms", _number("packet_rtt_mean_s", 1e3)),
    ("RTT p95\nms", _number("packet_rtt_p95_s", 1e3)),
    ("sampled\nRTT ms", _number("sampled_rtt_mean_s", 1e3)),
    ("delay\nms", _number("delay_mean_s", 1e3)),
    ("done\ns", _number("fct_s")),
)
LINKS: Columns = (
    ("direction", _text("name")),
    ("link", _text("link")),
    ("busy %", _number("utilisation", 1e2)),
    ("sent", _number("sent_packets")),
    ("lost", _number("lost_packets_total")),
    ("causes", _causes("lost_", "_packets")),
    ("marked", _number("marked_packets")),
    ("queue mean", _number("queue_mean_packets")),
    ("queue max", _number("queue_max_packets")),
)
GATEWAYS: Columns = (
    ("node", _text("node")),
    ("kind", _text("kind")),
    ("variant", _text("variant")),
    ("pre ACKs", _number("pre_acks")),
    ("resent", _number("retransmitted_packets")),
    ("zero windows", _number("zero_window_events")),
    ("held max B", _number("buffered_max_bytes")),
    ("undelivered B", _number("acknowledged_undelivered_bytes")),
)
COMPLETIONS: Columns = (
    ("flow", _text("flow")),
    ("response", lambda row: _response(row)),
    ("done", _number("count")),
    ("mean\nms", lambda row: _interval(row, "fct_mean_s", "fct_mean_half_width_s", 1e3)),
    ("p50\nms", _number("fct_p50_s", 1e3)),
    ("p95\nms", _number("fct_p95_s", 1e3)),
    ("p99\nms", _number("fct_p99_s", 1e3)),
    ("slowdown", lambda row: _interval(row, "slowdown_mean", "slowdown_mean_half_width")),
    ("slowdown\np50", _number("slowdown_p50")),
    ("slowdown\np95", _number("slowdown_p95")),
    ("slowdown\np99", _number("slowdown_p99")),
)
STATIONS: Columns = (
    ("station", _text("station")),
    ("network", _text("network")),
    ("in", _number("offered_packets")),
    ("out", _number("delivered_packets")),
    ("lost", _number("lost_packets_total")),
    ("causes", _causes("lost_", "_packets")),
    ("data\nframes", _number("data_frames")),
    ("frames lost", _causes("failed_", "_frames")),
    ("air %", _number("airtime_share", 1e2, 3)),
)
CELLS: Columns = (
    ("cell", _text("cell")),
    ("network", _text("network")),
    ("downlink\nbusy %", _number("downlink_utilisation", 1e2, 3)),
    ("uplink\nbusy %", _number("uplink_utilisation", 1e2, 3)),
)
UES: Columns = (
    ("UE", _text("ue")),
    ("cell", _text("cell")),
    ("CQI", _number("cqi")),
    ("down", _number("downlink_delivered_packets")),
    ("lost", _causes("downlink_lost_", "_packets")),
    ("up", _number("uplink_delivered_packets")),
    ("lost", _causes("uplink_lost_", "_packets")),
    ("buffer\nmax B", _number("buffer_max_bytes")),
)


def tables(run: Run) -> list[Table | str]:
    """Return the tables of a run's flows, links, gateways and radio networks, and a line on the bottleneck."""
    summary, manifest = run.summary, run.manifest
    seconds = manifest["duration_s"]
    title = f"{seconds:g} s simulated, seed {manifest['seed']}, Jain {brief(summary['fairness']['jain'])}"
    if len(summary["flows"]) > MOST_ROWS:
        title += f"; the first {MOST_ROWS} of {len(summary['flows'])} flows (--json and --out give all)"
    stations = [{**one, "airtime_share": one["airtime_s"] / seconds} for one in summary["stations"]]
    others = [
        *session_tables(summary["flows"]),
        _table("gateways", GATEWAYS, summary["gateways"], left=3),
        _table("stations", STATIONS, stations, left=2),
        _table("UEs", UES, summary["ues"], left=2),
        _table("cells", CELLS, summary["cells"], left=2),
    ]
    links = LINKS if any(link["link"] for link in summary["links"]) else [LINKS[0], *LINKS[2:]]
    return [
        _table(title, FLOWS if summary["flows"] else FLOWS[:1], summary["flows"], left=3),
        _table("links", links, busiest(summary["links"]), left=len(links) - len(LINKS) + 2),
        *(made for made in others if made.rows),
        *_bottleneck(run),
    ]


def session_tables(flows: Sequence[Record]) -> list[Table]:
    """Return a table of completion times, if a flow has sessions, with the counts of its sessions in the title."""
    having = [flow for flow in flows if flow.get("sessions")]
    rows = [{"flow": flow["name"], **row} for flow in having for row in flow["completions"]]
    counts = [one for flow in having for one in flow["sessions"]]
    total, ended = (sum(int(one[key]) for one in counts) for key in ("sessions", "completed_sessions"))
    title = f"requests of {total} sessions, of which {ended} were complete; ± half of a 95 % interval"
    return [_table(title, COMPLETIONS, rows, left=2)]


def flows_table(run: Run, title: str) -> Table:
    """Return the table of a run's flows without the columns that have no value in any row."""
    records = run.summary["flows"]
    columns = [
        (heading, cell) for heading, cell in FLOWS if any(cell(record) not in ("–", "") for record in records)
    ]
    return _table(title, columns, records, left=3)


def _bottleneck(run: Run) -> list[str]:
    one = run.bottleneck
    return [f"bottleneck: {one.label}, busy for {one.share:.1%} of the run"] if one is not None else []


def theory_table(found: Sequence[Prediction]) -> Table:
    """Return the table of the models' predictions for the flows."""
    from ackclock.cli.console import table

    rows = [
        [
            one.flow,
            one.model,
            brief(one.measured_bps, 1e-6),
            brief(one.predicted_bps, 1e-6),
            f"{one.residual:+.1%}",
            brief(one.loss, 1e2, 3),
            brief(one.rtt_s, 1e3),
        ]
        for one in found
    ]
    heads = ["flow", "model", "goodput\nMb/s", "model\nMb/s", "residual", "loss events\n%", "RTT\nms"]
    return table("goodput and models, from what each flow met", heads, rows, left=2)


def _table(title: str, columns: Columns, records: Sequence[Record], *, left: int = 1) -> Table:
    from ackclock.cli.fit import Table

    rows = tuple(tuple(cell(record) for _, cell in columns) for record in records[:MOST_ROWS])
    return Table(title, tuple(heading for heading, _ in columns), rows, left=left, least=LEAST)


def busiest(links: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the link directions that carried packets, in order; if there are more than `MOST_ROWS`, the busiest."""
    used = [link for link in links if link["sent_packets"]]
    top = sorted(range(len(used)), key=lambda i: (-used[i]["utilisation"], i))[:MOST_ROWS]
    return [used[i] for i in sorted(top)]
