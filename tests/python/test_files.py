"""Files are written completely or not at all."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ackclock._io.files import atomic_folder, atomic_write, json_text
from ackclock.errors import FileError


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "sub" / "a.txt"
    atomic_write(target, "one")
    atomic_write(target, b"two")
    assert target.read_text() == "two"
    assert [path.name for path in target.parent.iterdir()] == ["a.txt"]


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(FileError, match="cannot write"):
        atomic_write(tmp_path / "taken", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_files_of_a_folder_appear_together(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "old.txt").write_text("stays")
    with atomic_folder(out) as draft:
        (draft / "a.txt").write_text("a")
        (draft / "sub").mkdir()
        (draft / "sub" / "b.txt").write_text("b")
        assert not (out / "a.txt").exists()
    assert sorted(path.name for path in out.rglob("*.txt")) == ["a.txt", "b.txt", "old.txt"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_interrupted_folder_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    def interrupted() -> None:
        with atomic_folder(tmp_path / "out") as draft:
            (draft / "a.txt").write_text("a")
            raise error

    with pytest.raises(error):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_a_folders_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")

    def write() -> None:
        with atomic_folder(tmp_path / "out"):
            pass

    with pytest.raises(FileError, match="not a folder"):
        write()


def test_json_has_no_nan() -> None:
    text = json_text({"a": float("nan"), "b": [float("inf"), 1.5]})
    assert json.loads(text) == {"a": None, "b": [None, 1.5]}
    assert text.endswith("}\n")


WRITER = """
import sys, time
from pathlib import Path
from ackclock._io.drafts import draft_file
from ackclock._io.files import atomic_folder
with atomic_folder(Path(sys.argv[1]) / "out") as folder, draft_file(Path(sys.argv[1]) / "file") as file:
    (folder / "half").write_text("half")
    print("begun", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_writer_left_goes_and_what_a_living_one_writes_stays(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as begun:
        assert begun.stdout is not None
        assert begun.stdout.readline() == "begun\n"
        drafts = sorted(tmp_path.glob(".*.partial"))
        assert len(drafts) == 2
        write(tmp_path)
        assert sorted(tmp_path.glob(".*.partial")) == drafts, "a living writer's draft was taken"
        begun.send_signal(signal.SIGKILL)
    assert sorted(tmp_path.glob(".*.partial")) == drafts
    atomic_write(tmp_path / "other", "x")
    assert sorted(tmp_path.glob(".*.partial")) == drafts, "a draft of another target was taken"
    write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "other", "out"]


def write(folder: Path) -> None:
    """Write the targets of `WRITER`."""
    with atomic_folder(folder / "out") as draft:
        (draft / "a.txt").write_text("a")
    atomic_write(folder / "file", "whole")
