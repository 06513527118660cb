"""The study "huang": what it would run, what it holds against whom, what it says. Nothing is simulated."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from ackclock.report.model import Verdict
from ackclock.studies import registry
from ackclock.studies.agreement import DIFFERS
from ackclock.studies.huang import peer, published, settings, tables
from ackclock.studies.huang.analysis import analyse
from ackclock.studies.huang.data import Data, FlowRow, SampleRow, flow_rows
from ackclock.studies.huang.experiments import EXPERIMENTS, FIGURES, Job, document, flows, jobs, plan
from ackclock.studies.huang.samples import Samples
from ackclock.studies.judge import ratio_of_means
from ackclock.sweep.statistics import interval, mean

LEAD = {"tcpw-i": 2.0, "tcpw-i-round": 1.0, "linux-tcpw-i": 0.8, "gateway": 2.5, "gateway-round": 1.5}
"""How far ahead of TCPW each curve is in the made-up data, at every error rate; others 1."""

JAIN = {"reno": 0.999, "linux-reno": 0.999, "tcpw-i": 0.99, "tcpw-i-round": 0.97, "linux-tcpw-i": 0.99}
"""Jain's index in the made-up data; others 0.98."""


FAIRNESS = EXPERIMENTS[-1]


def made(*, quick: bool = False, only: str | None = None) -> Data:
    """ns-2's mean where it has one, else numbers of a known pattern; replications spread by 1 %."""
    chosen = plan(quick=quick, only=only)
    rows: list[FlowRow] = []
    samples: list[SampleRow] = []
    for experiment in chosen.experiments:
        for job in jobs(experiment, chosen):
            rows += _rows(job)
            if experiment.sampled(job.x) and job.timestamps:
                samples += _samples(job)
    return Data(tuple(rows), tuple(samples), quick=chosen.quick, figures=chosen.figures, version="0.0.0")


def _rows(job: Job) -> list[FlowRow]:
    keys = flows(job.experiment, job.curve)
    rates = _rates(job)
    return [
        FlowRow(
            experiment=job.experiment.key,
            x=job.x,
            curve=job.curve,
            timestamps=job.timestamps,
            together=job.together,
            seed=job.seed,
            flow=i,
            runs=key,
            delivered_bps=rate * 1e3,
            goodput_bps=rate * 1e3,
            sent_packets=1000,
            retransmitted_packets=10,
            timeouts=5,
            fast_retransmits=5,
            lost_queue_packets=1,
            lost_random_packets=9,
            cut_congestion=1,
            kept_congestion=4,
            cut_random=2,
            kept_random=6,
            cut_nothing=0,
            kept_nothing=0,
            timeout_congestion=1,
            timeout_random=3,
            timeout_nothing=1,
            pre_acked_bytes=0,
            crash_bytes=0,
            rtt_mean_s=0.07,
            scenario_hash="0" * 16,
        )
        for i, (key, rate) in enumerate(zip(keys, rates, strict=True))
    ]


def _rates(job: Job) -> list[float]:
    """Throughput of each flow, kb/s."""
    e, noise = job.experiment.key, 0.0 if job.together else _noise(job)
    if e == "fairness":
        index = peer.value(e, 0.0, job.curve, "jain", together=job.together)
        wanted = index.mean if index is not None else JAIN.get(job.curve, 0.98)
        # Half the flows at 1 + d, half at 1 - d: Jain's index is 1 / (1 + d^2).
        d = (1 / wanted - 1) ** 0.5 * (1 + noise)
        return [960 * (1 + d), 960 * (1 - d)] * (settings.SENDERS // 2)
    if e == "friendliness":
        own = peer.value(e, 0.0, job.curve, "goodput_kbps", together=job.together)
        share = own.mean if own is not None else 480 / LEAD.get(job.curve, 1.0)
        other = peer.value(e, 0.0, job.curve, "competitor_kbps", together=job.together)
        rest = other.mean if other is not None else 960 - share
        return [share * (1 + noise), rest * (1 + noise)]
    known = peer.value(e, job.x, job.curve, "goodput_kbps")
    if known is not None and job.timestamps is peer.timestamps(e, job.curve):
        return [known.mean * (1 + noise)]
    if job.experiment.udp:
        own = peer.value(e, 0.0, job.curve, "goodput_kbps", together=True)
        return [(own.mean if own is not None else 2200) * (1 + noise)]
    base = 130 * (0.1 / job.x) ** 0.8
    return [base * LEAD.get(job.curve, 1.0) * (1 + noise)]


def _noise(job: Job) -> float:
    common = random.Random(f"{job.experiment.key} {job.x} {job.seed}").gauss(0, 0.01)
    own = random.Random(f"{job.experiment.key} {job.x} {job.seed} {job.curve}").gauss(0, 0.001)
    return common + own


def _samples(job: Job) -> list[SampleRow]:
    width = job.experiment.sample_s
    return [
        SampleRow(job.experiment.key, job.curve, job.together, job.seed, i, width * (n + 1), rate * 1e3)
        for i, rate in enumerate(_rates(job))
        for n in range(int(job.experiment.length_s // width))
    ]


@pytest.fixture(scope="module")
def full():
    return analyse(made())


def test_the_registry_finds_the_study_by_its_folder():
    assert "huang" in registry.names()
    assert tuple(registry.get("huang").figures) == FIGURES


def test_every_point_of_ns2_is_run_as_ns2_ran_it():
    runs = {
        (e.key, x, curve, stamps, together)
        for e in EXPERIMENTS
        for job in jobs(e, plan())
        for x, curve, stamps, together in [(job.x, job.curve, job.timestamps, job.together)]
    }
    for point in peer.points():
        assert (point.experiment, point.x, point.variant, point.timestamps, point.together) in runs


def test_ns2_ran_what_the_reference_says():
    westwood = peer.value("narrow_r1", 0.1, "linux-westwood", "goodput_kbps")
    assert westwood.mean == 150.232
    assert westwood.half_width == pytest.approx(2.262 * 15.504 / 10**0.5, rel=1e-3)
    assert peer.value("fairness", 0.0, "linux-westwood", "jain").mean == pytest.approx(0.909, abs=5e-4)
    assert peer.value("open_d1", 0.1, "tcpw-i", "goodput_kbps") is None, "ns-2 has no TCPW-I"


def test_the_quick_form_is_part_of_the_full_one():
    quick, whole = plan(quick=True), plan()
    for few, many in zip(quick.experiments, whole.experiments, strict=True):
        assert set(few.xs) <= set(many.xs)
    count = sum(len(jobs(e, quick)) for e in quick.experiments)
    assert count < sum(len(jobs(e, whole)) for e in whole.experiments) / 5


def test_one_figure_runs_only_what_it_needs():
    assert [(e.key, e.xs) for e in plan(only="fig4").experiments] == [
        ("open_d1", (0.1,)),
        ("open_r1", (0.1,)),
    ]
    assert [e.xs for e in plan(only="fig7").experiments] == [settings.ERRORS] * 2 + [(settings.CRASH_ERROR,)]
    assert [e.key for e in plan(only="fig11").experiments] == ["fairness"]


def test_jittered_replications_leave_the_first_seed_out():
    chosen = plan()
    of = [j for j in jobs(chosen.experiments[-1], chosen) if j.curve == "westwood"]
    assert [j.seed for j in of if j.together] == list(range(1, 1 + settings.TOGETHER))
    assert [j.seed for j in of if not j.together] == list(range(2, 2 + settings.JITTERED))
    assert {j.jitter_s for j in of} == {0.0, settings.JITTER_S}


@pytest.mark.parametrize(
    ("experiment", "lossy", "gateway"), [(0, ["r1", "d1"], "r1"), (1, ["r0", "r1"], "r0")]
)
def test_errors_stand_where_the_experiment_says_and_the_gateway_before_them(experiment, lossy, gateway):
    one = EXPERIMENTS[experiment]
    doc = document(Job(one, 0.05, "gateway", True, False, 1))
    with_loss = [link for link in doc["link"] if "loss" in link]
    assert [link["between"] for link in with_loss] == [lossy]
    assert with_loss[0]["loss"] == {"kind": "random", "rate": 0.05, "toward": lossy[1], "at": "entry"}
    assert doc["node"][0]["name"] == gateway
    assert doc["node"][0]["gateway"]["kind"] == "intelligent"
    assert "node" not in document(Job(one, 0.05, "tcpw-i", True, False, 1))


def test_figure_10_puts_each_beside_the_reno_of_its_endpoint():
    pair = EXPERIMENTS[4]
    doc = document(Job(pair, 0.0, "linux-westwood", True, True, 1))
    assert [flow["tcp"]["variant"] for flow in doc["flow"]] == ["linux-westwood", "linux-reno"]
    assert [(flow["from"], flow["to"]) for flow in doc["flow"]] == [("s0", "d0"), ("s1", "d1")]
    assert doc["duration"] == "401s"
    assert flows(pair, "westwood") == ("westwood", "reno")


def test_figure_11_has_ten_flows_over_short_access_links():
    doc = document(Job(FAIRNESS, 0.0, "tcpw-i", True, False, 2))
    assert len(doc["flow"]) == 10
    assert [link["delay"] for link in doc["link"]] == ["1ms"] * 10 + ["10ms"] + ["1ms"] * 10
    assert doc["link"][10]["between"] == ["r0", "r1"]


def test_data_come_back_from_the_disk_as_they_went(tmp_path):
    data = made(quick=True)
    data.store(tmp_path)
    again = Data.load(tmp_path)
    assert again == data
    assert again.digest() == data.digest()


def test_equal_means_agree_with_ns2_everywhere(full):
    agreement = full.numbers["agreement_with_ns2"]
    assert agreement["points"] == sum(p.variant != peer.NOT_JUDGED for p in peer.points())
    assert agreement["outside"] == []


def test_a_point_outside_is_listed():
    data = made(only="fig11")
    s = Samples(data)
    off = [c for c in tables.comparisons(s) if c.outcome == DIFFERS]
    assert off == []
    moved = tuple(
        type(r)(
            **{**{f: getattr(r, f) for f in r.__slots__}, "delivered_bps": r.delivered_bps * (1 + r.flow)}
        )
        if (r.curve, r.together) == ("sack", False)
        else r
        for r in data.flows
    )
    found = analyse(replace(data, flows=moved))
    outside = found.numbers["agreement_with_ns2"]["outside"]
    assert [(p["experiment"], p["variant"]) for p in outside] == [("fairness", "sack")]


def test_the_verdicts_follow_from_the_data(full):
    verdicts = {c.key: [j.verdict for j in c.judgements] for c in full.claims.claims}
    yes, no = Verdict.SUPPORTED, Verdict.CONTRADICTED
    assert verdicts["twice"] == [yes, no, no]
    assert verdicts["ahead"][0] is yes
    assert verdicts["ahead"][2] is no
    assert verdicts["falls"] == [yes] * 3
    assert verdicts["levels"][1:] == [no, no]
    assert verdicts["bottleneck-twice"] == verdicts["twice"]
    assert verdicts["bottleneck-ahead"][0] is yes
    assert verdicts["friendlier"][0] is yes
    assert verdicts["jain-order"] == [yes, no, yes]
    assert verdicts["tells-apart"] == [no] * 3, "75 % of the random losses are told right, 20 % of the others"
    assert verdicts["gateway"] == [yes, yes, no]


def test_every_claim_is_judged_in_each_reading_and_says_how_it_was_read(full):
    assert {c.figure for c in full.claims.claims} == {
        "Figure 4",
        "Figure 5",
        "Figure 6",
        "Figure 7",
        "Figure 9",
        "Figure 10",
        "Figure 11",
        "Section 3.1",
        "Section 4.3",
        "Section 7",
    }
    for claim in full.claims.claims:
        assert claim.reading
        assert len(claim.judgements) == len(settings.FORMS)


def test_over_80211_the_flow_goes_through_the_access_point_beside_udp():
    hybrid, pulse = (next(e for e in EXPERIMENTS if e.key == key) for key in ("hybrid", "pulse"))
    made = document(Job(hybrid, 0.0, "westwood", True, True, 1))
    assert [f["to"] for f in made["flow"]] == ["d0", "d1", "d1"]
    assert [(f["start"], f.get("stop")) for f in made["flow"][1:]] == [("0s", "10s"), ("20s", "30s")]
    assert made["wifi"][0]["access_point"] == "ap"
    stream = document(Job(pulse, 0.0, "westwood", True, True, 1))["flow"][1]["traffic"]
    assert (stream["kind"], stream["on"], stream["off"]) == ("on-off", "0.5s", "0.5s")


def test_published_numbers_stand_beside_ours_where_the_text_has_them(full):
    stars = {
        f.key: [s.y for p in f.panels for s in p.series if s.kind == "published"]
        for f in full.report.figures()
    }
    both = [(published.LEVEL_KBPS["westwood"],), (published.LEVEL_KBPS["tcpw-i"],)]
    assert stars["fig6"] == both * 2
    assert stars["fig4"] == stars["fig10"] == stars["fig11"] == []
    jain = next(b for s in full.report.sections for b in s.blocks if getattr(b, "key", "") == "jain")
    shown = {row[0]: row[1] for row in jain.rows}
    assert (shown["L:TCPW"], shown["L:TCPW-I"], shown["L:Reno"]) == ("0.972", "0.989", "0.994")
    assert shown["CUBIC"] == "-"


def test_reactions_are_counted_by_what_a_loss_was_and_what_it_was_taken_for():
    summary = {
        "flows": [
            {
                "delivered_bytes": 1_000_000,
                "interval_s": 100.0,
                "goodput_bps": 80_000.0,
                "sent_packets": 1100,
                "retransmitted_packets": 100,
                "timeouts": 4,
                "fast_retransmits": 9,
                "lost_packets": {"queue": 3, "random": 10},
                "rtt_mean_s": 0.1,
                "loss_reactions": [
                    {"found_by": "acks", "truth": "random", "taken_for": "random", "count": 5},
                    {"found_by": "acks", "truth": "congestion", "taken_for": "random", "count": 2},
                    {"found_by": "acks", "truth": "not-lost", "taken_for": "congestion", "count": 1},
                    {"found_by": "timeout", "truth": "random", "taken_for": "congestion", "count": 4},
                ],
            }
        ],
        "manifest": {"scenario_hash": "0"},
    }
    row = flow_rows(Job(EXPERIMENTS[2], 0.05, "tcpw-i", True, False, 1), summary)[0]
    assert (row.kept_random, row.cut_random, row.kept_congestion, row.cut_congestion) == (5, 0, 2, 0)
    assert (row.cut_nothing, row.kept_nothing) == (1, 0)
    assert (row.timeout_random, row.timeout_congestion, row.timeout_nothing) == (4, 0, 0)
    assert row.delivered_bps == 80_000
    assert (row.lost_queue_packets, row.lost_random_packets) == (3, 10)


def test_a_ratio_of_means_has_their_ratio_as_its_mean():
    a, b = [3.0, 1.0, 2.0], [1.0, 1.5, 0.5]
    found = ratio_of_means(a, b)
    assert mean(found) == pytest.approx(2.0)
    assert interval(ratio_of_means([2.0, 4.0], [1.0, 2.0])).half_width == pytest.approx(0.0)


def test_the_report_is_made_from_stored_data_alone(tmp_path):
    (tmp_path / "data").mkdir()
    made(quick=True, only="fig7").store(tmp_path / "data")
    result = registry.get("huang").report(tmp_path)
    assert [path.name for path in result.plots] == [
        "fig7_d1.svg",
        "fig7_d1.png",
        "fig7_r1.svg",
        "fig7_r1.png",
    ]
    assert (tmp_path / "data" / "points.csv").exists()
    plain = result.to_json()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    page = result.report.read_text(encoding="utf-8")
    assert "--only fig7" in page
