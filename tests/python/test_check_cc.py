"""``check-cc`` finds a control's violation of a rule, explains it, and reproduces it on a small path."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ackclock as ac
from ackclock.control import conformance
from ackclock.control.loading import registered

if TYPE_CHECKING:
    from ackclock._core import AckSample, LossSample

PATHS = [conformance.drawn(1, number) for number in range(12)]


class Plain(ac.Control):
    """A control that violates no rule."""

    def on_ack(self, ack: AckSample) -> None:
        """Grow the window."""
        self.cwnd += ack.count if self.cwnd < self.ssthresh else ack.count / self.cwnd

    def on_congestion(self, loss: LossSample) -> None:
        """Halve the window."""
        self.ssthresh = max(self.cwnd / 2, 2.0)
        self.cwnd = 1.0 if loss.timeout else self.ssthresh


class Stalling(Plain):
    """A control that sends almost nothing after a loss."""

    def on_ack(self, ack: AckSample) -> None:
        """Grow the window until the first loss."""
        if self.pacing_rate is None:
            super().on_ack(ack)

    def on_congestion(self, loss: LossSample) -> None:
        """Set a tiny window and rate, and never grow the window again."""
        self.ssthresh, self.cwnd, self.pacing_rate = 2.0, 1.0, 1e-6


class Closed(Stalling):
    """A control that permanently closes its window after a loss."""

    def on_congestion(self, loss: LossSample) -> None:
        """Close the window."""
        self.ssthresh, self.cwnd = 2.0, 0.0


class Low(Plain):
    """A control that sets ssthresh below two segments, RFC 5681's minimum."""

    def on_congestion(self, loss: LossSample) -> None:
        """Halve the window without a lower bound."""
        self.ssthresh, self.cwnd = self.cwnd / 2, 1.0


class Wide(Plain):
    """A control that grows its window by more than the acknowledged data."""

    def on_ack(self, ack: AckSample) -> None:
        """Grow the window too fast."""
        self.cwnd *= 2


class Ambient(Plain):
    """A control whose state is kept from one run to the next."""

    runs = itertools.count()

    def __init__(self) -> None:
        """Take a step size that differs from run to run."""
        self.step = next(Ambient.runs) % 3

    def on_ack(self, ack: AckSample) -> None:
        """Grow the window by this run's step."""
        self.cwnd += self.step


class Deaf(Plain):
    """A control that ignores losses."""

    def on_ack(self, ack: AckSample) -> None:
        """Set the window to 400 segments."""
        self.cwnd = 400.0

    on_congestion = on_ack  # type: ignore[assignment]


class Jumpy(Plain):
    """A control that backs off for a queueing delay of a millisecond."""

    segment_times = True

    def __init__(self) -> None:
        """Start without an RTT."""
        self.least = 1e9

    def on_ack(self, ack: AckSample) -> None:
        """Shrink the window if the RTT exceeds its minimum by more than a millisecond, otherwise grow it."""
        self.least = min(self.least, ack.rtt or self.least)
        if ack.rtt is not None and ack.rtt > self.least + 0.001:
            self.cwnd = self.ssthresh = 2.0
        else:
            super().on_ack(ack)


@pytest.mark.parametrize(
    ("cls", "rule", "said"),
    [
        (Low, "windows within bounds", "RFC 5681 has at least 2"),
        (Wide, "windows within bounds", "a window may open by two for each"),
        (Stalling, "no stall", "the window is 1 segments since"),
        (Closed, "windows within bounds", "cwnd is 0; it is a number of segments from 1 to"),
        (Ambient, "deterministic", "two runs of one seed differ"),
    ],
)
def test_what_is_violated_is_said_with_a_small_path(cls: type[ac.Control], rule: str, said: str) -> None:
    found = {one.rule: one for one in conformance.on_paths(registered(cls), PATHS)}
    assert said in found[rule].said
    path = found[rule].path
    assert path is not None
    # The reduced path still violates the rule, with fewer events than the largest of the original paths.
    assert conformance.RULES[rule](registered(cls), path)
    largest = max(len(one.events) for one in PATHS)
    assert len(path.events) < max(largest, 2)


def test_a_deaf_and_a_jumpy_one_are_found_by_the_fixed_paths() -> None:
    deaf, jumpy = conformance.reacts(registered(Deaf)), conformance.ignores_noise(registered(Jumpy))
    assert deaf is not None
    assert "packets are lost from 15 s" in deaf.said
    assert jumpy is not None
    assert "its goodput falls from" in jumpy.said


@pytest.mark.parametrize("name", ["cubic", "newreno", "bbr", registered(Plain)])
def test_ours_and_a_plain_one_pass(name: str) -> None:
    assert conformance.on_paths(name, PATHS[:4]) == []
    assert conformance.reacts(name) is None
    assert conformance.ignores_noise(name) is None


@pytest.mark.slow
def test_each_of_ours_passes_on_many_paths() -> None:
    import json

    from ackclock import _core

    names = [
        one["name"]
        for one in json.loads(_core.catalogue("variants"))
        if not one["name"].startswith("tcp-linux-")
    ]
    many = [conformance.drawn(2, number) for number in range(40)]
    found = {
        name: [*conformance.on_paths(name, many), conformance.reacts(name), conformance.ignores_noise(name)]
        for name in names
    }
    assert {name: [one for one in some if one] for name, some in found.items()} == {
        name: [] for name in names
    }


def test_the_smallest_path_keeps_what_matters() -> None:
    events = tuple(conformance.Event("data", number) for number in (3, 9, 14, 40, 41))
    path = conformance.Path(200, 20, 10, 100_000, events)

    def rule(_: str, one: conformance.Path) -> str | None:
        return "wrong" if {14, 40} <= {event.at for event in one.events} and one.size >= 7000 else None

    small, said = conformance.smallest("any", path, rule)
    assert said == "wrong"
    assert [event.at for event in small.events] == [14, 40]
    assert 7000 <= small.size < 14_000
    assert "data packet 14 is lost" in str(small)


def test_the_verb_says_it_and_draws_floyds_tests(tmp_path: Path) -> None:
    source = (
        "from ackclock import Control\nclass Deaf(Control):\n    def on_ack(self, ack): self.cwnd = 400.0\n"
    )
    (tmp_path / "deaf.py").write_text(source + "    def on_congestion(self, loss): self.cwnd = 400.0\n")

    def check(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ackclock", "check-cc", *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )

    wrong = check("./deaf.py:Deaf", "--paths", "1")
    assert wrong.returncode == 2
    assert "VIOLATED  reacts to congestion" in wrong.stdout
    assert "the rate becomes 1 Mb/s at 10 s" in wrong.stdout
    right = check("cubic", "--paths", "1", "--out", "floyd")
    assert right.returncode == 0, right.stderr
    assert len(list((tmp_path / "floyd").glob("*-drops-sequence.png"))) >= 3
    assert check("./deaf.py:Daef").returncode == 2
