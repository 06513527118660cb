"""The cases of ``conform`` judge the requirements of their sources, and find controls that violate them."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.conform import SUITES, Outcome, conform
from ackclock.conform.pages import page
from ackclock.errors import UserError

PROJECT = Path(__file__).resolve().parents[2]
BAD = '''
import ackclock as ac


class NoBackoff(ac.Control):
    """A control that ignores losses."""

    def on_ack(self, ack):
        self.cwnd += ack.count if self.cwnd < self.ssthresh else ack.count / self.cwnd

    def on_congestion(self, loss):
        if loss.timeout:
            self.cwnd = 1.0
'''


@pytest.mark.parametrize("name", ["reno", "cubic", "rack"])
def test_ours_pass_every_case(name: str) -> None:
    report = conform(name)
    wrong = [f"{one.case.id}: {one.verdict.reason}" for one in report.judged if one.verdict.outcome != "pass"]
    assert not wrong, "\n".join(wrong)
    assert len(report.judged) == len(SUITES[name].cases)


def test_bbr3_passes_the_cases_of_its_draft() -> None:
    report = conform("bbr3")
    wrong = [f"{one.case.id}: {one.verdict.reason}" for one in report.judged if one.verdict.outcome != "pass"]
    assert not wrong, "\n".join(wrong)
    assert len(report.judged) == 22


def test_version_1_of_bbr_is_no_version_3() -> None:
    report = conform("bbr", suite="bbr3")
    assert report.count(Outcome.PASS) == 0


def test_a_control_that_ignores_losses_fails(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD)
    report = conform(f"{file}:NoBackoff", suite="reno", only=["halving", "slow-start", "least-threshold"])
    found = {one.case.id: one.verdict.outcome for one in report.judged}
    assert found["halving"] is Outcome.FAIL
    assert found["slow-start"] is Outcome.PASS
    assert report.failed


def test_a_stack_is_judged_by_its_packets() -> None:
    report = conform("quinn-cubic", suite="cubic", only=["reno-friendly", "decrease"])
    found = {one.case.id: one.verdict.outcome for one in report.judged}
    assert found == {"reno-friendly": Outcome.PASS, "decrease": Outcome.NOT_APPLICABLE}
    report = conform("quinn-bbr", suite="bbr3", only=["sub-packet-bdp", "probe-rtt"])
    assert [one.verdict.outcome for one in report.judged] == [Outcome.NOT_APPLICABLE, Outcome.PASS]


def test_the_command_line_writes_json_and_junit_and_exits_with_3(tmp_path: Path) -> None:
    file, out, junit = tmp_path / "bad.py", tmp_path / "bad.json", tmp_path / "bad.xml"
    file.write_text(BAD)
    command = [sys.executable, "-m", "ackclock", "conform", f"{file}:NoBackoff", "--suite", "reno"]
    options = ["--only", "halving", "--only", "slow-start", "--json", str(out), "--junit", str(junit)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    found = json.loads(out.read_text())
    assert (found["schema"], found["counts"]) == (1, {"pass": 1, "fail": 1, "not applicable": 0})
    assert all(case["source"] and case["reason"] for case in found["cases"])
    suite = ET.fromstring(junit.read_text())
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "0")


def test_the_scenario_of_a_failed_case_is_written_for_a_replay(tmp_path: Path) -> None:
    file, out = tmp_path / "bad.py", tmp_path / "out"
    file.write_text(BAD)
    command = [sys.executable, "-m", "ackclock", "conform", f"{file}:NoBackoff", "--suite", "reno"]
    options = ["--only", "halving", "--only", "slow-start", "--out", str(out)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["bad.py", "halving.toml"]
    assert "case halving: Threshold after a loss (RFC 5681" in (out / "halving.toml").read_text()
    run = ac.load(out / "halving.toml", allow_code=True).run()
    assert run.flow(0)["lost_list_packets"] == 1


def test_wrong_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean bbr3"):
        conform("brr3")
    with pytest.raises(UserError, match="slow-start"):
        conform("reno", only=["slowstart"])


def test_names_of_cases_are_unique_and_the_page_has_them() -> None:
    for suite in SUITES.values():
        names = [case.id for case in suite.cases]
        assert len(set(names)) == len(names)
    assert (PROJECT / "docs" / "reference" / "conform.md").read_text(encoding="utf-8") == page()
