"""The study "abadin": what it would run, what it holds against whom, what it says. Nothing is simulated."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from ackclock.errors import UserError
from ackclock.report.model import Verdict
from ackclock.studies import registry
from ackclock.studies.abadin import peer, published, settings
from ackclock.studies.abadin.analysis import analyse
from ackclock.studies.abadin.data import Data, RunRow, SampleRow
from ackclock.studies.abadin.experiments import EXPERIMENTS, FIGURES, Job, document, jobs, plan
from ackclock.studies.agreement import DIFFERS, Comparison
from ackclock.studies.study import figure_named
from ackclock.sweep.statistics import interval, welch


def made(*, quick: bool = False, only: str | None = None, noise: float = 0.002) -> Data:
    """ns-2's mean at every point; jittered runs spread about it by `noise` (relative standard deviation)."""
    chosen = plan(quick=quick, only=only)
    runs: list[RunRow] = []
    samples: list[SampleRow] = []
    for experiment in chosen.experiments:
        for job in jobs(experiment, chosen):
            runs.append(_run(job, noise))
            if experiment.key == "table1":
                samples += _samples(job, noise)
    return Data(tuple(runs), tuple(samples), quick=chosen.quick, figures=chosen.figures, version="0.0.0")


def _run(job: Job, noise: float) -> RunRow:
    mean = peer.points()[job.experiment, float(job.point.x), job.variant].mean
    value = mean * _factor(job, noise)
    return RunRow(
        experiment=job.experiment,
        x=float(job.point.x),
        variant=job.variant,
        jittered=job.jittered,
        seed=job.seed,
        flows=job.point.flows,
        throughput_Bps=value,
        delivered_Bps=value,
        sent_bytes=round(value * settings.DURATION_S),
        retransmitted_bytes=0,
        timeouts=0,
        lost_packets=0,
        jain=1.0,
        scenario_hash="0" * 16,
    )


def _samples(job: Job, noise: float) -> list[SampleRow]:
    rate = peer.points()["table1", 0.0, job.variant].mean * _factor(job, noise)
    starts = range(0, settings.DURATION_S, settings.SAMPLE_S)
    return [
        SampleRow(
            variant=job.variant,
            jittered=job.jittered,
            seed=job.seed,
            time_s=float(min(start + settings.SAMPLE_S, settings.DURATION_S)),
            bin_s=float(min(settings.SAMPLE_S, settings.DURATION_S - start)),
            sent_bytes=round(rate * min(settings.SAMPLE_S, settings.DURATION_S - start)),
            retransmitted_bytes=0,
        )
        for start in starts
    ]


def _factor(job: Job, noise: float) -> float:
    if not job.jittered:
        return 1.0
    # The seed's part is common to all variants, as with common random numbers; the rest is each run's own.
    common = random.Random(f"{job.experiment} {job.point.x} {job.seed}").gauss(0, noise)
    own = random.Random(f"{job.experiment} {job.point.x} {job.seed} {job.variant}").gauss(0, noise / 4)
    return 1 + common + own


@pytest.fixture(scope="module")
def full():
    return analyse(made())


def test_the_registry_finds_the_study_by_its_folder():
    assert "abadin" in registry.names()
    study = registry.get("abadin")
    assert study.name == "abadin"
    assert tuple(study.figures) == FIGURES


def test_a_misspelt_study_gets_the_nearest_name():
    with pytest.raises(UserError, match=r"did you mean abadin\?"):
        registry.get("abadine")


@pytest.mark.parametrize("spelling", ["fig3", "Figure 3", "figure-3", "FIG_3"])
def test_a_figure_has_many_spellings(spelling):
    assert figure_named(registry.get("abadin"), spelling) == "fig3"


def test_a_misspelt_figure_gets_the_nearest_name():
    with pytest.raises(UserError, match=r"allowed: table1, fig2.*\n  did you mean fig8\?"):
        figure_named(registry.get("abadin"), "figg8")


def test_published_averages_are_whole_segments_over_the_run():
    for value in published.TABLE1_BPS.values():
        packets = value * settings.DURATION_S / settings.SEGMENT_B
        assert packets == pytest.approx(round(packets), abs=0.002)


def test_every_point_has_its_reference():
    wanted = {(e.key, float(p.x), v) for e in EXPERIMENTS for p in e.points for v in settings.VARIANTS}
    assert set(peer.points()) == wanted
    assert set(peer.series()) == set(settings.VARIANTS) - {"vegas40"}


def test_the_quick_form_is_part_of_the_full_one():
    quick, whole = plan(quick=True), plan()
    for few, many in zip(quick.experiments, whole.experiments, strict=True):
        assert set(few.points) <= set(many.points)
    count = sum(len(jobs(e, quick)) for e in quick.experiments)
    assert count < sum(len(jobs(e, whole)) for e in whole.experiments) / 5


def test_one_figure_runs_only_what_it_needs():
    assert [e.key for e in plan(only="fig6").experiments] == ["sources_q20", "sources_q50"]
    assert [e.key for e in plan(only="fig2").experiments] == ["table1"]


def test_jittered_replications_leave_the_first_seed_out():
    chosen = plan()
    of = [j for j in jobs(chosen.experiments[1], chosen) if j.variant == "sack" and j.point.x == 0.01]
    assert [j.seed for j in of if not j.jittered] == list(range(1, 101))
    assert [j.seed for j in of if j.jittered] == list(range(2, 32))
    assert {j.jitter_s for j in of if not j.jittered} == {0.0}


def test_the_scenario_of_a_point():
    error = EXPERIMENTS[1]
    doc = document(error.points[2], "vegas40")
    bottleneck = doc["link"][0]
    assert bottleneck["between"] == ["n2", "n3"]
    assert bottleneck["loss"] == {"kind": "random", "rate": 0.01, "toward": "n3", "at": "entry"}
    assert [flow["start"] for flow in doc["flow"]] == ["1700ms", "2100ms"]
    assert [(flow["from"], flow["to"]) for flow in doc["flow"]] == [("n0", "n4"), ("n1", "n5")]
    assert doc["flow"][0]["tcp"]["header"] == "40B"
    assert "header" not in document(error.points[2], "vegas")["flow"][0]["tcp"]
    assert "loss" not in document(error.points[0], "sack")["link"][0]


def test_many_sources_share_one_bottleneck():
    sources = EXPERIMENTS[3]
    doc = document(sources.points[-1], "reno")
    assert len(doc["flow"]) == 30
    assert len(doc["link"]) == 61
    assert doc["flow"][29]["start"] == "13300ms"


def test_data_come_back_from_the_disk_as_they_went(tmp_path):
    data = made(quick=True)
    data.store(tmp_path)
    again = Data.load(tmp_path)
    assert again == data
    assert again.digest() == data.digest()
    assert json.loads((tmp_path / "data.json").read_text())["sha256"] == data.digest()


def test_equal_means_agree_with_ns2_everywhere(full):
    agreement = full.numbers["agreement_with_ns2"]
    assert agreement["points"] == 318
    assert agreement["outside"] == []


def test_chance_is_welchs():
    ours, theirs = interval([1.0, 2.0, 3.0, 4.0]), interval([2.0, 4.0, 6.0, 8.0, 10.0])
    one = Comparison("error", 0.1, "sack", ours, theirs, DIFFERS)
    assert one.p == pytest.approx(welch([1, 2, 3, 4], [2, 4, 6, 8, 10]).p)
    assert Comparison("error", 0.0, "sack", ours, interval([5.0, 5.0]), DIFFERS).p is None


def test_a_point_outside_is_listed_by_itself():
    data = made(only="fig4")
    off = tuple(
        type(r)(**{**{f: getattr(r, f) for f in r.__slots__}, "throughput_Bps": r.throughput_Bps * 1.1})
        if (r.x, r.variant) == (2.0, "reno")
        else r
        for r in data.runs
    )
    found = analyse(replace(data, runs=off))
    assert [(p["x"], p["variant"]) for p in found.numbers["agreement_with_ns2"]["outside"]] == [(2.0, "reno")]
    listed = [b for s in found.report.sections for b in s.blocks if getattr(b, "key", "") == "outside"]
    assert listed[0].rows[0][:2] == ("2 Mb/s", "Reno")


def test_vegas_leads_by_its_header(full):
    """With ns-2's own means: ahead as ns-2 has it, mostly not with equal wire size."""
    verdicts = {c.key: [j and j.verdict for j in c.judgements] for c in full.claims.claims}
    assert verdicts["vegas-best"][0] is Verdict.SUPPORTED
    assert verdicts["vegas-sources"] == [Verdict.SUPPORTED, Verdict.CONTRADICTED]
    assert verdicts["vegas-short-delay"] == [Verdict.SUPPORTED, Verdict.CONTRADICTED]
    assert verdicts["vegas-low-error"] == [Verdict.SUPPORTED, Verdict.CONTRADICTED]
    assert verdicts["tahoe-worst"][0] is Verdict.SUPPORTED
    assert verdicts["linear"][0] is Verdict.CONTRADICTED
    assert verdicts["linear-window-free"] == [Verdict.SUPPORTED] * 2
    assert verdicts["constant"] == [Verdict.SUPPORTED, None]
    assert verdicts["long-delay"] == [Verdict.SUPPORTED] * 2


def test_every_claim_of_the_paper_is_judged(full):
    assert {c.figure for c in full.claims.claims} == {
        "Table 1",
        "Figure 2",
        "Figure 3",
        "Figure 4",
        "Figure 6",
        "Figure 7",
        "Figure 8",
    }
    for claim in full.claims.claims:
        assert claim.reading
        assert claim.judgements[0] is not None


def test_every_figure_has_six_curves_and_ns2_behind(full):
    figures = full.report.figures()
    assert [f.key for f in figures] == ["fig2", "fig3", "fig4", "fig6_q20", "fig6_q50", "fig7", "fig8"]
    for figure in figures:
        kinds = [series.kind for series in figure.panels[0].series]
        assert kinds.count("curve") == 6
        assert kinds.count("alike") == 6
        assert kinds.count("peer") >= 5
        assert figure.claim
        assert all(len(s.low) == len(s.x) for s in figure.panels[0].series if s.kind == "curve")


def test_published_numbers_are_drawn_only_where_the_text_has_them(full):
    for figure in full.report.figures():
        stars = [s for panel in figure.panels for s in panel.series if s.kind == "published"]
        assert len(stars) == (5 if figure.key == "fig2" else 0)


def test_the_report_is_made_from_stored_data_alone(tmp_path):
    (tmp_path / "data").mkdir()
    made(quick=True, only="fig3").store(tmp_path / "data")
    result = registry.get("abadin").report(tmp_path)
    assert result.report == tmp_path / "report.html"
    assert [path.name for path in result.plots] == ["fig3.svg", "fig3.png"]
    assert (tmp_path / "data" / "points.csv").exists()
    plain = result.to_json()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert {c["claim"] for c in plain["claims"]} == {"vegas-low-error", "sack-high-error", "falls-with-error"}
    page = result.report.read_text(encoding="utf-8")
    assert "--only fig3" in page
    assert "Points outside" in page or "No point lies outside" in page
