"""TCP connections in a capture file, with the time and the header fields of each segment."""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import dpkt

from ackclock.errors import FileError
from ackclock.measured.frames import frames

FIN, SYN, RST, ACK, ECE = 0x01, 0x02, 0x04, 0x10, 0x40
"""Flags of TCP headers (RFC 9293, RFC 3168)."""

CE: Final = 3
"""Codepoint Congestion Experienced in the IP header (RFC 3168)."""

MOST_SEGMENTS: Final = 2_000_000
"""Maximum number of TCP segments of one capture; each takes about 350 bytes of memory."""

MOST_CONNECTIONS: Final = 10_000
"""Maximum number of TCP connections of one capture."""

NULL, ETHERNET, RAW, RAW_BSD, LOOP, COOKED, IPV4, IPV6, COOKED_2 = 0, 1, 101, 12, 108, 113, 228, 229, 276
"""Link types (LINKTYPE) that can be read."""

_VLAN: Final = (0x8100, 0x88A8)
"""Ethertypes of VLAN tags."""


class Segment(NamedTuple):
    """A TCP segment as it passed the capture point."""

    time_ns: int
    """Time, ns since 1970."""
    back: bool
    """Direction: false from the connection's first endpoint to the second, true from the second to the first."""
    seq: int
    ack: int
    flags: int
    payload: int
    """Payload, bytes, from the lengths in the headers."""
    size: int
    """Size of the IP packet, bytes."""
    ts: tuple[int, int] | None
    """TSval and TSecr of the timestamp option (RFC 7323)."""
    sack: tuple[tuple[int, int], ...]
    """SACK blocks (RFC 2018)."""
    ce: bool
    """True if the packet is marked CE."""


class Endpoint(NamedTuple):
    """An address and a port."""

    address: str
    port: int


@dataclass
class Connection:
    """A TCP connection: its endpoints, and its segments in the order of the capture."""

    ends: tuple[Endpoint, Endpoint]
    segments: list[Segment] = field(default_factory=list)
    mss: list[int] = field(default_factory=lambda: [0, 0])
    """Maximum segment size that each end announced (RFC 9293), bytes; 0 if its SYN was not captured."""


@dataclass
class Capture:
    """The TCP connections of a capture file."""

    connections: list[Connection]
    frames: int = 0
    """Number of frames in the file."""
    others: int = 0
    """Number of frames from which no complete TCP header could be read."""


def read(path: str | Path) -> Capture:
    """Return the TCP connections of a capture file, in the order of their first segments.

    Frames may be cut (``tcpdump -s 96``) if each still holds the whole TCP header.

    Raises:
        FileError: If the file is not a capture, is damaged, exceeds a limit, or has an unknown link type.
    """
    found = Capture([])
    open_: dict[tuple[Endpoint, Endpoint], Connection] = {}
    number = 0
    for frame in frames(path):
        found.frames += 1
        packet = _network(frame.link, frame.data, path)
        lower = len(frame.data) - len(packet or b"")
        segment = None if packet is None else _segment(packet, frame.time_ns, frame.length - lower)
        if segment is None:
            found.others += 1
            continue
        number += 1
        if number > MOST_SEGMENTS:
            raise FileError(
                f"{path}: more than {MOST_SEGMENTS:,} TCP segments\n"
                "  cut it first: editcap -c 2000000 FILE PARTS, or tcpdump -r FILE -w PART 'port 5201'"
            )
        source, target, one, mss = segment
        back = (target, source) in open_
        connection = open_.get((target, source) if back else (source, target))
        # A SYN with another sequence number opens a second connection between the same ports.
        if connection is None or _anew(connection, one, back):
            back = False
            connection = Connection((source, target))
            if len(found.connections) == MOST_CONNECTIONS:
                raise FileError(
                    f"{path}: more than {MOST_CONNECTIONS:,} TCP connections\n"
                    "  take a part of it: tcpdump -r FILE -w PART 'port 5201'"
                )
            found.connections.append(connection)
            open_.pop((target, source), None)
            open_[source, target] = connection
        connection.segments.append(one._replace(back=back))
        if mss:
            connection.mss[back] = mss
    for connection in found.connections:
        connection.segments.sort(key=lambda segment: segment.time_ns)
    return found


def _anew(connection: Connection, one: Segment, back: bool) -> bool:
    """Return true if `one` is a SYN that opens a new connection between the endpoints of `connection`."""
    if not one.flags & SYN or one.flags & ACK:
        return False
    first = connection.segments[0]
    return back or not (first.flags & SYN and first.seq == one.seq)


def _network(link: int, data: bytes, path: str | Path) -> bytes | None:
    """Return the IP packet in a frame; None if the frame carries no IP packet."""
    if link == ETHERNET:
        at, kind = 14, data[12:14]
        while int.from_bytes(kind) in _VLAN:
            at, kind = at + 4, data[at + 2 : at + 4]
        return data[at:] if kind in (b"\x08\x00", b"\x86\xdd") else None
    if link in (RAW, RAW_BSD, IPV4, IPV6):
        return data
    if link == COOKED:
        return data[16:] if data[14:16] in (b"\x08\x00", b"\x86\xdd") else None
    if link == COOKED_2:
        return data[20:] if data[:2] in (b"\x08\x00", b"\x86\xdd") else None
    if link in (NULL, LOOP):
        return data[4:]
    raise FileError(
        f"{path}: link type {link} is not read\n"
        "  allowed: Ethernet (1), Linux cooked (113, 276), raw IP (12, 101, 228, 229), BSD loopback (0, 108)\n"
        "  convert it first: tshark -r FILE -w OTHER -F pcapng"
    )


def _segment(packet: bytes, time_ns: int, length: int) -> tuple[Endpoint, Endpoint, Segment, int] | None:
    """Return endpoints, segment and announced MSS (0 if none) of an IP packet; None if it has no whole TCP header."""
    try:
        ip: Any = dpkt.ip6.IP6(packet) if packet[:1] and packet[0] >> 4 == 6 else dpkt.ip.IP(packet)
        tcp = ip.data
        if not isinstance(tcp, dpkt.tcp.TCP) or (isinstance(ip, dpkt.ip.IP) and ip.offset):
            return None
        header = tcp.off * 4
        if isinstance(ip, dpkt.ip6.IP6):
            extensions = sum(len(one) for one in ip.all_extension_headers)
            size, ip_header, ecn = 40 + ip.plen, 40 + extensions, ip.fc & 3
        else:
            size, ip_header, ecn = ip.len, ip.hl * 4, ip.tos & 3
        if size in (0, 40):  # segmentation offload leaves the length field of packets above 64 KiB empty
            size = max(length, size)
        payload = size - ip_header - header
        if payload < 0 or header < 20:
            return None
        ts, sack, mss = _options(bytes(tcp.opts))
    except (dpkt.UnpackError, struct.error, ValueError, IndexError):
        return None
    source = Endpoint(str(ipaddress.ip_address(ip.src)), tcp.sport)
    target = Endpoint(str(ipaddress.ip_address(ip.dst)), tcp.dport)
    one = Segment(time_ns, False, tcp.seq, tcp.ack, tcp.flags, payload, size, ts, sack, ecn == CE)
    return source, target, one, mss if tcp.flags & SYN else 0


def _options(given: bytes) -> tuple[tuple[int, int] | None, tuple[tuple[int, int], ...], int]:
    """Return timestamps, SACK blocks and MSS from the options of a TCP header, as far as the options were captured."""
    ts: tuple[int, int] | None = None
    sack: tuple[tuple[int, int], ...] = ()
    mss = 0
    for kind, value in _parsed(given):
        if kind == dpkt.tcp.TCP_OPT_TIMESTAMP and len(value) == 8:
            ts = struct.unpack(">II", value)
        elif kind == dpkt.tcp.TCP_OPT_SACK and len(value) % 8 == 0:
            words = struct.unpack(f">{len(value) // 4}I", value)
            sack = tuple(zip(words[::2], words[1::2], strict=True))
        elif kind == dpkt.tcp.TCP_OPT_MSS and len(value) == 2:
            mss = int.from_bytes(value)
    return ts, sack, mss


def _parsed(given: bytes) -> Iterator[tuple[int, bytes]]:
    try:
        yield from dpkt.tcp.parse_opts(given)
    except (dpkt.UnpackError, IndexError):
        return
