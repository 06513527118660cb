"""Captures as measured runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ackclock.errors import UserError
from ackclock.measured.capture import Capture, read
from ackclock.measured.tables import UNKNOWN, Flow, Source, measured_run
from ackclock.measured.transfer import Point, Transfer, everything
from ackclock.runs.stored import StoredRun

TRACES: Final = ("segments", "state", "drops", "throughput")
"""Traces of a run that was read from a capture."""


def load(path: Path, *, point: Point | None, variant: str, bin_s: float) -> tuple[StoredRun, list[Transfer]]:
    """Return the run in a capture, and its transfers.

    Raises:
        FileError: If the file is not a capture that can be read.
        UserError: If no TCP connection in it carries data.
    """
    capture = read(path)
    if not any(segment.payload for connection in capture.connections for segment in connection.segments):
        raise UserError(
            f"{path}: there is no TCP connection with data in it "
            f"({capture.frames:,} frames, {len(capture.connections):,} connections)"
        )
    zero = min(connection.segments[0].time_ns for connection in capture.connections)
    found = everything(capture.connections, zero, point)
    flows = [_flow(one, name, variant) for one, name in zip(found, _names(found), strict=True)]
    source = Source("pcap", path, zero / 1e9, _notes(capture, found, flows))
    return measured_run(source, flows, bin_s=bin_s, traces=TRACES), found


def _names(found: Sequence[Transfer]) -> list[str]:
    """Return a unique name for each transfer: its ports, if necessary with the addresses, and then with a number."""
    ports = [f"{one.source.port}>{one.target.port}" for one in found]
    whole = [
        f"{one.source.address}:{one.source.port}>{one.target.address}:{one.target.port}" for one in found
    ]
    often = Counter(ports)
    names = [short if often[short] == 1 else long for short, long in zip(ports, whole, strict=True)]
    seen: Counter[str] = Counter()
    twice = Counter(names)
    for i, name in enumerate(names):
        seen[name] += 1
        if twice[name] > 1:
            names[i] = f"{name} #{seen[name]}"
    return names


def _flow(one: Transfer, name: str, variant: str) -> Flow:
    """Return the measurements of a transfer as columns and traces of a run's flow."""
    lost = one.lost
    data_packets = sum(row[4] for row in one.data)
    data_bytes = sum(row[2] for row in one.data)
    wire = sum(row[3] for row in one.data)
    lost_packets = sum(loss.packets for loss in lost)
    lost_wire = sum(loss.size for loss in lost)
    acked = max((row[1] for row in one.acks), default=None)
    values: dict[str, Any] = {
        "retransmitted_packets": one.retransmitted[0],
        "retransmitted_bytes": one.retransmitted[1],
        "lost_packets_total": lost_packets,
        "acked_bytes": acked,
        "acked_packets": None if acked is None else -(-acked // one.segment),
        "fct_s": one.completed,
        "marked_packets": one.marked,
    }
    if one.point is Point.sender:
        values |= {
            "sent_packets": data_packets + one.control_packets[0],
            "sent_bytes": data_bytes,
            "received_packets": data_packets + one.control_packets[0] - lost_packets,
            "received_bytes": wire + one.control_packets[1] - lost_wire,
        }
    elif one.point is Point.receiver:
        values |= {
            "received_packets": data_packets + one.control_packets[0],
            "received_bytes": wire + one.control_packets[1],
            "sent_packets": data_packets + one.control_packets[0] + lost_packets,
            "delivered_bytes": acked,
        }
    elif lost_packets == 0:
        values |= {"received_packets": data_packets, "received_bytes": wire, "sent_bytes": data_bytes}
    return Flow(
        name,
        one.source.address,
        one.target.address,
        variant or UNKNOWN,
        one.began,
        one.ended,
        values,
        rtts=one.rtts,
        in_flight=[(time, amount / one.segment) for time, amount in one.in_flight],
        acked=_progress(one),
        sent=[(row[0], row[2], row[5]) for row in one.data],
        received=_received(one),
        losses=[(loss.time, loss.seq, loss.size) for loss in lost],
        segments=_segments(one),
    )


def _progress(one: Transfer) -> list[tuple[float, int]]:
    """Return the times of acknowledgments of new data, and the payload newly acknowledged."""
    found, before = [], 0
    for time, offset, _ in one.acks:
        if offset > before:
            found.append((time, offset - before))
            before = offset
    return found


def _received(one: Transfer) -> list[tuple[float, int, int]]:
    """Return the packets that reached the destination; unless captured there, the packets seen minus losses."""
    found = [(row[0], row[3], row[4]) for row in one.data]
    if one.point is not Point.receiver:
        found += [(loss.time, -loss.size, -loss.packets) for loss in one.lost]
    return found


def _segments(one: Transfer) -> list[tuple[float, str, str, int, int]]:
    """Return the rows of trace ``segments``: arrivals in a capture at the receiver, otherwise transmissions."""
    source, target = one.source.address, one.target.address
    if one.point is Point.receiver:
        data, data_at, ack, ack_at = "recv", f"{source}>{target}", "acksent", target
    else:
        data, data_at, ack, ack_at = "send", source, "ack", source
    rows = [(row[0], data, data_at, row[1], row[3]) for row in one.data]
    return rows + [(time, ack, ack_at, offset, size) for time, offset, size in one.acks]


def _notes(capture: Capture, found: Sequence[Transfer], flows: Sequence[Flow]) -> dict[str, Any]:
    """Return the entries of the manifest that describe a capture."""
    return {
        "frames": capture.frames,
        "frames_without_tcp": capture.others,
        "flows": [
            {
                "name": flow.name,
                "captured_at": one.point.value,
                "segment_bytes": one.segment,
                "least_rtt_s": one.base_rtt_s,
                "acked_bytes_not_captured": one.missed_bytes,
                "acknowledgments_with_ece": one.ece,
            }
            for one, flow in zip(found, flows, strict=True)
        ],
    }
