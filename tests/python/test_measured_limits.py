"""Limits of measurements that are read: captures, samples of ``ss``, data files of flent, stored tables."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.errors import FileError, UserError
from ackclock.measured import capture, flent, frames, ss, tables
from ackclock.runs import stored

CAPTURE = Path(__file__).parents[1] / "data" / "captures" / "kernel-cubic.pcap.gz"


@pytest.mark.parametrize(
    ("module", "name", "limit", "said"),
    [
        (frames, "MOST_FRAMES", 10, "more than 10 frames"),
        (frames, "LARGEST_FRAME", 40, "allowed: 40"),
        (capture, "MOST_SEGMENTS", 10, "more than 10 TCP segments"),
        (capture, "MOST_CONNECTIONS", 0, "more than 0 TCP connections"),
    ],
)
def test_a_capture_beyond_a_limit_is_refused(
    module: object, name: str, limit: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, limit)
    with pytest.raises(FileError, match=said) as caught:
        ac.measured.read("pcap", CAPTURE)
    assert CAPTURE.name in str(caught.value)


def test_a_block_of_pcapng_that_claims_gigabytes_is_refused(tmp_path: Path) -> None:
    header = struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
    path = tmp_path / "huge.pcapng"
    path.write_bytes(header + struct.pack("<II", 1, 0x7FFFFFFC) + bytes(64))
    with pytest.raises(FileError, match="a block claims 2,147,483,644 bytes"):
        ac.measured.read("pcap", path)


def test_a_large_file_of_samples_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "samples"
    path.write_text("{}" * 100, encoding="utf-8")
    for module, kind in ((ss, "ss"), (flent, "flent")):
        monkeypatch.setattr(module, "LARGEST", 100)
        with pytest.raises(FileError, match="too large"):
            ac.measured.read(kind, path)


def test_a_large_table_of_a_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ac.dumbbell(["reno"]).run("1s", traces=["cwnd"]).save(tmp_path / "run")
    monkeypatch.setattr(stored, "LARGEST_TABLE", 10)
    with pytest.raises(FileError, match="too large"):
        ac.runs.read_run(tmp_path / "run").trace("cwnd")


def test_bins_without_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_BINS", 10)
    with pytest.raises(UserError, match="--bin"):
        ac.measured.read("pcap", CAPTURE, bin_s=0.001)
