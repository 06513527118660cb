"""``search`` finds planted faults, makes them small, finds nothing where there is nothing, and repeats bit for bit."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import ackclock as ac
from ackclock import executors
from ackclock.cli.schemas import search_schema
from ackclock.comparisons.variants import Variant
from ackclock.errors import UserError
from ackclock.search import Budget, Plan, Verdict, family_of, measure_of, search, shrunk
from ackclock.search.case import Burst, Case, DelayChange, Drop, RateChange, Spike
from ackclock.search.case import Path as Way
from ackclock.search.engines import ENGINES, Scored
from ackclock.search.families import FAMILIES
from ackclock.search.measures import ideal_bps
from ackclock.search.outcomes import Kept
from ackclock.search.trials import Trials
from ackclock.sweeps.jobs import MemoryStore

PLANTED = '''
import ackclock as ac


class Planted(ac.Control):
    """A fixed window that the third loss ends: a fault that only drops can bring out."""

    losses = 0

    def on_handshake(self, now, rtt):
        self.cwnd = 10.0

    def on_ack(self, ack):
        pass

    def on_congestion(self, loss):
        self.losses += 1
        self.cwnd = 10.0 if self.losses < 3 else 1.0
'''
NARROW = Way(2e6, 0.04, 4.0)


def trials(subject: str, pool: executors.WorkerPool) -> Trials:
    return Trials(Variant.parse(subject), measure_of("goodput"), pool, Kept(MemoryStore()))


def test_the_shrinker_leaves_the_planted_fault_and_nothing_else() -> None:
    """The fault needs drops 7 and 9, and a rate below 3 Mb/s; all else is in the way."""
    parts = [
        *map(Drop, (3, 7, 9, 200, 1300)),
        RateChange(3.17, 2.41e6),
        DelayChange(5.0, 0.123),
        Burst(1.0, 5e6, 0.1, 0.7),
    ]
    tried: list[Case] = []

    def shows(cases: Sequence[Case]) -> list[bool]:
        tried.extend(cases)
        return [
            {7, 9} <= {one.packet for one in case.of(Drop)}
            and any(one.rate_bps < 3e6 for one in case.of(RateChange))
            for case in cases
        ]

    small = shrunk(Case(Way(17.3e6, 0.0613, 2.31), tuple(parts), 20.0), shows)
    assert [part for part in small.parts if isinstance(part, Drop)] == [Drop(7), Drop(9)]
    (change,) = small.of(RateChange)
    assert len(small.parts) == 3
    assert change == RateChange(3.0, 2e6)
    assert small.path == Way(10e6, 0.04, 1.0), "the fault does not need the path, so the path becomes plain"
    assert all(one.is_valid for one in tried)


def test_the_shrinker_finds_the_fault_that_a_control_has(tmp_path: Path) -> None:
    file = tmp_path / "planted.py"
    file.write_text(PLANTED)
    drops = tuple(map(Drop, (60, 100, 140, 180, 220, 260)))
    with executors.opened("threads", 1) as pool:
        runs = trials(f"{file}:Planted", pool)
        whole = Case(NARROW, drops, 10.0)
        before, quiet = runs.harms([whole, whole.with_parts(())])
        assert before > 0.5 > 0.1 > quiet
        small = shrunk(whole, lambda some: runs.show(some, 0.5, 0.5, caused=True))
    assert len(small.parts) == 3


def test_an_ideal_sender_gets_what_is_left() -> None:
    """Closed form: half of the time 10 Mb/s, then 2 Mb/s, less the cross traffic that arrives, payload only."""
    case = Case(Way(10e6, 0.02, 2.0), (RateChange(5.0, 2e6), Burst(1.0, 10e6, 0.1, 1.0)), 10.0)
    with executors.opened("threads", 1) as pool:
        outcome = trials("reno", pool).outcomes([case])[0]
    cross = outcome.flows[1]["received_bytes"]
    payload = outcome.flows[0]["sent_bytes"] / outcome.flows[0]["sent_packets"]
    assert case.capacity_bits() == 60e6
    expected = (60e6 - 8 * cross) * payload / 1500 / 10
    assert ideal_bps(case, outcome) == pytest.approx(expected, rel=5e-3)
    assert outcome.flows[0]["goodput_bps"] < ideal_bps(case, outcome)


def test_capacity_leaves_out_the_time_in_which_nothing_arrives() -> None:
    """By hand: 10 Mb/s for 4 s and 2 Mb/s for 6 s, without the seconds 1 to 3.5 and 9 to 10."""
    spikes = (Spike(1.0, 0.1, 2.0), Spike(2.0, 0.1, 1.5), Spike(9.0, 0.5, 3.0))
    case = Case(Way(10e6, 0.02, 2.0), (RateChange(4.0, 2e6), *spikes), 10.0)
    assert case.capacity_bits() == pytest.approx(10e6 * 1.5 + 2e6 * 5)
    assert case.capacity_bits(3.0) == pytest.approx(10e6 * 0.5 + 2e6 * 5)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_candidate_of_a_family_runs(name: str) -> None:
    family = FAMILIES[name]
    draw = np.random.default_rng(7)
    corners = [np.zeros(len(family.genes)), np.ones(len(family.genes))]
    for x in [*corners, *(draw.random(len(family.genes)) for _ in range(20))]:
        case = family.case(x.tolist())
        assert case.is_valid
        case.scenario(Variant.parse("reno")).check()


@pytest.mark.parametrize("name", ENGINES)
def test_both_engines_climb_a_hill_higher_than_chance(name: str) -> None:
    """The greatest harm is at 0.8 in each of eight dimensions; the state is the cell of a coarse grid."""

    def harm(x: np.ndarray) -> float:
        return 1.0 - float(np.abs(x - 0.8).mean())

    chance = max(harm(x) for x in np.random.default_rng(5).random((960, 8)))
    engine, best = ENGINES[name](8, 3), 0.0
    points = list(np.random.default_rng(1).random((24, 8)))
    for _ in range(40):
        cells = [frozenset({hash(tuple((4 * x).astype(int).tolist()))}) for x in points]
        scored = [Scored(x, harm(x), cell) for x, cell in zip(points, cells, strict=True)]
        best = max(best, *(one.harm for one in scored))
        engine.tell(scored)
        points = engine.ask(24)
    assert best > (1 + chance) / 2


def test_nothing_is_found_on_a_path_at_rest() -> None:
    plan = Plan(measure_of("goodput"), (family_of("steady"),), Budget(112), duration_s=10.0)
    report = search("reno", plan, threads=1)
    (found,) = report.found
    assert found.verdict is Verdict.NONE
    assert found.file is None
    assert not report.any
    assert found.worst_harm < found.bar
    assert found.account.quiet_harm == found.harms[0], "no disturbance, so no difference"


def test_a_search_gives_the_same_bytes_on_any_number_of_workers_and_goes_on_where_it_ended() -> None:
    plan = Plan(measure_of("goodput"), (family_of("routes"),), Budget(112), duration_s=6.0)
    store = MemoryStore()
    reports = [
        search("vegas", plan, threads=threads, store=kept) for threads, kept in ((1, None), (2, store))
    ]
    texts = [
        json.dumps(report.to_json({})) + report.found[0].toml("vegas", plan.measure) for report in reports
    ]
    assert texts[0] == texts[1]
    runs = dict(store._runs)
    again = search("vegas", plan, threads=1, store=store)
    assert json.dumps(again.to_json({})) in texts[0]
    assert store._runs == runs, "every run was in the store"


def test_the_command_line_writes_a_scenario_that_shows_what_it_says(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ackclock", "search", "vegas", "--family", "routes", "--budget", "112"]
    options = ["--duration", "12s", "--out", str(tmp_path / "out"), "--json", str(tmp_path / "a.json")]
    done = subprocess.run(
        [*command, *options, "--fail-if-found"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3, done.stderr
    document = json.loads((tmp_path / "a.json").read_text())
    jsonschema.validate(document, search_schema())
    (found,) = document["families"]
    assert found["verdict"] == "found"
    assert found["parts"] == 1
    scenario = ac.load(tmp_path / "out" / "routes.toml").check()
    assert scenario.run().flow(0)["goodput_bps"] == found["goodput_bps"][0]
    text = (tmp_path / "out" / "routes.toml").read_text()
    assert all(f"# {sentence}\n" in text for sentence in found["happens"])
    assert "the route changes" in done.stdout


def test_the_scenario_of_a_control_of_ones_own_stands_beside_its_file(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(PLANTED)
    words = ["--family", "drops", "--budget", "64", "--duration", "2s", "-j", "1", "--out", "out"]
    command = [sys.executable, "-m", "ackclock", "search", "./planted.py:Planted", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = json.loads((tmp_path / "out" / "search.json").read_text())["families"]
    assert found["verdict"] != "none", "a window of 10 uses little of a long path"
    assert (tmp_path / "out" / "planted.py").read_text() == PLANTED
    run = ac.load(tmp_path / "out" / "drops.toml", allow_code=True).run()
    assert run.flow(0)["goodput_bps"] == found["goodput_bps"][0]


def test_stacks_and_rivals_are_searched() -> None:
    plan = Plan(measure_of("starvation"), (), Budget(64), duration_s=4.0)
    (found,) = search("reno", plan, threads=1).found
    assert found.family.name == "rivals"
    assert len(found.account.goodput_bps) == 1 + len(found.case.rivals)
    plan = Plan(measure_of("goodput"), (family_of("drops"),), Budget(64), duration_s=1.0)
    (found,) = search("quinn-cubic", plan, threads=1).found
    assert found.runs >= 64


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: measure_of("latency"), "did you mean delay"),
        (lambda: family_of("route"), "did you mean routes"),
        (lambda: Budget.parse("soon"), "allowed: a number of runs such as 2000"),
        (lambda: Budget.parse("3"), "64 runs or more"),
        (lambda: search("reno", Plan(measure_of("goodput"), (), Budget(100))), "too few runs for . families"),
    ],
)
def test_wrong_options_are_answered_with_what_is_allowed(call: object, said: str) -> None:
    with pytest.raises(UserError, match=said):
        call()  # type: ignore[operator]
