"""Capture files for tests, written from a list of frames."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

MAGIC = {("<", 1000): 0xA1B2C3D4, ("<", 1): 0xA1B23C4D, (">", 1000): 0xA1B2C3D4, (">", 1): 0xA1B23C4D}


def segment(
    source: tuple[int, int],
    target: tuple[int, int],
    *,
    seq: int,
    ack: int = 0,
    flags: int = 0x10,
    payload: int = 0,
    options: bytes = b"",
    ecn: int = 0,
    v6: bool = False,
) -> bytes:
    """Return an IP packet with a TCP segment; an endpoint is the last byte of an address, and a port."""
    header = struct.pack(
        ">HHIIBBHHH",
        source[1],
        target[1],
        seq % 2**32,
        ack % 2**32,
        (20 + len(options)) << 2,
        flags,
        500,
        0,
        0,
    )
    tcp = header + options + bytes(payload)
    if v6:
        addresses = bytes(15) + bytes([source[0]]) + bytes(15) + bytes([target[0]])
        return struct.pack(">IHBB", 6 << 28 | ecn << 20, len(tcp), 6, 64) + addresses + tcp
    addresses = bytes([10, 0, 0, source[0], 10, 0, 0, target[0]])
    return struct.pack(">BBHHHBBH", 0x45, ecn, 20 + len(tcp), 0, 0, 64, 6, 0) + addresses + tcp


def timestamps(value: int, echo: int) -> bytes:
    """Return the timestamp option with padding."""
    return b"\x01\x01\x08\x0a" + struct.pack(">II", value, echo)


def sack(*blocks: tuple[int, int]) -> bytes:
    """Return the SACK option with padding."""
    return (
        b"\x01\x01\x05" + bytes([2 + 8 * len(blocks)]) + b"".join(struct.pack(">II", *one) for one in blocks)
    )


def pcap(
    path: Path,
    packets: Iterable[tuple[int, bytes]],
    *,
    link: int = 101,
    before: bytes = b"",
    order: str = "<",
    unit_ns: int = 1,
    snaplen: int = 262144,
) -> Path:
    """Write packets with their times (ns) as pcap; each is preceded by a link header and cut to `snaplen` bytes."""
    out = struct.pack(f"{order}IHHiIII", MAGIC[order, unit_ns], 2, 4, 0, 0, snaplen, link)
    for time, packet in packets:
        frame = before + packet
        cut = frame[:snaplen]
        fraction = time % 1_000_000_000 // unit_ns
        out += struct.pack(f"{order}IIII", time // 1_000_000_000, fraction, len(cut), len(frame)) + cut
    path.write_bytes(out)
    return path


def pcapng(
    path: Path,
    packets: Iterable[tuple[int, int, bytes]],
    *,
    interfaces: Iterable[tuple[int, int]] = ((101, 9),),
    order: str = "<",
) -> Path:
    """Write packets (time in ns, interface, bytes) as pcapng.

    An interface is a link type and the exponent of its time unit, as a negative power of ten.
    """

    def block(kind: int, body: bytes) -> bytes:
        body += bytes(-len(body) % 4)
        length = 12 + len(body)
        return struct.pack(f"{order}II", kind, length) + body + struct.pack(f"{order}I", length)

    out = block(0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1))
    resolutions = []
    for link, power in interfaces:
        resolutions.append(power)
        option = struct.pack(f"{order}HHB3x", 9, 1, power) + bytes(4)
        out += block(1, struct.pack(f"{order}HHI", link, 0, 0) + option)
    for time, number, packet in packets:
        ticks = time * 10 ** resolutions[number] // 10**9
        head = struct.pack(f"{order}IIIII", number, ticks >> 32, ticks & 0xFFFFFFFF, len(packet), len(packet))
        out += block(6, head + packet)
    path.write_bytes(out)
    return path
