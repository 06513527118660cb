"""Captures: formats, link layers, options, and damaged files."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import dpkt
import pytest
from tests.python.captures import pcap, pcapng, sack, segment, timestamps

from ackclock.errors import FileError, UserError
from ackclock.measured import read
from ackclock.measured.capture import read as connections
from ackclock.measured.frames import frames
from ackclock.measured.transfer import Point, Transfer, transfers

A, B = (1, 40000), (2, 443)
MS = 1_000_000
EPOCH = 1_700_000_000 * 1_000_000_000

ETHERNET = bytes(12) + b"\x08\x00"
VLAN = bytes(12) + b"\x81\x00\x00\x05\x08\x00"
COOKED = bytes(14) + b"\x08\x00"
COOKED_2 = b"\x08\x00" + bytes(18)


def exchange(*, isn: int = 100, v6: bool = False) -> list[tuple[int, bytes]]:
    """Return a handshake, three segments and their acknowledgment, seen by the sender on a path of 20 ms."""
    packets = [
        (0, segment(A, B, seq=isn, flags=0x02, options=b"\x02\x04\x05\xb4", v6=v6)),
        (20, segment(B, A, seq=500, ack=isn + 1, flags=0x12, options=b"\x02\x04\x05\xb4", v6=v6)),
        (20, segment(A, B, seq=isn + 1, ack=501, v6=v6)),
        (21, segment(A, B, seq=isn + 1, ack=501, payload=1460, v6=v6)),
        (22, segment(A, B, seq=isn + 1461, ack=501, payload=1460, v6=v6)),
        (43, segment(B, A, seq=501, ack=isn + 2921, v6=v6)),
        (44, segment(A, B, seq=isn + 2921, ack=501, payload=580, v6=v6)),
        (65, segment(B, A, seq=501, ack=isn + 3501, v6=v6)),
    ]
    return [(EPOCH + at * MS, packet) for at, packet in packets]


def only(path: Path, point: Point | None = None) -> Transfer:
    """Return the only transfer of a capture."""
    (connection,) = connections(path).connections
    (found,) = transfers(connection, EPOCH, point)
    return found


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("unit_ns", [1, 1000])
@pytest.mark.parametrize(
    ("link", "before"),
    [
        *((101, b""), (1, ETHERNET), (1, VLAN), (113, COOKED), (276, COOKED_2)),
        *((0, b"\x02\x00\x00\x00"), (228, b""), (12, b"")),
    ],
)
def test_every_link_layer_gives_the_same_transfer(
    tmp_path: Path, link: int, before: bytes, order: str, unit_ns: int
) -> None:
    packets = exchange()
    found = only(pcap(tmp_path / "x.pcap", packets, link=link, before=before, order=order, unit_ns=unit_ns))
    assert (found.source.port, found.target.port) == (40000, 443)
    assert found.point is Point.sender
    assert [row[1:4] for row in found.data] == [(0, 1460, 1500), (1460, 1460, 1500), (2920, 580, 620)]
    assert [offset for _, offset, _ in found.acks] == [0, 2920, 3500][1:]
    assert found.rtts == [
        (pytest.approx(0.043), pytest.approx(0.021)),
        (pytest.approx(0.065), pytest.approx(0.021)),
    ]
    assert found.handshake_rtt_s == pytest.approx(0.020)


def test_pcapng_keeps_nanoseconds_and_each_interface_its_own_clock(tmp_path: Path) -> None:
    one = segment(A, B, seq=1, payload=100)
    path = pcapng(
        tmp_path / "x.pcapng",
        [(EPOCH + 1, 0, one), (EPOCH + 2000, 1, ETHERNET + one)],
        interfaces=[(101, 9), (1, 6)],
    )
    found = list(frames(path))
    assert [(frame.time_ns, frame.link) for frame in found] == [(EPOCH + 1, 101), (EPOCH + 2000, 1)]
    assert found[1].data == ETHERNET + one


@pytest.mark.parametrize("v6", [False, True])
def test_dpkt_reads_the_same_segments(tmp_path: Path, v6: bool) -> None:
    """Our reader of frames gives the same segments as dpkt's own."""
    path = pcapng(tmp_path / "x.pcapng", [(time, 0, packet) for time, packet in exchange(v6=v6)])
    (connection,) = connections(path).connections
    with path.open("rb") as file:
        theirs = [(float(time), packet) for time, packet in dpkt.pcapng.Reader(file)]
    assert [frame.data for frame in frames(path)] == [packet for _, packet in theirs]
    assert [one.time_ns / 1e9 for one in connection.segments] == pytest.approx(
        [time for time, _ in theirs], abs=1e-6
    )


def test_a_compressed_capture_and_one_cut_to_headers_are_the_same(tmp_path: Path) -> None:
    whole = pcap(tmp_path / "whole.pcap", exchange(), link=1, before=ETHERNET)
    cut = pcap(tmp_path / "cut.pcap", exchange(), link=1, before=ETHERNET, snaplen=60)
    packed = tmp_path / "whole.pcap.gz"
    packed.write_bytes(gzip.compress(whole.read_bytes()))
    assert only(whole).data == only(cut).data == only(packed).data


def test_sequence_numbers_that_wrap_are_offsets_of_one_stream(tmp_path: Path) -> None:
    found = only(pcap(tmp_path / "x.pcap", exchange(isn=2**32 - 1500)))
    assert [row[1] for row in found.data] == [0, 1460, 2920]
    assert found.acks[-1][1] == 3500


def test_a_capture_without_the_handshake_counts_from_its_least_byte(tmp_path: Path) -> None:
    found = only(pcap(tmp_path / "x.pcap", exchange()[3:]))
    assert [row[1] for row in found.data] == [0, 1460, 2920]
    assert found.handshake_rtt_s is None


def stream(*events: tuple[float, bytes]) -> list[tuple[int, bytes]]:
    """Return a handshake of 20 ms, seen by the sender, followed by packets at the given times in ms."""
    return exchange()[:3] + [(EPOCH + round(at * MS), packet) for at, packet in events]


def data(number: int, **more: object) -> bytes:
    """Return data segment number `number`, of 1000 bytes."""
    return segment(A, B, seq=101 + 1000 * number, ack=501, payload=1000, **more)  # type: ignore[arg-type]


def ack(upto: int, *blocks: tuple[int, int], options: bytes = b"") -> bytes:
    """Return an acknowledgment of the segments below `upto`; SACK blocks are given in segments."""
    listed = sack(*((101 + 1000 * a, 101 + 1000 * b) for a, b in blocks)) if blocks else options
    return segment(B, A, seq=501, ack=101 + 1000 * upto, options=listed)


def test_a_retransmission_is_a_loss(tmp_path: Path) -> None:
    packets = stream(
        *((30 + i, data(i)) for i in range(5)),
        (50, ack(1)),
        (52, ack(1, (2, 3))),
        (53, ack(1, (2, 4))),
        (54, ack(1, (2, 5))),
        (55, data(1)),
        (75, ack(5)),
    )
    found = only(pcap(tmp_path / "x.pcap", packets))
    assert [(loss.time, loss.seq) for loss in found.lost] == [(pytest.approx(0.031), 1000)]
    assert found.retransmitted == (1, 1000)
    # By Karn's rule the retransmitted segment gives no sample; each newly reported segment gives one.
    assert [round(1e3 * rtt) for _, rtt in found.rtts] == [20, 20, 20, 20]


@pytest.mark.parametrize("way", ["dsack", "early", "timestamps"])
def test_an_unnecessary_retransmission_is_no_loss(tmp_path: Path, way: str) -> None:
    stamp = {"options": timestamps(7, 3)} if way == "timestamps" else {}
    again = {"options": timestamps(9, 3)} if way == "timestamps" else {}
    last = {
        "dsack": (80, ack(2, (0, 1))),
        "early": (62, ack(2)),
        "timestamps": (80, ack(2, options=timestamps(4, 7))),
    }[way]
    packets = stream((30, data(0, **stamp)), (31, data(1, **stamp)), (60, data(0, **again)), last)
    if way == "dsack":
        packets = stream((30, data(0)), (31, data(1)), (60, data(0)), (79, ack(2)), last)
    found = only(pcap(tmp_path / "x.pcap", packets))
    assert found.retransmitted == (1, 1000)
    assert found.lost == []


def test_a_capture_at_the_receiver_shows_holes(tmp_path: Path) -> None:
    """A hole that is filled half a round trip later was a loss; one that is filled sooner was reordering."""
    greeting = [
        (0, segment(A, B, seq=100, flags=0x02, options=b"\x02\x04\x03\xe8")),
        (0.01, segment(B, A, seq=500, ack=101, flags=0x12, options=b"\x02\x04\x03\xe8")),
        (20, segment(A, B, seq=101, ack=501)),
    ]
    rest = [
        (21, data(0)),
        (23, data(2)),
        (23.1, ack(1, (2, 3))),
        (24, data(4)),
        (24.5, data(3)),
        (45, data(1)),
        (45.1, ack(5)),
    ]
    path = pcap(tmp_path / "x.pcap", [(EPOCH + round(at * MS), packet) for at, packet in [*greeting, *rest]])
    found = only(path)
    assert found.point is Point.receiver
    assert [loss.seq for loss in found.lost] == [1000]
    assert found.retransmitted == (1, 1000)


def test_both_directions_and_reused_ports_are_flows_of_their_own(tmp_path: Path) -> None:
    both = stream(
        *((30 + i, data(i)) for i in range(12)),
        *((50 + i, segment(B, A, seq=501 + 500 * i, ack=12101, payload=500)) for i in range(11)),
        (80, segment(A, B, seq=12101, ack=6001)),
    )
    later = [(time + 10**9, packet) for time, packet in exchange(isn=70000)]
    run = read("pcap", pcap(tmp_path / "x.pcap", both + later))
    names = [flow["name"] for flow in run.summary["flows"]]
    assert names == ["10.0.0.1:40000>10.0.0.2:443 #1", "443>40000", "10.0.0.1:40000>10.0.0.2:443 #2"]
    assert [flow["acked_bytes"] for flow in run.summary["flows"]] == [12000, 5500, 3500]


def test_offloaded_segments_count_as_packets_of_the_announced_size(tmp_path: Path) -> None:
    packets = stream(
        (30, segment(A, B, seq=101, ack=501, payload=14600)), (55, segment(B, A, seq=501, ack=14701))
    )
    found = only(pcap(tmp_path / "x.pcap", packets))
    assert found.segment == 1460
    assert [(row[3], row[4]) for row in found.data] == [(15000, 10)]


def test_marks_at_the_receiver_and_echoes_at_the_sender_are_counted(tmp_path: Path) -> None:
    packets = stream((30, data(0, ecn=3)), (50, segment(B, A, seq=501, ack=1101, flags=0x50)))
    path = pcap(tmp_path / "x.pcap", packets)
    assert (only(path).marked, only(path).ece) == (None, 1)
    assert only(path, Point.receiver).marked == 1


DAMAGED = {
    "empty": b"",
    "text": b"time,seq\n1,2\n" * 10,
    "header": exchange()[0][1],
    "short": b"\xd4\xc3\xb2\xa1\x02\x00",
    "claim": b"\xd4\xc3\xb2\xa1\x02\x00\x04\x00"
    + bytes(12)
    + b"\x01\x00\x00\x00"
    + bytes(8)
    + b"\xff\xff\xff\x7f" * 2,
    "block": b"\x0a\x0d\x0d\x0a\x1c\x00\x00\x00\x4d\x3c\x2b\x1a"
    + bytes(16)
    + b"\x06\x00\x00\x00\xf0\xff\xff\x7f",
    "section": b"\x0a\x0d\x0d\x0a\xff\xff\xff\x7f\x4d\x3c\x2b\x1a" + bytes(16),
    "gzip": gzip.compress(b"\xd4\xc3\xb2\xa1" + bytes(100))[:-20],
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_file_is_an_error_that_names_it(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.pcap"
    path.write_bytes(DAMAGED[kind])
    with pytest.raises(FileError, match=r"x\.pcap: (not a capture|damaged)"):
        read("pcap", path)


def test_folders_devices_and_other_link_types_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, Path("/dev/zero")):
        with pytest.raises(FileError, match="not a regular file"):
            read("pcap", path)
    with pytest.raises(FileError, match="cannot read"):
        read("pcap", tmp_path / "none.pcap")
    with pytest.raises(FileError, match="link type 105 is not read"):
        read("pcap", pcap(tmp_path / "wifi.pcap", exchange(), link=105))
    with pytest.raises(UserError, match="no TCP connection with data"):
        read("pcap", pcap(tmp_path / "bare.pcap", exchange()[:3]))


@pytest.mark.parametrize(
    ("given", "text"), [({"at": "nowhere"}, "place of a capture"), ({"bin_s": 0.0}, "bin_s")]
)
def test_wrong_arguments_name_what_is_allowed(tmp_path: Path, given: dict[str, object], text: str) -> None:
    path = pcap(tmp_path / "x.pcap", exchange())
    with pytest.raises(UserError, match=text):
        read("pcap", path, **given)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="did you mean pcap"):
        read("pcapp", path)


def test_changed_bytes_never_crash(tmp_path: Path) -> None:
    """Random damage leads to a run or to a user error, never to another exception."""
    random_ = random.Random(1)
    files = [
        pcap(
            tmp_path / "a", stream(*((30 + i, data(i, options=timestamps(i, i))) for i in range(8)))
        ).read_bytes(),
        pcapng(tmp_path / "b", [(time, 0, packet) for time, packet in exchange(v6=True)]).read_bytes(),
    ]
    path = tmp_path / "x.pcap"
    good = 0
    for i in range(400):
        changed = bytearray(files[i % 2])
        for _ in range(random_.randint(1, 6)):
            changed[random_.randrange(len(changed))] = random_.randrange(256)
        path.write_bytes(changed[: random_.randint(1, len(changed))])
        try:
            read("pcap", path)
            good += 1
        except UserError:
            pass
    assert good > 50


def test_a_capture_over_half_a_century_needs_wider_bins(tmp_path: Path) -> None:
    late = [(time + 2 * 10**18, packet) for time, packet in exchange()[4:]]
    path = pcap(tmp_path / "x.pcap", exchange()[:4] + late)
    with pytest.raises(UserError, match="choose wider bins"):
        read("pcap", path)
    assert read("pcap", path, bin_s=1e5).trace("throughput").columns[0] == "time_s"
