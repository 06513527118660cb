"""Logs in qlog (draft-ietf-quic-qlog-main-schema) as measured runs: those of QUIC stacks, and ackclock's of TCP flows.

JSON and JSON text sequences are read. Times may be relative to the start, absolute, or relative to the previous event.
A log shows one end of a connection: packets by number, the sender's windows and round-trip times, and the packets that
it declared lost.
"""

from __future__ import annotations

import bisect
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from ackclock._io.files import read_text
from ackclock.errors import FileError
from ackclock.measured import ss
from ackclock.measured.tables import UNKNOWN, Flow, Source, measured_run
from ackclock.runs.stored import StoredRun

TRACES: Final = ("segments", *ss.TRACES)
"""Traces that a log gives."""

LARGEST: Final = 512 << 20
"""Maximum size of a log, bytes."""

SEPARATOR: Final = "\x1e"
"""Record separator of a JSON text sequence (RFC 7464)."""

EPOCH_MS: Final = 1e11
"""Times above this value, in milliseconds, are counted from 1970."""

UNSET: Final = 1 << 62
"""Slow-start threshold, bytes, from which on a log means that no threshold is set."""

QUIC: Final = "quic"
"""Variant of a QUIC connection, whose log does not state its congestion control."""

SHORT: Final = 150
"""Median length of an end's packets, bytes, below which the end is assumed to send only acknowledgments."""

METRICS: Final = ("metrics_updated", "recovery_metrics_updated")
"""Names of the event with windows and round-trip times, without the category."""


@dataclass
class Packet:
    """A packet that the logging end sent.

    Attributes:
        time: Time in seconds.
        size: Length, bytes.
        pieces: Stream, offset and length of each part of a stream that it carries.
    """

    time: float
    size: int
    pieces: tuple[tuple[int, int, int], ...]


@dataclass
class Ranges:
    """Union of half-open ranges of one stream."""

    ranges: list[tuple[int, int]] = field(default_factory=list)

    def add(self, low: int, high: int) -> int:
        """Add a range; return the number of its members that were not there."""
        before = sum(min(high, b) - max(low, a) for a, b in self.ranges if a < high and low < b)
        apart = [(a, b) for a, b in self.ranges if b < low or high < a]
        joined = [(a, b) for a, b in self.ranges if not (b < low or high < a)] + [(low, high)]
        self.ranges = sorted([*apart, (min(a for a, _ in joined), max(b for _, b in joined))])
        return high - low - before


@dataclass
class Log:
    """Log of one end of a connection.

    Attributes:
        title: Title of the connection.
        side: Kind of the logging end, such as ``client``.
        first: Time of the first event, milliseconds.
        tcp: True if packets have fields of TCP.
        sent: Packets by number space and number.
        received: Time and length of each packet that arrived.
        lost: Time at which each packet was declared lost, by number space and number.
        acked: Time at which each packet was first acknowledged, by number space and number.
        unacked: Numbers of packets not acknowledged yet, ascending, by number space.
        metrics: Time and values of each event with windows or round-trip times.
        arrived: Time, stream, offset and length of each part of a stream that arrived.
        end: Time of the last event, seconds.
    """

    title: str
    side: str
    first: float
    tcp: bool = False
    sent: dict[tuple[str, int], Packet] = field(default_factory=dict)
    received: list[tuple[float, int]] = field(default_factory=list)
    lost: dict[tuple[str, int], float] = field(default_factory=dict)
    acked: dict[tuple[str, int], float] = field(default_factory=dict)
    unacked: dict[str, list[int]] = field(default_factory=dict)
    metrics: list[tuple[float, Mapping[str, float]]] = field(default_factory=list)
    arrived: list[tuple[float, int, int, int]] = field(default_factory=list)
    end: float = 0.0


def load(path: Path, *, variant: str, bin_s: float) -> StoredRun:
    """Return the run in a log, with a flow for each of its traces.

    Raises:
        FileError: If the file cannot be read, is damaged, or no trace has packets or metrics.
    """
    try:
        logs = [log for head, events in _traces(path) if (log := _read(path, head, events)) is not None]
    except (TypeError, ValueError, IndexError, OverflowError) as why:
        raise FileError(f"{path}: damaged (a value of another kind than qlog's: {why})") from why
    if not logs:
        raise FileError(
            f"{path}: no trace with packets\n"
            "  wanted: events transport:packet_sent, transport:packet_received and recovery:metrics_updated, as "
            "quinn, aioquic and others log them"
        )
    zero = min(log.first for log in logs)
    notes: list[dict[str, Any]] = []
    flows = [_flow(log, (log.first - zero) / 1e3, variant, notes) for log in logs]
    began = zero / 1e3 if zero > EPOCH_MS else None
    return measured_run(Source("qlog", path, began, {"flows": notes}), flows, bin_s=bin_s, traces=TRACES)


def _traces(path: Path) -> Iterator[tuple[Mapping[str, Any], list[Any]]]:
    """Yield the head and the events of each trace of a file."""
    text = read_text(path, LARGEST)
    parts = text.split(SEPARATOR) if SEPARATOR in text[:4] else None
    try:
        if parts is None:
            whole = _decoded(text)
            if whole is None:
                parts = text.splitlines()
            elif isinstance(whole, dict) and isinstance(whole.get("traces"), list):
                for trace in whole["traces"]:
                    if isinstance(trace, dict) and isinstance(trace.get("events"), list):
                        yield trace, trace["events"]
                return
            else:
                parts = [text]
        records = [json.loads(part) for part in parts if part.strip()]
    except (ValueError, RecursionError) as why:
        raise FileError(f"{path}: damaged (not qlog in JSON or in a JSON text sequence: {why})") from why
    if not records or not isinstance(records[0], dict) or "qlog_version" not in records[0]:
        raise FileError(f"{path}: no qlog (its first record has no qlog_version)")
    head = records[0].get("trace")
    yield (head if isinstance(head, dict) else {}) | {"title": records[0].get("title")}, records[1:]


def _decoded(text: str) -> Any:
    """Return the only JSON text of a file; None if it has several, one a line."""
    try:
        return json.loads(text)
    except ValueError:
        if text.lstrip().startswith("{") and "\n{" in text.strip():
            return None
        raise


def _read(path: Path, head: Mapping[str, Any], events: Sequence[Any]) -> Log | None:
    """Return a trace's log; None if it has neither packets nor metrics."""
    point = _table(head.get("vantage_point"))
    common = _table(head.get("common_fields"))
    shown = str(head.get("title") or point.get("name") or common.get("ODCID") or "flow")
    log: Log | None = None
    for time, name, data in _timed(path, common, events):
        if log is None:
            log = Log(shown, str(point.get("type") or "unknown"), time)
        at = (time - log.first) / 1e3
        log.end = max(log.end, at)
        if name == "packet_sent":
            _sent(log, at, data)
        elif name == "packet_received":
            _received(log, at, data)
        elif name == "packet_lost":
            log.lost.setdefault(_number(data), at)
        elif name in METRICS:
            log.metrics.append((at, {key: float(x) for key, x in data.items() if _is_number(x)}))
    return log if log is not None and (log.sent or log.received or log.metrics) else None


def _timed(
    path: Path, common: Mapping[str, Any], events: Sequence[Any]
) -> Iterator[tuple[float, str, Mapping[str, Any]]]:
    """Yield time in milliseconds, name without category, and data of each event."""
    kind = str(common.get("time_format") or "relative")
    given = common.get("reference_time")
    start = float(given) if isinstance(given, int | float) else None
    now = start or 0.0
    for event in events:
        if not isinstance(event, dict) or not _is_number(event.get("time")) or "name" not in event:
            raise FileError(
                f"{path}: an event without time and name ({json.dumps(event)[:80]})\n"
                "  wanted: events as objects, which qlog has since 0.3 (draft-02)"
            )
        time = float(event["time"])
        if kind in ("delta", "relative_to_previous_event"):
            now += time
            time = now
        elif kind.startswith("relative") and start is not None:
            time += now
        yield time, str(event["name"]).rpartition(":")[2], _table(event.get("data"))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(data: Mapping[str, Any]) -> tuple[str, int]:
    """Return the number space and number of a packet; aioquic logs those of a lost packet outside of a header."""
    header = _table(data.get("header")) or data
    kind = str(header.get("packet_type") or header.get("type") or "1RTT")
    number = header.get("packet_number")
    return ("1RTT" if kind == "0RTT" else kind), number if isinstance(number, int) else -1


def _size(data: Mapping[str, Any]) -> int:
    """Return the length of a packet, bytes; 0 if the log lacks it."""
    for table in (_table(data.get("raw")), _table(data.get("header")), data):
        for key in ("length", "packet_size"):
            if isinstance(table.get(key), int):
                return int(table[key])
    return 0


def _pieces(data: Mapping[str, Any]) -> tuple[tuple[int, int, int], ...]:
    """Return stream, offset and length of each stream frame of a packet."""
    found = []
    for frame in data.get("frames") or ():
        if isinstance(frame, dict) and frame.get("frame_type") == "stream":
            length = frame.get("length", _table(frame.get("raw")).get("payload_length"))
            if isinstance(length, int) and length > 0:
                found.append((int(frame.get("stream_id", 0)), int(frame.get("offset") or 0), length))
    return tuple(found)


def _sent(log: Log, at: float, data: Mapping[str, Any]) -> None:
    log.tcp = log.tcp or "tcp" in data
    space, number = _number(data)
    if (space, number) not in log.sent:
        bisect.insort(log.unacked.setdefault(space, []), number)
    log.sent[space, number] = Packet(at, _size(data), _pieces(data))


def _received(log: Log, at: float, data: Mapping[str, Any]) -> None:
    log.received.append((at, _size(data)))
    log.arrived += [(at, *piece) for piece in _pieces(data)]
    space = _number(data)[0]
    for frame in data.get("frames") or ():
        if isinstance(frame, dict) and frame.get("frame_type") == "ack":
            for edge in frame.get("acked_ranges") or ():
                # A range of one packet may have one number.
                unacked = log.unacked.get(space, [])
                begin, end = bisect.bisect_left(unacked, edge[0]), bisect.bisect_right(unacked, edge[-1])
                log.acked |= dict.fromkeys(((space, number) for number in unacked[begin:end]), at)
                del unacked[begin:end]


def _flow(log: Log, offset: float, variant: str, notes: list[dict[str, Any]]) -> Flow:
    """Return the flow that a log shows, in the direction with more data."""
    sends = _sends(log)
    flow = _sender(log, variant) if sends else _receiver(log, variant)
    if offset:
        flow = _moved(flow, offset)
    scale = _rtt_scale(log)
    notes.append(
        {
            "name": flow.name,
            "logged_at": f"{log.side}, which {'sends' if sends else 'receives'}",
            "segment_bytes": _segment(log) if sends else None,
            "rtt_unit": "ms" if scale == 1e-3 else "s",
        }
    )
    return flow


def _sends(log: Log) -> bool:
    """Return true if the logging end sends more data than it receives."""
    ours = sum(length for one in log.sent.values() for _, _, length in one.pieces)
    theirs = sum(row[3] for row in log.arrived)
    if ours or theirs:
        return ours >= theirs
    arrived = sum(size for _, size in log.received)
    if arrived or not log.received:
        return sum(one.size for one in log.sent.values()) >= arrived
    # Without frames and lengths of what arrived, as in quinn's logs: acknowledgments are short.
    sizes = sorted(one.size for one in log.sent.values())
    return bool(sizes) and sizes[len(sizes) // 2] >= SHORT


def _moved(flow: Flow, by: float) -> Flow:
    """Shift all times of a flow by `by` seconds, and return the flow."""

    def later(rows: Sequence[Any]) -> list[Any]:
        return [(row[0] + by, *row[1:]) for row in rows]

    names = ("rtts", "smoothed", "windows", "in_flight", "acked", "sent", "received", "losses", "segments")
    for name in names:
        setattr(flow, name, later(getattr(flow, name)))
    flow.began, flow.ended = flow.began + by, flow.ended + by
    return flow


def _segment(log: Log) -> int:
    """Return the unit of windows, bytes: the commonest payload of TCP, or the commonest length of a packet of QUIC."""
    sizes = Counter(
        sum(n for _, _, n in one.pieces) if log.tcp else one.size
        for one in log.sent.values()
        if one.pieces or not log.tcp
    )
    sizes.pop(0, None)
    if not sizes:
        return 1
    most = max(sizes.values())
    return max(size for size, count in sizes.items() if count == most)


def _rtt_scale(log: Log) -> float:
    """Return the unit of the log's round-trip times, seconds: milliseconds as qlog says, or seconds as quinn writes.

    The unit is the one in which the first measured value is closer to the time between the first packets sent and
    received.
    """
    first = next((values["latest_rtt"] for _, values in log.metrics if values.get("latest_rtt")), None)
    sent = min((one.time for one in log.sent.values()), default=None)
    back = next((time for time, _ in log.received if sent is not None and time > sent), None)
    samples = [(at, values["latest_rtt"]) for at, values in log.metrics if values.get("latest_rtt")]
    if first is None or sent is None or back is None:
        return 1e-3
    # quinn logs an assumed round-trip time before the first acknowledgment.
    measured = next((rtt for at, rtt in samples if at >= back), first)
    whole = back - sent
    return 1.0 if abs(math.log(measured / whole)) < abs(math.log(measured / 1e3 / whole)) else 1e-3


def _sender(log: Log, variant: str) -> Flow:
    """Return the flow of an end that sends."""
    segment, scale = _segment(log), _rtt_scale(log)
    carried: dict[int, Ranges] = {}
    sent: list[tuple[float, int, bool]] = []
    for one in log.sent.values():
        if one.pieces:
            new = sum(carried.setdefault(stream, Ranges()).add(a, a + n) for stream, a, n in one.pieces)
            sent.append((one.time, sum(n for _, _, n in one.pieces), new == 0))
    lost = {key: at for key, at in log.lost.items() if key in log.sent and key not in log.acked}
    values: dict[str, Any] = {
        "sent_packets": len(log.sent) if not log.tcp else None,
        "lost_packets_total": len(lost) if log.sent else None,
        **_sampled(log, scale),
    }
    acked = _acknowledged(log)
    if carried:
        again = [row for row in sent if row[2]]
        values |= {
            "sent_packets": len(log.sent),
            "sent_bytes": sum(row[1] for row in sent),
            "retransmitted_packets": len(again),
            "retransmitted_bytes": sum(row[1] for row in again),
            "acked_bytes": sum(amount for _, amount in acked),
        }
        if log.tcp:
            values["acked_packets"] = -(-values["acked_bytes"] // segment)
    arrived = _delivered(log, lost)
    if arrived:
        values["received_packets"] = sum(packets for _, _, packets in arrived)
        values["received_bytes"] = sum(size for _, size, _ in arrived)
    return Flow(
        log.title,
        log.side,
        "peer",
        variant or (UNKNOWN if log.tcp else QUIC),
        0.0,
        log.end,
        values,
        rtts=[(at, x["latest_rtt"] * scale) for at, x in _samples(log, "latest_rtt")],
        smoothed=[(at, x["smoothed_rtt"] * scale) for at, x in _samples(log, "smoothed_rtt")],
        windows=_windows(log, segment),
        in_flight=[(at, x["bytes_in_flight"] / segment) for at, x in _samples(log, "bytes_in_flight")],
        acked=acked,
        sent=sent,
        received=arrived,
        losses=[(log.sent[key].time, _offset(log.sent[key]), log.sent[key].size) for key in lost],
        segments=_segments(log, carried),
    )


def _samples(log: Log, name: str) -> Iterator[tuple[float, Mapping[str, float]]]:
    """Yield the events with a value of `name`; assumed round-trip times, before the first arrival, are left out."""
    first = log.received[0][0] if log.received and name.endswith("rtt") else 0.0
    yield from ((at, values) for at, values in log.metrics if name in values and at >= first)


def _sampled(log: Log, scale: float) -> dict[str, float | None]:
    """Return mean and least sampled round-trip time; the round-trip times of packets are None, as logs lack them."""
    known = [values["latest_rtt"] * scale for _, values in _samples(log, "latest_rtt")]
    found: dict[str, float | None] = {
        f"packet_rtt_{which}_s": None for which in ("mean", "p50", "p95", "p99")
    }
    return found | (
        {"sampled_rtt_mean_s": math.fsum(known) / len(known), "sampled_rtt_min_s": min(known)}
        if known
        else {}
    )


def _windows(log: Log, segment: int) -> list[tuple[float, str, float]]:
    """Return the changes of the windows, in segments."""
    rows: list[tuple[float, str, float]] = []
    before: dict[str, float] = {}
    for at, values in log.metrics:
        for name, keys in (("cwnd", ("congestion_window", "cwnd")), ("ssthresh", ("ssthresh",))):
            value = next((values[key] for key in keys if key in values), None)
            if value is not None and before.get(name) != value:
                before[name] = value
                rows.append((at, name, math.inf if value >= UNSET else value / segment))
    return rows


def _acknowledged(log: Log) -> list[tuple[float, int]]:
    """Return times and stream data that acknowledgments newly cover."""
    covered: dict[int, Ranges] = {}
    found: dict[float, int] = {}
    for key, at in log.acked.items():
        for stream, start, length in log.sent[key].pieces:
            new = covered.setdefault(stream, Ranges()).add(start, start + length)
            found[at] = found.get(at, 0) + new
    return [(at, amount) for at, amount in found.items() if amount]


def _delivered(log: Log, lost: Mapping[tuple[str, int], float]) -> list[tuple[float, int, int]]:
    """Return the sending time, the bytes and the count 1 for each packet that was not lost; empty without lengths."""
    if not any(one.size for one in log.sent.values()):
        return []
    return [(one.time, one.size, 1) for key, one in log.sent.items() if key not in lost]


def _offset(packet: Packet) -> int:
    return packet.pieces[0][1] if packet.pieces else 0


def _segments(log: Log, carried: Mapping[int, Ranges]) -> list[tuple[float, str, str, int, int]]:
    """Return the rows of trace ``segments``; a flow of several streams has none, since their offsets overlap."""
    if len(carried) != 1:
        return []
    rows = [
        (one.time, "send", log.side, one.pieces[0][1], one.size) for one in log.sent.values() if one.pieces
    ]
    whole, ends = Ranges(), []
    for key, at in log.acked.items():
        for _, start, length in log.sent[key].pieces:
            whole.add(start, start + length)
        if whole.ranges and whole.ranges[0][0] == 0:
            ends.append((at, whole.ranges[0][1]))
    forward = [now for before, now in pairwise([(0.0, 0), *ends]) if now[1] > before[1]]
    return rows + [(at, "ack", log.side, end, 0) for at, end in forward]


def _receiver(log: Log, variant: str) -> Flow:
    """Return the flow of an end that receives."""
    covered: dict[int, Ranges] = {}
    acked = [
        (at, covered.setdefault(stream, Ranges()).add(start, start + length))
        for at, stream, start, length in log.arrived
    ]
    values: dict[str, Any] = {
        "received_packets": len(log.received),
        "received_bytes": sum(size for _, size in log.received) or None,
    }
    if acked:
        values["acked_bytes"] = values["delivered_bytes"] = sum(amount for _, amount in acked)
    rows = [(at, "recv", "peer", start, length) for at, _, start, length in log.arrived]
    return Flow(
        log.title,
        "peer",
        log.side,
        variant or (UNKNOWN if log.tcp else QUIC),
        0.0,
        log.end,
        values,
        acked=[row for row in acked if row[1]],
        received=[(at, size, 1) for at, size in log.received],
        segments=rows if len(covered) == 1 else (),
    )
