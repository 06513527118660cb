"""The study "huang" without simulation: its jobs, its comparisons with ns-2, and its report."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import polars as pl
import pytest

from ackclock.report.model import Verdict
from ackclock.stats import interval
from ackclock.studies.huang import STUDY, peer, settings
from ackclock.studies.huang.experiments import (
    EXPERIMENTS,
    FIGURES,
    TABLES,
    flows,
    jobs,
    plan,
    scenario,
)
from ackclock.studies.huang.results import Results
from ackclock.study import registry
from ackclock.study.agreement import DIFFERS
from ackclock.study.data import StudyData
from ackclock.study.judge import ratio_of_means
from ackclock.study.runs import StudyJob, frame

LEAD = {
    "tcpw-i": 2.0,
    "tcpw-i-round": 1.0,
    "tcpw-i-smoothed": 2.0,
    "tcp-linux-tcpw-i": 0.8,
    "gateway": 2.5,
    "gateway-round": 1.5,
    "gateway-smoothed": 2.5,
    "gateway-window": 2.0,
}
"""Goodput of each curve relative to TCPW in the made-up data, at every error rate; curves that are not listed have 1.
"""

JAIN = {
    "reno": 0.999,
    "tcp-linux-reno": 0.999,
    "tcpw-i": 0.99,
    "tcpw-i-round": 0.97,
    "tcpw-i-smoothed": 0.99,
    "tcp-linux-tcpw-i": 0.99,
}
"""Jain's index in the made-up data; curves that are not listed have 0.98."""


BY_KEY = {e.key: e for e in EXPERIMENTS}


def made(*, quick: bool = False, only: str | None = None) -> StudyData:
    """Return made-up data: ns-2's mean if there is one, otherwise a known pattern; replications vary by 1 %."""
    chosen = plan(quick=quick, only=only)
    asked = list(jobs(chosen))
    rows = {
        "flows": [row for job in asked for row in _rows(job)],
        "samples": [row for job in asked if job.traces for row in _samples(job)],
        "estimates": [row for job in asked if "control" in job.traces for row in _estimates(job)],
    }
    found = {name: frame(listed) for name, listed in rows.items() if listed}
    return StudyData(found, chosen.quick, chosen.figures, "0.0.0")


def _rows(job: StudyJob) -> list[dict[str, object]]:
    keys = flows(job.labels["experiment"], job.labels["curve"])
    rates = _rates(job)
    return [
        {
            **job.labels,
            "seed": job.seed,
            "flow": i,
            "runs": key,
            "delivered_bps": rate * 1e3,
            "goodput_bps": rate * 1e3,
            "sent_packets": 1000,
            "retransmitted_packets": 10,
            "timeouts": 5,
            "fast_retransmits": 5,
            "lost_queue_packets": 0 if key.startswith("tcpw-i") else 1,
            "lost_random_packets": 9,
            "cut_congestion": 1,
            "kept_congestion": 4,
            "cut_random": 2,
            "kept_random": 6,
            "cut_nothing": 0,
            "kept_nothing": 0,
            "timeout_congestion": 1,
            "timeout_random": 3,
            "timeout_nothing": 1,
            "pre_acked_bytes": 0,
            "crash_bytes": 0,
            "rtt_mean_s": 0.07,
            "scenario_hash": "0" * 16,
        }
        for i, (key, rate) in enumerate(zip(keys, rates, strict=True))
    ]


def _rates(job: StudyJob) -> list[float]:
    """Return the throughput of each flow, kb/s."""
    at = job.labels
    e, x, curve, together = at["experiment"], at["x"], at["curve"], at["together"]
    noise = 0.0 if together else _noise(job)
    if e == "fairness":
        index = peer.value(e, 0.0, curve, "jain", together=together)
        wanted = index.mean if index is not None else JAIN.get(curve, 0.98)
        # If half of the flows have the rate 1 + d and half 1 - d, Jain's index is 1 / (1 + d^2).
        d = (1 / wanted - 1) ** 0.5 * (1 + noise)
        return [960 * (1 + d), 960 * (1 - d)] * (settings.SENDERS // 2)
    if e == "friendliness":
        own = peer.value(e, 0.0, curve, "goodput_kbps", together=together)
        share = own.mean if own is not None else 480 / LEAD.get(curve, 1.0)
        other = peer.value(e, 0.0, curve, "competitor_kbps", together=together)
        rest = other.mean if other is not None else 960 - share
        return [share * (1 + noise), rest * (1 + noise)]
    known = peer.value(e, x, curve, "goodput_kbps")
    if known is not None and at["timestamps"] is peer.timestamps(e, curve):
        return [known.mean * (1 + noise)]
    if BY_KEY[e].udp:
        own = peer.value(e, 0.0, curve, "goodput_kbps", together=True)
        return [(own.mean if own is not None else 2200) * (1 + noise)]
    base = 130 * (0.1 / x) ** 0.8
    return [base * LEAD.get(curve, 1.0) * (1 + noise)]


def _noise(job: StudyJob) -> float:
    at = f"{job.labels['experiment']} {job.labels['x']} {job.seed}"
    return random.Random(at).gauss(0, 0.01) + random.Random(f"{at} {job.labels['curve']}").gauss(0, 0.001)


def _samples(job: StudyJob) -> list[dict[str, object]]:
    width, length = job.bin_s, BY_KEY[job.labels["experiment"]].length_s
    at = {name: job.labels[name] for name in ("experiment", "curve", "together")}
    stream = [500.0] if BY_KEY[at["experiment"]].udp else []
    return [
        {**at, "seed": job.seed, "flow": i, "time_s": width * (n + 1), "received_bps": rate * 1e3}
        for i, rate in enumerate([*_rates(job), *stream])
        for n in range(int(length // width))
    ]


def _estimates(job: StudyJob) -> list[dict[str, object]]:
    """Return bandwidth estimates: 2500 kb/s for TCPW, and 1 % less for TCPW-I."""
    curve = job.labels["curve"]
    if "westwood" not in curve and "tcpw-i" not in curve:
        return []
    rate = (2475e3 if "tcpw-i" in curve else 2500e3) * (1 + 0.1 * _noise(job))
    backlog = 4.0 if "tcpw-i" in curve else None
    return [
        {**{name: row[name] for name in ("experiment", "curve", "together", "seed", "time_s")}, **own}
        for row in _samples(job)
        if row["flow"] == 0
        for own in ({"bandwidth_bps": rate, "backlog": backlog},)
    ]


@pytest.fixture(scope="module")
def full():
    return STUDY.analyse(made())


def test_the_registry_finds_the_study_by_its_folder():
    assert "huang" in registry.names()
    assert tuple(registry.get("huang").figures) == FIGURES


def test_every_point_of_ns2_is_run_as_ns2_ran_it():
    labels = ("experiment", "x", "curve", "timestamps", "together")
    runs = {tuple(job.labels[name] for name in labels) for job in jobs(plan())}
    for point in peer.points():
        assert (point.experiment, point.x, point.variant, point.timestamps, point.together) in runs


def test_ns2_ran_what_the_reference_says():
    westwood = peer.value("narrow_r1", 0.1, "tcp-linux-westwood", "goodput_kbps")
    assert westwood.mean == 150.232
    assert westwood.half_width == pytest.approx(2.262 * 15.504 / 10**0.5, rel=1e-3)
    assert peer.value("fairness", 0.0, "tcp-linux-westwood", "jain").mean == pytest.approx(0.909, abs=5e-4)
    assert peer.value("open_d1", 0.1, "tcpw-i", "goodput_kbps") is None, "ns-2 has no TCPW-I"


def test_the_quick_form_is_part_of_the_full_one():
    quick, whole = plan(quick=True), plan()
    for few, many in zip(quick.experiments, whole.experiments, strict=True):
        assert set(few.xs) <= set(many.xs)
    assert len(list(jobs(quick))) < len(list(jobs(whole))) / 5


def test_one_figure_runs_only_what_it_needs():
    assert [(e.key, e.xs) for e in plan(only="fig4").experiments] == [
        ("open_d1", (0.1,)),
        ("open_r1", (0.1,)),
        ("open_d1_wire", (0.1,)),
        ("open_r1_wire", (0.1,)),
    ]
    fig7 = [settings.ERRORS] * 2 + [(settings.CRASH_ERROR,)] + [(settings.FIGURE_ERROR,)] * 2
    assert [e.xs for e in plan(only="fig7").experiments] == fig7
    assert [e.key for e in plan(only="fig11").experiments] == ["fairness"]


def test_jittered_replications_leave_the_first_seed_out():
    of = [j for j in jobs(plan(only="fig11")) if j.labels["curve"] == "westwood"]
    assert [j.seed for j in of if j.labels["together"]] == list(range(1, 1 + settings.TOGETHER))
    assert [j.seed for j in of if not j.labels["together"]] == list(range(2, 2 + settings.JITTERED))
    assert {j.jitter_s for j in of} == {0.0, settings.JITTER_S}


@pytest.mark.parametrize(
    ("experiment", "lossy", "gateway"), [(0, ["r1", "d1"], "r1"), (1, ["r0", "r1"], "r0")]
)
def test_errors_stand_where_the_experiment_says_and_the_gateway_before_them(experiment, lossy, gateway):
    one = EXPERIMENTS[experiment]
    doc = scenario(one, 0.05, "gateway").document()
    with_loss = [link for link in doc["link"] if "loss" in link]
    assert [link["between"] for link in with_loss] == [lossy]
    assert with_loss[0]["loss"] == {"kind": "random", "rate": 0.05, "toward": lossy[1], "at": "entry"}
    assert doc["node"][0]["name"] == gateway
    assert doc["node"][0]["gateway"]["kind"] == "pre-ack"
    wire = scenario(BY_KEY[settings.on_wire(one.key)], 0.05, "gateway").document()
    assert [link["loss"]["at"] for link in wire["link"] if "loss" in link] == ["wire"]
    own = scenario(one, 0.05, "gateway-window").document()
    assert own["node"][0]["gateway"]["kind"] == "intelligent"
    assert "node" not in scenario(one, 0.05, "tcpw-i").document()


def test_figure_10_puts_each_beside_the_reno_of_its_endpoint():
    pair = EXPERIMENTS[4]
    doc = scenario(pair, 0.0, "tcp-linux-westwood").document()
    assert [flow["tcp"]["variant"] for flow in doc["flow"]] == ["tcp-linux-westwood", "tcp-linux-reno"]
    assert [(flow["from"], flow["to"]) for flow in doc["flow"]] == [("s0", "d0"), ("s1", "d1")]
    assert doc["duration"] == "401s"
    assert flows("friendliness", "westwood") == ("westwood", "reno")


def test_figure_11_has_ten_flows_over_short_access_links():
    doc = scenario(BY_KEY["fairness"], 0.0, "tcpw-i").document()
    assert len(doc["flow"]) == 10
    assert [link["delay"] for link in doc["link"]] == ["1ms"] * 10 + ["10ms"] + ["1ms"] * 10
    assert doc["link"][10]["between"] == ["r0", "r1"]


def test_data_come_back_from_the_disk_as_they_went(tmp_path):
    data = made(quick=True)
    data.store(tmp_path)
    again = StudyData.load(tmp_path)
    assert (again.quick, again.figures, again.version) == (data.quick, data.figures, data.version)
    assert again.digest() == data.digest()


def test_equal_means_agree_with_ns2_everywhere(full):
    agreement = full.numbers["agreement_with_ns2"]
    assert agreement["points"] == len(peer.points())
    assert agreement["differ"] == []


def test_a_point_outside_is_listed():
    data = made(only="fig11")
    assert [c for c in Results(data).comparisons() if c.outcome == DIFFERS] == []
    moved = (pl.col("curve") == "sack") & ~pl.col("together")
    rate = pl.col("delivered_bps")
    rows = data.tables["flows"].with_columns(pl.when(moved).then(rate * (1 + pl.col("flow"))).otherwise(rate))
    found = STUDY.analyse(replace(data, tables={**data.tables, "flows": rows}))
    outside = found.numbers["agreement_with_ns2"]["differ"]
    assert [(p["experiment"], p["variant"]) for p in outside] == [("fairness", "sack")]


def test_the_verdicts_follow_from_the_data(full):
    found = {c.key: [j and j.verdict for j in c.judgements] for c in full.claims.claims}
    yes, no = Verdict.SUPPORTED, Verdict.CONTRADICTED
    other, near = Verdict.NOT_REPRODUCED, Verdict.REPRODUCED
    wire = {key: judged[-1] for key, judged in found.items() if judged[-1]}
    assert wire == {
        "twice": other,
        "bottleneck-ahead": no,
        "bottleneck-twice": other,
        "levels": Verdict.SIMILAR,
        "gateway": Verdict.PARTLY,
    }, "with losses on the wire the points at 10 % error alone are run"
    verdicts = {key: judged[:-1] for key, judged in found.items()}
    assert verdicts["twice"] == [other, near, other, near]
    assert verdicts["ahead"][1] is yes
    assert verdicts["ahead"][0] is no
    assert verdicts["falls"] == [yes] * 4
    assert verdicts["levels"][2] is verdicts["levels"][0] is Verdict.SIMILAR, (
        "more than 10 % off, within a factor of 3"
    )
    assert verdicts["bottleneck-twice"] == verdicts["twice"]
    assert verdicts["bottleneck-ahead"][1] is yes
    assert verdicts["friendlier"][1] is yes
    assert verdicts["jain-order"] == [yes, yes, no, yes]
    assert verdicts["tells-apart"] == [no] * 4, "75 % of the random losses are told right, 20 % of the others"
    assert verdicts["gateway"] == [no, yes, yes, yes]
    assert verdicts["pulse-fills"] == [no] * 4, "2200 of the 2404 kb/s that 500 leave of 3000"
    assert verdicts["fair"] == [yes] * 4
    # In the made-up data, Jain's index of TCPW is ns-2's value in TCP-Linux and 0.98 elsewhere. TCPW-I has 0.99 or
    # 0.97, and Reno has ns-2's value.
    assert verdicts["jain"] == [other] * 4, "an index of 0.999 is six times as near to 1 as 0.994"
    assert verdicts["estimate-better"] == [yes] * 4, "96 kb/s off, and 71"
    assert verdicts["estimate-alike"] == [yes] * 4, "1 % apart"
    assert verdicts["postpones"] == [Verdict.EQUIVALENT, yes, yes, yes], "in TCP-Linux both lose one in 1000"


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
        "Section 3.2.2",
        "Section 4.3",
        "Section 7",
    }
    for claim in full.claims.claims:
        assert claim.reading
        assert len(claim.judgements) == len(settings.READINGS)


def test_over_80211_the_flow_goes_through_the_access_point_beside_udp():
    hybrid, pulse = BY_KEY["hybrid"], BY_KEY["pulse"]
    made = scenario(hybrid, 0.0, "westwood").document()
    assert [f["to"] for f in made["flow"]] == ["d0", "d1", "d1"]
    assert [(f["start"], f.get("stop")) for f in made["flow"][1:]] == [("0s", "10s"), ("20s", "30s")]
    assert made["wifi"][0]["access_point"] == "ap"
    stream = scenario(pulse, 0.0, "westwood").document()["flow"][1]["traffic"]
    assert (stream["kind"], stream["on"], stream["off"]) == ("on-off", "0.5s", "0.5s")


def test_published_numbers_stand_beside_ours_where_the_text_has_them(full):
    stars = {
        f.key: [s.y for p in f.panels for s in p.series if s.kind == "published"]
        for f in full.report.figures()
    }
    both = [(settings.LEVEL_KBPS["westwood"],), (settings.LEVEL_KBPS["tcpw-i"],)]
    assert stars["fig6"] == both * 2
    assert stars["fig4"] == stars["fig10"] == stars["fig11"] == []
    jain = next(b for s in full.report.sections for b in s.blocks if getattr(b, "key", "") == "jain")
    shown = {row[0]: row[1] for row in jain.rows}
    assert (shown["L:TCPW"], shown["L:TCPW-I"], shown["L:Reno"]) == ("0.972", "0.989", "0.994")
    assert shown["CUBIC"] == "-"


def test_both_placements_of_losses_stand_side_by_side(full):
    table = next(b for s in full.report.sections for b in s.blocks if getattr(b, "key", "") == "placement")
    wire = next(e for e in EXPERIMENTS if e.at == "wire")
    assert len(table.rows) == 4 * len(wire.curves)
    assert all("on the wire" in e.place for e in EXPERIMENTS if e.at == "wire")
    tally = next(b for s in full.report.sections for b in s.blocks if getattr(b, "key", "") == "tally")
    assert sum(map(int, tally.rows[-1][1:])) == 5, "what is not run is not counted"


def test_no_two_curves_of_a_legend_look_alike(full):
    for figure in full.report.figures():
        named = {(s.label, s.hue, s.dashed) for p in figure.panels for s in p.series if s.label}
        looks = [look for _, *look in named if _ != "what UDP leaves"]
        assert len(looks) == len(set(map(tuple, looks))), figure.key


def test_reactions_are_counted_by_what_a_loss_was_and_what_it_was_taken_for():
    flow = {
        "flow": 0,
        "delivered_bytes": 1_000_000,
        "interval_s": 100.0,
        "goodput_bps": 80_000.0,
        "sent_packets": 1100,
        "retransmitted_packets": 100,
        "timeouts": 4,
        "fast_retransmits": 9,
        "lost_queue_packets": 3,
        "lost_random_packets": 10,
        "sampled_rtt_mean_s": 0.1,
    }
    reactions = [
        {"found_by": "acks", "actual_cause": "random", "inferred_cause": "random", "count": 5},
        {"found_by": "acks", "actual_cause": "congestion", "inferred_cause": "random", "count": 2},
        {"found_by": "acks", "actual_cause": "not-lost", "inferred_cause": "congestion", "count": 1},
        {"found_by": "timeout", "actual_cause": "random", "inferred_cause": "congestion", "count": 4},
    ]
    gateways = {"acknowledged_undelivered_bytes": 0, "crash_unconfirmed_bytes": 0}
    tables = {
        "flows": [flow],
        "loss_reactions": [{"flow": 0, **one} for one in reactions],
        "gateways": [gateways],
    }
    run = SimpleNamespace(
        **{name: SimpleNamespace(to_polars=partial(frame, rows)) for name, rows in tables.items()}
    )
    one = EXPERIMENTS[2]
    job = StudyJob(scenario(one, 0.05, "tcpw-i"), 1, labels={"experiment": one.key, "curve": "tcpw-i"})
    row = SimpleNamespace(**TABLES["flows"].rows(job, run).row(0, named=True))
    assert (row.kept_random, row.cut_random, row.kept_congestion, row.cut_congestion) == (5, 0, 2, 0)
    assert (row.cut_nothing, row.kept_nothing) == (1, 0)
    assert (row.timeout_random, row.timeout_congestion, row.timeout_nothing) == (4, 0, 0)
    assert row.delivered_bps == 80_000
    assert (row.lost_queue_packets, row.lost_random_packets) == (3, 10)


def test_a_ratio_of_means_has_their_ratio_as_its_mean():
    a, b = [3.0, 1.0, 2.0], [1.0, 1.5, 0.5]
    found = ratio_of_means(a, b)
    assert found.mean == pytest.approx(2.0)
    assert interval(ratio_of_means([2.0, 2.2], [1.0, 1.1])).half_width == pytest.approx(0.0)


def test_the_report_is_made_from_stored_data_alone(tmp_path):
    (tmp_path / "data").mkdir()
    made(quick=True, only="fig7").store(tmp_path / "data")
    result = registry.get("huang").report(tmp_path)
    assert [path.name for path in result.plots] == [
        "fig7_d1.svg",
        "fig7_d1.png",
        "fig7_d1.pdf",
        "fig7_r1.svg",
        "fig7_r1.png",
        "fig7_r1.pdf",
    ]
    assert (tmp_path / "data" / "points.csv").exists()
    plain = result.to_json()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    page = result.report.read_text(encoding="utf-8")
    assert "--only fig7" in page
