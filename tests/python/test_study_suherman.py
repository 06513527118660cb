"""The study "suherman" without simulation: its jobs, its comparisons with ns-2, and its report."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from dataclasses import replace

import polars as pl
import pytest

from ackclock.report.model import Verdict
from ackclock.report.pages import html
from ackclock.stats import Interval
from ackclock.studies.suherman import STUDY, published, settings, tables
from ackclock.studies.suherman.claims import CLAIMS, LABELS
from ackclock.studies.suherman.experiments import FIGURES, jobs, plan, scenario, together, windows
from ackclock.studies.suherman.results import Results, ns2, ns2_effect
from ackclock.studies.suherman.setups import BY_KEY, WINDOW
from ackclock.study import registry
from ackclock.study.agreement import AGREES, DIFFERS, UNDECIDED, compare
from ackclock.study.data import StudyData
from ackclock.study.runs import StudyJob, frame


def made(*, quick: bool = False, only: str | None = None) -> StudyData:
    """Return made-up delays that grow with the nodes and, from 12 nodes on, with k.

    They are 17 % lower at k = 0.1 than at k = 0.9.
    """
    chosen = plan(quick=quick, only=only)
    all_jobs = list(jobs(chosen))
    rows = {
        "runs": [_row(job) for job in all_jobs if not job.traces],
        "video": [_film(job) for job in all_jobs if job.labels["setup"].endswith("-video")],
        "windows": [row for job in all_jobs if job.traces for row in _windows(job)],
    }
    tables = {name: frame(some) for name, some in rows.items() if some}
    return StudyData(tables, chosen.quick, chosen.figures, "0.0.0")


def _film(job: StudyJob) -> dict[str, object]:
    quality = {"frames": 2700, "complete_frames": 2600, "decodable_frames": 2000, "psnr_mean_db": 30.0}
    return {**job.labels, "seed": job.seed, **quality, "mos_mean": 3.0, "scenario_hash": "0" * 16}


def _windows(job: StudyJob) -> list[dict[str, object]]:
    """Return windows that fall by the paper's formula, down to 2 segments."""
    noise = 1 + random.Random(f"{job.seed}").gauss(0, 0.01)
    left = [max(2.0, 20 * job.labels["k"] ** n) for n in range(settings.LOSSES + 1)]
    return [
        {
            **job.labels,
            "seed": job.seed,
            "losses": n,
            "window": noise * w,
            "flows": 20,
            "scenario_hash": "0" * 16,
        }
        for n, w in enumerate(left)
    ]


def _row(job: StudyJob) -> dict[str, object]:
    nodes, k = job.labels["nodes"], job.labels["k"]
    noise = 1 + random.Random(f"{nodes} {job.seed}").gauss(0, 0.05)
    own = 1 + random.Random(f"{nodes} {job.seed} {k}").gauss(0, 1e-4)
    slope = 0.3 if nodes > 10 else 0.001
    delay = 0.001 * nodes**2 * noise * own * (1 - slope * (0.9 - k))
    return {
        **job.labels,
        "seed": job.seed,
        "delay_s": delay,
        "jitter_s": delay / 10,
        "write_delay_s": 2 * delay,
        "loss": 0.001,
        "under_way": 0.02,
        "writes": 1000,
        "delivered_writes": 990,
        "sent_packets": 1000,
        "retransmitted_packets": 10,
        "timeouts": 3,
        "fast_retransmits": 7,
        "lost_packets": 12,
        "silent_flows": 0,
        "scenario_hash": "0" * 16,
    }


@pytest.fixture(scope="module")
def full():
    return STUDY.analyse(made())


def test_the_registry_finds_the_study_by_its_folder():
    study = registry.get("suherman")
    assert study.name == "suherman"
    assert tuple(study.figures) == FIGURES


def test_the_full_form_is_the_papers_and_the_quick_form_a_part_of_it():
    whole = {sweep.setup.key: sweep for sweep in plan().sweeps}
    counts = Counter(job.labels["setup"] for job in jobs(plan()))
    for rate in ("rate54", "rate11", "rate2"):
        assert counts[rate] == 9 * 10 * 20
    for few in plan(quick=True).sweeps:
        many = whole[few.setup.key]
        assert set(few.ks) <= set(many.ks)
        assert set(few.nodes) <= set(many.nodes)


@pytest.mark.parametrize(
    ("only", "setups"),
    [
        ("rate11", ["rate11", "rate11-every", "rate11-ns2", "rate11-video"]),
        (
            "fig3",
            [
                "rate54",
                "rate11",
                "rate2",
                "rate54-every",
                "rate11-every",
                "rate2-every",
                "rate1",
                "rate1-pairs",
            ],
        ),
        ("rate1", ["rate1", "rate1-pairs"]),
        ("fig4", []),
        ("beside", ["rate54-ns2", "rate11-ns2", "rate2-ns2", "range1000", "area400", "window200"]),
    ],
)
def test_one_figure_runs_only_what_it_needs(only, setups):
    assert [sweep.setup.key for sweep in plan(only=only).sweeps] == setups


def test_nodes_send_in_a_ring_and_every_k_meets_the_same_places():
    doc = scenario(BY_KEY["rate11"], 4, 0.3).document()
    assert [(f["from"], f["to"]) for f in doc["flow"]] == [
        ("n0", "n1"),
        ("n1", "n2"),
        ("n2", "n3"),
        ("n3", "n0"),
    ]
    assert doc["flow"][0]["tcp"]["control"] == {"decrease": 0.3}
    assert doc["flow"][0]["tcp"]["max_window"] == 20
    other = scenario(BY_KEY["rate11"], 4, 0.9).document()
    assert other["node"] == doc["node"]
    assert other["wifi"] == doc["wifi"]
    assert [node["placement"]["bounds"] for node in doc["node"]] == [[0, 1000, 0, 1000]] * 4


def test_power_reaches_as_far_as_the_setup_says():
    """With two-ray ground, loss grows with the fourth power of distance, so 1415 m loses 30.11 dB more than 250 m."""
    assert BY_KEY["rate11"].power_dbm() == pytest.approx(24.5 + 30.113, abs=1e-3)
    assert BY_KEY["range1000"].power_dbm() == pytest.approx(24.5 + 24.082, abs=1e-3)
    radio = {key: scenario(BY_KEY[key], 2, 0.5).document()["wifi"][0] for key in ("rate2", "rate2-ns2")}
    assert [each["propagation_allowance"] for each in radio.values()] == ["10us", "2us"]


def test_main_runs_allow_for_the_diagonal_and_those_beside_ns2_do_not():
    """In the main runs all stations are in range, as in the paper; ns-2's ACK timeouts allow for only 600 m."""
    light_us = settings.AREA_M * math.sqrt(2) / 299.792458
    for setup in BY_KEY.values():
        assert (setup.peer is None) == (setup.allowance_us > light_us), setup.key
        assert setup.range_m > settings.AREA_M * math.sqrt(2) or setup.key == "range1000"


def test_labels_are_the_same_runs_read_from_either_end():
    to, by = LABELS
    assert [to.run(x) for x in settings.KS] == list(settings.KS)
    assert sorted(by.run(x) for x in settings.KS) == list(settings.KS)
    assert by.run(0.1) == 0.9


def test_means_of_a_run_weigh_flows_by_their_segments():
    def flow(delay, sent, lost, overdue=0):
        return {
            "sent_packets": sent,
            "retransmitted_packets": 0,
            "transit_delay_mean_s": delay,
            "transit_jitter_mean_s": delay,
            "transit_loss_ratio": lost,
            "transit_overdue": overdue,
            "write_delay_mean_s": delay,
            "writes": sent,
            "delivered_writes": round(sent * (1 - lost)),
            "timeouts": 1,
            "fast_retransmits": 2,
            "lost_packets_total": 3,
        }

    flows = [flow(0.1, 300, 0.0), flow(0.5, 100, 0.0), flow(None, 100, 1.0, 60)]
    row = together(frame(flows)).row(0, named=True)
    assert row["delay_s"] == pytest.approx(0.2)
    assert row["loss"] == pytest.approx(60 / 500)
    assert row["under_way"] == pytest.approx(40 / 500)
    assert row["silent_flows"] == 1
    assert (row["timeouts"], row["fast_retransmits"]) == (3, 6)
    nothing = together(frame(flows[2:])).row(0, named=True)
    assert nothing["delay_s"] is None
    assert (nothing["loss"], nothing["under_way"]) == (0.6, 0.4)


def test_windows_are_those_that_losses_leave():
    """By hand, flow 0 falls from 24 (limited to 20) to 10, grows, and has a timeout at 12; flow 1 has no loss."""
    rows = [
        (1.0, 0, "cwnd", 1.0),
        (1.0, 0, "ssthresh", 20.0),
        (1.0, 1, "cwnd", 1.0),
        (2.0, 0, "cwnd", 24.0),
        (3.0, 0, "cwnd", 10.0),
        (3.0, 0, "ssthresh", 10.0),
        (4.0, 0, "cwnd", 12.0),
        (4.5, 1, "cwnd", 9.0),
        (5.0, 0, "cwnd", 1.0),
        (5.0, 0, "ssthresh", 6.0),
    ]
    trace = pl.DataFrame(rows, schema=["time_s", "flow", "variable", "value"], orient="row")
    assert windows(trace).rows() == [(0, 20.0, 1), (1, 10.0, 1), (2, 6.0, 1)]


def test_the_video_has_the_papers_rate_in_pictures_of_three_sizes():
    frames = [re.fullmatch(r"([IPB])(\d+)/(\d+)@(\d+)", each) for each in settings.VIDEO["frames"].split()]
    assert all(frames)
    sizes = {each[1]: int(each[2]) for each in frames}
    assert sizes["I"] == pytest.approx(5 * sizes["B"], abs=5)
    rate = 8 * sum(int(each[2]) for each in frames) / (len(frames) / 30)
    assert rate == pytest.approx(1e3 * settings.RATE_KBPS, rel=1e-3)
    assert scenario(BY_KEY["rate11-video"], 2, 0.5).document()["flow"][0]["traffic"]["kind"] == "video"


def test_a_run_without_a_segment_is_left_out_for_every_k():
    data = made(quick=True, only="rate11")
    gone = (pl.col("nodes") == 2) & (pl.col("k") == 0.5) & (pl.col("seed") == 3)
    runs = data.tables["runs"].with_columns(delay_s=pl.when(~gone).then(pl.col("delay_s")))
    s = Results(replace(data, tables={"runs": runs}))
    assert len(s.values("delay_ms", "rate11", 2, 0.1)) == 2
    assert len(s.values("delay_ms", "rate11", 10, 0.1)) == 3
    assert len(s.averaged("delay_ms", "rate11", 0.9)) == 2


def test_data_come_back_from_the_disk_as_they_went(tmp_path):
    data = made(quick=True)
    data.store(tmp_path)
    again = StudyData.load(tmp_path)
    assert (again.quick, again.figures, again.version) == (data.quick, data.figures, data.version)
    assert again.digest() == data.digest()


def test_the_verdicts_follow_from_the_data(full):
    # In the other three columns k scales every reduction; these columns have fewer runs and the same made-up effect.
    verdicts = {
        c.key: [j.verdict for j in c.judgements[:3]]
        for c in full.claims.claims
        if c.judgements[0] is not None
    }
    yes, no = [Verdict.SUPPORTED] * 3, [Verdict.CONTRADICTED] * 3
    other, near = [Verdict.NOT_REPRODUCED] * 3, [Verdict.SIMILAR] * 3
    assert verdicts["delay-falls-to"] == verdicts["jitter-falls-to"] == yes
    assert verdicts["delay-falls-by"] == verdicts["jitter-falls-by"] == no
    assert verdicts["delay-by-to"] == near, "23 % here, published 17.05 %"
    assert verdicts["delay-by-by"] == other
    assert verdicts["linear-to"] == yes
    assert verdicts["formula-to"] == near, "0.74 more by the formula, 0.3 here"
    assert verdicts["grows-with-nodes"] == verdicts["little-up-to-10"] == verdicts["varies-at-20"] == yes
    assert verdicts["no-loss"] == yes


def test_each_claim_has_a_column_for_each_rate_that_was_run(full):
    assert full.claims.columns[:3] == ("54 Mb/s", "11 Mb/s", "2 Mb/s")
    assert full.claims.columns[3:] == (
        "54 Mb/s (every cut)",
        "11 Mb/s (every cut)",
        "2 Mb/s (every cut)",
        "1 Mb/s in a ring (found afterwards)",
        "1 Mb/s with n/2 flows (found afterwards)",
    )
    one = STUDY.analyse(made(quick=True, only="rate2"))
    assert one.claims.columns == ("2 Mb/s", "2 Mb/s (every cut)")


def test_no_claim_is_without_a_verdict(full):
    judged = {claim.key: claim for claim in full.claims.claims}
    assert list(judged) == [claim.key for claim in CLAIMS]
    for key, claim in judged.items():
        assert claim.reading
        if key.startswith("window-"):
            assert [j is not None for j in claim.judgements] == [
                x == WINDOW.label for x in full.claims.columns
            ]
        else:
            assert all(judgement is not None for judgement in claim.judgements), key


def test_a_claim_on_windows_rests_on_the_simulated_ones(full):
    verdicts = {c.key: [j.verdict for j in c.judgements if j] for c in full.claims.claims}
    assert verdicts["window-to"] == [Verdict.SUPPORTED]
    assert verdicts["window-by"] == [Verdict.CONTRADICTED]


def test_formulas_are_the_papers():
    assert published.response_time(0) == pytest.approx(102.4)
    assert published.response_time(1) == pytest.approx(204.8)
    assert published.response_time_lossy(0.5) == pytest.approx(204.8)
    text = " ".join(cell for row in tables.contradictions().rows for cell in row)
    assert "a factor of 1.741, and the simulation, by its 17.05 %, one of 1.206" in text
    assert "a loss of 6.7 % at k = 0.1 and 46 % at 0.9" in text
    assert "2.49 if C counts packets and -10.6 if it counts bits" in text
    assert published.response_time_lossy(published.loss(0.3)) == pytest.approx(published.response_time(0.3))


def test_ns2s_effect_of_k_needs_a_loaded_channel():
    assert ns2_effect("rate11-ns2", 20, "delay_ms") == pytest.approx(-5.97, abs=0.01)
    assert ns2_effect("rate11-ns2", 6, "delay_ms") == 0.0
    assert ns2_effect("rate54-ns2", 20, "delay_ms") > 0
    assert ns2_effect("rate54-ns2", 10, "delay_ms") is None
    assert ns2_effect("rate11", 20, "delay_ms") is None, "stations out of reach in ns-2 are in reach there"


def test_runs_of_ns2_without_a_segment_are_left_out_of_its_delays():
    assert ns2()["rate11", 2, 0.5, "delay_ms"].n == 4
    assert ns2()["rate11", 2, 0.5, "loss_percent"].n == 5


def test_figure_4_needs_no_run_and_figure_5_has_its_own():
    found = STUDY.analyse(made(only="fig4"))
    assert [figure.key for figure in found.report.figures()] == ["fig4"]
    assert found.claims.claims == ()
    found = STUDY.analyse(made(only="fig5"))
    assert [figure.key for figure in found.report.figures()] == ["fig5"]
    assert [len(panel.series) for panel in found.report.figures()[0].panels] == [5, 5, 5]
    assert [claim.key for claim in found.claims.claims] == ["window-to", "window-by"]


@pytest.mark.parametrize("only", ["fig3", "beside"])
def test_the_report_is_made_from_stored_data_alone(tmp_path, only):
    (tmp_path / "data").mkdir()
    made(quick=True, only=only).store(tmp_path / "data")
    result = registry.get("suherman").report(tmp_path)
    plain = result.to_json()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert result.report.exists()


def test_agreement_is_claimed_only_if_the_runs_of_both_sides_show_it(full):
    at = ("area400 delay_ms", 2.0, "k=0.1")
    for half, middle, outcome in (
        (30.0, 20.0, UNDECIDED),
        (1.0, 20.0, UNDECIDED),
        (0.1, 20.0, AGREES),
        (0.1, 21.0, DIFFERS),
        (30.0, 60.0, UNDECIDED),
        (math.nan, 20.3, AGREES),
        (math.nan, 20.5, DIFFERS),
    ):
        theirs = Interval(20.0, half, 1 if math.isnan(half) else 5, 0.95)
        ours = Interval(middle, half, theirs.n, 0.95)
        assert compare(at, ours, theirs, 0.02).outcome == outcome, (half, middle)
    counted = full.numbers["agreement_with_ns2"]
    assert counted["cannot_decide"] > 0
    assert counted["points"] == counted["agree"] + counted["cannot_decide"] + len(counted["differ"])


def test_the_text_states_the_runs_of_its_own_data():
    said = tables.counts(Results(made(quick=True)))[0]
    few = (
        "11 Mb/s (ns-2's timeouts), 11 Mb/s (video), range 1000 m, 400 m square (ns-2's timeouts), window 200"
    )
    every = "54 Mb/s (every cut), 11 Mb/s (every cut), 2 Mb/s (every cut)"
    found = "1 Mb/s in a ring (found afterwards), 1 Mb/s with n/2 flows (found afterwards)"
    assert said == f"Runs of each point: 3 at 54 Mb/s, 11 Mb/s, 2 Mb/s, {found}; 2 at {every}, {few}."
    assert f"{settings.RUNS} at " in tables.counts(Results(made()))[0]


def test_readings_found_afterwards_send_in_a_ring_or_in_pairs_and_have_seeds_of_their_own():
    docs = {key: scenario(BY_KEY[key], 4, 0.3).document() for key in ("rate1", "rate1-pairs")}
    ends = {key: [(f["from"], f["to"]) for f in doc["flow"]] for key, doc in docs.items()}
    assert ends == {
        "rate1": [("n0", "n1"), ("n1", "n2"), ("n2", "n3"), ("n3", "n0")],
        "rate1-pairs": [("n0", "n1"), ("n2", "n3")],
    }
    for doc in docs.values():
        tcp, traffic = doc["flow"][0]["tcp"], doc["flow"][0]["traffic"]
        assert (doc["wifi"][0]["rate"], tcp["segment"], traffic["packet"]) == ("1Mbps", "1052B", "1052B")
        assert (tcp["control"], tcp["early_halving"]) == ({"decrease": 0.3}, False)
    seeds = {job.labels["setup"]: set() for job in jobs(plan())}
    for job in jobs(plan()):
        seeds[job.labels["setup"]].add(job.seed)
    assert len(seeds["rate1"]) == settings.RUNS
    assert seeds["rate1"] == seeds["rate1-pairs"]
    assert not seeds["rate1"] & seeds["rate11"], "not those that the reading was found with"


def test_half_as_many_flows_count_for_cuts_and_silence():
    s = Results(made(quick=True, only="rate1"))
    assert [s.values("cuts", setup, 10, 0.1)[0] for setup in ("rate1", "rate1-pairs")] == [0.7, 1.4]


def test_a_gain_of_the_viewer_is_named_where_there_is_one():
    data = made(quick=True)
    runs = data.tables["runs"]
    k, setup = pl.col("k"), pl.col("setup")

    def said(gain: float) -> str:
        write = pl.when((setup == "window200") & (k == 0.1)).then(1 - gain).otherwise(1.0)
        found = replace(data, tables={**data.tables, "runs": runs.with_columns(write_delay_s=write)})
        return " ".join(STUDY.find(found).findings)

    assert "changes by at most 0.00 % in all 13 networks" in said(0.0)
    assert "changes by at most 0.50 % in all 13 networks" in said(0.005)
    assert "changes by at most 0.00 % in 12 of the 13 networks" in said(0.02)
    assert "In the network “window 200” it falls by 2.00 % and" not in said(0.0)
    assert "In the network “window 200” it falls by 2.00 %, the delay in the network falls by" in said(0.02)


def test_findings_say_which_readings_were_found_afterwards(full):
    said = " ".join(full.report.sections[0].blocks[0].paragraphs)
    assert "after seeing the numbers; they explain the numbers and confirm nothing" in said
    assert "If k scales every cut, the delay in the network falls by" in said
    # The text has no plural for 0 and 1; values that are not named still count among all values.
    assert "further values" not in said


def test_notes_count_the_runs_of_what_is_drawn(full):
    notes = {figure.key: " ".join(figure.notes) for figure in full.report.figures()}
    assert "Means of 20 runs with" in notes["fig2"]
    assert "Means of 20 runs (10 if k scales every cut)" in notes["fig3"]


def test_a_reader_has_at_most_8000_words_before_unfolding(full):
    """The list of exceptions is not counted, since the made-up data have too many exceptions."""
    lists = ("Beside ns-2", "Findings")
    sections = tuple(section for section in full.report.sections if section.title not in lists)
    report = replace(full.report, sections=sections)
    page = html(report, {figure.key: "" for figure in report.figures()})
    page = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    while (
        shorter := re.sub(r"<details[^>]*>(?:(?!<details).)*?</details>", "", page, flags=re.DOTALL)
    ) != page:
        page = shorter
    assert len(re.sub(r"<[^>]+>", " ", page).split()) < 7000, "1000 words are for the lists"
