"""Congestion controls in Python: usable like any variant, equal to built-in ones packet by packet, clear errors."""

from __future__ import annotations

import itertools
import json
import math
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.python.clocks import interrupted

import ackclock as ac
from ackclock.control import loading
from ackclock.errors import ControlError, UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock._core import AckSample, LossSample

from tests.python.own_controls import OwnCubic, OwnNewReno, OwnWestwood

TWINS = {"newreno": OwnNewReno, "westwood": OwnWestwood, "cubic": OwnCubic}
PUBLISHED = {
    "westwood": {"form": "paper"},
    "cubic": {"form": "rfc", "c": 0.4, "beta": 0.7, "friendly_counting": "segments"},
}
"""Parameters with which a built-in control follows its paper or RFC, also in profiles that have Linux's form of it."""
FAST, ALL = 6, 200

MINE = """\
import ackclock as ac

class Mine(ac.Control):
    def on_ack(self, ack):
        if self.cwnd < self.ssthresh: self.cwnd += ack.count
        else: self.cwnd += ack.count / self.cwnd
    def on_congestion(self, loss):
        self.ssthresh = max(self.cwnd / 2, 2.0)
        self.cwnd = 1.0 if loss.timeout else self.ssthresh
"""


class Mine(ac.Control):
    """An AIMD control with faults that tests inject."""

    spoil: Callable[[Mine, AckSample], object] | None = None
    traced = ("cuts",)

    def __init__(self) -> None:
        """Start with a count of zero reductions."""
        self.cuts = 0

    def on_ack(self, ack: AckSample) -> None:
        """Grow the window, or fail as the test asks."""
        if self.cwnd < self.ssthresh:
            self.cwnd += ack.count
        else:
            self.cwnd += ack.count / self.cwnd
        spoil = type(self).spoil
        if spoil is not None and ack.now > 2.0:
            spoil(self, ack)

    def on_congestion(self, loss: LossSample) -> None:
        """Halve the window."""
        self.cuts += 1
        self.ssthresh = max(self.cwnd / 2, 2.0)
        self.cwnd = 1.0 if loss.timeout else self.ssthresh


def drawn(number: int) -> dict[str, Any]:
    """Return a random scenario; equal numbers give equal scenarios."""
    draw = random.Random(number)
    return {
        "rate": f"{draw.choice([1, 2, 5, 10, 20])}Mbps",
        "delay": f"{draw.choice([2, 5, 10, 20, 50, 100])}ms",
        "queue": draw.choice([5, 10, 20, 50, 100]),
        "loss": draw.choice([None, 0.001, 0.01, 0.03]),
        "duration": f"{draw.choice([8, 12, 16])}s",
        "profile": draw.choice(["rfc", "linux", "ns2"]),
    }


def packets(ours: str, theirs: type[ac.Control], number: int) -> tuple[str, str]:
    """Run one random scenario with both controls; return each run's packet events and windows as text."""
    scenario = ac.dumbbell([ours, "newreno"], **drawn(number))
    if control := PUBLISHED.get(ours):
        scenario = scenario.with_({"flow.0.tcp.control": control})
    flow = scenario.describe()["flow"][0]["tcp"]
    flow.pop("control")
    recovery, plus, _ = flow["variant"].partition("+")
    if not plus:
        recovery = {"newreno": "newreno"}.get(ours, "sack")
    document = scenario.document()
    # Copy the endpoint's parameters from the built-in variant, since profiles can depend on the variant's name.
    document["flow"][0]["tcp"] = {**flow, "variant": f"{recovery}+{loading.registered(theirs)}"}
    found = []
    for one in (scenario, ac.Scenario(document)):
        run = one.run(seed=number, traces=["segments", "cwnd"])
        found.append(
            "\n".join(
                str(run.trace(name).to_polars().to_dict(as_series=False)) for name in ("segments", "cwnd")
            )
        )
    return found[0], found[1]


@pytest.mark.parametrize("ours", TWINS)
@pytest.mark.parametrize(
    "number", [*range(FAST), *(pytest.param(i, marks=pytest.mark.slow) for i in range(FAST, ALL))]
)
def test_a_control_in_python_gives_the_packets_of_ours(ours: str, number: int) -> None:
    first, second = packets(ours, TWINS[ours], number)
    assert first == second


def spoilt(spoil: Callable[[Mine, AckSample], object]) -> type[Mine]:
    return type("Spoilt", (Mine,), {"spoil": staticmethod(spoil)})


def run_of(cls: type[ac.Control], **options: Any) -> ac.Run:
    return ac.dumbbell([cls], duration="6s", **options).run()


def test_the_example_runs_and_is_on_record() -> None:
    run = ac.dumbbell([Mine, "cubic"], duration="10s").run(traces=["control"])
    assert [flow["variant"] for flow in run.summary["flows"]] == ["Mine", "cubic"]
    assert run.flow(0)["goodput_bps"] > 1e6
    (record,) = run.manifest["scenario"]["control"]
    assert record["name"] == "Mine"
    assert "class Mine" in record["source"]
    assert len(record["sha256"]) == 64
    trace = run.trace("control").to_polars()
    assert set(trace["variable"]) == {"cuts"}
    assert trace["value"].to_list() == list(range(trace.height))
    assert trace.height > 2


@pytest.mark.parametrize(
    ("value", "said"),
    [(math.nan, "cwnd is NaN"), (-3.0, "cwnd is -3"), (math.inf, "cwnd is inf")],
)
def test_a_window_that_is_none_stops_the_run(value: float, said: str) -> None:
    cls = spoilt(lambda mine, _: setattr(mine, "cwnd", value))
    with pytest.raises(ControlError, match=r"Spoilt in flow flow0 at 2\.\d+ s") as raised:
        run_of(cls)
    assert said in str(raised.value)
    assert "on_ack(AckSample(now=2." in str(raised.value)


def test_an_exception_stops_the_run_with_its_traceback_the_time_and_the_sample() -> None:
    def divide(_: Mine, ack: AckSample) -> None:
        raise ZeroDivisionError(f"at {ack.una}")

    with pytest.raises(
        ControlError, match=r"Spoilt in flow flow0 at 2\.\d+ s: ZeroDivisionError: at \d+"
    ) as raised:
        run_of(spoilt(divide))
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    assert 'test_control.py", line' in str(raised.value)
    assert ", in divide" in str(raised.value)
    assert "on_ack(AckSample(now=2." in str(raised.value)


def test_an_exception_in_init_and_a_wrong_answer_stop_the_run() -> None:
    def fail(_: Mine) -> None:
        raise RuntimeError("not today")

    with pytest.raises(ControlError, match="RuntimeError: not today"):
        run_of(type("Failing", (Mine,), {"__init__": fail}))
    with pytest.raises(
        ControlError, match=r'on_congestion returned 7; it returns None, "congestion" or "random"'
    ):
        run_of(type("Odd", (Mine,), {"on_congestion": lambda *_: 7}))


def test_samples_may_be_kept_and_sleeping_changes_nothing() -> None:
    kept: list[AckSample] = []

    def keep(_: Mine, ack: AckSample) -> None:
        kept.append(ack)
        if len(kept) % 200 == 0:
            time.sleep(0.001)

    assert (
        run_of(spoilt(keep)).summary["flows"][0]["goodput_bps"]
        == run_of(Mine).summary["flows"][0]["goodput_bps"]
    )
    assert len(kept) > 500
    assert all(a.una == b.una_before for a, b in itertools.pairwise(kept) if b.una_before > a.una_before)
    assert repr(kept[0]).startswith("AckSample(now=2.")


def test_its_stream_comes_from_the_seed() -> None:
    def initialise(self: Mine) -> None:
        self.cuts = 0
        self.cwnd = 2.0 + 10.0 * self.rng.uniform()

    cls = type("Drawing", (Mine,), {"__init__": initialise})
    scenario = ac.dumbbell([cls], duration="3s")
    firsts = [scenario.run(seed=seed).trace("cwnd").to_polars()["value"][0] for seed in (1, 1, 2)]
    assert firsts[0] == firsts[1] != firsts[2]
    assert 2.0 <= firsts[0] < 12.0


def test_its_parameters_are_set_like_any_control_s() -> None:
    class Gentle(Mine):
        """A control that reduces its window less."""

        beta = ac.control.Parameter(0.5, minimum=0.1, maximum=0.9, unit="", about="what is left")
        growth = ac.control.Parameter("slow", words=["slow", "fast"])

        def on_congestion(self, loss: LossSample) -> None:
            self.ssthresh = max(self.cwnd * self.beta, 2.0)
            self.cwnd = 1.0 if loss.timeout else self.ssthresh

    scenario = ac.dumbbell([Gentle], duration="10s")
    assert scenario.describe()["flow"][0]["tcp"]["control"] == {"beta": 0.5, "growth": "slow"}
    changed = scenario.set("flow.0.tcp.control.beta", 0.9)
    assert changed.run().flow(0)["goodput_bps"] != scenario.run().flow(0)["goodput_bps"]
    with pytest.raises(ac.ScenarioError, match=r"1\.5 is out of range") as raised:
        scenario.set("flow.0.tcp.control.beta", 1.5)
    assert raised.value.allowed == "0.1 to 0.9"
    with pytest.raises(ac.ScenarioError, match="did you mean `beta`"):
        scenario.set("flow.0.tcp.control.bets", 0.5)


def test_it_may_pace_and_set_a_timer() -> None:
    class Paced(Mine):
        def on_handshake(self, now: float, rtt: float) -> None:
            self.pacing_rate = 100.0
            self.wake = now + 1.0
            self.cwnd = 1000.0

        def on_ack(self, ack: AckSample) -> None:
            """Keep the window."""

        def on_timer(self, now: float) -> None:
            assert self.wake is None
            self.cuts += 1
            self.pacing_rate = 200.0

    run = ac.dumbbell([Paced], duration="5s").run(traces=["control"])
    # The sender paces 100 segments of 1460 bytes per second during 1 s, and then 200.
    assert run.flow(0)["goodput_bps"] == pytest.approx((100 * 1 + 200 * 3.9) * 1460 * 8 / 5, rel=0.05)
    assert run.trace("control").to_polars().filter(variable="pacing_rate")["value"].to_list() == [
        100.0,
        200.0,
    ]


def test_what_is_no_control_is_refused() -> None:
    class Lacking(ac.Control):
        def on_ack(self, ack: AckSample) -> None:
            """Keep the window."""

    with pytest.raises(UserError, match="class Lacking lacks on_congestion"):
        ac.control.register(Lacking)
    with pytest.raises(UserError, match="not a class of controls"):
        ac.control.register(int)  # type: ignore[type-var]
    with pytest.raises(UserError, match="a control of ours has this name already"):
        ac.control.register(type("cubic", (Mine,), {}))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path


def cli(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ackclock", *words], capture_output=True, text=True, check=False
    )


def test_a_file_s_class_is_a_variant_in_toml_and_on_the_command_line(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (inner / "mine.py").write_text(MINE)
    scenario = (
        ac.dumbbell(["newreno"], duration="3s").to_toml().replace('"newreno"', '"newreno+./mine.py:Mine"')
    )
    (inner / "s.toml").write_text(scenario)
    done = cli("run", "inner/s.toml", "--allow-code", "--json", "-")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["flows"][0]["variant"] == "newreno+./mine.py:Mine"
    assert summary["manifest"]["scenario"]["control"][0]["source"] == MINE
    (inner / "s.toml").write_text(scenario.replace("./mine.py", "../../elsewhere.py"))
    (folder.parent / "elsewhere.py").write_text(MINE)
    done = cli("run", "inner/s.toml", "--allow-code")
    assert done.returncode == 2
    assert "outside the scenario's folder" in done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("./mine.py:Mien", "did you mean Mine?"),
        ("./mien.py:Mine", "did you mean mine.py?"),
        ("./broken.py:Mine", "No module named 'nothing_of_this_name'"),
        ("./syntax.py:Mine", "SyntaxError"),
        ("./mine.py:ac", "not a class of controls"),
    ],
)
def test_what_cannot_be_loaded_is_said(folder: Path, name: str, said: str) -> None:
    (folder / "broken.py").write_text("import nothing_of_this_name\n")
    (folder / "syntax.py").write_text("class Mine(:\n")
    done = cli("run", "dumbbell", "--set", f"flow.0.tcp.variant={name}")
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "bug" not in done.stderr


def test_compare_takes_it_and_again_says_whether_it_is_the_same(folder: Path) -> None:
    words = ("--reps", "2", "--duration", "2s", "--out", "out", "--quiet")
    assert cli("compare", "./mine.py:Mine", "cubic", *words).returncode == 0
    assert {"Mine", "cubic"} <= set((folder / "out" / "runs.csv").read_text().replace(",", "\n").split())
    again = cli("compare", "--again", "out", "--allow-code")
    assert again.returncode == 0, again.stderr
    assert "the same bytes" in again.stdout
    (folder / "mine.py").write_text(MINE.replace("/ 2", "/ 3"))
    again = cli("compare", "--again", "out")
    assert again.returncode == 2
    assert "its source has changed since" in again.stderr
    (folder / "mine.py").unlink()
    again = cli("compare", "--again", "out")
    assert again.returncode == 2
    assert "there is no file" in again.stderr


@pytest.mark.parametrize("body", ["time.sleep(0.05)", "while True: pass", "super().on_ack(ack)"])
def test_ctrl_c_ends_it_within_a_second(folder: Path, body: str) -> None:
    extra = f"import time\nclass Slow(Mine):\n    def on_ack(self, ack):\n        {body}\n"
    (folder / "mine.py").write_text(MINE + extra)
    (folder / "go.py").write_text(
        "import ackclock as ac\nfrom mine import Slow\ns = ac.dumbbell([Slow, Slow], duration='90000s')\n"
        "print('ready', flush=True)\ns.run()\n"
    )
    running = subprocess.Popen(
        [sys.executable, "go.py"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    time.sleep(0.5)
    took_s, _, said = interrupted(running)
    assert took_s < 1.5
    assert "KeyboardInterrupt" in said, said


def test_processes_give_what_one_thread_gives(folder: Path) -> None:
    """Each worker process loads the control from the scenario that it receives, and draws from its seed's stream."""
    made = []
    for name, workers in (("one", ["--jobs", "1"]), ("two", ["--executor", "processes", "--jobs", "2"])):
        words = ["sweep", "dumbbell", "--set", "duration=3s", "--reps", "3", "--out", name, *workers]
        words += ["--vary", "flow.*.tcp.variant=./mine.py:Mine,cubic"]
        subprocess.run(
            [sys.executable, "-m", "ackclock", *words], cwd=folder, check=True, capture_output=True
        )
        made.append(
            [(folder / name / file).read_bytes() for file in ("results.csv", "runs.csv", "points.csv")]
        )
    assert made[0] == made[1]
    assert b"Mine" in made[0][0]
