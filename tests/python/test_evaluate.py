"""``evaluate`` compares controls by the criteria of RFC 9743: its ruler, its experiments, its report."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import ackclock as ac
from ackclock.errors import UserError
from ackclock.evaluate import CRITERIA, Dossier, Level, Verdict, evaluate
from ackclock.evaluate.criteria import cases_of
from ackclock.evaluate.findings import findings, shown
from ackclock.evaluate.judging import _turned, _verdict, judge
from ackclock.evaluate.metrics import GOODPUT, LOSS
from ackclock.evaluate.pages import page
from ackclock.evaluate.paths import SIZES, _mean_size, bdp, sessions
from ackclock.evaluate.plan import NOBODY, SUBJECT, Entry, Plan
from ackclock.evaluate.report import report
from ackclock.evaluate.running import estimate, planned, run_plan
from ackclock.report.pages import markdown
from ackclock.stats import Interval
from ackclock.sweeps.jobs import MemoryStore

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


def test_every_row_of_the_criteria_is_there_with_a_scenario_that_is_accepted() -> None:
    names = {
        *(
            "collapse",
            "bufferbloat",
            "high-loss",
            "fairness",
            "short-flows",
            "mixed",
            "real-time",
            "drop-tail",
        ),
        *(
            "tunnel",
            "wireless",
            "aqm",
            "circuit-breakers",
            "varying-delay",
            "constrained",
            "high-delay",
            "receivers",
        ),
        *(
            "reordering",
            "transients",
            "path-change",
            "multipath",
            "data-centre",
            "documents",
            "pauses",
            "leo",
            "policer",
        ),
    }
    assert set(CRITERIA) == names
    for criterion in CRITERIA.values():
        cases = criterion.cases()
        assert len({one.key for one in cases}) == len(cases)
        assert cases or criterion.unavailable or criterion.key == "documents"
        assert not cases or any(one.quick for one in cases), criterion.key
        for case in cases:
            ac.Scenario(case.document).check()
            roles = [*case.own, *case.other, *case.fixed]
            assert len(set(roles)) == len(roles)
            assert max(roles) < len(case.document["flow"])
            assert len({one.name for one in case.metrics}) == len(case.metrics)
    musts = {one.key for one in CRITERIA.values() if one.level is Level.MUST}
    assert musts == {
        *("collapse", "short-flows", "mixed", "drop-tail", "tunnel", "path-change", "multipath", "documents")
    }


def test_the_page_has_all_criteria() -> None:
    assert (PROJECT / "docs" / "reference" / "evaluate.md").read_text(encoding="utf-8") == page()


@pytest.mark.parametrize(
    ("differences", "better", "verdict"),
    [
        ([0.0, 0.0, 0.0], "higher", Verdict.EQUIVALENT),
        ([0.01, -0.01, 0.02], "higher", Verdict.EQUIVALENT),
        ([5.0, 5.1, 4.9, 5.0], "higher", Verdict.BETTER),
        ([5.0, 5.1, 4.9, 5.0], "lower", Verdict.WORSE),
        ([-5.0, -5.1, -4.9, -5.0], "lower", Verdict.BETTER),
        ([5.0, -5.0, 6.0, -4.0], "higher", Verdict.NONE),
        ([2.0], "higher", Verdict.BETTER),
        ([], "higher", Verdict.ABSENT),
    ],
)
def test_verdicts_follow_the_interval_and_the_margin(
    differences: list[float], better: str, verdict: Verdict
) -> None:
    metric = GOODPUT if better == "higher" else LOSS
    assert _verdict(differences, 0.5, metric) is verdict


def test_a_verdict_hangs_on_what_contradicts_it() -> None:
    assert _turned(Verdict.BETTER, 1.0, Verdict.WORSE, [-1.0])
    assert _turned(Verdict.BETTER, 1.0, Verdict.EQUIVALENT, [0.1])
    assert _turned(Verdict.BETTER, 1.0, Verdict.NONE, [-0.1, 0.0])
    assert not _turned(Verdict.BETTER, 1.0, Verdict.NONE, [2.0, 0.1])
    assert not _turned(Verdict.BETTER, 1.0, Verdict.BETTER, [2.0])
    assert _turned(Verdict.NONE, 1.0, Verdict.WORSE, [-1.0])
    assert not _turned(Verdict.EQUIVALENT, 1.0, Verdict.NONE, [-1.0])


def test_reno_against_itself_finds_no_difference() -> None:
    """The quick form of all criteria but one; each pair of runs is the same run, so that this takes one control."""
    found = evaluate("same=reno", baseline="reno", quick=True, only=["collapse", "mixed", "policer", "aqm"])
    assert len(found.available()) > 30
    assert {one.verdict for one in found.judged} == {Verdict.EQUIVALENT}
    assert all(one.hangs_on is None for one in found.judged)
    harms = [one.harm for one in found.judged if one.harm is not None]
    assert harms
    assert all(one.subject == one.baseline for one in harms)


@pytest.mark.slow
def test_reno_against_itself_finds_no_difference_in_any_criterion() -> None:
    found = evaluate("same=reno", baseline="reno", quick=True)
    assert len(found.available()) > 140
    assert {one.verdict for one in found.judged} == {Verdict.EQUIVALENT}


@pytest.mark.slow
def test_equal_controls_with_other_seeds_are_told_apart_by_chance_only() -> None:
    """Judge cubic with seeds from 1001 on beside cubic with seeds from 1 on: at the level of 99 %, 1 in 100 differs."""
    here = Plan.of("same=cubic", "cubic", quick=True)
    there = replace(here, seed=1001)
    runs = run_plan(planned(here), MemoryStore())
    others = run_plan(planned(there), MemoryStore())
    mixed = {key: others[key] if key[0].own == SUBJECT else runs[key] for key in runs}
    judged = judge(here, mixed)
    assert len(judged) > 140
    assert sum(one.verdict.decided for one in judged) <= 6


def test_a_control_that_ignores_losses_is_worse_where_it_must_be(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD)
    found = evaluate(f"{file}:NoBackoff", baseline="reno", quick=True, only=["high-loss"])
    by_name = {one.metric.name: one for one in found.judged}
    assert by_name["loss_ratio"].verdict is Verdict.WORSE
    assert by_name["loss_ratio"].subject.mean > 5 * by_name["loss_ratio"].against.mean
    assert "worse" in " ".join(findings(found))


@pytest.fixture(scope="module")
def dossier(tmp_path_factory: pytest.TempPathFactory) -> tuple[Dossier, Path, str]:
    """Return a small dossier, the folder with the same one by the command line, and its output."""
    folder = tmp_path_factory.mktemp("evaluate")
    done = subprocess.run(
        [sys.executable, "-m", "ackclock", "evaluate", "vegas", "--quick", "--only", "policer", "--only", "tunnel",
         "--baseline", "reno,cubic", "--json", "found.json", "--out", "out"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d+ runs; the rest takes about \d+ s of processor time", done.stderr)
    found = evaluate("vegas", baseline="reno,cubic", quick=True, only=["policer", "tunnel"])
    return found, folder, done.stdout


def test_the_command_line_writes_what_python_finds(dossier: tuple[Dossier, Path, str]) -> None:
    found, folder, said = dossier
    written: dict[str, Any] = json.loads((folder / "found.json").read_text())
    schema = json.loads((PROJECT / "python" / "ackclock" / "results-evaluation.schema.json").read_text())
    Draft202012Validator(schema).validate(written)
    assert written["findings"] == list(findings(found))
    assert " ".join(said.split()).startswith(" ".join(written["findings"]))
    assert json.loads((folder / "out" / "evaluation.json").read_text()) == written
    policer = next(one for one in written["criteria"] if one["name"] == "policer")
    assert [one["verdict"] for one in policer["cases"][0]["results"]] == [
        str(one.verdict) for one in found.of(CRITERIA["policer"])
    ]
    tunnel = next(one for one in written["criteria"] if one["name"] == "tunnel")
    assert tunnel["not_available"]
    assert tunnel["cases"] == []


def test_a_repeated_command_runs_nothing_and_gives_the_same_bytes(dossier: tuple[Dossier, Path, str]) -> None:
    _, folder, _ = dossier
    before = (folder / "out" / "evaluation.json").read_bytes()
    command = [
        "evaluate",
        "vegas",
        "--quick",
        "--only",
        "policer",
        "--only",
        "tunnel",
        "--baseline",
        "reno,cubic",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "ackclock", *command, "--out", "out"],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "are there already" in done.stderr
    assert "the rest takes" not in done.stderr
    assert (folder / "out" / "evaluation.json").read_bytes() == before


def test_a_scenario_of_the_dossier_runs_again(dossier: tuple[Dossier, Path, str]) -> None:
    found, folder, _ = dossier
    judged = found.of(CRITERIA["policer"])[0]
    run = ac.load(folder / "out" / "scenarios" / "policer-10ms.toml").run(seed=1)
    goodput = run.summary["flows"][0]["goodput_bps"]
    assert abs(goodput - judged.subject.mean) < 0.2 * judged.subject.mean


def test_the_report_compares_and_never_certifies(dossier: tuple[Dossier, Path, str]) -> None:
    found, folder, _ = dossier
    made = report(found)
    assert made.sections[0].title == "One line for each criterion"
    assert len(made.lead) == 5
    text = (folder / "out" / "report.md").read_text().lower()
    assert "compliant" not in text
    assert "ackclock run scenarios/policer-10ms.toml" in text


def test_wrong_names_are_answered_with_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean policer"):
        Plan.of("vegas", only=("policers",))
    with pytest.raises(UserError, match="did you mean `vegas`"):
        Plan.of("vegass")
    with pytest.raises(UserError, match="reno is listed twice"):
        Plan.of("vegas", "reno,cubic,reno")
    with pytest.raises(UserError, match="--baseline: none is given"):
        Plan.of("vegas", " ,")
    parsed = Plan.of("vegas", "a=reno:decrease=0.7,min_rto=1s,cubic")
    assert [one.label for one in parsed.baselines] == ["a", "cubic"]
    assert dict(parsed.baselines[0].tcp) == {"min_rto": "1s"}


def test_entries_set_each_baseline_beside_the_control_beside_itself_and_alone() -> None:
    plan = Plan.of("vegas", "reno,cubic", quick=True, only=("mixed",))
    case = cases_of(CRITERIA["mixed"], quick=True)[0]
    entries = plan.entries(CRITERIA["mixed"], case)
    assert [(one.own, one.other) for one in entries] == [
        *((SUBJECT, 1), (1, 1), (NOBODY, 1), (SUBJECT, 2), (2, 2), (NOBODY, 2))
    ]
    variants = [
        [flow["tcp"]["variant"] for flow in plan.scenario(case, one).document()["flow"]]
        for one in entries[:3]
    ]
    assert variants == [["vegas", "reno"], ["reno", "reno"], ["reno"]]


def test_media_are_run_without_the_control_too() -> None:
    found = evaluate("vegas", baseline="reno", quick=True, only=["real-time"])
    by_name = {one.metric.name: one for one in found.judged}
    delay, rate = (by_name[name].harm for name in ("media_queueing_p95_s", "media_rate_bps"))
    assert delay is not None
    assert rate is not None
    assert delay.subject < delay.baseline
    assert 0 <= rate.subject <= rate.baseline < 0.2
    assert by_name["goodput_bps"].harm is None


def test_the_cost_counts_runs_without_a_control() -> None:
    plan = Plan.of("reno", "cubic", quick=True, only=("real-time",))
    runs = planned(plan)
    media = [entry for _, entry, _ in runs if (entry.own, entry.other) == (NOBODY, NOBODY)]
    cost = estimate(plan, runs, MemoryStore())
    assert media
    assert cost.cpu_s > 0 < cost.missing == cost.runs


def test_what_a_stack_cannot_send_is_left_out_with_the_reason() -> None:
    plan = Plan.of("quinn-cubic", "reno", quick=True, only=("short-flows",))
    runs = planned(plan)
    refused = {entry: why for entry, why in plan.refused.items() if entry.own == SUBJECT}
    assert Entry("short-flows", "short-85", SUBJECT) in refused
    assert all("a flow over QUIC sends a file" in why for why in refused.values())
    assert any(entry.own == SUBJECT for _, entry, _ in runs)


def test_the_load_of_sessions_is_what_it_says() -> None:
    assert _mean_size() == pytest.approx(90_000, rel=0.01)
    table = sessions("web", "20Mbps", 0.85)
    assert table["traffic"]["arrivals"]["rate"] * 8 * _mean_size() == pytest.approx(17e6, rel=1e-3)
    assert table["traffic"]["response"] == SIZES
    assert bdp("20Mbps", "40ms", 1) == 67


def test_numbers_are_shown_with_the_digits_that_their_interval_has() -> None:
    assert shown(Interval(39.813111, 0.000072, 5, 0.95), 1.0) == "39.81"
    assert shown(Interval(9.8e6, 1.3e6, 5, 0.95), 1e-6) == "9.8 ±1.3"
    assert shown(Interval(0.0, 0.0, 5, 0.95), 1.0) == "0"
    assert shown(Interval(18.991, 0.003, 5, 0.95), 1.0) == "18.99"
    assert shown(Interval(math.nan, math.nan, 0, 0.95), 1.0) == "–"


def test_a_misbehaving_receiver_gains_by_what_the_control_believes() -> None:
    found = evaluate("reno", baseline="bbr3", quick=True, only=["receivers"])
    gains = {one.case.key: one for one in found.judged if one.metric.name == "gain_ratio"}
    assert gains["honest"].subject.mean == pytest.approx(1, abs=0.3)
    # A flow that sees no loss never reduces its window. One that sees no mark is held back by drops only.
    assert gains["optimistic"].subject.mean > 10
    assert gains["marks-pie"].subject.mean > 2
    assert gains["marks-pie"].verdict is Verdict.WORSE
    # bbr3 has no ECN here, and recovery rack takes nothing from duplicates without SACK blocks.
    assert gains["marks-pie"].against.mean == pytest.approx(1, abs=0.4)
    assert gains["dupack-spoofing"].subject.mean == pytest.approx(1, abs=0.4)
    lacks = {one.case.key: one.subject.mean for one in found.judged if one.metric.name == "honest_harm"}
    assert lacks["honest"] == pytest.approx(0.5, abs=0.1)
    assert lacks["optimistic"] > 0.9
    text = markdown(report(found))
    assert "Misbehaving receivers (section 7.6). A flow of reno whose receiver misbehaves" in text


def test_a_stack_has_no_receiver_that_misbehaves() -> None:
    plan = Plan.of("quinn-cubic", "reno", quick=True, only=("receivers",))
    criterion = CRITERIA["receivers"]
    case = plan.cases(criterion)[0]
    assert [entry.own for entry in plan.entries(criterion, case)] == [1]
    assert "cannot be made to misbehave" in plan.refused[Entry("receivers", case.key, SUBJECT)]
