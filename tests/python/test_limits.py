"""The limits in SECURITY.md: no scenario and no control exhausts the machine, and Ctrl-C works at all times."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.python.clocks import interrupted, processor_time

import ackclock as ac
from ackclock import _core
from ackclock.errors import ControlError

PROMPT_S = 1.5
"""Longest permitted processor time from Ctrl-C to the end, s; it is one second plus a margin for a busy machine."""

CONTROLS = """\
import ackclock as ac

class Doubling(ac.Control):
    def on_ack(self, ack):
        self.cwnd *= 2

    def on_congestion(self, loss):
        self.ssthresh = 2.0
        self.cwnd = 1.0

class Huge(Doubling):
    def on_ack(self, ack):
        self.cwnd = 1e8
"""

FLOOD = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
import ackclock as ac
net = ac.Network().link("a", "b", rate="1Mbps", delay="10ms", queue={"kind": "droptail", "unlimited": True})
net.flow("a", "b", variant="reno", count=40, tcp={"initial_window": 1000000})
try:
    net.scenario("1s").run()
except MemoryError as why:
    print(why)
"""

INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import ackclock as ac
print("ready", flush=True)
{code}
print("done", flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(CONTROLS)
    return tmp_path


def seconds_to_stop(code: str, after_s: float) -> float:
    """Return the processor time, s, that a program takes to end after SIGINT."""
    running = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED.format(code=code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    time.sleep(after_s)
    took_s, out, said = interrupted(running)
    assert "KeyboardInterrupt" in said, (out, said)
    return took_s


@pytest.mark.parametrize("key", ["max_window", "receive_window", "initial_window", "initial_ssthresh"])
def test_a_window_beyond_the_bound_is_refused(key: str) -> None:
    for given in (1_000_001, "100GB"):
        with pytest.raises(ac.ScenarioError, match=rf"tcp\.{key}: (a window is|\d+ B are)") as error:
            ac.dumbbell(["vegas"], profile="ns2", tcp={key: given}).check()
        assert "1000000" in str(error.value)


def test_a_window_as_large_as_is_allowed_takes_room_as_it_is_used() -> None:
    """ns-2's Vegas keeps one send time per segment of the maximum window, but allocates as the window grows."""
    variants = ["vegas"] * 200
    run = ac.dumbbell(variants, profile="ns2", duration="0.1s", tcp={"max_window": 1_000_000}).run()
    assert len(run.flows) == 200


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory is left")
def test_memory_is_looked_at_between_bursts() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FLOOD], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "stopped before memory ran out" in done.stdout


def test_a_control_that_doubles_its_window_is_told_so_and_takes_no_machine(folder: Path) -> None:
    with pytest.raises(ControlError) as error:
        ac.dumbbell(["./own.py:Doubling"]).run("60s")
    said = str(error.value)
    assert "./own.py:Doubling in flow" in said
    assert "it is a number of segments from 1 to 1000000000" in said
    words = [sys.executable, "-m", "ackclock", "check-cc", "./own.py:Doubling", "--paths", "1", "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2, (done.returncode, done.stderr)


def test_ctrl_c_is_heard_within_a_burst(folder: Path) -> None:
    code = "ac.dumbbell(['./own.py:Huge'] * 8, queue=50).run('9000s')"
    assert seconds_to_stop(code, 1.5) < PROMPT_S


def test_ctrl_c_is_heard_while_a_large_scenario_is_read() -> None:
    code = "ac.dumbbell(['reno']).document(); " + (
        "[ac.Network().link('a', 'b', rate='1Gbps', delay='1ms', queue=9)"
        ".flow('a', 'b', variant='reno', count=100000).scenario('1s').check() for _ in range(50)]"
    )
    assert seconds_to_stop(code, 2.0) < PROMPT_S


def test_more_flows_than_there_may_be_are_refused_before_they_are_made() -> None:
    net = ac.Network().link("a", "b", rate="1Gbps", delay="10ms", queue=50)
    for _ in range(8):
        net.flow("a", "b", variant="reno", count=100_000)
    with processor_time() as took, pytest.raises(ac.ScenarioError, match="800000 tables `flow`"):
        net.scenario("1s")
    assert took.seconds < 1.0


@pytest.mark.parametrize("answer", [0.5, 0.0, -1.0, 2e9, float("inf"), float("nan")])
def test_a_control_that_answers_no_window_is_named(answer: float) -> None:
    class Odd(ac.Control):
        def on_ack(self, ack: _core.AckSample) -> None:
            """Set the window to the tested value after 0.5 s."""
            if ack.now > 0.5:
                self.cwnd = answer

        def on_congestion(self, loss: _core.LossSample) -> None:
            """Keep the window."""

    with pytest.raises(ControlError, match=r"Odd in flow \w+ at 0\.5\d* s: cwnd is") as error:
        ac.dumbbell([Odd]).run("2s")
    assert f"cwnd is {answer:g}".lower() in str(error.value).lower().replace("2000000000", "2e+09")


RECOVERIES = ("reno", "newreno", "sack", "rack")


@pytest.mark.parametrize("profile", ["rfc", "linux", "ns2", "ns3"])
def test_no_control_of_ours_goes_below_a_segment(profile: str) -> None:
    """In profile ns3, the window of `reno+vegas` once fell to 0 segments if a loss followed a timeout."""
    controls = [one["name"] for one in json.loads(_core.catalogue("controls"))]
    for number, (recovery, control) in enumerate(itertools.product(RECOVERIES, controls)):
        variant = f"{recovery}+{control}"
        net = ac.Network().link(
            "a",
            "b",
            rate="2Mbps",
            delay="10ms",
            queue={"kind": "red", "packets": 9, "min": 1, "max": 4, "weight": 0.5},
            loss={"kind": "gilbert-elliott", "p": 0.02, "r": 0.2},
        )
        net.flow("a", "b", variant=variant, profile=profile, tcp={"ecn": "classic"} if number % 2 else {})
        run = net.scenario("6s", seed=number).run(traces=["cwnd"], confirm=True)
        cwnd = run.trace("cwnd").to_polars().filter(variable="cwnd")["value"]
        assert cwnd.len() == 0 or float(cwnd.min()) >= 1.0, variant  # type: ignore[arg-type]
