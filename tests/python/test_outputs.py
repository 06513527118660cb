"""Output after failures: each file is complete or absent, and the message tells the user what to do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from ackclock.cli.main import main

SWEEP = ["sweep", "dumbbell", "--set", "duration=2s", "--vary", "link.bottleneck.rate=1Mbps,2Mbps"]
NO_PROCESSES = pytest.mark.skipif(os.name == "nt", reason="signals and limits of Unix")


def words(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ackclock", *arguments]


def piped(command: list[str], reader: str, folder: Path) -> None:
    """Run a command whose output is piped into a program that does not read it all; assert success."""
    done = subprocess.run(
        ["bash", "-c", f"{' '.join(command)} | {reader}; echo ${{PIPESTATUS[0]}}"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.splitlines()[-1] == "0"
    assert "Traceback" not in done.stderr


@NO_PROCESSES
def test_a_reader_that_has_read_enough_is_no_failure(tmp_path: Path) -> None:
    piped(words("run", "dumbbell", "--set", "duration=2s"), "head -1", tmp_path)


@NO_PROCESSES
@pytest.mark.parametrize(
    "verb", ["schema", "--help", "check dumbbell", "run dumbbell --set duration=2s --json -"]
)
def test_a_reader_that_reads_nothing_is_no_failure(verb: str, tmp_path: Path) -> None:
    """The pipe breaks within typer, which by itself would exit with status 1."""
    piped(words(verb), "(exec 0<&-; sleep 3)", tmp_path)


def test_an_animation_that_cannot_be_written_is_found_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    command = words("run", "dumbbell", "--set", "duration=1000000s", "--animate", "taken/page.html")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "cannot write into taken" in done.stderr


@pytest.mark.parametrize(
    "verb", [["run", "dumbbell"], ["compare", "reno", "vegas"], SWEEP, ["study", "abadin"]]
)
def test_a_folder_that_cannot_be_written_is_found_before_the_work(
    verb: Sequence[str], tmp_path: Path
) -> None:
    (tmp_path / "taken").touch()
    done = subprocess.run(
        words(*verb, "--out", "taken"), cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert "cannot write into taken: it is a file, not a folder" in done.stderr
    assert "Traceback" not in done.stderr


@NO_PROCESSES
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_it_cleans_up_as_an_interruption_does(
    number: signal.Signals, tmp_path: Path
) -> None:
    arguments = ["run", "dumbbell", "--set", "duration=1000000s", "--trace", "queue", "--yes", "--out", "out"]
    for _ in range(5):  # on a busy machine Python may not have started yet
        with subprocess.Popen(words(*arguments), cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(2)
            process.send_signal(number)
            try:
                _, said = process.communicate(timeout=30)
            finally:
                process.kill()
        if process.returncode != -number:
            break
    assert process.returncode == 128 + number
    assert said.splitlines()[-1] == "ended"
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


@NO_PROCESSES
@pytest.mark.parametrize(
    ("kilobytes", "verb"),
    [
        (6, ["run", "dumbbell", "--set", "duration=2s"]),
        (20, ["run", "dumbbell", "--set", "duration=9s", "--trace", "segments", "--format", "parquet"]),
        (60, [*SWEEP, "--reps", "20"]),
    ],
)
def test_a_full_disk_is_said_and_leaves_no_half_file(
    kilobytes: int, verb: Sequence[str], tmp_path: Path
) -> None:
    """A limit on file size (RLIMIT_FSIZE) imitates a full disk, since each write beyond the limit fails."""
    limited = f'ulimit -f {kilobytes}; trap "" XFSZ; exec "$@"'
    done = subprocess.run(
        ["bash", "-c", limited, "-", *words(*verb, "--out", "out")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2, done.stderr
    assert "error: cannot" in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.rglob("*") if path.name != "finished.sqlite"] in ([], ["out"])


def test_a_run_leaves_no_traces_of_the_one_before(tmp_path: Path) -> None:
    verb = ["run", "dumbbell", "--set", "duration=2s", "--out", "out"]
    subprocess.run(words(*verb, "--trace", "queue", "--plot", "cwnd"), cwd=tmp_path, check=True, timeout=60)
    (tmp_path / "out" / "mine.txt").touch()
    subprocess.run(words(*verb, "--trace", "throughput"), cwd=tmp_path, check=True, timeout=60)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"throughput.csv", "mine.txt"} <= names
    assert not names & {"queue.csv", "cwnd.png", "cwnd.csv"}


@pytest.mark.parametrize(
    ("command", "own"),
    [
        (["run", "dumbbell", "--set", "duration=1s", "-q"], "flows.csv"),
        (["run", "dumbbell", "--set", "duration=1s", "-q"], "summary.json"),
        (["run", "dumbbell", "--set", "duration=1s", "--trace", "cwnd", "-q"], "cwnd.csv"),
        (["sweep", "dumbbell", "--set", "duration=1s", "--reps", "2", "-q"], "results.csv"),
        (["compare", "reno", "cubic", "--duration", "1s", "--reps", "2", "-q"], "report.html"),
        (["study", "abadin", "--quick", "--only", "fig8", "-q"], "manifest.json"),
    ],
)
def test_a_users_own_files_are_replaced_only_if_asked(
    command: list[str], own: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, out = b"mine\n", tmp_path / "out"
    out.mkdir()
    (out / own).write_bytes(mine)
    (out / "notes.txt").write_bytes(mine)
    assert main([*command, "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert f"files that would be replaced: {own}\n" in said
    assert "--replace" in said
    assert sorted(path.name for path in out.iterdir()) == sorted([own, "notes.txt"])
    assert (out / own).read_bytes() == mine
    assert main([*command, "--out", str(out), "--replace"]) == 0
    assert (out / own).read_bytes() != mine
    assert (out / "notes.txt").read_bytes() == mine
    # Files that ackclock wrote itself are replaced without a question.
    assert main([*command, "--out", str(out)]) == 0
