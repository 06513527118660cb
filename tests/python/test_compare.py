"""Comparisons rank variants that differ significantly; other variants are tied."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from typing import Any

import pytest

from ackclock import Network, Scenario, dumbbell
from ackclock.comparisons import Comparison
from ackclock.comparisons import compare as comparing
from ackclock.comparisons.compare import compare, run_plan
from ackclock.comparisons.plan import Plan
from ackclock.comparisons.trace_stats import LEVELS
from ackclock.errors import UserError
from ackclock.report.comparison import lead, reactions
from ackclock.stats.measures import BY_NAME, MEASURES, measures, mixed_measures
from ackclock.sweeps.jobs import replications

RUNS = itertools.count(1)
"""Numbers of made-up runs; each run has its own drop sequence."""


def made(goodputs: dict[str, list[float]], level: float = 0.95, **more: Any) -> Comparison:
    """Return a comparison of made-up runs with these goodputs, Mb/s."""
    scenarios = {variant: dumbbell([variant]) for variant in goodputs}
    jobs = {
        variant: replications(scenarios[variant], len(found), jitter_s=0.1)
        for variant, found in goodputs.items()
    }
    summaries = {variant: [summary(x * 1e6) for x in found] for variant, found in goodputs.items()}
    return Comparison(Plan(scenarios, (0,), level=level, watch=False, **more), jobs, summaries)


def summary(goodput: float, **more: Any) -> dict[str, Any]:
    flow = {
        "name": "flow0",
        "goodput_bps": goodput,
        "throughput_bps": goodput,
        "new_data_bps": goodput,
        "packet_rtt_mean_s": 0.05,
        "delay_mean_s": 0.03,
        "sent_packets": 100,
        "received_packets": 98,
        "lost_packets_total": 2,
        "retransmitted_packets": 2,
        "timeouts": 0,
        "fast_retransmits": 20,
        "interval_s": 60.0,
        **more,
    }
    links = [
        {
            "name": "r0>r1",
            "utilisation": 0.9,
            "queue_mean_packets": 3.0,
            "queue_delay_mean_s": 0.004,
            "tied_packets": 0,
        }
    ]
    return {
        "flows": [flow],
        "links": links,
        "fairness": {"jain": 1.0},
        "manifest": {"drop_digest": str(next(RUNS))},
    }


def test_clear_differences_are_ranked() -> None:
    found = made({"tahoe": [1.0, 1.1, 1.05], "reno": [2.0, 2.1, 2.06], "sack": [3.0, 3.1, 3.04]})
    assert [str(rank) for rank in found.ranks().values()] == ["3", "2", "1"]
    assert found.best() == "sack"
    assert not any(rank.tied for rank in found.ranks().values())
    assert [contrast.verdict for contrast in found.contrasts().values()].count("more") == 3


def test_what_chance_could_do_is_tied() -> None:
    found = made({"tahoe": [1.0, 2.0, 3.0], "reno": [1.1, 1.9, 3.1], "sack": [9.0, 9.9, 11.1]})
    ranks = found.ranks()
    assert [str(ranks[variant]) for variant in found.variants] == ["2-3", "2-3", "1"]
    assert ranks["tahoe"].tied == ("reno",)
    assert ranks["sack"].tied == ()
    assert found.contrasts()["tahoe", "reno"].verdict == "cannot decide"
    assert found.leaders("goodput_bps") == ["sack"]


def test_a_variant_between_two_that_differ_may_have_any_place_of_theirs() -> None:
    found = made(
        {
            "tahoe": [1.0, 1.1, 1.2, 1.1],
            "reno": [0.5, 2.5, 0.9, 2.2],
            "sack": [1.6, 1.75, 1.7, 1.8],
        }
    )
    assert {variant: str(rank) for variant, rank in found.ranks().items()} == {
        "tahoe": "2-3",
        "reno": "1-3",
        "sack": "1-2",
    }


def test_pairing_ranks_what_seeds_share() -> None:
    base = [random.Random(i).uniform(1, 5) for i in range(8)]
    noise = [random.Random(100 + i).gauss(0, 0.01) for i in range(8)]
    found = made({"reno": base, "sack": [x + 0.1 + e for x, e in zip(base, noise, strict=True)]})
    assert found.interval("reno", "goodput_bps").overlaps(found.interval("sack", "goodput_bps"))
    assert found.ranks()["sack"].best == 1
    assert found.ranks()["reno"].best == 2


def test_many_pairs_need_stronger_evidence() -> None:
    two = {"tahoe": [1.0, 1.2, 1.1, 1.3], "reno": [1.2, 1.25, 1.3, 1.45]}
    others = ("newreno", "sack", "fack", "vegas")
    crowd = made({**two, **{name: [1.1, 1.3, 1.0, 1.2 + i / 50] for i, name in enumerate(others)}})
    assert crowd.contrasts()["tahoe", "reno"].p_holm > made(two).contrasts()["tahoe", "reno"].p_holm


def test_differences_have_per_cent_effect_and_replications_needed() -> None:
    # The differences are -1, 1, 2 and 2 Mb/s: mean 1, standard deviation sqrt(2), and so an effect of 0.7071.
    found = made({"reno": [9.0, 11.0, 12.0, 12.0], "sack": [10.0, 10.0, 10.0, 10.0]})
    contrast, back = found.contrasts()["reno", "sack"], found.contrasts()["sack", "reno"]
    assert contrast.difference.effect == pytest.approx(2**-0.5)
    assert back.difference.effect == pytest.approx(-(2**-0.5))
    assert contrast.percent.mean == pytest.approx(10)
    assert back.percent.mean == pytest.approx(-100 / 11)
    assert contrast.p_holm == back.p_holm
    # For d = 0.7071, alpha 0.05 and power 0.8, tables of the noncentral t distribution give 18 pairs.
    assert contrast.needed == back.needed == 18


def test_a_percentage_has_the_uncertainty_of_its_base() -> None:
    found = made({"reno": [18.0, 22.0, 19.0, 21.0], "sack": [9.0, 11.0, 10.5, 9.5]})
    percent = found.contrasts()["reno", "sack"].percent
    # By hand, reno - 2 sack has variance 8/3 and covariance -2/3 with sack, whose variance is 2.5/3; t = 3.1824.
    assert (percent.low, percent.high) == pytest.approx((75.40, 128.04), abs=0.01)


def test_what_is_equal_in_every_replication_is_called_equal() -> None:
    contrast = made({"reno": [1.0, 2.0, 3.0], "sack": [1.0, 2.0, 3.0]}).contrasts()["reno", "sack"]
    assert contrast.verdict == "equal"
    assert contrast.p_holm == 1
    assert contrast.needed is None


def test_a_certain_difference_within_the_margin_does_not_matter() -> None:
    base = [9.68, 9.70, 9.69, 9.71, 9.70]
    goodputs = {"reno": base, "sack": [x * 0.9966 + i * 1e-4 for i, x in enumerate(base)]}
    found = made(goodputs)
    contrast = found.contrasts()["sack", "reno"]
    assert contrast.p_holm < 1e-6
    assert contrast.verdict == "no difference that matters"
    assert [str(rank) for rank in found.ranks().values()] == ["1-2", "1-2"]
    assert "there is no difference that matters" in lead(found)[0]
    assert found.to_json()["differences"][0]["verdict"] == contrast.verdict
    strict = made(goodputs, margin=0.001)
    assert strict.contrasts()["sack", "reno"].verdict == "less"
    assert strict.contrasts()["reno", "sack"].verdict == "more"
    assert "`reno` is significantly better" in lead(strict)[0]
    edge = made(goodputs, margin=0.0033)
    assert edge.contrasts()["sack", "reno"].verdict == "less", "the interval is not within the margin"


def test_an_interval_wider_than_the_margin_decides_nothing() -> None:
    found = made({"reno": [1.0, 1.1, 0.9, 1.02], "sack": [1.01, 0.95, 1.1, 1.0]})
    assert found.contrasts()["reno", "sack"].verdict == "cannot decide"


def test_replications_that_repeat_each_other_count_once() -> None:
    goodputs = {"reno": [1.0, 1.01, 1.5, 1.51] * 2, "sack": [2.0, 2.2, 2.1, 2.3] * 2}
    found, repeated = made(goodputs), made(goodputs)
    for variant, runs in repeated.summaries.items():
        for i, run in enumerate(runs):
            run["manifest"] = {"drop_digest": str(i // 2 % 2 if variant == "reno" else i)}
    plain, fewer = (one.interval("reno", "goodput_bps") for one in (found, repeated))
    assert (plain.n, fewer.n) == (8, 2)
    assert fewer.mean == pytest.approx(plain.mean)
    assert fewer.half_width > 2 * plain.half_width
    # A pair counts as repeated only if each of its runs repeats the corresponding run of another pair.
    assert repeated.difference("reno", "sack").interval.n == 8
    assert any("reno: 2 of 8" in text for text in repeated.remarks())


def test_one_replication_ranks_nothing() -> None:
    found = made({"reno": [1.0], "sack": [2.0]})
    assert [str(rank) for rank in found.ranks().values()] == ["1-2", "1-2"]
    assert found.ranks()["reno"].tied == ("sack",)
    assert found.leaders("goodput_bps") == []


def test_lower_is_better_where_it_is() -> None:
    found = made({"reno": [1.0, 1.1, 1.2], "sack": [1.0, 1.1, 1.2]})
    slower = [
        {**one, "flows": [{**one["flows"][0], "packet_rtt_mean_s": 0.2 + i / 100}]}
        for i, one in enumerate(found.summaries["sack"])
    ]
    found = replace(found, summaries={**found.summaries, "sack": slower})
    assert found.best("packet_rtt_mean_s") == "reno"
    assert found.ranks("packet_rtt_mean_s")["sack"].best == 2
    assert found.contrasts("packet_rtt_mean_s")["sack", "reno"].verdict == "more"


def test_a_run_without_a_value_is_left_out() -> None:
    found = made({"reno": [1.0, 1.1, 1.2], "sack": [2.0, 2.2, 2.3]})
    silent = [summary(1e6, packet_rtt_mean_s=None), *found.summaries["sack"][1:]]
    found = replace(found, summaries={**found.summaries, "sack": silent})
    assert found.interval("sack", "packet_rtt_mean_s").n == 2
    assert found.difference("reno", "sack", "packet_rtt_mean_s").interval.n == 2


def test_transfers_that_end_have_a_completion_time() -> None:
    ended = summary(1e6, fct_s=2.0)
    ended["flows"].append({**ended["flows"][0], "fct_s": 4.0})
    assert measures(ended)["fct_mean_s"] == 3.0
    ended["flows"].append({**ended["flows"][0], "fct_s": None})
    assert math.isnan(measures(ended)["fct_mean_s"])
    assert measures(ended, [0, 1])["fct_mean_s"] == 3.0

    def transfer(variant: str) -> Scenario:
        net = Network().link("a", "b", rate="1Mbps", delay="10ms", queue=8)
        return net.flow("a", "b", variant=variant, traffic={"kind": "ftp", "size": "200kB"}).scenario("20s")

    found = compare({one: transfer(one) for one in ("reno", "vegas")}, reps=3, by="fct_mean_s", jitter_s=1.0)
    assert found.best() == min(found.variants, key=lambda one: found.interval(one, "fct_mean_s").mean)
    with pytest.raises(UserError, match="no run has a value of fct_mean_s"):
        compare({"reno": small("reno")}, reps=2, by="fct_mean_s")


def test_measures_are_all_there_and_absent_values_are_left_out() -> None:
    both = summary(1e6)
    both["flows"].append({**both["flows"][0], "packet_rtt_mean_s": None, "goodput_bps": 3e6})
    found = measures(both)
    assert list(found) == [measure.name for measure in MEASURES]
    assert found["goodput_bps"] == 4e6
    assert found["packet_rtt_mean_s"] == 0.05
    assert found["loss_ratio"] == 0.02
    assert found["jain"] == pytest.approx(16 / 20)
    assert measures(both, [1])["goodput_bps"] == 3e6
    mixed = mixed_measures(both, [1], [0])
    assert mixed == {"jain": pytest.approx(16 / 20), "other_goodput_bps": 1e6, "share": 0.75}


def test_every_measure_is_in_the_glossary() -> None:
    for measure in BY_NAME.values():
        assert measure.meaning


def small(variant: str, **more: Any) -> Any:
    return dumbbell([variant, variant], rate="1Mbps", queue=10, duration="5s", **more)


def test_a_real_comparison_is_the_same_each_time_and_from_its_plan() -> None:
    scenarios = {variant: small(variant) for variant in ("reno", "vegas")}
    one, two = (compare(scenarios, reps=3, threads=threads) for threads in (1, 2))
    assert one.to_json() == two.to_json()
    again = run_plan(Plan.from_json(one.to_json()["manifest"]["plan"]))
    assert again.to_json() == one.to_json()
    assert again.delays == one.delays
    assert again.timelines == one.timelines
    assert one.to_json()["manifest"]["seeds"] == [1, 2, 3]
    for written in one.to_json()["differences"]:
        percent = one.contrasts()[written["label"], written["less"]].percent
        assert (written["percent_low"], written["percent_high"]) == (percent.low, percent.high)
    with pytest.raises(KeyError):
        one.interval("tahoe", "goodput_bps")


def test_packets_are_watched_in_every_run_and_the_first_runs_course_is_kept() -> None:
    found = compare({"reno": small("reno")}, reps=3, jitter_s=0.0)
    assert [len(one) for one in found.delays["reno"]] == [len(LEVELS)] * 3
    for one in found.delays["reno"]:
        assert list(one) == sorted(one)
        assert one[0] >= 0.022
    timeline = found.timelines["reno"]
    assert timeline.end_s == 5
    assert timeline.cwnd[0][-1] == 5
    assert timeline.recovery
    assert sum(timeline.goodput) * timeline.bin_s / 5 == pytest.approx(found.values("reno", "goodput_bps")[0])
    bare = compare({"reno": small("reno")}, reps=3, jitter_s=0.0, watch=False)
    assert not bare.delays
    for name in ("goodput_bps", "delay_p95_s"):
        assert bare.values("reno", name) == found.values("reno", name)


def test_too_many_packets_are_not_watched_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "MOST_WATCHED", 10)
    found = compare({"reno": small("reno")}, reps=2)
    assert not found.delays
    assert any("were not watched" in text for text in found.remarks())


def test_replications_are_added_until_the_interval_is_narrow_enough() -> None:
    scenarios = {"sack": dumbbell(["sack"], rate="1Mbps", queue=10, loss=0.02, duration="5s")}
    told: list[tuple[int, int]] = []
    few = compare(scenarios, reps=3, watch=False)
    found = compare(scenarios, reps=3, until=0.05, watch=False, progress=lambda *now: told.append(now))
    assert few.interval("sack", "goodput_bps").relative > 0.05
    assert found.interval("sack", "goodput_bps").relative <= 0.05 or found.reps == 200
    assert [job.seed for job in found.jobs["sack"]] == list(range(1, found.reps + 1))
    assert found.values("sack", "goodput_bps")[:3] == few.values("sack", "goodput_bps")
    assert told[-1] == (found.reps,) * 2


def test_intervals_still_too_wide_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "MOST_REPS", 3)
    scenarios = {"sack": dumbbell(["sack"], rate="1Mbps", queue=10, loss=0.02, duration="5s")}
    found = compare(scenarios, reps=3, until=0.001, watch=False)
    assert "sack: not known to 0.1 % after 3 replications" in found.remarks()


def test_what_a_plan_cannot_mean_is_refused() -> None:
    scenarios = {"reno": small("reno")}
    with pytest.raises(UserError, match="did you mean goodput_bps"):
        compare(scenarios, by="goodput_bp")
    with pytest.raises(UserError, match="cannot rank by 'share'"):
        compare(scenarios, by="share")
    with pytest.raises(UserError, match="--reference: sack is not compared"):
        compare(scenarios, reference="sack")


def test_reactions_are_summed_over_runs_and_flows() -> None:
    found = made({"reno": [1.0, 2.0]})
    rows = [
        {"found_by": "acks", "actual_cause": "random", "inferred_cause": "congestion", "count": 3},
        {"found_by": "timeout", "actual_cause": "random", "inferred_cause": "congestion", "count": 1},
        {"found_by": "acks", "actual_cause": "congestion", "inferred_cause": "congestion", "count": 4},
    ]
    found.summaries["reno"][0]["flows"][0]["loss_reactions"] = rows
    found.summaries["reno"][1]["flows"][0]["loss_reactions"] = rows[:1]
    assert found.reactions("reno") == {("random", "congestion"): 7, ("congestion", "congestion"): 4}
    assert reactions(found).rows == (("reno", "4", "0", "7", "0", "0", "0", "36.4"),)
    assert "loss_reactions" not in found.flow_rows()[0]


def test_a_mix_is_held_against_its_base_line() -> None:
    scenarios = {
        variant: dumbbell([variant, "reno"], rate="2Mbps", queue=15, duration="20s")
        for variant in ("vegas", "reno")
    }
    found = compare(scenarios, own=[0], other=(1,), against="reno", reps=4, jitter_s=1.0)
    contrast = found.taken("vegas")
    assert contrast is not None
    assert contrast.difference.mean == pytest.approx(
        sum(found.values("vegas", "other_goodput_bps")) / 4
        - sum(found.values("reno", "other_goodput_bps")) / 4
    )
    assert found.taken("reno") is None
    assert found.interval("vegas", "share").mean < 0.5
    flows = found.summaries["vegas"][1]["flows"]
    assert found.values("vegas", "goodput_bps")[1] == flows[0]["goodput_bps"]
    assert found.values("vegas", "other_goodput_bps")[1] == flows[1]["goodput_bps"]
