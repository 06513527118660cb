"""Regression tests of faults that users reported."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.python.clocks import processor_time

import ackclock as ac


def dumbbell(**flow: object) -> dict[str, Any]:
    """Return the scenario of one flow over a bottleneck of 1 Mb/s and 20 ms."""
    return {
        "duration": "60s",
        "seed": 1,
        "link": [
            {"between": ["s", "a"], "rate": "100Mbps", "delay": "1ms"},
            {"between": ["a", "d"], "rate": "1Mbps", "delay": "20ms"},
        ],
        "flow": [{"from": "s", "to": "d", "traffic": {"kind": "ftp"}, **flow}],
    }


@pytest.mark.parametrize(
    "tcp",
    [
        {"profile": "ns2", "ecn": "classic"},
        {"profile": "ns2", "reduction": "pipe"},
        {"profile": "rfc", "ecn": "classic", "loss_floor": 0},
        {"profile": "linux", "ecn": "classic", "loss_floor": 0},
    ],
)
@pytest.mark.parametrize("variant", ["reno", "newreno", "sack", "fack"])
def test_no_flow_stalls(variant: str, tcp: dict[str, object]) -> None:
    """A mark or loss may reduce the window below one segment; the flow then continues when its timer expires."""
    document = dumbbell(tcp={"variant": variant, **tcp})
    bottleneck = document["link"][1]
    bottleneck["queue"] = {"kind": "red", "packets": 20, "min": 2, "max": 6, "weight": 0.02}
    bottleneck["loss"] = {"kind": "random", "rate": 0.03, "toward": "d"}
    runs = ac.runs.run_many(
        [(ac.Scenario(document), seed, 0.0) for seed in range(1, 11)], bin_s=10, traces=["throughput"]
    )
    for run in runs:
        assert "stalled_s" not in run.summary["flows"][0]
        late = run.trace("throughput").to_polars()["goodput_bps"].to_list()[-2:]
        assert max(late) > 0, f"nothing arrives at the end of seed {run.manifest['seed']}"


def test_sack_repairs_the_end_of_a_transfer() -> None:
    """If three of the last packets are lost, ns-2 repairs them without a timeout, and so must profile `rfc`."""
    for profile in ("ns2", "rfc"):
        segment = 1000
        tcp = {"variant": "sack", "profile": profile, "segment": f"{segment}B", "max_window": 40}
        document = dumbbell(traffic={"kind": "ftp", "size": f"{100 * segment}B"}, tcp=tcp)
        document["link"][1]["queue"] = {"kind": "droptail", "packets": 100}
        document["link"][1]["loss"] = {
            "kind": "list", "toward": "d", "flow": 0, "packets": [88, 90, 92], "at": "entry",
        }  # fmt: skip
        flow = ac.Scenario(document).run().summary["flows"][0]
        assert (flow["timeouts"], flow["lost_packets_total"]) == (0, 3), profile


def test_a_thin_area_is_no_endless_loop() -> None:
    """Random walk and Gauss-Markov movement end, even between walls that are 1e-7 m apart or touch."""
    for movement in (
        {"kind": "random-walk", "bounds": [0, 50, 7, 7], "speed": [1, 20]},
        {"kind": "gauss-markov", "bounds": [3, 3, 7, 7], "mean_speed": 10},
        {"kind": "random-walk", "bounds": [0, 1e-7, 0, 50], "speed": [1, 20]},
        {"kind": "gauss-markov", "bounds": [0, 50, 0, 1e-7], "mean_speed": 10},
    ):
        document = dumbbell()
        document["duration"] = "10s"
        document["flow"][0]["tcp"] = {"variant": "reno"}
        document["node"] = [{"name": "s", "position": [0, 0, 0], "mobility": movement}]
        with processor_time() as took:
            ac.Scenario(document).run()
        assert took.seconds < 10


def test_bins_beyond_memory_are_refused() -> None:
    """Bins of a picosecond, which would take terabytes, are refused."""
    document = dumbbell(tcp={"variant": "reno"})
    with pytest.raises(ac.ScenarioError, match="bin_s"):
        ac.Scenario(document).run(traces=["throughput"], bin_s=1e-12)


def test_names_that_become_the_same_do_not_share_a_file(tmp_path: Path) -> None:
    """Nodes `v/1` and `v_1` once shared a capture file."""
    document = {
        "duration": "1s",
        "link": [{"between": ["v/1", "v_1"], "rate": "1Mbps", "delay": "1ms"}],
        "flow": [{"from": "v/1", "to": "v_1", "traffic": {"kind": "ftp"}, "tcp": {"variant": "reno"}}],
    }
    ac.Scenario(document).run(traces=["pcap"]).save(tmp_path / "out")
    assert len(list((tmp_path / "out").glob("*.pcap"))) == 2


def test_a_path_without_end_is_refused() -> None:
    """A very deep path of keys once overflowed the stack."""
    with pytest.raises(ac.ScenarioError, match="not a path"):
        ac.Scenario(dumbbell(tcp={"variant": "reno"})).set("a." * 100_000 + "b", 1)


def test_a_scenario_reads_ordinary_files_of_its_folder_alone(tmp_path: Path) -> None:
    """A scenario must not read other folders, devices or pipes."""
    folder = tmp_path / "scenario"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret\n")
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to(tmp_path / "secret.txt")
    with (folder / "large").open("wb") as large:
        large.truncate((64 << 20) + 1)
    scenario = folder / "s.toml"
    for name in ("../secret.txt", str(tmp_path / "secret.txt"), "pipe", "link", "/dev/zero", "large"):
        scenario.write_text(
            'duration = "1s"\n[[link]]\nbetween = ["a", "b"]\ndelay = "1ms"\n'
            f'rate = {{ trace = "{name}" }}\n'
            '[[flow]]\nfrom = "a"\nto = "b"\ntraffic = { kind = "ftp" }\ntcp = { variant = "reno" }\n'
        )
        with pytest.raises(ac.ScenarioError) as refused:
            ac.load(scenario)
        assert "secret\n" not in str(refused.value)
        assert "cannot read" in str(refused.value), str(refused.value)
        assert ("it is larger than 64 MiB" in str(refused.value)) == (name == "large")


def test_a_trace_larger_than_memory_waits_on_disk(tmp_path: Path) -> None:
    """A long trace is read back from its chunks complete and in order."""
    document = dumbbell(tcp={"variant": "reno", "profile": "ns2", "max_window": 1000})
    document["link"][1]["rate"] = "100Mbps"
    document["duration"] = "10s"
    run = ac.Scenario(document).run(traces=["segments"])
    frame = run.trace("segments").to_polars()
    assert len(frame) > 400_000
    assert frame["time_s"].is_sorted()
    assert (frame["event"] == "send").sum() == run.summary["flows"][0]["sent_packets"]
    run.save(tmp_path / "out")
    with (tmp_path / "out" / "segments.csv").open() as lines:
        assert sum(1 for _ in lines) == len(frame) + 1


def test_numbers_of_numpy_name_flows_and_rows() -> None:
    """Integers of numpy can select flows and rows; they were once refused."""
    numpy = pytest.importorskip("numpy")
    scenario = ac.Scenario(dumbbell(tcp={"variant": "reno"}))
    one = numpy.int64(0)
    run = scenario.run("2s", seed=numpy.int64(3), traces=["cwnd"])
    assert run.flow(one) == run.flow(0)
    assert run.flows[one] == run.flows[0]
    assert len(run.trace("cwnd", flows=one)) == len(run.trace("cwnd", flows=0))
    simulation = scenario.start("2s")
    assert simulation.flow(one).cwnd == simulation.flow(0).cwnd


def test_less_than_no_threads_is_refused() -> None:
    with pytest.raises(ac.ScenarioError, match=r"threads: not allowed\n  given:   -1"):
        ac.runs.run_many([(ac.Scenario(dumbbell(tcp={"variant": "reno"})), 1, 0.0)], threads=-1)


def long_run() -> ac.Scenario:
    """Return a scenario whose run takes minutes."""
    document = dumbbell(tcp={"variant": "reno", "profile": "ns2", "max_window": 1000})
    document["link"][1]["rate"] = "100Mbps"
    document["duration"] = "200000s"
    return ac.Scenario(document)


@pytest.mark.parametrize("means", ["progress", "exception"])
def test_a_run_in_a_worker_thread_can_be_stopped(means: str) -> None:
    """An exception from the progress callback, or one set by another thread, stops the run within about a second."""
    stopped, begun, ended = threading.Event(), threading.Event(), []

    def progress(_part: float, _events: int) -> None:
        begun.set()
        if stopped.is_set():
            raise InterruptedError

    def work() -> None:
        begun.set()
        try:
            long_run().run(progress=progress if means == "progress" else None)
        except BaseException as why:
            ended.append(type(why))

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    assert begun.wait(30)
    time.sleep(0.5)
    if means == "progress":
        stopped.set()
    else:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(worker.ident or 0), ctypes.py_object(InterruptedError)
        )
    worker.join(20)
    assert ended == [InterruptedError]


def test_a_hash_goes_by_the_content_of_files(tmp_path: Path) -> None:
    """The scenario hash depends on the content of a file, not on its name."""
    hashes = []
    for name, content in (("one.txt", "0 0 1"), ("two.txt", "0 0 1"), ("one.txt", "0 1 1")):
        (tmp_path / name).write_text(content)
        (tmp_path / "s.toml").write_text(
            'duration = "1s"\n[[link]]\nbetween = ["a", "b"]\ndelay = "1ms"\nrate = "1Mbps"\n'
            f'loss = {{ kind = "trace", trace = "{name}", toward = "b" }}\n'
            '[[flow]]\nfrom = "a"\nto = "b"\ntraffic = { kind = "ftp" }\ntcp = { variant = "reno" }\n'
        )
        hashes.append(ac.load(tmp_path / "s.toml").run().manifest["scenario_hash"])
    assert hashes[0] == hashes[1] != hashes[2]


LIMITED = """
import resource, sys, ackclock as ac
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
document = {
    "duration": "100000s", "seed": 1,
    "link": [{"between": ["a", "b"], "rate": "10Gbps", "delay": "10s",
              "queue": {"kind": "droptail", "packets": 100}}],
    "flow": [{"from": "a", "to": "b", "traffic": {"kind": "cbr", "rate": "9Gbps", "packet": "100B"}}],
}
try:
    ac.Scenario(document).run()
except MemoryError as why:
    print(why)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory is left")
def test_a_run_ends_before_memory_does() -> None:
    """A run with 110 million packets in flight (11 million per second, 10 s) ends with an error.

    It once aborted the process, and with it a notebook.
    """
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "stopped before memory ran out" in done.stdout


def test_a_first_window_beyond_memory_is_refused() -> None:
    with pytest.raises(
        ac.ScenarioError, match="initial_window: a window is at least 1 segment and at most 1000000"
    ):
        ac.Scenario(dumbbell(tcp={"variant": "reno", "initial_window": 1e9})).run()


def test_a_full_temporary_folder_ends_the_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error comes as soon as the folder is full; it once came only at the end of the run."""
    left = iter([1 << 30])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=next(left, 1000)))
    with pytest.raises(ac.errors.FileError, match=r"its traces wait in .*, which is nearly full"):
        long_run().run(traces=["segments"], confirm=True)
