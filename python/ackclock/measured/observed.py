"""Observations of one transfer from which a path is estimated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ackclock.measured.transfer import Point, Transfer

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Observed:
    """Observations of one transfer. Times are in seconds.

    Attributes:
        name: Name of the flow.
        segment: Payload of a full packet, bytes.
        wire: Size of a full packet with its headers, bytes.
        base: Least round-trip time, the handshake's included; None if unknown.
        handshake: Round-trip time of the handshake; None if it was not captured.
        rtt_sent: Time at which the packet of each round-trip time was sent.
        rtt: Round-trip times.
        arrived: Time of each delivery: when its acknowledgment was captured, or at the receiver's end its data.
        amount: Bytes on the wire that each delivery adds.
        released: Time at which the newest packet of each delivery was sent; NaN if unknown.
        advance: Bytes on the wire between the newest packet of the previous delivery and the newest packet of this one.
        sent: Times at which packets were sent.
        lost: Sending times of the lost packets.
        repairs: Begin and end of each interval from a loss to its repair. In it, acknowledgments without SACK do not
            show which data arrived; empty if the connection has SACK.
    """

    name: str
    segment: int
    wire: float
    base: float | None
    handshake: float | None
    rtt_sent: Numbers
    rtt: Numbers
    arrived: Numbers
    amount: Numbers
    released: Numbers
    advance: Numbers
    sent: Numbers
    lost: Numbers
    repairs: tuple[tuple[float, float], ...]


def observed(one: Transfer, name: str) -> Observed:
    """Return the observations of a transfer in a capture."""
    full = [row for row in one.data if row[4] == 1 and row[2] == one.segment]
    wire = float(np.median([row[3] for row in full])) if full else float(one.segment + 52)
    factor = wire / one.segment
    rtts = np.array([rtt for _, rtt in one.rtts])
    seen = np.array([time for time, _ in one.rtts])
    lost = np.repeat([loss.time for loss in one.lost], [loss.packets for loss in one.lost])
    packets = np.repeat([row[0] for row in one.data], [row[4] for row in one.data])
    arrived, amount, released, advance = (
        _at_receiver(one) if one.point is Point.receiver else _at_sender(one, factor)
    )
    wait = 2 * (one.base_rtt_s or 0.0)
    repairs = tuple((loss.time, loss.inferred + wait) for loss in one.losses)
    return Observed(
        name,
        one.segment,
        wire,
        one.base_rtt_s,
        one.handshake_rtt_s,
        # A round trip measured at the receiver begins with an acknowledgment and ends with data. The data, not the
        # acknowledgment, passed the bottleneck's queue, so the trip's end is used.
        (seen if one.point is Point.receiver else seen - rtts),
        rtts,
        arrived,
        amount,
        released,
        advance,
        packets,
        np.asarray(lost, dtype=float),
        () if one.selective else repairs,
    )


def _at_receiver(one: Transfer) -> tuple[Any, Any, Any, Any]:
    """Return the deliveries that arriving data show; the sending times come from the data's timestamps."""
    times = np.array([row[0] for row in one.data])
    # Timestamps are taken to count milliseconds, as in Linux. With a finer tick, packets seem farther apart than they
    # were, never closer.
    stamps = np.array([math.nan if row[6] is None else 1e-3 * row[6] for row in one.data], dtype=float)
    ends = np.array([row[1] + row[2] for row in one.data], dtype=float)
    advance = np.diff(ends, prepend=math.nan) * np.array([row[3] / row[2] for row in one.data])
    return times, np.array([row[3] for row in one.data], dtype=float), stamps, advance


def _at_sender(one: Transfer, factor: float) -> tuple[Any, Any, Any, Any]:
    """Return the deliveries that acknowledgments report, with the time at which the newest packet of each was sent."""
    times, total, ends, sent = (np.array(column, dtype=float) for column in zip(*one.delivered, strict=True))
    gained = np.diff(np.maximum.accumulate(total), prepend=0.0)
    kept = gained > 0
    ends, sent = (np.where(column < 0, math.nan, column)[kept] for column in (ends, sent))
    return times[kept], gained[kept] * factor, sent, np.diff(ends, prepend=math.nan) * factor
