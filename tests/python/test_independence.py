"""Replications count as independent if their drop sequences differ; their goodputs may differ without it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

import ackclock as ac
from ackclock.comparisons.advice import spread_remarks
from ackclock.comparisons.plan import Plan
from ackclock.stats.independence import NO_DROPS, drop_digest, drop_sequence, drop_sequences, repeats
from ackclock.study.repeats import DROPS, Repeats, Seen
from ackclock.study.runs import StudyJob
from ackclock.sweeps.randomness import Randomness, said

SCENARIOS = Path(ac.__file__).parent / "scenarios"


def one_flow(start: float = 0.0, queue: int = 20, window: int = 200) -> ac.Run:
    scenario = ac.dumbbell(["newreno"], queue=queue, tcp={"max_window": window})
    scenario = scenario.set("flow.0.start", f"{start}s")
    return scenario.run(f"{20 + 1.02 * start}s")


def test_a_shift_in_time_leaves_the_drops_and_moves_the_numbers() -> None:
    first, later = one_flow(), one_flow(start=0.37)
    assert first.summary["flows"][0]["retransmitted_packets"] > 0
    assert drop_digest(first.summary) == drop_digest(later.summary) != NO_DROPS
    assert first.summary["flows"] != later.summary["flows"]
    assert drop_sequence(first.summary, timed=False) == drop_sequence(later.summary, timed=False)
    # In a scenario with random times, runs may differ even if their drop sequences are equal.
    assert drop_sequence(first.summary, timed=True) != drop_sequence(later.summary, timed=True)
    assert drop_digest(one_flow(queue=21).summary) != drop_digest(first.summary)


def test_runs_without_drops_repeat_each_other_only_if_they_are_the_same() -> None:
    plain, again, later = one_flow(window=40), one_flow(window=40), one_flow(start=0.37, window=40)
    assert drop_digest(plain.summary) == NO_DROPS
    assert len(set(drop_sequences(plain.scenario, [plain.summary, again.summary]))) == 1
    assert len(set(drop_sequences(plain.scenario, [plain.summary, later.summary]))) == 2


def test_the_trace_of_drops_tells_the_same_runs_apart() -> None:
    scenario = ac.dumbbell(["newreno", "newreno"], queue=10).set("duration", "20s")
    lost: dict[str, str] = {}
    for seed in range(6):
        run = scenario.run(seed=seed, jitter_s=0.1, traces=["drops"])
        rows = run.trace("drops").to_polars().sort("place", maintain_order=True).drop("time_s").write_csv()
        assert lost.setdefault(drop_digest(run.summary), rows) == rows
    assert len(lost) == len(set(lost.values()))


def test_a_comparison_counts_distinct_sequences() -> None:
    found = ac.compare("newreno", "sack", reps=4, flows=1, duration="10s", packets=False)
    keys = found.drop_sequences["newreno"]
    assert found.runs.to_polars()["drop_digest"].to_list()[:4] == [key.split()[0] for key in keys]
    rows = found.to_json()["variants"]
    assert [row["drop_sequences"] for row in rows] == [
        len(set(found.drop_sequences[one])) for one in found.variants
    ]


def test_repeats_are_remarked_on_and_counted() -> None:
    assert repeats({"reno": ["a", "b"], "sack": ["a", "b"]}) is None
    values = {"reno": [1.0, 1.1, 1.2], "sack": [1.0, 1.1, 1.2], "vegas": [2.0, 2.0, 2.0]}
    keys = {"reno": ["a", "a", "b"], "sack": ["a", "b", "c"], "vegas": ["d", "d", "d"]}
    same, repeated = spread_remarks("goodput", values, keys)
    assert same.startswith("vegas: all 3 replications gave the same goodput")
    assert "(distinct: reno: 2 of 3; phase effects)" in repeated


def test_a_sweep_counts_distinct_sequences_at_each_point() -> None:
    found = ac.sweep(
        ac.dumbbell(["newreno"]).set("duration", "10s"),
        {"link.bottleneck.queue.packets": [10, 400]},
        reps=3,
        progress=False,
    )
    counts = found.points.to_polars()["drop_sequences"].to_list()
    assert counts == [len(set(keys)) for keys in found.drop_sequences]
    assert [1 <= count <= 3 for count in counts] == [True, True]
    assert len(found.runs.to_polars()["drop_digest"].to_list()) == 6


def test_a_study_counts_scenarios_whose_runs_repeat_each_other() -> None:
    seen = Seen()
    for scenario, jitters, keys in (
        ("one", (0.0, 0.1, 0.1, 0.1), "aabb"),
        ("two", (0.1, 0.1), "ab"),
        ("alone", (0.0,), "a"),
    ):
        for seed, (jitter_s, key) in enumerate(zip(jitters, keys, strict=True)):
            job = StudyJob(ac.dumbbell(["reno"]), seed, jitter_s)
            seen.add(job, scenario, pl.DataFrame({DROPS: [key]}))
    assert seen.counted() == Repeats(scenarios=2, repeating=1, fewest=2, of=3)
    assert "1 of 2 replicated scenarios" in seen.counted().text
    assert "at worst, 3 replications have 2 distinct sequences of drops" in seen.counted().text
    assert Repeats(scenarios=5).text == ""
    assert Repeats(**json.loads(json.dumps(seen.counted().plain()))) == seen.counted()


def test_starts_and_packet_times_are_random_by_default() -> None:
    # At 10 Mb/s and 44 ms a packet of 1500 bytes takes 1.2 ms, and ten round trips take 440 ms.
    scenario = ac.dumbbell(["cubic", "bbr"], rate="10Mbps", delay="20ms", duration="60s")
    jobs = Randomness().replications(scenario, 3, seed=5)
    assert [(job.seed, job.jitter_s) for job in jobs] == [(5, 0.44), (6, 0.44), (7, 0.44)]
    flows = jobs[0].scenario.document()["flow"]
    assert [flow["tcp"]["send_overhead"] for flow in flows] == ["1.2ms", "1.2ms"]
    assert said(jobs[0]) == (
        "each flow starts up to 0.44 s later, and each sender takes a random time of up to 1.2 ms to send what its "
        "window lets go"
    )
    none = Randomness(0.0, 0.0).replications(scenario, 1)[0]
    assert (none.scenario.document(), none.jitter_s) == (scenario.document(), 0.0)
    assert said(none) == "flows start when they say, senders take no time"
    # A flow's own send overhead is kept, and a short run limits the spread of starts.
    own = scenario.set("flow.0.tcp.send_overhead", "5ms").set("duration", "2s")
    assert Randomness().overheads_s(own) == {1: 0.0012}
    assert Randomness().jitter_s(own) == 0.1
    assert Randomness().overheads_s(ac.load(SCENARIOS / "wlan.toml")) == {}
    assert Randomness().jitter_s(ac.load(SCENARIOS / "wlan.toml")) == 0.1


def test_scenarios_that_are_compared_have_the_same_starts() -> None:
    plan = Plan({"near": ac.dumbbell(delay="1ms"), "far": ac.dumbbell(delay="50ms")}, (0,))
    assert plan.randomness.start_jitter_s == Randomness().jitter_s(plan.scenarios["far"])
    assert Plan.from_json(plan.to_json()).randomness == plan.randomness


def test_ten_replications_are_ten() -> None:
    """By default every replication has its own drop sequence; with start jitter alone, few sequences differ."""
    options = {"reps": 6, "duration": "30s", "packets": False}
    found = ac.compare("newreno", "cubic", **options)
    assert [len(set(keys)) for keys in found.drop_sequences.values()] == [6, 6]
    assert not any("repeat each other" in text for text in found.remarks())
    locked = ac.compare("newreno", "cubic", start_jitter="100ms", send_overhead="0s", **options)
    assert min(len(set(keys)) for keys in locked.drop_sequences.values()) < 6
    assert any("repeat each other" in text for text in locked.remarks())


def test_the_work_of_the_host_reorders_nothing() -> None:
    scenario = Randomness().on(ac.dumbbell(["cubic", "bbr"], duration="10s"))
    rows = scenario.run(seed=3, traces=["segments"]).trace("segments").to_polars()
    for flow in (0, 1):
        sent = rows.filter((pl.col("flow") == flow) & (pl.col("event") == "send"))
        new = sent.unique("seq", keep="first", maintain_order=True)["seq"]
        assert new.len() > 500
        assert new.is_sorted()
