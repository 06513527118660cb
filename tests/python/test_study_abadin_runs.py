"""The study "abadin" is simulated and compared with ns-2: a quick subset, and with mark `slow` the whole study."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from tests.python import study_goldens

from ackclock.studies.abadin import STUDY, settings
from ackclock.studies.abadin.experiments import Sweeps, plan
from ackclock.studies.abadin.results import Results
from ackclock.study import registry
from ackclock.study.agreement import DIFFERS, Comparison
from ackclock.study.data import StudyData


def without_jitter(chosen: Sweeps) -> Sweeps:
    """Return the part of a plan that ns-2 also ran."""
    return replace(chosen, jittered=0, jittered_loss=0)


@pytest.fixture(scope="module")
def table1() -> StudyData:
    return STUDY.simulate(plan(quick=True, only="table1"))


def shares(compared: list[Comparison]) -> dict[str, float]:
    """Return the share of points that agree, by sweep."""
    agree = Counter(c.experiment for c in compared if c.outcome != DIFFERS)
    return {name: agree[name] / count for name, count in Counter(c.experiment for c in compared).items()}


def test_table_1_is_ns2s(table1):
    compared = Results(table1).comparisons()
    assert len(compared) == len(settings.VARIANTS)
    for one in compared:
        assert abs(one.difference) <= settings.TABLE1_WITHIN, one


def test_table_1_has_the_published_order(table1):
    s = Results(table1)
    mean = {v: s.mean("table1", 0, v, jittered=False) for v in settings.VARIANTS}
    assert mean["tahoe"] < mean["reno"] < min(mean["newreno"], mean["sack"])
    assert max(mean["newreno"], mean["sack"]) < mean["vegas"]


def test_the_data_are_the_same_bytes_every_time(table1):
    one_thread = STUDY.simulate(plan(quick=True, only="table1"), threads=1)
    two_threads = STUDY.simulate(plan(quick=True, only="table1"), threads=2)
    assert one_thread.digest() == two_threads.digest() == table1.digest()


def test_the_data_are_the_golden_ones():
    found = {figure: STUDY.simulate(plan(quick=True, only=figure)) for figure in ("table1", "fig3", "fig8")}
    study_goldens.check(STUDY, found)


def test_samples_add_up_to_the_run(table1):
    s = Results(table1)
    for _, _, variant, jittered in s.runs:
        for column in ("sent_bytes", "retransmitted_bytes"):
            summed = [sum(bins) for bins in s.bins.runs(column, variant, jittered)]
            assert summed == s.runs.of(column, "table1", 0.0, variant, jittered)
        for lengths in s.bins.runs("bin_s", variant, jittered):
            assert sum(lengths) == settings.DURATION_S


@pytest.mark.parametrize("figure", ["fig4", "fig7", "fig8"])
def test_quick_sweeps_agree_with_ns2(figure):
    compared = Results(STUDY.simulate(without_jitter(plan(quick=True, only=figure)))).comparisons()
    assert compared
    for name, share in shares(compared).items():
        assert share >= 0.9, (name, [c for c in compared if c.outcome == DIFFERS])


@pytest.mark.slow
def test_every_sweep_agrees_with_ns2():
    # 500 replications make ackclock's own sampling error negligible.
    many = replace(without_jitter(plan()), same_starts_loss=500)
    compared = Results(STUDY.simulate(many)).comparisons()
    for name, share in shares(compared).items():
        assert share >= 0.9, (name, [c for c in compared if c.outcome == DIFFERS])
    for variant in settings.VARIANTS:
        of = [c for c in compared if c.experiment == "error" and c.variant == variant]
        agreed = sum(c.outcome != DIFFERS for c in of)
        assert agreed >= 0.8 * len(of), (variant, [c for c in of if c.outcome == DIFFERS])


def test_the_study_writes_its_folder_at_once(tmp_path):
    out = tmp_path / "report"
    told: list[tuple[int, int]] = []
    result = registry.get("abadin").run(
        quick=True, only="table1", out=out, progress=lambda done, total: told.append((done, total))
    )
    assert told
    assert told[-1][0] == told[-1][1]
    assert result.report == out / "report.html"
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["data_sha256"] == result.data_sha256 == StudyData.load(out / "data").digest()
    assert manifest["command"] == "ackclock study abadin --quick --only table1"
    assert [path.name for path in tmp_path.iterdir()] == ["report"], "nothing half-written stays behind"
    assert all(path.exists() for path in result.plots)


def test_a_run_that_fails_leaves_nothing(tmp_path, monkeypatch):
    from ackclock.study import runs

    def fail(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(runs, "watch_jobs", fail)
    with pytest.raises(KeyboardInterrupt):
        registry.get("abadin").run(quick=True, only="table1", out=tmp_path / "report")
    assert list(tmp_path.iterdir()) == []
