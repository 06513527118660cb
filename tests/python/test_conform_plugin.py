"""The pytest plugin: each case is a test, and without the plugin nothing changes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MINE = """
import ackclock as ac


class Mine(ac.Control):
    def on_ack(self, ack):
        self.cwnd += ack.count if self.cwnd < self.ssthresh else ack.count / self.cwnd

    def on_congestion(self, loss):
        if loss.timeout:
            self.cwnd = 1.0
"""

TESTS = """
import pytest


@pytest.mark.ackclock_conform("./mine.py:Mine", suite="reno", only=["halving", "slow-start"])
def test_mine(ackclock_case):
    ackclock_case.check()


@pytest.mark.ackclock_conform("quinn-cubic", suite="cubic", only="decrease")
def test_stack(ackclock_case):
    ackclock_case.check()
"""


def run_pytest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    return tmp_path


def test_a_marked_test_runs_once_for_each_case(here: Path) -> None:
    (here / "conftest.py").write_text('pytest_plugins = ["ackclock.conform.plugin"]\n')
    (here / "test_mine.py").write_text(TESTS)
    done = run_pytest(here, "--junit-xml", "out.xml")
    assert "1 failed, 1 passed, 1 skipped" in done.stdout, done.stdout
    assert "FAILED test_mine.py::test_mine[halving] - Failed: Threshold after a loss" in done.stdout
    assert "PASSED test_mine.py::test_mine[slow-start]" in done.stdout
    assert done.returncode == 1
    assert 'name="test_mine[halving]"' in (here / "out.xml").read_text()


def test_the_command_line_adds_the_cases_of_a_subject(here: Path) -> None:
    plugin = ("-p", "ackclock.conform.plugin")
    done = run_pytest(
        here, *plugin, "--ackclock-conform", "./mine.py:Mine", "--ackclock-suite", "rack", "--collect-only"
    )
    assert "./mine.py:Mine[tail-loss-probe]" in done.stdout
    assert done.returncode == 0, done.stdout + done.stderr
    wrong = run_pytest(here, *plugin, "--ackclock-conform", "rak")
    assert wrong.returncode == 4
    assert "did you mean rack" in wrong.stdout + wrong.stderr


def test_without_the_plugin_nothing_of_it_is_there(here: Path) -> None:
    (here / "test_other.py").write_text(
        "import sys\ndef test_it(): assert not any(n.startswith('ackclock') for n in sys.modules)\n"
    )
    assert run_pytest(here).returncode == 0
    assert run_pytest(here, "--ackclock-conform", "reno").returncode == 4
