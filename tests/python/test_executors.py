"""Executors give equal bytes, lose no run with a lost worker, and refuse other versions of ackclock."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import ackclock as ac
from ackclock import executors
from ackclock.errors import UserError
from ackclock.executors import build
from ackclock.executors import pool as workers_of
from ackclock.executors.dispatcher import dispatch
from ackclock.executors.queue import Queue
from ackclock.scenario import load
from ackclock.study import registry
from ackclock.sweeps import Axis, Sweep
from ackclock.sweeps.store import Store

SHORT = Sweep(
    load("dumbbell", ["duration=2s"]),
    (Axis("link.bottleneck.rate", ("1Mbps", "2Mbps")), Axis("flow.*.tcp.variant", ("sack", "vegas"))),
    reps=3,
)
FILES = ("results.csv", "runs.csv", "points.csv", "results.parquet", "manifest.json")


def content(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("threads") / "sweep"
    SHORT.run(folder, threads=1)
    return content(folder)


@given(
    some.lists(some.tuples(some.integers(0, 3), some.floats(0.1, 9)), min_size=1, max_size=40),
    some.integers(1, 5),
    some.integers(1, 8),
)
def test_the_queue_hands_out_everything_once(
    given_: list[tuple[int, float]], workers: int, most: int
) -> None:
    queue = Queue([kind for kind, _ in given_], [cost for _, cost in given_], aim_s=2.0, most=most)
    taken: list[int] = []
    while queue:
        batch = queue.take(workers)
        assert 1 <= len(batch) <= most
        taken += batch
        for index in batch:
            queue.learn(index, given_[index][1])
    assert sorted(taken) == list(range(len(given_)))


def test_the_longest_go_first_once_one_of_each_kind_has_run() -> None:
    costs = {"a": 1.0, "b": 5.0, "c": 3.0}
    kinds = ["a"] * 3 + ["b"] * 3 + ["c"] * 3
    queue = Queue(kinds, [1.0] * 9, aim_s=0.0, most=1)
    order: list[str] = []
    while queue:
        (index,) = queue.take(1)
        order.append(kinds[index])
        queue.learn(index, costs[kinds[index]])
    assert order == ["a", "b", "c", "b", "b", "c", "c", "a", "a"]


def test_batches_grow_to_the_time_aimed_at_and_shrink_at_the_end() -> None:
    queue = Queue(["same"] * 1000, [1.0] * 1000, aim_s=2.0, most=256)
    sizes = []
    while queue:
        batch = queue.take(4)
        sizes.append(len(batch))
        for index in batch:
            queue.learn(index, 0.05)
    assert sizes[0] == 1
    assert max(sizes) == 40
    assert sizes[-1] <= 2


@pytest.mark.parametrize("name", ["threads", "processes"])
def test_the_same_bytes_whoever_carries_runs_out(
    name: str, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    SHORT.run(tmp_path / "sweep", threads=2, executor=name)
    assert content(tmp_path / "sweep") == expected


def test_any_executor_will_do(tmp_path: Path, expected: dict[str, bytes]) -> None:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        SHORT.run(tmp_path / "sweep", executor=pool)
    assert content(tmp_path / "sweep") == expected


def test_progress_counts_each_run_once() -> None:
    told: list[tuple[int, int]] = []
    SHORT.run_here(threads=2, executor="processes", progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 12)
    assert told[-1] == (12, 12)
    assert told == sorted(told)


def test_a_comparison_by_processes_is_that_of_threads() -> None:
    options: dict[str, Any] = {"rate": "2Mbps", "duration": "3s", "reps": 3}
    here, there = (ac.compare("sack", "vegas", **options, executor=one) for one in (None, "processes"))
    assert here.summaries == there.summaries
    assert here.delays == there.delays
    assert here.timelines == there.timelines


def test_a_study_by_processes_is_that_of_threads() -> None:
    study = registry.get("abadin")
    plan = study.plan(True, "table1")
    assert study.simulate(plan, executor="processes").digest() == study.simulate(plan).digest()


def test_an_unguarded_script_may_use_processes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import ackclock as ac\n"
        "found = ac.sweep('dumbbell', {'link.bottleneck.rate': ['1Mbps', '2Mbps']}, reps=2, executor='processes')\n"
        "print(len(found.jobs))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.returncode) == ("4\n", 0), done.stderr


@dataclass(frozen=True)
class Deadly:
    """A task that kills its process at one item, as often as there is a file that it can delete."""

    folder: Path
    deadly: int

    def __call__(self, items: Sequence[int], stopped: Callable[[], bool]) -> list[tuple[int, float]]:
        assert not stopped()
        for item in items:
            if item == self.deadly:
                for path in self.folder.iterdir():
                    path.unlink()
                    os.kill(os.getpid(), signal.SIGKILL)
        return [(item * item, 0.01) for item in items]

    def packed(self, results: Sequence[int]) -> bytes:
        return bytes(results)

    def unpacked(self, data: bytes) -> list[int]:
        return list(data)


def carried(work: Deadly, items: Sequence[int]) -> list[tuple[int, int]]:
    with executors.opened("processes", 2) as workers:
        every = dispatch(workers, work, items, kinds=[0] * len(items), guesses=[1.0] * len(items), most=4)
        return [one for some in every for one in some]


def test_a_killed_process_is_replaced_and_its_items_are_carried_out_again(tmp_path: Path) -> None:
    (tmp_path / "once").touch()
    (tmp_path / "twice").touch()
    found = carried(Deadly(tmp_path, 5), range(12))
    assert sorted(found) == [(item, item * item) for item in range(12)]


def test_an_item_that_ends_each_process_is_given_up(tmp_path: Path) -> None:
    for i in range(20):
        (tmp_path / str(i)).touch()
    with pytest.raises(UserError, match="ended 5 times while it carried out the same run"):
        carried(Deadly(tmp_path, 3), range(6))


def test_an_interruption_keeps_what_is_finished_and_stops_the_rest(tmp_path: Path) -> None:
    long = Sweep(load("dumbbell", ["duration=20000s"]), reps=8)

    def progress(done: int, _: int) -> None:
        if done >= 1:
            raise KeyboardInterrupt

    short = Sweep(SHORT.scenario, reps=400)
    with pytest.raises(KeyboardInterrupt):
        short.run(tmp_path, threads=2, progress=progress)
    with Store(tmp_path) as store:
        assert 1 <= len(store) < 400
    threading.Timer(0.5, signal.raise_signal, (signal.SIGINT,)).start()
    with pytest.raises(KeyboardInterrupt):
        long.run_here(threads=2)


def test_workers_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**build.here(), "version": "0.0.1"}
    monkeypatch.setattr(workers_of, "here", lambda: other)
    with (
        concurrent.futures.ThreadPoolExecutor(1) as pool,
        pytest.raises(UserError, match=r"it has ackclock \S+, and this is 0\.0\.1"),
    ):
        SHORT.run_here(executor=pool)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, None),
        ({"version": "9"}, "it has ackclock 9"),
        ({"sources": "x"}, "other Python files"),
        ({"extension": "x"}, "another build"),
        ({"extension": "x", "platform": "other"}, None),
    ],
)
def test_what_makes_a_build_differ(change: dict[str, str], said: str | None) -> None:
    found = build.difference(build.here(), {**build.here(), **change})
    assert found is None if said is None else said in str(found)


def test_an_unknown_executor_is_refused_with_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean processes"):
        executors.named("process")
    with pytest.raises(UserError, match="allowed: threads, processes, dask:local, dask:ADDRESS"):
        executors.named("dask")


def test_without_dask_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UserError, match=r"pip install 'ackclock\[dask\]'"):
        SHORT.run_here(executor="dask:local")


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_the_command_and_what_is_finished_is_kept(
    how: signal.Signals, tmp_path: Path
) -> None:
    words = ["sweep", "dumbbell", "--set", "duration=100s", "--vary", "link.bottleneck.rate=20Mbps,40Mbps"]
    words += ["--reps", "500", "--executor", "processes", "--jobs", "2", "--out", str(tmp_path / "sweep")]
    begun = subprocess.Popen(
        [sys.executable, "-m", "ackclock", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
    )
    end = time.monotonic() + 120
    while kept(tmp_path / "sweep") == 0:
        assert time.monotonic() < end
        time.sleep(0.1)
    if how is signal.SIGINT:  # a terminal sends SIGINT to the whole process group
        os.killpg(begun.pid, how)
    else:
        begun.send_signal(how)
    said, _ = begun.communicate(timeout=60)
    assert begun.returncode == (130 if how is signal.SIGINT else -how), said
    assert "Traceback" not in said
    while alive(begun.pid):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert 0 < kept(tmp_path / "sweep") < 1000


def kept(folder: Path) -> int:
    if not (folder / Store.FILE).exists():
        return 0
    with Store(folder) as store:
        return len(store)


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
