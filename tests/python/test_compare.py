"""Comparisons: what the runs can tell apart is ranked, what they cannot is tied."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ackclock.scenario import dumbbell
from ackclock.sweep.compare import Comparison, compare
from ackclock.sweep.jobs import replications
from ackclock.sweep.measures import MEASURES, measures


def made(goodputs: dict[str, list[float]], level: float = 0.95) -> Comparison:
    """A comparison with these goodputs in Mb/s, and nothing else of interest."""
    scenarios = {variant: dumbbell([variant]) for variant in goodputs}
    jobs = {variant: replications(scenarios[variant], len(found)) for variant, found in goodputs.items()}
    summaries = {variant: [summary(x * 1e6) for x in found] for variant, found in goodputs.items()}
    return Comparison(scenarios, jobs, summaries, level)


def summary(goodput: float, **more: Any) -> dict[str, Any]:
    flow = {
        "goodput_bps": goodput,
        "throughput_bps": goodput,
        "new_data_bps": goodput,
        "rtt_mean_s": 0.05,
        "delay_mean_s": 0.03,
        "sent_packets": 100,
        "lost_packets_total": 2,
        "retransmitted_packets": 2,
        "timeouts": 0,
        **more,
    }
    links = [{"utilisation": 0.9, "queue_mean_packets": 3.0}]
    return {"flows": [flow], "links": links, "fairness": {"jain": 1.0}}


def test_clear_differences_are_ranked() -> None:
    found = made({"a": [1.0, 1.1, 1.05], "b": [2.0, 2.1, 2.06], "c": [3.0, 3.1, 3.04]})
    assert [found.places()[variant].place for variant in "abc"] == [3, 2, 1]
    assert found.best() == "c"
    assert not any(place.tied for place in found.places().values())


def test_what_chance_could_do_is_tied() -> None:
    found = made({"a": [1.0, 2.0, 3.0], "b": [1.1, 1.9, 3.1], "c": [9.0, 9.9, 11.1]})
    places = found.places()
    assert (places["a"].place, places["b"].place, places["c"].place) == (2, 2, 1)
    assert places["a"].tied == ("b",)
    assert places["c"].tied == ()


def test_pairing_ranks_what_seeds_share() -> None:
    base = [random.Random(i).uniform(1, 5) for i in range(8)]
    noise = [random.Random(100 + i).gauss(0, 0.01) for i in range(8)]
    found = made({"a": base, "b": [x + 0.1 + e for x, e in zip(base, noise, strict=True)]})
    assert found.interval("a", "goodput_bps").overlaps(found.interval("b", "goodput_bps"))
    assert found.places()["b"].place == 1
    assert found.places()["a"].place == 2


def test_many_pairs_need_stronger_evidence() -> None:
    found = made({"a": [1.0, 1.2, 1.1, 1.3], "b": [1.2, 1.25, 1.3, 1.45]})
    alone = found.adjusted_p()["a", "b"]
    crowd = made(
        {
            "a": [1.0, 1.2, 1.1, 1.3],
            "b": [1.2, 1.25, 1.3, 1.45],
            **{name: [1.1, 1.3, 1.0, 1.2 + i / 50] for i, name in enumerate("cdef")},
        }
    )
    assert crowd.adjusted_p()["a", "b"] > alone


def test_one_replication_ranks_nothing() -> None:
    places = made({"a": [1.0], "b": [2.0]}).places()
    assert places["a"].place == places["b"].place == 1
    assert places["a"].tied == ("b",)


def test_equal_replications_are_warned_of() -> None:
    found = made({"a": [1.0, 1.0], "b": [2.0, 2.1]})
    assert len(found.warnings()) == 1
    assert found.warnings()[0].startswith("a: all 2 replications")


def test_lower_is_better_where_it_is() -> None:
    found = made({"a": [1.0, 1.1, 1.2], "b": [1.0, 1.1, 1.2]})
    slower = [
        {**one, "flows": [{**one["flows"][0], "rtt_mean_s": 0.2 + i / 100}]}
        for i, one in enumerate(found.summaries["b"])
    ]
    found = Comparison(found.scenarios, found.jobs, {**found.summaries, "b": slower}, 0.95)
    assert found.best("rtt_mean_s") == "a"
    assert found.places("rtt_mean_s")["b"].place == 2


def test_measures_are_all_there_and_absent_values_are_left_out() -> None:
    both = summary(1e6)
    both["flows"].append({**both["flows"][0], "rtt_mean_s": None})
    found = measures(both)
    assert list(found) == [measure.name for measure in MEASURES]
    assert found["goodput_bps"] == 2e6
    assert found["rtt_mean_s"] == 0.05
    assert found["loss_ratio"] == 0.02


def test_a_real_comparison_is_the_same_each_time() -> None:
    scenarios = {
        variant: dumbbell([variant], rate="1Mbps", queue=10, duration="5s") for variant in ("reno", "vegas")
    }
    one, two = (compare(scenarios, reps=3, threads=threads).to_json() for threads in (1, 2))
    assert one == two
    assert [row["variant"] for row in one["variants"]] == ["reno", "vegas"]
    assert one["manifest"]["seeds"] == [1, 2, 3]
    with pytest.raises(KeyError):
        compare(scenarios, reps=1).interval("tahoe", "goodput_bps")


def test_replications_are_added_until_the_interval_is_narrow_enough() -> None:
    scenarios = {"sack": dumbbell(["sack"], rate="1Mbps", queue=10, loss=0.02, duration="5s")}
    told: list[tuple[int, int]] = []
    few = compare(scenarios, reps=3)
    found = compare(scenarios, reps=3, until=0.05, progress=lambda *now: told.append(now))
    assert few.interval("sack", "goodput_bps").relative > 0.05
    assert found.interval("sack", "goodput_bps").relative <= 0.05 or len(found.jobs["sack"]) == 200
    assert [job.seed for job in found.jobs["sack"]] == list(range(1, len(found.jobs["sack"]) + 1))
    assert found.values("sack", "goodput_bps")[:3] == few.values("sack", "goodput_bps")
    assert told[-1] == (len(found.jobs["sack"]),) * 2
