"""The study "abadin" without simulation: its jobs, its comparisons with ns-2, and its report."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import polars as pl
import pytest

from ackclock.errors import UserError
from ackclock.report.model import Verdict
from ackclock.stats.statistics import interval, welch
from ackclock.studies.abadin import STUDY, settings
from ackclock.studies.abadin.claims import CLAIMS
from ackclock.studies.abadin.experiments import EXPERIMENTS, FIGURES, NEIGHBOURS, cuts, jobs, plan, scenario
from ackclock.studies.abadin.results import ns2, ns2_series
from ackclock.study import registry
from ackclock.study.agreement import DIFFERS, Comparison
from ackclock.study.data import StudyData
from ackclock.study.runs import StudyJob, frame


def made(*, quick: bool = False, only: str | None = None, noise: float = 0.002) -> StudyData:
    """Return made-up data with ns-2's mean at every point.

    Jittered runs have a relative standard deviation of `noise`.
    """
    chosen = plan(quick=quick, only=only)
    asked = [job for job in jobs(chosen) if "experiment" in job.labels and job.batch != "windows"]
    tables = {"runs": frame([_run(job, noise) for job in asked])} if asked else {}
    near = [job for job in jobs(chosen) if "experiment" not in job.labels]
    if near:
        tables["near"] = frame(
            [{**job.labels, "seed": job.seed, "throughput_Bps": _near(job)} for job in near]
        )
    if windows := [job for job in jobs(chosen) if job.batch == "windows"]:
        tables["windows"] = frame([_run(job, noise) for job in windows])
    if traced := [job for job in asked if job.traces]:
        tables["cuts"] = frame([_cuts(job) for job in traced])
        tables["window"] = frame([row for variant in settings.VARIANTS for row in _sawtooth(variant)])
    if samples := [row for job in asked if job.traces for row in _samples(job, noise)]:
        tables["samples"] = frame(samples)
    return StudyData(tables, chosen.quick, chosen.figures, "0.0.0")


def _mean(job: StudyJob) -> float:
    return ns2()[job.labels["experiment"], job.labels["x"], job.labels["variant"]].mean


def _near(job: StudyJob) -> float:
    """Return the throughput of Table 1, but with a minimum RTO of 0.2 s one for Tahoe that exceeds all others."""
    if job.labels["min_rto_s"] == 0.2 and job.labels["variant"] == "tahoe":
        return 40_000.0
    return ns2()["table1", 0.0, job.labels["variant"]].mean


def _run(job: StudyJob, noise: float) -> dict[str, object]:
    value = _mean(job) * _factor(job, noise)
    return {
        **job.labels,
        "seed": job.seed,
        "flows": len(job.scenario.document()["flow"]),
        "throughput_Bps": value,
        "delivered_Bps": value,
        "sent_bytes": round(value * settings.DURATION_S),
        "retransmitted_bytes": 0,
        "timeouts": 0,
        "lost_packets": 0,
        "jain": 1.0,
        "scenario_hash": "0" * 16,
    }


def _samples(job: StudyJob, noise: float) -> list[dict[str, object]]:
    rate = _mean(job) * _factor(job, noise)
    return [
        {
            "variant": job.labels["variant"],
            "jittered": job.labels["jittered"],
            "seed": job.seed,
            "time_s": float(min(start + settings.SAMPLE_S, settings.DURATION_S)),
            "bin_s": float(min(settings.SAMPLE_S, settings.DURATION_S - start)),
            "sent_bytes": round(rate * min(settings.SAMPLE_S, settings.DURATION_S - start)),
            "retransmitted_bytes": 0,
        }
        for start in range(0, settings.DURATION_S, settings.SAMPLE_S)
    ]


def _cuts(job: StudyJob) -> dict[str, object]:
    """Return window reductions; all of Tahoe's are to one segment, and every tenth of the others'."""
    own = {name: job.labels[name] for name in ("variant", "jittered")}
    return {**own, "seed": job.seed, "cuts": 50, "to_one": 50 if own["variant"] == "tahoe" else 5}


def _sawtooth(variant: str) -> list[dict[str, object]]:
    return [{"variant": variant, "time_s": float(i), "value": 1.0 + i % 5} for i in range(20)]


def _factor(job: StudyJob, noise: float) -> float:
    if not job.labels["jittered"]:
        return 1.0
    # All variants share most of a seed's noise, as with common random numbers; the rest is independent.
    at = f"{job.labels['experiment']} {job.labels['x']:g} {job.seed}"
    common = random.Random(at).gauss(0, noise)
    own = random.Random(f"{at} {job.labels['variant']}").gauss(0, noise / 4)
    return 1 + common + own


@pytest.fixture(scope="module")
def full():
    return STUDY.analyse(made())


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
    assert STUDY.figure(spelling) == "fig3"


def test_a_misspelt_figure_gets_the_nearest_name():
    with pytest.raises(UserError, match=r"allowed: table1, fig2.*\n  did you mean fig8\?"):
        STUDY.figure("figg8")


def test_published_averages_are_whole_segments_over_the_run():
    for value in settings.TABLE1_BPS.values():
        packets = value * settings.DURATION_S / settings.SEGMENT_B
        assert packets == pytest.approx(round(packets), abs=0.002)


def test_every_point_has_its_reference():
    wanted = {(e.key, float(x), v) for e in EXPERIMENTS for x in e.xs for v in settings.VARIANTS}
    assert set(ns2()) == wanted
    assert set(ns2_series()) == set(settings.VARIANTS) - {"vegas40"}


def test_the_quick_form_is_part_of_the_full_one():
    quick, whole = plan(quick=True), plan()
    for few, many in zip(quick.experiments, whole.experiments, strict=True):
        assert set(few.xs) <= set(many.xs)
    assert len(list(jobs(quick))) < len(list(jobs(whole))) / 5


def test_one_figure_runs_only_what_it_needs():
    assert [e.key for e in plan(only="fig6").experiments] == ["sources_q20", "sources_q50"]
    assert [e.key for e in plan(only="fig2").experiments] == ["table1"]


def test_jittered_replications_leave_the_first_seed_out():
    at = {"experiment": "error", "x": 0.01, "variant": "sack", "window": settings.WINDOW}
    same, moved = (
        [j for j in jobs(plan()) if j.labels == {**at, "jittered": jittered}] for jittered in (False, True)
    )
    assert [j.seed for j in same] == list(range(1, 101))
    assert [j.seed for j in moved] == list(range(2, 32))
    assert {j.jitter_s for j in same} == {0.0}


def test_the_scenario_of_a_point():
    error = EXPERIMENTS[1]
    doc = scenario(error, error.xs[2], "vegas40").document()
    bottleneck = doc["link"][0]
    assert bottleneck["between"] == ["n2", "n3"]
    assert bottleneck["loss"] == {"kind": "random", "rate": 0.01, "toward": "n3", "at": "entry"}
    assert [flow["start"] for flow in doc["flow"]] == ["1700ms", "2100ms"]
    assert [(flow["from"], flow["to"]) for flow in doc["flow"]] == [("n0", "n4"), ("n1", "n5")]
    assert doc["flow"][0]["tcp"]["header"] == "40B"
    assert "header" not in scenario(error, error.xs[2], "vegas").document()["flow"][0]["tcp"]
    assert "loss" not in scenario(error, error.xs[0], "sack").document()["link"][0]


def test_many_sources_share_one_bottleneck():
    sources = EXPERIMENTS[3]
    doc = scenario(sources, sources.xs[-1], "reno").document()
    assert len(doc["flow"]) == 30
    assert len(doc["link"]) == 61
    assert doc["flow"][29]["start"] == "13300ms"


def test_data_come_back_from_the_disk_as_they_went(tmp_path):
    data = made(quick=True)
    data.store(tmp_path)
    again = StudyData.load(tmp_path)
    assert (again.quick, again.figures, again.version) == (data.quick, data.figures, data.version)
    assert again.digest() == data.digest()
    assert json.loads((tmp_path / "data.json").read_text())["sha256"] == data.digest()


def test_equal_means_agree_with_ns2_everywhere(full):
    agreement = full.numbers["agreement_with_ns2"]
    assert agreement["points"] == 318
    assert agreement["differ"] == []


def test_chance_is_welchs():
    ours, theirs = interval([1.0, 2.0, 3.0, 4.0]), interval([2.0, 4.0, 6.0, 8.0, 10.0])
    one = Comparison("error", 0.1, "sack", ours, theirs, DIFFERS)
    assert one.p == pytest.approx(welch([1, 2, 3, 4], [2, 4, 6, 8, 10]).p)
    assert Comparison("error", 0.0, "sack", ours, interval([5.0, 5.0]), DIFFERS).p is None


def test_a_point_outside_is_listed_by_itself():
    data = made(only="fig4")
    moved = (pl.col("x") == 2.0) & (pl.col("variant") == "reno")
    rate = pl.col("throughput_Bps")
    runs = data.tables["runs"].with_columns(pl.when(moved).then(rate * 1.1).otherwise(rate))
    found = STUDY.analyse(replace(data, tables={"runs": runs}))
    assert [(p["x"], p["variant"]) for p in found.numbers["agreement_with_ns2"]["differ"]] == [(2.0, "reno")]
    listed = [b for s in found.report.sections for b in s.blocks if getattr(b, "key", "") == "outside"]
    assert listed[0].rows[0][:2] == ("2 Mb/s", "Reno")


def test_vegas_leads_by_its_header(full):
    """With ns-2's means Vegas leads; with packets of equal size it mostly does not."""
    verdicts = {c.key: [j and j.verdict for j in c.judgements] for c in full.claims.claims}
    assert verdicts["vegas-best"][0] is Verdict.SUPPORTED
    assert verdicts["vegas-sources"] == [Verdict.SUPPORTED, Verdict.CONTRADICTED]
    assert verdicts["vegas-short-delay"] == [Verdict.SUPPORTED, Verdict.EQUIVALENT]
    assert verdicts["vegas-best"][1] is Verdict.PARTLY, "ahead of Tahoe, level with the others"
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
    assert [claim.key for claim in full.claims.claims] == [claim.key for claim in CLAIMS], (
        "none is without a verdict"
    )
    for claim in full.claims.claims:
        assert claim.reading
        assert claim.judgements[0] is not None


def test_zero_error_is_a_claim_of_its_own(full):
    """The claim at 0 % is separate: the paper says "if the link has some error", but its axis begins at 0 %."""
    parts = {c.key: {part.where for part in c.judgements[0].parts} for c in full.claims.claims}
    assert parts["vegas-no-error"] == {"error 0 %"}
    assert parts["vegas-low-error"] == {"error 0.5 %", "error 1 %", "error 2 %", "error 3 %"}
    verdicts = {c.key: [j and j.verdict for j in c.judgements] for c in full.claims.claims}
    assert verdicts["vegas-no-error"] == [Verdict.SUPPORTED, Verdict.EQUIVALENT], "the header alone"
    assert verdicts["tahoe-slow-start"] == [Verdict.SUPPORTED, None]


def test_cuts_count_falls_of_the_window_and_those_to_one():
    """By hand, flow 0 falls to 1 and to 3, and flow 1 falls to 0.5; a change of ssthresh does not count."""
    rows = [
        (1.0, 0, "cwnd", 1.0),
        (2.0, 0, "cwnd", 8.0),
        (3.0, 0, "cwnd", 1.0),
        (3.0, 0, "ssthresh", 4.0),
        (4.0, 0, "cwnd", 6.0),
        (4.5, 1, "cwnd", 2.0),
        (5.0, 0, "cwnd", 3.0),
        (6.0, 1, "cwnd", 0.5),
    ]
    trace = pl.DataFrame(rows, schema=["time_s", "flow", "variable", "value"], orient="row")
    assert cuts(trace).rows() == [(3, 2)]


def test_sensitivity_alone_makes_a_report():
    found = STUDY.analyse(made(quick=True, only="sensitivity"))
    assert [claim.key for claim in found.claims.claims] == []
    assert {"neighbours", "windows"} <= {
        getattr(b, "key", "") for one in found.report.sections for b in one.blocks
    }


def test_windows_are_tried_in_the_figures_that_they_decide(full):
    tried = [job for job in jobs(plan()) if job.batch == "windows"]
    assert {(job.labels["experiment"], job.labels["window"]) for job in tried} == {
        (experiment, window) for experiment in ("bandwidth", "delay") for window in settings.WINDOWS
    }
    for job in tried:
        tcp = job.scenario.document()["flow"][0]["tcp"]
        assert tcp["max_window"] == job.labels["window"]
    section = next(one for one in full.report.sections if one.title == "Sensitivity")
    table = next(block for block in section.blocks if getattr(block, "key", "") == "windows")
    assert table.columns[3:] == tuple(f"window {window}" for window in settings.WINDOWS)
    assert len(table.rows) == 2 * sum(claim.figure in ("Figure 4", "Figure 7") for claim in CLAIMS)


def test_every_figure_has_six_curves_and_ns2_behind(full):
    figures = full.report.figures()
    assert [f.key for f in figures] == [
        "fig2",
        "fig2_cwnd",
        "fig3",
        "fig4",
        "fig6_q20",
        "fig6_q50",
        "fig7",
        "fig8",
    ]
    assert [len(panel.series) for panel in figures[1].panels] == [1] * 5
    for figure in (each for each in figures if each.key != "fig2_cwnd"):
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
    assert [path.name for path in result.plots] == ["fig3.svg", "fig3.png", "fig3.pdf"]
    assert (tmp_path / "data" / "points.csv").exists()
    plain = result.to_json()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert {c["claim"] for c in plain["claims"]} == {
        "vegas-low-error",
        "vegas-no-error",
        "sack-high-error",
        "falls-with-error",
    }
    page = result.report.read_text(encoding="utf-8")
    assert "--only fig3" in page
    assert "Points that differ" in page or "No point differs" in page


def test_sensitivity_counts_the_settings_in_which_table_1_holds(full):
    section = next(one for one in full.report.sections if one.title == "Sensitivity")
    table = next(block for block in section.blocks if getattr(block, "key", "") == "neighbours")
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["all settings"] == ("18 of 36",) * 4
    assert rows["minimum RTO 0.2 s"] == ("0 of 18",) * 4
    assert "holds in 18" in " ".join(full.report.sections[0].blocks[0].paragraphs)


def test_the_first_neighbour_is_the_studys_own_setting():
    point = (EXPERIMENTS[0], 0)
    assert scenario(*point, "reno", NEIGHBOURS[0]) == scenario(*point, "reno")
    assert len({scenario(*point, "reno", near) for near in NEIGHBOURS}) == 36


def test_the_report_opens_with_findings_and_names_its_paper(full):
    assert [section.title for section in full.report.sections][:2] == [
        "Findings",
        "Verdicts on the paper's claims",
    ]
    assert STUDY.layout.paper.title in full.report.subtitle
