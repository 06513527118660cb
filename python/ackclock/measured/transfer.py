"""Data of one direction of a TCP connection in a capture: round-trip times, retransmissions, losses and deliveries.

A capture shows the segments that passed one point of the path, whose place is a `Point`. At the sender's end every
transmission is seen, at the receiver's end every arrival. A loss is never seen. It is inferred from the retransmission,
unless later acknowledgments show that the retransmission was unnecessary (RFC 2883, RFC 4015).
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ackclock.measured.capture import ACK, ECE, FIN, RST, SYN, Connection, Endpoint, Segment

NEAR: Final = 0.1
"""Share of the round-trip time up to which the sender or receiver counts as close to the capture point."""

REORDERED: Final = 0.5
"""Share of the least round-trip time within which a late segment counts as reordered, not as a retransmission."""

REORDERED_S: Final = 0.003
"""Time within which a late segment counts as reordered if no round-trip time is known, seconds; see `REORDERED`."""

TOO_EARLY: Final = 0.8
"""Share of the least round-trip time; an acknowledgment that comes earlier cannot answer a retransmission."""

_ROUND: Final = 1 << 32

_OPTIONS: Final = 40
"""Maximum length of TCP options, which shorten segments below the announced MSS, bytes."""


class Point(StrEnum):
    """Place of a capture on the path."""

    sender = "sender"
    middle = "middle"
    receiver = "receiver"


@dataclass(slots=True)
class Piece:
    """A range of the stream that one segment carried, or a hole: a range of which no transmission was seen yet.

    Attributes:
        begin: Stream offset of the first byte.
        end: Stream offset after the last byte.
        time: Time of the last transmission seen, seconds; for a hole, time at which it was noticed.
        copies: Number of transmissions, counting one that is inferred to be lost before the capture point.
        ts: TSval of the last transmission.
        lost: Indices of the losses inferred from its retransmissions.
        arrived: True if an acknowledgment has covered it.
    """

    begin: int
    end: int
    time: float
    copies: int
    ts: int | None
    size: int
    lost: list[int] = field(default_factory=list)
    arrived: bool = False


@dataclass(slots=True)
class Loss:
    """A transmission that is inferred to be lost.

    Attributes:
        time: Time at which the transmission passed the capture point; if it was lost before that point, time at which a
            later segment showed the gap.
        seq: Stream offset of its first byte.
        size: Size on the wire, bytes.
        packets: Number of packets.
        real: False if a later acknowledgment showed that nothing was lost.
        inferred: Time of the retransmission, seconds.
    """

    time: float
    seq: int
    size: int
    packets: int
    inferred: float
    real: bool = True


@dataclass
class Transfer:
    """The data of one direction of a connection, as a capture shows it. Times are in seconds from the capture's start.

    Attributes:
        source: Endpoint that sends the data.
        target: Endpoint that receives the data.
        point: Place of the capture.
        segment: Payload of a full segment, bytes.
        began: Time of the first segment of the connection.
        ended: Time of the last segment that belongs to the transfer.
        completed: Time from the begin to the acknowledgment of the last byte; None if there was no FIN, or it was not
            acknowledged.
        handshake_rtt_s: Round-trip time of the handshake; None if it was not captured.
        base_rtt_s: Least round-trip time, the handshake's included; None if unknown.
        data: Data segments: time, stream offset, payload, size, number of packets, true for a retransmission, TSval.
        acks: Acknowledgments: time, stream offset, size.
        rtts: Time and round-trip time of each acknowledgment whose newest data were sent once, measured from their
            sending.
        delivered: Time of each acknowledgment, bytes known to have arrived, and end and sending time of the newest
            piece that it reports (-1 if there is none, or that piece was retransmitted).
        in_flight: Bytes sent and not known to have arrived, at each change.
        losses: Inferred losses.
        control_packets: Number and bytes of the source's packets without payload.
        retransmitted: Packets and payload of retransmissions.
        marked: Packets marked CE that passed, or None if the capture is not at the receiver's end.
        ece: Number of acknowledgments with ECE.
        missed_bytes: Payload that was acknowledged, but is not in the capture.
        unique_bytes: Payload in the capture, each byte once.
        selective: True if acknowledgments had SACK blocks.
    """

    source: Endpoint
    target: Endpoint
    point: Point
    segment: int
    began: float
    ended: float = 0.0
    completed: float | None = None
    handshake_rtt_s: float | None = None
    base_rtt_s: float | None = None
    data: list[tuple[float, int, int, int, int, bool, int | None]] = field(default_factory=list)
    acks: list[tuple[float, int, int]] = field(default_factory=list)
    rtts: list[tuple[float, float]] = field(default_factory=list)
    delivered: list[tuple[float, int, int, float]] = field(default_factory=list)
    in_flight: list[tuple[float, int]] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    control_packets: tuple[int, int] = (0, 0)
    retransmitted: tuple[int, int] = (0, 0)
    marked: int | None = None
    ece: int = 0
    missed_bytes: int = 0
    unique_bytes: int = 0
    selective: bool = False

    @property
    def lost(self) -> list[Loss]:
        """The inferred losses that no later acknowledgment disproved, in order of time."""
        return sorted((one for one in self.losses if one.real), key=lambda one: one.time)


def transfers(connection: Connection, zero_ns: int, point: Point | None = None) -> list[Transfer]:
    """Return the directions of a connection that carried data; times are relative to `zero_ns`.

    The direction with more payload is always among them. The other one is, too, if it carried at least ten segments.
    """
    amounts = [sum(one.payload for one in connection.segments if one.back is back) for back in (False, True)]
    counts = [
        sum(1 for one in connection.segments if one.back is back and one.payload) for back in (False, True)
    ]
    main = amounts[1] > amounts[0]
    kept = [back for back in (False, True) if amounts[back] and (back is main or counts[back] >= 10)]
    return [_Follower(connection, back, zero_ns, point).followed() for back in kept]


def _signed(difference: int) -> int:
    """Return a difference of sequence numbers as a signed number of 32 bits."""
    return (difference + (_ROUND >> 1)) % _ROUND - (_ROUND >> 1)


class _Follower:
    """Follows the segments of one direction and builds its `Transfer`."""

    def __init__(self, connection: Connection, back: bool, zero_ns: int, point: Point | None) -> None:
        self._segments = connection.segments
        self._back = back
        self._zero_ns = zero_ns
        source, target = connection.ends[back], connection.ends[not back]
        self._base = self._first_sequence()
        after, before = self._distances()
        whole = _total(after, before)
        self._before = before or 0.0
        self._found = Transfer(
            source,
            target,
            point or _place(after, before),
            self._segment_size(connection),
            self._time(self._segments[0]),
            handshake_rtt_s=self._greeted,
            base_rtt_s=whole,
        )
        self._least = whole
        self._pieces: list[Piece] = []
        self._starts: list[int] = []
        self._first = 0
        self._top = 0
        self._una = 0
        self._sacked = 0
        self._blocks: dict[int, int] = {}
        self._repaired: dict[int, Piece] = {}
        self._control = [0, 0]
        self._again = [0, 0]
        self._echoes: dict[int, float] = {}
        self._fin: int | None = None
        self._selective = any(one.sack for one in self._segments if one.back is not self._back)
        self._found.selective = self._selective

    def _time(self, segment: Segment) -> float:
        return (segment.time_ns - self._zero_ns) / 1e9

    def _first_sequence(self) -> int:
        """Return the sequence number of stream offset 0: the one after the SYN, or without a SYN the least captured."""
        mine = [one for one in self._segments if one.back is self._back]
        for one in mine:
            if one.flags & SYN:
                return (one.seq + 1) % _ROUND
        data = [one.seq for one in mine if one.payload]
        least = min(_signed(seq - data[0]) for seq in data)
        return (data[0] + least) % _ROUND

    def _offset(self, seq: int) -> int:
        """Return the stream offset of a sequence number, resolving wraparound by the highest offset so far."""
        return self._top + _signed(seq - self._base - self._top)

    def _segment_size(self, connection: Connection) -> int:
        """Return the payload of a full segment, from captured sizes and the smaller of the announced MSSs."""
        sizes = [one.payload for one in self._segments if one.back is self._back and one.payload]
        announced = min((mss for mss in connection.mss if mss), default=1460)
        usual = max((size for size in sizes if size <= announced), default=0)
        if usual > announced - _OPTIONS:
            return usual
        # All segments are shorter, or were captured before segmentation offload split them.
        stamped = any(one.ts for one in self._segments if one.back is self._back and one.payload)
        return max(1, announced - (12 if stamped else 0))

    def _distances(self) -> tuple[float | None, float | None]:
        """Return the least round-trip times from the capture point to the receiver and to the sender, seconds."""
        ways: list[list[float]] = [[], []]
        self._handshake(ways)
        self._greeted = sum(map(sum, ways)) if all(ways) else None
        first: list[dict[int, float]] = [{}, {}]
        for one in self._segments:
            if one.ts is None or one.flags & RST:
                continue
            value, echo = one.ts
            there = one.back is self._back
            if there and not one.payload:
                continue
            # An echo answers a timestamp value that went past the capture point in the opposite direction.
            sent = first[not there].get(echo)
            if sent is not None and one.flags & ACK and not one.flags & SYN:
                ways[not there].append(self._time(one) - sent)
                del first[not there][echo]
            first[there].setdefault(value, self._time(one))
        after, before = ways[1], ways[0]
        return min(after, default=None), min(before, default=None)

    def _handshake(self, ways: list[list[float]]) -> None:
        """Add the distances that a handshake shows: `ways[1]` to the receiver, `ways[0]` to the sender."""
        asked = answered = None
        for one in self._segments[:50]:
            if one.flags & SYN and not one.flags & ACK:
                if asked is not None:
                    return  # retransmitted SYN: it is unknown which copy was answered
                asked = one
            elif one.flags & SYN and asked is not None and answered is None:
                answered = one
                ways[asked.back is self._back].append(self._time(one) - self._time(asked))
            elif answered is not None and one.back is not answered.back and one.flags & ACK:
                ways[answered.back is self._back].append(self._time(one) - self._time(answered))
                return

    def followed(self) -> Transfer:
        """Return the transfer after all segments have been followed."""
        found = self._found
        for one in self._segments:
            if one.back is self._back:
                self._sent(one)
            elif one.flags & ACK:
                self._acknowledged(one)
        if found.point is Point.receiver:
            found.marked = sum(one.ce for one in self._segments if one.back is self._back)
            found.rtts = self._receiver_rtts()
        if found.rtts:
            least = min(rtt for _, rtt in found.rtts)
            found.base_rtt_s = min(least, found.base_rtt_s or least)
        found.control_packets = (self._control[0], self._control[1])
        found.retransmitted = (self._again[0], self._again[1])
        found.missed_bytes += sum(
            piece.end - piece.begin
            for piece in self._pieces[self._first :]
            if not piece.copies and piece.arrived
        )
        last_ack = found.acks[-1][0] if found.acks else 0.0
        found.ended = max([found.began, last_ack, *(row[0] for row in found.data[-1:])])
        return found

    def _sent(self, one: Segment) -> None:
        """Follow a segment from the source."""
        found = self._found
        time = self._time(one)
        begin = self._offset(one.seq) if not one.flags & SYN else 0
        if one.flags & FIN:
            self._fin = begin + one.payload
        if not one.payload or one.flags & SYN:
            self._control[0] += 1
            self._control[1] += one.size
            return
        end = begin + one.payload
        packets = max(1, math.ceil(one.payload / found.segment))
        headers = one.size - one.payload
        size = one.size + (packets - 1) * headers
        seen = self._place(begin, end, time, one, size, packets)
        found.data.append((time, begin, one.payload, size, packets, seen, one.ts[0] if one.ts else None))
        self._flight(time)

    def _place(self, begin: int, end: int, time: float, one: Segment, size: int, packets: int) -> bool:
        """Add a segment to the pieces of the stream; return true if it is a retransmission."""
        ts = one.ts[0] if one.ts else None
        if begin >= self._top:
            if begin > self._top:
                self._append(Piece(self._top, begin, time, 0, None, 0))
            self._append(Piece(begin, end, time, 1, ts, size))
            self._found.unique_bytes += end - begin
            self._top = end
            return False
        again = False
        for piece in self._over(begin, end):
            again |= self._repeat(piece, begin, end, time, ts, size, packets)
        if end > self._top:
            self._append(Piece(self._top, end, time, 1, ts, size))
            self._found.unique_bytes += end - self._top
            self._top = end
        elif begin < self._una and end <= self._una and not self._over(begin, end):
            again = True  # acknowledged before, so this retransmission was unnecessary
            self._count_again(packets, end - begin)
            return True
        if again:
            self._count_again(packets, end - begin)
        return again

    def _count_again(self, packets: int, payload: int) -> None:
        self._again[0] += packets
        self._again[1] += payload

    def _append(self, piece: Piece) -> None:
        self._pieces.append(piece)
        self._starts.append(piece.begin)

    def _over(self, begin: int, end: int) -> list[Piece]:
        """Return the outstanding pieces that overlap a range."""
        at = max(self._first, bisect.bisect_right(self._starts, begin) - 1)
        found = []
        while at < len(self._pieces) and self._pieces[at].begin < end:
            if self._pieces[at].end > begin:
                found.append(self._pieces[at])
            at += 1
        return found

    def _repeat(
        self, piece: Piece, begin: int, end: int, time: float, ts: int | None, size: int, packets: int
    ) -> bool:
        """Add a transmission to a piece whose range it overlaps; return true if it is a retransmission."""
        found = self._found
        if not piece.copies:
            return self._fill(piece, begin, end, time, ts, size, packets)
        if found.point is not Point.receiver and not piece.arrived:
            piece.lost.append(len(found.losses))
            found.losses.append(Loss(piece.time, piece.begin, piece.size, packets, time))
        piece.copies += 1
        piece.time, piece.ts = time, ts
        return True

    def _fill(
        self, piece: Piece, begin: int, end: int, time: float, ts: int | None, size: int, packets: int
    ) -> bool:
        """Replace a hole by a segment that arrived in it; return true if it came too late for mere reordering.

        A late segment is a retransmission of one that was lost before the capture point.
        """
        found = self._found
        limit = REORDERED_S if self._least is None else REORDERED * self._least
        late = time - piece.time > limit
        noticed = piece.time
        begin, end = max(begin, piece.begin), min(end, piece.end)
        found.unique_bytes += end - begin
        at = bisect.bisect_left(self._starts, piece.begin)
        parts = [
            Piece(piece.begin, begin, noticed, 0, None, 0),
            Piece(begin, end, time, 2 if late else 1, ts, size),
            Piece(end, piece.end, noticed, 0, None, 0),
        ]
        parts = [part for part in parts if part.end > part.begin]
        self._pieces[at : at + 1] = parts
        self._starts[at : at + 1] = [part.begin for part in parts]
        if late and found.point is not Point.sender:
            found.losses.append(Loss(noticed, begin, size, packets, time))
        return late

    def _acknowledged(self, one: Segment) -> None:
        """Follow an acknowledgment from the receiver."""
        found = self._found
        time = self._time(one)
        ack = self._top + _signed(one.ack - self._base - self._top)
        if ack < 0 or (one.flags & SYN):
            return
        if one.flags & ECE:
            found.ece += 1
        echo = one.ts[1] if one.ts else None
        blocks = [(self._offset(left), self._offset(right)) for left, right in one.sack]
        duplicate = _duplicate(blocks, ack)
        if duplicate is not None:
            blocks = blocks[1:]
            self._unnecessary(duplicate[0])
        found.acks.append((time, min(ack, self._top), one.size))
        newest: Piece | None = None
        for left, right in blocks:
            newest = _later(newest, self._selectively(left, right, time))
        newest = _later(newest, self._cumulatively(ack, time, echo))
        once = newest if newest is not None and newest.copies == 1 else None
        if once is not None:
            self._sample(time, time - once.time)
        if self._fin is not None and ack > self._fin >= self._top and found.completed is None:
            found.completed = time - found.began
        reported = (-1, -1.0) if once is None else (once.end, once.time)
        found.delivered.append((time, self._una + self._sacked, *reported))
        self._flight(time)

    def _cumulatively(self, ack: int, time: float, echo: int | None) -> Piece | None:
        """Process the cumulative acknowledgment `ack`; return the newest piece whose arrival it shows."""
        newest = None
        first = repaired = True
        while self._first < len(self._pieces) and self._pieces[self._first].end <= ack:
            piece = self._pieces[self._first]
            self._first += 1
            if piece.arrived:
                self._sacked -= piece.end - piece.begin
            elif first:
                repaired = piece.copies != 1
                self._arrive(piece, time, echo)
                newest = None if repaired else piece
            elif repaired:
                # The first piece filled a gap, so the later ones may have arrived long before this acknowledgment.
                self._settle(piece)
                newest = None
            else:
                self._arrive(piece, time, None)
                newest = _later(newest, piece)
            first = False
        self._una = max(self._una, min(ack, self._top))
        if self._first > 4096 and self._first * 2 > len(self._pieces):
            del self._pieces[: self._first], self._starts[: self._first]
            self._first = 0
        return newest

    def _selectively(self, left: int, right: int, time: float) -> Piece | None:
        """Process a SACK block; return the newest piece whose arrival it shows."""
        newest = None
        known = self._blocks.get(left, left)
        if right <= known or left < self._una:
            return None
        self._blocks[left] = right
        if len(self._blocks) > 64:
            self._blocks = {at: end for at, end in self._blocks.items() if end > self._una}
        for piece in self._over(known, right):
            if not piece.arrived and piece.begin >= left and piece.end <= right:
                # The echoed timestamp is the one of the segment at the left edge, not of this piece (RFC 7323 section
                # 4.3).
                self._arrive(piece, time, None)
                self._sacked += piece.end - piece.begin
                newest = _later(newest, piece)
        return newest

    def _settle(self, piece: Piece) -> None:
        """Mark a piece as arrived before the acknowledgment that covers it.

        Without SACK, the sender may have retransmitted data that had arrived, so the last inferred loss is withdrawn.
        With SACK the arrival would have been reported, so the loss stands.
        """
        piece.arrived = True
        if not piece.copies:
            self._found.missed_bytes += piece.end - piece.begin
        elif piece.lost and not self._selective:
            self._found.losses[piece.lost.pop()].real = False
        if piece.lost:
            self._repaired[piece.begin] = piece

    def _arrive(self, piece: Piece, time: float, echo: int | None) -> None:
        """Mark a piece as arrived; if its last retransmission was unnecessary, withdraw the loss inferred from it."""
        piece.arrived = True
        found = self._found
        if not piece.copies:
            found.missed_bytes += piece.end - piece.begin
            return
        if not piece.lost:
            return
        early = self._least is not None and time - piece.time + self._extra() < TOO_EARLY * self._least
        older = echo is not None and piece.ts is not None and _signed(echo - piece.ts) < 0
        if early or older:
            found.losses[piece.lost.pop()].real = False
        if piece.lost:
            self._repaired[piece.begin] = piece

    def _unnecessary(self, begin: int) -> None:
        """Process a duplicate SACK: the receiver got the piece at `begin` twice, so one of its losses was not real."""
        piece = self._repaired.get(begin)
        if piece is None:
            piece = next((one for one in self._over(begin, begin + 1) if one.lost), None)
        if piece is not None and piece.lost:
            self._found.losses[piece.lost.pop()].real = False

    def _extra(self) -> float:
        """Return the RTT between sender and capture point, seconds; 0 unless the capture was made in the middle."""
        return self._before if self._found.point is Point.middle else 0.0

    def _sample(self, time: float, rtt: float) -> None:
        if self._found.point is Point.receiver:
            return
        rtt += self._extra()
        self._found.rtts.append((time, rtt))
        self._least = rtt if self._least is None else min(self._least, rtt)

    def _flight(self, time: float) -> None:
        if self._found.point is Point.sender:
            self._found.in_flight.append((time, max(0, self._top - self._una - self._sacked)))

    def _receiver_rtts(self) -> list[tuple[float, float]]:
        """Return RTTs measured at the receiver: from an acknowledgment to the first data that echo its timestamp."""
        waiting: dict[int, float] = {}
        found = []
        for one in self._segments:
            if one.ts is None or one.flags & SYN:
                continue
            if one.back is not self._back:
                waiting.setdefault(one.ts[0], self._time(one))
            elif one.payload and (since := waiting.pop(one.ts[1], None)) is not None:
                found.append((self._time(one), self._time(one) - since))
        return found


def _duplicate(blocks: list[tuple[int, int]], ack: int) -> tuple[int, int] | None:
    """Return the first SACK block if it reports a duplicate (RFC 2883), otherwise None."""
    if not blocks:
        return None
    left, right = blocks[0]
    inside = len(blocks) > 1 and blocks[1][0] <= left and right <= blocks[1][1]
    return blocks[0] if right <= ack or inside else None


def _later(one: Piece | None, other: Piece | None) -> Piece | None:
    """Return the piece whose last transmission was later; if one is None, the other."""
    if one is None or other is None:
        return one or other
    return other if other.time >= one.time else one


def _total(after: float | None, before: float | None) -> float | None:
    return None if after is None else after + (before or 0.0)


def _place(after: float | None, before: float | None) -> Point:
    """Return the place of a capture, from the least round-trip times to the receiver and to the sender."""
    if after is None or before is None:
        return Point.sender
    whole = after + before
    if before <= NEAR * whole or whole < 0.0002:
        return Point.sender
    return Point.receiver if after <= NEAR * whole else Point.middle


def everything(connections: Iterable[Connection], zero_ns: int, point: Point | None = None) -> list[Transfer]:
    """Return the transfers of all connections, in the order of the connections."""
    return [one for connection in connections for one in transfers(connection, zero_ns, point)]
