"""Dask with real schedulers and workers in separate processes; some workers are killed, late, or of another build."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ackclock.scenario import load
from ackclock.study import registry
from ackclock.sweeps import Axis, Sweep
from ackclock.sweeps.store import Store

distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'ackclock[dask]'")

PACKAGE = Path(__file__).resolve().parents[2] / "python"
WAIT_S = 240.0
VARY = {"link.bottleneck.rate": "2Mbps,20Mbps", "flow.*.tcp.variant": "sack,vegas"}
SETTINGS = ("duration=100s",)
REPS = 60
FILES = ("results.csv", "runs.csv", "points.csv", "results.parquet")


def until(what: Callable[[], bool]) -> None:
    """Wait until `what()` is true."""
    end = time.monotonic() + WAIT_S
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


class Site:
    """A Dask scheduler and its workers, each in a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.running: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._begin(
            "dask_scheduler", *f"--port 0 --no-dashboard --scheduler-file {self.file}".split()
        )
        until(lambda: self.file.exists() and self.file.stat().st_size > 0)
        self.address = str(json.loads(self.file.read_text())["address"])

    def worker(self, package: Path = PACKAGE) -> subprocess.Popen[bytes]:
        words = ("dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        return self._begin(*words, "--local-directory", str(self.folder), package=package)

    def workers(self) -> int:
        with distributed.Client(self.address) as client:
            return len(client.nthreads())

    def _begin(self, module: str, *words: str, package: Path = PACKAGE) -> subprocess.Popen[bytes]:
        with (self.folder / f"{module}-{len(self.running)}.log").open("wb") as log:
            started = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *words],
                env={**os.environ, "PYTHONPATH": str(package)},
                stdout=log,
                stderr=log,
            )
        self.running.append(started)
        return started


@contextlib.contextmanager
def site(folder: Path, workers: int) -> Iterator[Site]:
    made = Site(folder)
    try:
        for _ in range(workers):
            made.worker()
        until(lambda: made.workers() == workers)
        yield made
    finally:
        for one in made.running:
            one.kill()
            one.wait()


def changed(folder: Path) -> Path:
    """Return the folder of a copy of the package that differs only in a comment."""
    other = folder / "other"
    shutil.copytree(PACKAGE / "ackclock", other / "ackclock", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "ackclock" / "run.py").open("a") as file:
        file.write("# changed\n")
    return other


def the_sweep() -> Sweep:
    axes = tuple(Axis(path, tuple(values.split(","))) for path, values in VARY.items())
    return Sweep(load("dumbbell", SETTINGS), axes, reps=REPS)


def sweep(out: Path, executor: str) -> subprocess.Popen[str]:
    """Start the sweep as a process on the command line."""
    words = [
        sys.executable,
        "-m",
        "ackclock",
        "sweep",
        "dumbbell",
        "--reps",
        str(REPS),
        "--out",
        str(out),
        "--quiet",
    ]
    words += [word for path, values in VARY.items() for word in ("--vary", f"{path}={values}")]
    words += [word for one in SETTINGS for word in ("--set", one)]
    return subprocess.Popen(
        [*words, "--executor", executor],
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(out: Path) -> int:
    """Return the number of finished runs that a sweep has stored."""
    with contextlib.suppress(sqlite3.OperationalError):
        if (out / Store.FILE).exists():
            with sqlite3.connect(f"file:{out / Store.FILE}?mode=ro", uri=True) as base:
                return int(base.execute("SELECT COUNT(*) FROM runs").fetchone()[0])
    return 0


def content(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("threads") / "sweep"
    the_sweep().run(folder)
    return content(folder)


def test_a_worker_of_another_build_is_refused(tmp_path: Path) -> None:
    with site(tmp_path, 1) as made:
        made.worker(changed(tmp_path))
        until(lambda: made.workers() == 2)
        begun = sweep(tmp_path / "sweep", f"dask:{made.address}")
        _, said = begun.communicate(timeout=WAIT_S)
    assert begun.returncode == 2
    assert "a worker does not have the same ackclock" in said
    assert "it has other Python files of ackclock" in said
    assert finished(tmp_path / "sweep") == 0


def test_a_late_worker_of_another_build_ends_the_sweep_which_goes_on_without_it(
    tmp_path: Path, expected: dict[str, bytes]
) -> None:
    out = tmp_path / "sweep"
    with site(tmp_path, 1) as made:
        begun = sweep(out, f"dask:{made.address}")
        until(lambda: finished(out) > 0)
        # A stopped worker is lost to Dask, which must give its runs to the other worker.
        made.running[1].send_signal(signal.SIGSTOP)
        assert finished(out) < 4 * REPS
        stranger = made.worker(changed(tmp_path))
        until(lambda: made.workers() == 2)
        made.running[1].send_signal(signal.SIGKILL)
        _, said = begun.communicate(timeout=WAIT_S)
        assert begun.returncode == 2, said
        assert "it has other Python files of ackclock" in said
        stranger.kill()
        until(lambda: made.workers() == 0)
        made.worker()
        until(lambda: made.workers() == 1)
        begun = sweep(out, f"dask:{made.address}")
        _, said = begun.communicate(timeout=WAIT_S)
    assert begun.returncode == 0, said
    assert content(out) == expected


def test_one_worker_killed_and_one_that_joins_late_change_nothing(
    tmp_path: Path, expected: dict[str, bytes]
) -> None:
    out = tmp_path / "sweep"
    with site(tmp_path, 2) as made:
        begun = sweep(out, f"dask:{made.address}")
        until(lambda: finished(out) > 0)
        made.running[1].send_signal(signal.SIGKILL)
        made.worker()
        _, said = begun.communicate(timeout=WAIT_S)
    assert begun.returncode == 0, said
    assert finished(out) == 4 * REPS
    assert content(out) == expected


def test_a_frozen_worker_is_missed_and_others_have_its_runs(
    tmp_path: Path, expected: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scheduler gives up a worker after `worker-ttl`, which is four seconds here and five minutes by default."""
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL", "4s")
    out = tmp_path / "sweep"
    with site(tmp_path, 2) as made:
        begun = sweep(out, f"dask:{made.address}")
        until(lambda: finished(out) > 0)
        made.running[1].send_signal(signal.SIGSTOP)
        _, said = begun.communicate(timeout=WAIT_S)
    assert begun.returncode == 0, said
    assert content(out) == expected


def test_a_killed_scheduler_ends_the_sweep_which_goes_on_with_the_next(
    tmp_path: Path, expected: dict[str, bytes]
) -> None:
    out = tmp_path / "sweep"
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    with site(first, 1) as made:
        begun = sweep(out, f"dask:{made.address}")
        until(lambda: finished(out) > 0)
        made.scheduler.send_signal(signal.SIGKILL)
        _, said = begun.communicate(timeout=WAIT_S)
    assert begun.returncode == 2, said
    assert "the Dask scheduler was lost" in said
    assert "Traceback" not in said
    assert "distributed" not in said
    kept = finished(out)
    assert 0 < kept < 4 * REPS
    with site(second, 1) as made:
        begun = sweep(out, f"dask:{made.address}")
        _, said = begun.communicate(timeout=WAIT_S)
    assert begun.returncode == 0, said
    assert content(out) == expected


def test_an_executor_of_a_client_gives_the_bytes_of_threads(
    tmp_path: Path, expected: dict[str, bytes]
) -> None:
    with site(tmp_path, 2) as made, distributed.Client(made.address) as client:
        the_sweep().run(tmp_path / "sweep", executor=client.get_executor())
    assert content(tmp_path / "sweep") == expected


def test_a_study_through_dask_gives_the_bytes_of_threads(tmp_path: Path) -> None:
    study = registry.get("abadin")
    for name in ("threads", "dask:local"):
        study.run(quick=True, only="table1", out=tmp_path / name, executor=name, jobs=2)
    files = sorted(
        path.relative_to(tmp_path / "threads") for path in (tmp_path / "threads").rglob("*") if path.is_file()
    )
    for path in files:
        if path.name != "timing.json":
            assert (tmp_path / "threads" / path).read_bytes() == (
                tmp_path / "dask:local" / path
            ).read_bytes(), path
