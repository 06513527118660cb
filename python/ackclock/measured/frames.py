"""Frames of a capture file, in the formats pcap and pcapng, plain or compressed with gzip.

dpkt's own readers drop each frame's original length, round the times of pcapng to floating point, and use the first
interface's link type for all frames. So this module reads both formats itself; `ackclock.measured.capture` uses dpkt to
parse the protocols.
"""

from __future__ import annotations

import gzip
import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from ackclock.errors import FileError

LARGEST_FRAME: Final = 1 << 20
"""Largest number of captured bytes of a frame that is read; libpcap itself captures at most 256 KiB."""

LARGEST_BLOCK: Final = 16 << 20
"""Maximum size, bytes, of a pcapng block that holds no packet; such blocks are skipped."""

MOST_FRAMES: Final = 5_000_000
"""Maximum number of frames that are read from one file."""

_PCAP: Final = {
    b"\xd4\xc3\xb2\xa1": ("<", 1000),
    b"\xa1\xb2\xc3\xd4": (">", 1000),
    b"\x4d\x3c\xb2\xa1": ("<", 1),
    b"\xa1\xb2\x3c\x4d": (">", 1),
}
"""Byte order and unit of the times' fractions, ns, for each magic number of pcap."""

_SECTION: Final = b"\x0a\x0d\x0d\x0a"
_INTERFACE, _OLD_PACKET, _SIMPLE, _ENHANCED = 1, 2, 3, 6
_RESOLUTION, _OFFSET = 9, 14
"""Numbers of pcapng's options `if_tsresol` and `if_tsoffset`."""


class Bytes(Protocol):
    """A binary file that can be read from the beginning to the end, without seeking."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes from the current position; fewer only at the end of the file."""


class Frame(NamedTuple):
    """A captured frame."""

    time_ns: int
    """Time of the capture, ns since 1970."""
    link: int
    """Type of the link layer (LINKTYPE)."""
    data: bytes
    """Captured bytes."""
    length: int
    """Length of the frame on the wire, bytes."""


@dataclass
class Interface:
    """An interface of a pcapng section: link type, and the unit and offset of its times."""

    link: int
    per_second: int
    offset_s: int

    def time_ns(self, ticks: int) -> int:
        """Return the time of `ticks` units, ns since 1970."""
        return ticks * 1_000_000_000 // self.per_second + self.offset_s * 1_000_000_000


def frames(path: str | Path) -> Iterator[Frame]:
    """Yield the frames of a capture file in the order of the file; an incomplete last frame is left out.

    Raises:
        FileError: If the file cannot be read, is not a capture, or is damaged.
    """
    path = Path(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise FileError(f"cannot read {path}: it is not a regular file")
        with path.open("rb") as raw:
            magic = raw.read(4)
            raw.seek(0)
            with gzip.open(raw) if magic[:2] == b"\x1f\x8b" else raw as file:
                yield from _read(file, path)
    except (EOFError, zlib.error, gzip.BadGzipFile) as why:
        raise FileError(f"{path}: damaged (gzip: {why})") from why
    except OSError as why:
        raise FileError.unreadable(path, why) from why


def _read(file: Bytes, path: Path) -> Iterator[Frame]:
    magic = file.read(4)
    if magic in _PCAP:
        found = _pcap(file, path, *_PCAP[magic])
    elif magic == _SECTION:
        found = _pcapng(file, path)
    else:
        raise FileError(
            f"{path}: not a capture\n  given:   a file that begins with {magic.hex() or 'nothing'}\n"
            "  allowed: pcap or pcapng, plain or gzip (tcpdump -w, dumpcap, Wireshark)"
        )
    for i, frame in enumerate(found):
        if i == MOST_FRAMES:
            raise FileError(
                f"{path}: more than {MOST_FRAMES:,} frames\n  cut it first: editcap -c {MOST_FRAMES} FILE PARTS"
            )
        yield frame


def _pcap(file: Bytes, path: Path, order: str, unit_ns: int) -> Iterator[Frame]:
    header = file.read(20)
    if len(header) < 20:
        raise FileError(f"{path}: damaged (its header ends after {4 + len(header)} of 24 bytes)")
    # The upper bits of the last field are flags, such as the length of the frame check sequence.
    link = struct.unpack(f"{order}HHiIII", header)[5] & 0x0FFF_FFFF
    record = struct.Struct(f"{order}IIII")
    number = 0
    while len(head := file.read(record.size)) == record.size:
        number += 1
        seconds, fraction, captured, length = record.unpack(head)
        data = _take(file, path, number, captured)
        if data is None:
            return
        yield Frame(seconds * 1_000_000_000 + fraction * unit_ns, link, data, length)


def _take(file: Bytes, path: Path, number: int, captured: int) -> bytes | None:
    """Return the bytes of a frame; None if the file ends before the frame does."""
    if captured > LARGEST_FRAME:
        raise FileError(
            f"{path}: damaged (frame {number} claims {captured:,} bytes; allowed: {LARGEST_FRAME:,})"
        )
    data = file.read(captured)
    return data if len(data) == captured else None


def _pcapng(file: Bytes, path: Path) -> Iterator[Frame]:
    order = _section(file, path)
    interfaces: list[Interface] = []
    number = 0
    while len(head := file.read(8)) == 8:
        if head[:4] == _SECTION:
            # A new section has its own byte order and interfaces. The byte order is known only after the length field,
            # so that field is decoded again.
            order = _section(file, path, head[4:])
            interfaces = []
            continue
        kind, length = struct.unpack(f"{order}II", head)
        if length < 12 or length % 4 or length > LARGEST_BLOCK:
            raise FileError(
                f"{path}: damaged (a block claims {length:,} bytes; allowed: 12 to {LARGEST_BLOCK:,})"
            )
        body = file.read(length - 8)
        if len(body) < length - 8:
            return
        body = body[:-4]
        if kind == _INTERFACE:
            interfaces.append(_interface(body, path, order))
        elif kind in (_ENHANCED, _OLD_PACKET, _SIMPLE):
            number += 1
            frame = _packet(kind, body, order, interfaces)
            if frame is None:
                raise FileError(f"{path}: damaged (frame {number})")
            yield frame


def _section(file: Bytes, path: Path, length: bytes | None = None) -> str:
    """Read the rest of a section header block and return the byte order."""
    length = file.read(4) if length is None else length
    magic = file.read(4)
    order = {b"\x4d\x3c\x2b\x1a": "<", b"\x1a\x2b\x3c\x4d": ">"}.get(magic)
    if order is None:
        raise FileError(f"{path}: damaged (pcapng without a byte order)")
    size = struct.unpack(f"{order}I", length)[0]
    if not 28 <= size <= LARGEST_BLOCK:
        raise FileError(f"{path}: damaged (a section header claims {size:,} bytes)")
    file.read(size - 12)
    return order


def _interface(body: bytes, path: Path, order: str) -> Interface:
    if len(body) < 8:
        raise FileError(f"{path}: damaged (the description of an interface)")
    found = Interface(struct.unpack(f"{order}H", body[:2])[0], 1_000_000, 0)
    at = 8
    while at + 4 <= len(body):
        code, size = struct.unpack(f"{order}HH", body[at : at + 4])
        value = body[at + 4 : at + 4 + size]
        if code == _RESOLUTION and size == 1:
            power = value[0] & 0x7F
            found.per_second = min(2**power if value[0] & 0x80 else 10**power, 10**18)
        elif code == _OFFSET and size == 8:
            found.offset_s = struct.unpack(f"{order}q", value)[0]
        at += 4 + size + -size % 4
    return found


def _packet(kind: int, body: bytes, order: str, interfaces: list[Interface]) -> Frame | None:
    """Return the frame of a packet block; None if the block is damaged or has no time."""
    if kind == _SIMPLE:
        # A simple packet block has no time.
        return None
    if len(body) < 20:
        return None
    head = f"{order}IIIII" if kind == _ENHANCED else f"{order}HHIIII"
    fields = struct.unpack(head, body[:20])
    number, (high, low, captured, length) = fields[0], fields[-4:]
    if number >= len(interfaces) or captured > len(body) - 20:
        return None
    interface = interfaces[number]
    return Frame(interface.time_ns(high << 32 | low), interface.link, body[20 : 20 + captured], length)
