"""Ties: perturbed scenarios, spreads, and the reports that show them."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

import ackclock as ac
from ackclock import _core
from ackclock.cli.main import main
from ackclock.errors import UserError
from ackclock.runs.ties import DRAWS, SIZES, Spread, hangs_on, perturbations, perturbed
from ackclock.sweeps.drawn import Drawn

COURSE = """\
duration = "6s"

[[link]]
between = ["n1", "n2"]
rate = "10Mbps"
delay = "10ms"
queue = 50

[[link]]
name = "bottleneck"
between = ["n2", "n3"]
rate = "10Mbps"
delay = "10ms"
queue = 50

[[flow]]
name = "tcp"
from = "n1"
to = "n3"
start = "0.5s"
tcp = { variant = "tahoe", profile = "ns2", segment = "1000B", max_window = 100 }

[[flow]]
name = "cbr"
from = "n2"
to = "n3"
traffic = { kind = "cbr", rate = "9Mbps", packet = "210B", header = "0B" }
"""
"""A small form of the course experiment; all its rates are commensurate, so that events coincide."""


@pytest.fixture
def course(tmp_path: Path) -> ac.Scenario:
    file = tmp_path / "course.toml"
    file.write_text(COURSE)
    return ac.load(file)


@pytest.mark.parametrize("size", SIZES)
def test_a_draw_changes_rates_and_delays_and_nothing_else(course: ac.Scenario, size: str) -> None:
    before, after = course.describe(), perturbed(course, size, 0).describe()
    ways = [(link, new) for link, new in zip(before["link"], after["link"], strict=True)]
    ways += [(link["reverse"], new["reverse"]) for link, new in ways]
    rates, delays = set(), set()
    for link, new in ways:
        rates.add(_core.bits_per_second(new.pop("rate")) / _core.bits_per_second(link.pop("rate")) - 1)
        delays.add(_core.seconds(new.pop("delay")) / _core.seconds(link.pop("delay")) - 1)
    assert before == after
    for shares in (rates, delays):
        assert len(shares) == len(ways), "each direction has a draw of its own"
        assert 0.05 * SIZES[size] < max(map(abs, shares)) <= SIZES[size] * (1 + 1e-6)


def test_draws_differ_and_repeat_and_are_alike_for_variants(course: ac.Scenario) -> None:
    made = perturbations(course)
    assert [len(some) for some in made.values()] == [DRAWS, DRAWS]
    assert len({one.json() for some in made.values() for one in some}) == 2 * DRAWS
    assert made == perturbations(course)
    other = perturbed(course.set("flow.tcp.tcp.variant", "reno"), "ties", 3)
    assert other.document()["link"] == made["ties"][3].document()["link"]
    assert perturbed(course, "ties", 3, seed=7) != made["ties"][3]


def test_slow_rates_move_by_a_bit_per_second() -> None:
    slow = ac.dumbbell(["reno"], rate="0.3Mbps")
    rates = {
        _core.bits_per_second(perturbed(slow, "ties", draw).document()["link"][0]["rate"])
        for draw in range(DRAWS)
    }
    assert rates == {299_999, 300_000, 300_001}


def test_events_set_what_is_changed_by_the_same_share() -> None:
    scenario = ac.load("link-change")
    made = perturbed(scenario, "phase", 0)
    link = next(one for one in made.document()["link"] if one["name"] == "bottleneck")
    events = {(one["at"], one["set"]): one["to"] for one in made.document()["event"]}
    back = _core.bits_per_second(events["10s", "link.1.forward.rate"])
    assert back == _core.bits_per_second(link["rate"]) != 4_000_000, "the rate comes back as it was"
    assert events["10s", "link.1.reverse.rate"] == link["reverse"]["rate"]
    doubled = _core.seconds(events["12s", "link.1.forward.delay"])
    assert doubled == pytest.approx(2 * _core.seconds(link["delay"]), rel=1e-12)
    assert events["15s", "link.bottleneck.up"] is False
    made.check()


def test_a_trace_and_a_radio_network_stay() -> None:
    before, after = ac.load("cellular"), perturbed(ac.load("cellular"), "phase", 0)
    assert before.document()["link"][1]["rate"] == after.document()["link"][1]["rate"]
    with pytest.raises(UserError, match="no rate and no delay of a link"):
        perturbed(ac.load("adhoc"), "phase", 0)


def test_a_spread_in_words() -> None:
    spread = Spread.of({"ties": [2.0, 1.0, math.nan], "phase": [0.5, 4.0]})
    assert spread.text(str) == "1.0 to 2.0 by ties, 0.5 to 4.0 by phase"
    assert spread.columns("x") == {
        "x_ties_min": 1.0,
        "x_ties_max": 2.0,
        "x_phase_min": 0.5,
        "x_phase_max": 4.0,
    }
    assert Spread.of({"ties": [], "phase": [1.0]}).text(str).startswith("no value by ties")


def test_a_sign_hangs_on_the_smaller_size_that_turns_it() -> None:
    assert hangs_on(1.0, {"ties": [1.0, 2.0], "phase": [0.5]}) is None
    assert hangs_on(1.0, {"ties": [1.0, -2.0], "phase": [-0.5]}) == "ties"
    assert hangs_on(-1.0, {"ties": [-1.0], "phase": [0.0]}) == "phase"
    assert hangs_on(0.0, {"ties": [1.0], "phase": [-1.0]}) is None


def test_ties_are_counted_where_they_decide(course: ac.Scenario) -> None:
    count = {one["name"]: one["tied_packets"] for one in course.run().links}
    assert count["n2>n3"] > 0
    assert sum(n for name, n in count.items() if name != "n2>n3") == 0
    odd = course.with_({"link.0.rate": "10.0137Mbps", "link.1.rate": "10.0171Mbps"})
    assert sum(odd.run().links["tied_packets"]) == 0


def test_run_names_ties_and_makes_the_draws_if_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out, result = tmp_path / "course.toml", tmp_path / "out", tmp_path / "run.json"
    file.write_text(COURSE)
    assert main(["run", str(file)]) == 0
    said = capsys.readouterr()
    assert "run --ties" in said.err
    assert "by ties" not in said.out
    assert main(["run", str(file), "--ties", "--out", str(out), "--json", str(result)]) == 0
    said = capsys.readouterr()
    assert "by ties" in said.out
    assert "run --ties" not in said.err
    ties = json.loads(result.read_text())["ties"]
    assert ties["draws"] == DRAWS
    low, high = ties["flows"][0]["spreads"]["goodput_bps"]["phase"]
    assert low < high
    lines = (out / "ties.csv").read_text().splitlines()
    assert lines[0] == "flow,measure,value,ties_min,ties_max,phase_min,phase_max"
    assert any(line.startswith("tcp,goodput_bps,") for line in lines)
    assert json.loads((out / "summary.json").read_text())["ties"] == ties


def test_in_python(course: ac.Scenario) -> None:
    run = ac.run(course, ties=True)
    assert json.loads(run.summary_json)["ties"] == run.spreads().to_json()
    assert "ties" not in json.loads(course.run().summary_json)
    assert {row["flow"] for row in run.spreads().rows()} == {"tcp", "cbr"}


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> tuple[ac.comparisons.Comparison, ac.Scenario]:
    file = tmp_path_factory.mktemp("ties") / "course.toml"
    file.write_text(COURSE)
    scenario = ac.load(file).set("duration", "3s")
    return ac.compare("reno", "tahoe", scenario=scenario, reps=2, packets=False, ties=True), scenario


def test_a_comparison_has_both_spreads(
    compared: tuple[ac.comparisons.Comparison, ac.Scenario], tmp_path: Path
) -> None:
    found, _ = compared
    assert found.drawn is not None
    jobs = found.jobs["reno"]
    again = perturbed(jobs[0].scenario, "phase", 4)
    values = [
        run.summary["flows"][0]["goodput_bps"]
        for run in ac.runs.run_many([(again, job.seed, job.jitter_s) for job in jobs])
    ]
    assert found.drawn.means("reno", "goodput_bps")["phase"][4] == pytest.approx(sum(values) / 2)
    ac.write_report(found, tmp_path / "made")
    rows = (tmp_path / "made" / "spreads.csv").read_text().splitlines()
    assert rows[0] == "label,minus,measure,mean,ties_min,ties_max,phase_min,phase_max,hangs_on"
    told = json.loads((tmp_path / "made" / "comparison.json").read_text())
    assert told["ties"]["draws"] == DRAWS
    assert len(told["variants"][0]["measures"]["goodput_bps"]["phase"]) == 2
    assert "hangs_on" in told["differences"][0]
    assert "by phase" in (tmp_path / "made" / "report.html").read_text()


def test_an_order_that_a_draw_turns_round_is_said(
    compared: tuple[ac.comparisons.Comparison, ac.Scenario],
) -> None:
    found, _ = compared
    first, last = found.ordered()
    apart = found.contrasts()[first, last].difference.mean
    drawn = found.drawn
    assert drawn is not None
    assert found.hangs_on(first, last) == hangs_on(apart, drawn.apart(first, last, "goodput_bps"))
    # These are the same runs, except that one draw has the results of the two variants exchanged.
    runs = {size: list(some) for size, some in drawn.runs.items()}
    runs["ties"][0] = {first: runs["ties"][0][last], last: runs["ties"][0][first]}
    turned = replace(found, drawn=Drawn(runs))
    assert turned.hangs_on(first, last) == "ties"
    text = f"the order of {first} and {last} hangs on ties"
    said = [one for one in turned.remarks() if text in one]
    assert bool(said) == turned.contrasts()[first, last].known


def test_a_sweep_has_both_spreads_as_columns(course: ac.Scenario, tmp_path: Path) -> None:
    short = course.set("duration", "2s")
    found = ac.sweep(short, {"flow.tcp.tcp.variant": ["reno", "vegas"]}, reps=2, ties=True, out=tmp_path)
    lines = (tmp_path / "points.csv").read_text().splitlines()
    assert "goodput_bps_ties_min,goodput_bps_ties_max,goodput_bps_phase_min" in lines[0]
    assert found.drawn is not None
    assert found.points["goodput_bps_phase_max"][1] == found.drawn.spread(1, "goodput_bps").phase[1]
    told: list[int] = []
    ac.sweep(
        short,
        {"flow.tcp.tcp.variant": ["reno", "vegas"]},
        reps=2,
        ties=True,
        out=tmp_path,
        progress=lambda done, total: told.append(done),
    )
    assert told == [4, 84], "finished draws are kept in the folder"


def test_ties_go_with_a_whole_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vary = ["--vary", "link.bottleneck.rate=1Mbps,2Mbps"]
    assert main(["sweep", "dumbbell", *vary, "--ties", "--shard", "1/2", "--out", str(tmp_path)]) == 2
    assert "leave out --shard" in capsys.readouterr().err
