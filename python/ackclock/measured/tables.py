"""Tables and traces of a measured run, with the columns of a simulated run."""

from __future__ import annotations

import datetime
import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ackclock import _core
from ackclock.errors import UserError
from ackclock.runs.stored import StoredRun, flow_table, shaped

if TYPE_CHECKING:
    import polars

UNKNOWN: Final = "tcp"
"""Variant of a flow whose congestion control is unknown."""

PING: Final = "ping"
"""Variant of a flow of probes, which has round-trip times only."""

MOST_BINS: Final = 1_000_000
"""Maximum number of rows of trace ``throughput``."""

SRTT_GAIN: Final = 1 / 8
"""Gain of the smoothed round-trip time (RFC 6298 section 2)."""


@dataclass
class Flow:
    """Measurements of one flow. Times are in seconds from the begin of the measurement; None is unknown.

    Attributes:
        name: Name of the flow.
        source: Node that sends.
        target: Node that receives.
        variant: Congestion control.
        began: Time at which the flow began.
        ended: Time at which it ended.
        values: Columns of table ``flows``, other than those that `record` computes.
        rtts: Times and round-trip times, seconds.
        smoothed: Times and smoothed round-trip times that the sender reported, seconds; computed if empty.
        windows: Changes of windows: time, ``cwnd`` or ``ssthresh``, segments.
        in_flight: Times and segments in flight.
        acked: Times of acknowledgments, and payload newly acknowledged.
        sent: Times of transmissions, payload, and true for a retransmission.
        received: Times of arrivals at the destination, size on the wire, and number of packets; negative amounts
            correct for losses.
        losses: Times, sequence numbers and sizes of losses seen.
        segments: Rows of trace ``segments`` without the flow's number: time, event, place, seq, size.
    """

    name: str
    source: str
    target: str
    variant: str
    began: float
    ended: float
    values: dict[str, Any] = field(default_factory=dict)
    rtts: Sequence[tuple[float, float]] = ()
    smoothed: Sequence[tuple[float, float]] = ()
    windows: Sequence[tuple[float, str, float]] = ()
    in_flight: Sequence[tuple[float, float]] = ()
    acked: Sequence[tuple[float, int]] = ()
    sent: Sequence[tuple[float, int, bool]] = ()
    received: Sequence[tuple[float, int, int]] = ()
    losses: Sequence[tuple[float, int, int]] = ()
    segments: Sequence[tuple[float, str, str, int, int]] = ()

    def record(self) -> dict[str, Any]:
        """Return the flow's entry of the summary."""
        interval = self.ended - self.began
        rtts = np.array([rtt for _, rtt in self.rtts])
        found: dict[str, Any] = {
            "name": self.name,
            "variant": self.variant,
            "from": self.source,
            "to": self.target,
            "interval_s": interval,
            "lost_packets": {},
            **_quantiles("packet_rtt", rtts),
            **self.values,
        }
        acked, sent, received = (found.get(name) for name in ("acked_bytes", "sent_bytes", "received_bytes"))
        if interval > 0:
            again = found.get("retransmitted_bytes")
            found |= {
                "goodput_bps": None if acked is None else 8 * acked / interval,
                "throughput_bps": None if received is None else 8 * received / interval,
                "new_data_bps": None if sent is None or again is None else 8 * (sent - again) / interval,
            }
        lost, arrived = found.get("lost_packets_total"), found.get("received_packets")
        if lost is not None and arrived is not None and lost + arrived > 0:
            found["loss_ratio"] = lost / (lost + arrived)
        return found


def _quantiles(name: str, values: Any) -> dict[str, float]:
    if not len(values):
        return {}
    points = np.percentile(values, [50, 95, 99])
    found = {f"{name}_mean_s": float(values.mean())}
    return found | {f"{name}_p{p}_s": float(x) for p, x in zip((50, 95, 99), points, strict=True)}


@dataclass
class Source:
    """File from which a run was read.

    Attributes:
        kind: Kind of the file, such as ``pcap``.
        path: The file.
        began: Begin of the measurement, seconds since 1970; None if unknown.
        notes: Further entries of the manifest, by name.
    """

    kind: str
    path: Path
    began: float | None = None
    notes: dict[str, Any] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """Return the manifest's entry ``measured``."""
        began = None
        if self.began is not None:
            began = datetime.datetime.fromtimestamp(self.began, datetime.UTC).isoformat()
        with self.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"kind": self.kind, "file": self.path.name, "sha256": digest, "began": began, **self.notes}


def measured_run(source: Source, flows: Sequence[Flow], *, bin_s: float, traces: Iterable[str]) -> StoredRun:
    """Return a run of measured flows with the traces named in `traces`."""
    end = max(flow.ended for flow in flows)
    records = [_complete(flow.record()) for flow in flows]
    goodputs = [row["goodput_bps"] for row in records if row["variant"] != PING]
    summary = {
        "flows": records,
        "fairness": {"jain": _jain(goodputs)},
        "manifest": {
            "version": _core.__version__,
            "seed": None,
            "duration_s": end,
            "scenario": None,
            "scenario_hash": None,
            "measured": source.record(),
        },
    }
    makers: dict[str, Callable[[Sequence[Flow]], polars.DataFrame]] = {
        "segments": _segments,
        "cwnd": _cwnd,
        "state": _state,
        "drops": _drops,
        "throughput": lambda flows: _throughput(flows, end, bin_s),
    }
    tables = {name: makers[name](flows) for name in traces}
    return StoredRun(
        summary, {"flows": flow_table(records), **tables}, place=f"{source.path.name}, which was measured,"
    )


def _complete(record: dict[str, Any]) -> dict[str, Any]:
    """Return a flow's record with every column of table ``flows``; unknown values are None."""
    columns = [name for name in flow_table([]).columns if name != "flow"]
    return {name: record.get(name) for name in columns} | {"lost_packets": record["lost_packets"]}


def _jain(values: Sequence[float | None]) -> float | None:
    """Return Jain's index of the goodputs; None if one is unknown or all are zero."""
    known = [value for value in values if value is not None]
    squares = sum(value * value for value in known)
    return sum(known) ** 2 / (len(known) * squares) if squares and len(known) == len(values) else None


def _rows(name: str, rows: Iterable[tuple[Any, ...]], columns: Sequence[str]) -> polars.DataFrame:
    """Return a trace from rows, in order of time; rows with equal times keep their order."""
    ordered = sorted(rows, key=lambda row: row[0])
    by_column: Mapping[str, list[Any]] = {
        column: [row[i] for row in ordered] for i, column in enumerate(columns)
    }
    return shaped(name, by_column)


def _segments(flows: Sequence[Flow]) -> polars.DataFrame:
    rows = [
        (time, event, place, i, seq, size)
        for i, flow in enumerate(flows)
        for time, event, place, seq, size in [
            *flow.segments,
            *((time, "drop", f"{flow.source}>{flow.target}", seq, size) for time, seq, size in flow.losses),
        ]
    ]
    return _rows("segments", rows, ("time_s", "event", "place", "flow", "seq", "bytes"))


def _cwnd(flows: Sequence[Flow]) -> polars.DataFrame:
    rows = [(time, i, name, value) for i, flow in enumerate(flows) for time, name, value in flow.windows]
    return _rows("cwnd", rows, ("time_s", "flow", "variable", "value"))


def _state(flows: Sequence[Flow]) -> polars.DataFrame:
    rows: list[tuple[float, int, str, float]] = []
    for i, flow in enumerate(flows):
        smoothed = flow.smoothed or _smoothed(flow.rtts)
        for name, series in (("rtt", flow.rtts), ("srtt", smoothed), ("in_flight", flow.in_flight)):
            rows += [(time, i, name, value) for time, value in series]
    return _rows("state", rows, ("time_s", "flow", "variable", "value"))


def _smoothed(rtts: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the smoothed round-trip time of RFC 6298 section 2 after each sample."""
    found = []
    value: float | None = None
    for time, rtt in rtts:
        value = rtt if value is None else value + SRTT_GAIN * (rtt - value)
        found.append((time, value))
    return found


def _drops(flows: Sequence[Flow]) -> polars.DataFrame:
    rows = [
        (time, f"{flow.source}>{flow.target}", i, seq, size)
        for i, flow in enumerate(flows)
        for time, seq, size in flow.losses
    ]
    return _rows("drops", rows, ("time_s", "place", "flow", "seq", "bytes"))


def _throughput(flows: Sequence[Flow], end: float, bin_s: float) -> polars.DataFrame:
    """Return trace ``throughput`` in bins; a remainder shorter than a tenth of a bin is added to the last bin."""
    count = max(1, math.ceil(end / bin_s - 0.1))
    if count * len(flows) > MOST_BINS:
        raise UserError(
            f"trace throughput would have {count:,} bins for each of {len(flows)} flows\n"
            f"  given:   bins of {bin_s:g} s in {end:.6g} s\n  allowed: {MOST_BINS:,} in all: choose wider bins (--bin)"
        )
    edges = np.minimum(np.arange(count + 1) * bin_s, end)
    edges[-1] = end
    widths = np.diff(edges)
    columns: dict[str, list[Any]] = {name: [] for name in shaped("throughput", {}).columns}

    def sums(rows: Sequence[tuple[Any, ...]], column: int | None) -> Any:
        at = np.clip(np.array([row[0] for row in rows], dtype=float) / bin_s, 0, count - 1).astype(int)
        weights = None if column is None else np.array([row[column] for row in rows], dtype=float)
        return np.bincount(at, weights=weights, minlength=count) if len(rows) else np.zeros(count)

    with np.errstate(divide="ignore", invalid="ignore"):
        per_second = np.where(widths > 0, 8 / widths, np.nan)
    per_flow = []
    for flow in flows:
        again = [row for row in flow.sent if row[2]]
        acked, wire = sums(flow.acked, 1), sums(flow.received, 1)
        per_flow.append(
            {
                "throughput_bps": wire * per_second if flow.received else [None] * count,
                "goodput_bps": acked * per_second if flow.acked else [None] * count,
                "sent_bytes": sums(flow.sent, 1),
                "retransmitted_bytes": sums(again, 1),
                "acked_bytes": acked,
                "received_packets": sums(flow.received, 2),
                "lost_packets_total": sums(flow.losses, None),
            }
        )
    for at in range(count):
        for i, values in enumerate(per_flow):
            columns["time_s"].append(edges[at])
            columns["bin_s"].append(widths[at])
            columns["flow"].append(i)
            for name, series in values.items():
                columns[name].append(series[at])
    return shaped("throughput", columns)
