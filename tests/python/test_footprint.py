"""A run that would fill memory or a disk is refused before it starts; the check costs a small run almost nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.python.clocks import processor_time

import ackclock as ac
from ackclock import _core
from ackclock.cli.main import main
from ackclock.errors import InsufficientSpaceError
from ackclock.runs import footprint
from ackclock.runs.footprint import Free, OutputTarget, RunRequest, check_space

LARGE = ac.dumbbell("newreno", rate="10Gbps", delay="1ms", queue=2000, access_rate="10Gbps", duration="1000s")
SMALL = ac.dumbbell("newreno", duration="10s")


def asked(scenario: ac.Scenario, *traces: str, bin_s: float = 1.0) -> list[RunRequest]:
    return [RunRequest(scenario, None, 0.0, traces, bin_s)]


def test_a_small_run_is_judged_by_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("an estimate for a small run")

    monkeypatch.setattr(_core, "pilot", refuse)
    check_space(asked(SMALL, "cwnd", "segments", "throughput"), "x", free=Free(1 << 34, 1 << 34))
    check_space(asked(SMALL), "x", free=Free(0, 0))


def calls(scenario: ac.Scenario) -> list[str]:
    """Return the Python and core functions that are called when a run is checked."""
    found: list[str] = []

    def note(_frame: FrameType, event: str, what: Any) -> None:
        if event in ("call", "c_call"):
            found.append(getattr(what, "__name__", ""))

    sys.setprofile(note)
    try:
        check_space(asked(scenario, "cwnd", "segments"), "x", free=Free(1 << 50, 1 << 50))
    finally:
        sys.setprofile(None)
    return found


def test_a_bound_costs_the_same_for_a_long_run() -> None:
    """The check of a run that lasts a thousand times as long makes the same calls.

    Only one call of the core depends on the run.
    """
    calls(SMALL)  # the first call fills the scenario's caches
    short, long = calls(SMALL), calls(SMALL.with_(duration="10000s").check())
    assert short.count("most_kept") == 1
    assert "pilot" not in short
    assert abs(len(long) - len(short)) < 20
    assert len(short) < 150, len(short)


def test_what_does_not_fit_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with processor_time() as took, pytest.raises(InsufficientSpaceError) as raised:
        check_space(asked(LARGE, "segments", "cwnd"), "--yes", free=Free(1 << 34, 1 << 34))
    assert took.seconds < 2
    said = str(raised.value)
    # About 800,000 packets per second have twelve rows each, of at least 44 B, which makes hundreds of gigabytes.
    assert "GB needed, 17.1 GB free" in said, said
    assert "trace segments" in said
    assert "or go on all the same: --yes" in said
    with pytest.raises(InsufficientSpaceError, match="--out"):
        check_space(
            asked(LARGE, "ns2"), "--yes", written=OutputTarget(tmp_path / "new"), free=Free(1 << 40, 1 << 33)
        )
    with pytest.raises(InsufficientSpaceError, match="in memory: about"):
        check_space(asked(LARGE, "cwnd"), "--yes", free=Free(1 << 20, 1 << 50))


def test_an_estimate_lets_pass_what_a_bound_would_not() -> None:
    """On links of 10 Gb/s that carry 1 Mb/s, the upper bound is thousands of times too high."""
    idle = LARGE.with_({"flow.0.tcp.max_window": 1, "duration": "5s"})
    most = _core.most_kept(idle.json(), ["segments"], 1.0)
    assert most is not None
    assert most > 1e9
    check_space(asked(idle, "segments"), "x", free=Free(1 << 33, 1 << 28))


@pytest.mark.parametrize("traces", [("segments", "queue", "ns2", "pcap"), ("delay", "hops", "throughput")])
def test_an_estimate_tells_what_a_run_keeps(traces: tuple[str, ...], tmp_path: Path) -> None:
    told = _core.pilot(
        SMALL.with_(duration="60s").json(),
        seed=None,
        jitter_s=0.0,
        traces=traces,
        bin_s=1.0,
        limits=(footprint.PART, 10.0),
    )
    assert told is not None
    SMALL.with_(duration="60s").run(traces=traces).save(tmp_path)
    left = sum(
        path.stat().st_size
        for path in tmp_path.iterdir()
        if path.stem in traces or path.suffix in (".tr", ".pcap")
    )
    assert sum(each[3] for each in told) == pytest.approx(left, rel=0.25)


def test_python_is_asked_to_confirm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "free_memory", lambda: 1000)
    with pytest.raises(InsufficientSpaceError, match="confirm=True"):
        SMALL.run(traces=["state"])
    with pytest.raises(InsufficientSpaceError, match="confirm=True"):
        ac.runs.run_many([(SMALL, 1, 0.0), (SMALL, 2, 0.0)], traces=["state"])
    with pytest.raises(InsufficientSpaceError, match="confirm=True"):
        SMALL.run().trace("state")
    assert len(SMALL.run("1s", traces=["state"], confirm=True).trace("state")) > 10
    assert len(ac.run(SMALL, duration="1s", traces=["state"], confirm=True).trace("state")) > 10


def test_runs_that_stand_in_memory_together_are_added_up() -> None:
    one = asked(SMALL, "state")
    told = _core.pilot(
        SMALL.json(), seed=None, jitter_s=0.0, traces=["state"], bin_s=1.0, limits=(footprint.PART, 10.0)
    )
    assert told is not None
    free = Free(int(1.5 * told[0][1]), 1 << 50)
    check_space(one, "x", free=free)
    with pytest.raises(InsufficientSpaceError):
        check_space(one * 2, "x", free=free)


def test_the_command_line_refuses_and_yes_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(_core, "free_memory", lambda: 1000)
    command = ["run", "dumbbell", "--set", "duration=2s", "--trace", "state", "--out", str(tmp_path / "out")]
    assert main(command) == 2
    said = capsys.readouterr().err
    assert "no room" in said
    assert "--yes" in said
    assert "Traceback" not in said
    assert not (tmp_path / "out").exists()
    assert main([*command, "--yes"]) == 0
    assert (tmp_path / "out" / "state.csv").exists()


def test_a_real_disk_is_too_small_for_years_of_packets() -> None:
    with processor_time() as took, pytest.raises(InsufficientSpaceError, match="segments"):
        LARGE.with_(duration="1000000s").run(traces=["segments"])
    assert took.seconds < 3
