"""The search for a paper's setting: distances, chance, known settings, refusals, ties, and wrong input."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import ackclock as ac
from ackclock.cli.main import main
from ackclock.errors import ScenarioError, UserError
from ackclock.readings import chance as chance_module
from ackclock.readings import ladder
from ackclock.readings import searching as search_module
from ackclock.readings.chance import THRESHOLD, chance, deals
from ackclock.readings.choices import groups, parts_of, predicted
from ackclock.readings.published import Published, parse
from ackclock.readings.quantities import PRESETS, QUANTITIES
from ackclock.readings.ranking import Found
from ackclock.readings.report import plain, sensitivity, separating, stated_and_found, verdict
from ackclock.readings.runner import Plan
from ackclock.readings.score import NOTHING_BITS, Predictions, Printed, predictions, surprise
from ackclock.readings.searching import hold_back, search
from ackclock.readings.space import Space
from ackclock.sweeps.axes import Axis
from ackclock.sweeps.jobs import MemoryStore

BASE = ac.dumbbell(["reno"], rate="2Mbps", delay="20ms", queue=10, duration="5s").apply(
    ["flow.0.tcp.profile=ns2"]
)

AXES = (
    Axis("link.bottleneck.rate", ("1Mbps", "2Mbps", "3Mbps")),
    Axis("link.bottleneck.delay", ("10ms", "20ms", "40ms")),
    Axis("flow.0.tcp.segment", ("536B", "1000B")),
)

UNITS = {"throughput": "kb/s", "delay": "ms", "jitter": "ms", "loss": "%", "packets": "packets"}


def printed(setting: dict[str, str], variants: tuple[str, ...] = ("reno", "vegas"), digits: int = 6) -> str:
    """Return the table that a paper with this setting would print, with FlowMonitor's definitions."""
    lines = ["quantity,value,unit,flow.0.tcp.variant"]
    for variant in variants:
        run = BASE.with_(setting).set("flow.0.tcp.variant", variant).run()
        flow = run.flow(0)
        values = {
            "throughput": flow["flowmonitor_throughput_bps"] / 1e3,
            "delay": 1e3 * flow["delay_mean_s"],
            "jitter": 1e3 * flow["jitter_mean_s"],
            "loss": 100 * flow["loss_ratio"],
            "packets": flow["received_packets"],
        }
        lines += [f"{name},{value:.{digits}g},{UNITS[name]},{variant}" for name, value in values.items()]
    return "\n".join(lines)


TRUTH = {"link.bottleneck.rate": "2Mbps", "link.bottleneck.delay": "40ms", "flow.0.tcp.segment": "536B"}


@pytest.fixture(autouse=True)
def few_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute chances from the fewest tables that suffice, which takes a fifth of the time."""
    monkeypatch.setattr(chance_module, "EFFORT", 0.0)


@pytest.fixture(scope="module")
def paper() -> Published:
    return parse(printed(TRUTH))


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    return MemoryStore()


def found_in(published: Published, store: MemoryStore, **plan: int) -> Found:
    return search(Space.of(BASE, AXES, published.numbers), published, Plan(reps=1, **plan), store=store)


def test_a_known_setting_is_found_with_its_definitions(paper: Published, store: MemoryStore) -> None:
    found = found_in(paper, store)
    assert found.space.setting(found.order[0]) == TRUTH
    assert found.distance(found.order[0]) < 0.1 < found.distance(found.order[1])
    assert found.definitions(found.order[0])["loss"] == "lost / (received + lost)"
    assert "first to last" in found.definitions(found.order[0])["throughput"]
    assert found.chance.is_match
    assert found.tied == (found.order[0],)
    assert found.probability(found.order[0]) > 0.999
    assert "Found after the fact" in " ".join(verdict(found))
    assert "confirm" not in " ".join(verdict(found))


def test_numbers_of_no_setting_are_refused(paper: Published, store: MemoryStore) -> None:
    """Throughputs and delays are those of different settings, and so no reading gives both."""
    scales = {"throughput": 1.37, "delay": 0.62, "jitter": 1.8, "loss": 1.5, "packets": 0.81}
    texts = [f"{one.value * scales[one.quantity.name]:.6g}" for one in paper.numbers]
    table = Published(tuple(replace(one, text=text) for one, text in zip(paper.numbers, texts, strict=True)))
    found = found_in(table, store)
    assert not found.chance.is_match
    assert "No reading explains these numbers better than chance." in verdict(found)


def test_a_repeated_search_runs_nothing_and_says_the_same(paper: Published, store: MemoryStore) -> None:
    first = plain(found_in(paper, store))
    before = dict(store._runs)
    assert plain(found_in(paper, store)) == first
    assert store._runs.keys() == before.keys()
    assert plain(found_in(paper, MemoryStore())) == first


def test_a_large_search_goes_from_coarse_to_fine(
    paper: Published, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "MOST_WHOLE", 6)
    monkeypatch.setattr(ladder, "LEAST_LONGER", 5)
    monkeypatch.setattr(ladder, "SEEDED", (0.1, 2))
    monkeypatch.setattr(search_module, "SAMPLE", 8)
    found = found_in(paper, store)
    assert found.space.setting(found.order[0]) == TRUTH
    # Five readings stay, and the eight of the sample were run in full, too.
    assert 8 <= len(found.order) <= 13
    assert len(found.predicted) == 2
    assert found.chance.is_match


def test_numbers_held_back_come_out(paper: Published, store: MemoryStore) -> None:
    found = found_in(paper, store, hold=3)
    assert len(found.held) == 3
    assert found.numbers == len(paper.numbers) - 3
    for number, value, _ in found.held:
        assert value == pytest.approx(number.value, rel=1e-3)
    assert sum("came out" in one for one in verdict(found)) == 3
    with pytest.raises(UserError, match="there are 10 numbers"):
        hold_back(paper.numbers, 10)


def test_settings_that_change_nothing_are_tied(paper: Published, store: MemoryStore) -> None:
    """An upper bound of the RTO that no timer reaches changes no number, and no further number would either."""
    axes = (*AXES[:2], Axis("flow.0.tcp.max_rto", ("100s", "200s")))
    base = BASE.apply(["flow.0.tcp.segment=536B"])
    found = search(Space.of(base, axes, paper.numbers), paper, Plan(reps=1), store=store)
    assert {found.space.setting(one)["flow.0.tcp.max_rto"] for one in found.tied} == {"100s", "200s"}
    assert any("no further number would tell them apart" in one for one in verdict(found))


def test_a_further_number_tells_tied_readings_apart(store: MemoryStore) -> None:
    """A throughput of a full link does not depend on the delay; other numbers do."""
    published = parse("\n".join(printed(TRUTH, ("reno",), 2).splitlines()[:2]))
    found = found_in(published, store)
    assert len(found.tied) > 1
    assert any("would tell them apart:" in one for one in verdict(found))
    (told,) = [one for one in verdict(found) if "the probabilities of link.bottleneck.delay are" in one]
    assert sum(map(float, re.findall(r"([\d.]+) % for \d+ms", told))) == pytest.approx(100, abs=2)


def test_the_number_that_tells_readings_apart_is_one_that_the_paper_prints(store: MemoryStore) -> None:
    """The table has delays of one variant only, so the delay of the other one is named first."""
    lines = printed(TRUTH, digits=2).splitlines()
    published = parse("\n".join([lines[0], lines[1], lines[2], lines[6]]))
    found = found_in(published, store)
    first, other = found.order[0], next(one for one in found.order if one not in found.tied)
    both = {
        one: dict(zip(found.space.cells, found.space.jobs(one, 0), strict=True)) for one in (first, other)
    }
    ran = {
        one: {cell: job.scenario.run().summary for cell, job in jobs.items()} for one, jobs in both.items()
    }
    named = separating(replace(found, summaries=ran), first, other)
    assert named is not None
    name, ours, theirs = named
    assert name == "delay at vegas"
    assert ours * theirs > 0


def test_the_stated_and_the_found_are_kept_apart(paper: Published, store: MemoryStore) -> None:
    rows = {path: (stated, value) for path, stated, value in stated_and_found(found_in(paper, store))}
    assert rows["link.bottleneck.delay"] == ("20ms", "40ms")
    assert rows["flow.0.tcp.segment"][1] == "536B"
    assert "(default)" in rows["flow.0.tcp.segment"][0]


def test_sensitivity_is_that_of_single_changes(paper: Published, store: MemoryStore) -> None:
    rows = sensitivity(found_in(paper, store))
    assert [path for path, *_ in rows] == [axis.path for axis in AXES]
    assert all(bits > 0 for *_, bits in rows)


def test_a_change_between_settings_has_its_definitions() -> None:
    header = "quantity,value,unit,flow.0.tcp.control.decrease,link.bottleneck.delay"
    text = f"{header}\ndelay,-17.05,%,0.9 to 0.1,10ms;20ms\n"
    (number,) = parse(text).numbers
    first, last = parts_of(number)
    assert len(first) == len(last) == 2
    (group,) = groups([number], 1)
    assert group.name == "change of delay"
    runs = {}
    for cell, value in zip((*first, *last), (1.0, 3.0, 0.5, 3.0), strict=True):
        runs[cell] = {("delay", ""): [(value, value)] * 5}
    said = {
        (one.of_last, one.of_each): predicted(number, one, runs)
        for one in group.choices
        if one.definition == 0
    }
    assert said[False, False] == pytest.approx(-12.5)
    assert said[True, False] == pytest.approx(100 * -0.5 / 3.5)
    assert said[False, True] == pytest.approx(-25.0)
    assert said[True, True] == pytest.approx(-50.0)


def test_definitions_of_a_tool_are_those_of_the_catalogue() -> None:
    known = {one.name: {each.name for each in one.definitions} for one in QUANTITIES}
    for tool, definitions in PRESETS.items():
        for quantity, name in definitions.items():
            assert name in known[quantity], (tool, quantity)


def test_the_list_of_definitions_names_quantity_and_tool(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "definitions", "--json"]) == 0
    listed = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert len(listed) == sum(len(one.definitions) for one in QUANTITIES)
    assert "--definitions flowmonitor" in listed["loss: lost / (received + lost)"]["from"]
    assert "needs a line frame overhead" in listed["throughput: frames received, over the run"]["from"]
    assert main(["list", "definitions"]) == 0


def one_number(value: str, mean: float, spread: float = 0.0) -> float:
    """Return the surprise of a single printed throughput."""
    (group,) = groups(parse(f"quantity,value,unit\nthroughput,{value},Mb/s\n").numbers, 1, "iperf")
    shape = (1, 1, len(group.choices))
    return float(
        surprise(Predictions(group, np.full(shape, mean), np.full(shape, spread)), Printed.of(group))[0, 0, 0]
    )


def test_distance_of_an_exact_number_is_zero_and_grows_with_error_and_spread() -> None:
    assert one_number("2.00", 2.0) == pytest.approx(0.0)
    assert one_number("2.00", 2.0049) == pytest.approx(0.0)
    assert one_number("2.00", 2.01) == pytest.approx(1.0)
    assert one_number("2.00", 2.05) == pytest.approx(np.log2(82))
    assert one_number("2.00", 2.05, 0.05) < one_number("2.00", 2.05)
    assert one_number("2.00", 2.0, 0.05) > one_number("2.00", 2.0)
    assert one_number("< 2.00", 1.0) == pytest.approx(0.0)
    assert one_number("< 2.00", 2.01) == pytest.approx(1.0)
    assert one_number("> 2.00", 1.99) == pytest.approx(1.0)
    assert one_number("2.00", float("nan")) == NOTHING_BITS


def test_spread_is_that_between_replications() -> None:
    (group,) = groups(parse("quantity,value,unit\nthroughput,2.00,Mb/s\n").numbers, 1, "iperf")
    values = np.full((3, 2, 1, len(group.choices)), np.nan)
    values[0, :, 0] = [[1.9], [2.1]] if len(group.choices) == 1 else [[1.9] * 2, [2.1] * 2]
    values[1, :, 0] = 2.0
    values[2, 0, 0] = 2.0
    found = predictions(group, values)
    assert found.mean[0, 0, 0] == pytest.approx(2.0)
    assert found.scale[0, 0, 0] > found.scale[1, 0, 0]
    assert found.scale[2, 0, 0] > 0  # as other readings show


def test_the_chance_of_numbers_without_relation_is_uniform() -> None:
    """Tables whose numbers are random in each cell are called a match about as often as the threshold says."""
    text = "quantity,value,unit,flow.0.tcp.variant\n"
    text += "".join(f"delay,1.000,ms,v{i}\nloss,1.000,%,v{i}\n" for i in range(6))
    made = groups(parse(text).numbers, 1, "flowmonitor")
    draw = np.random.default_rng(3)
    matched = 0
    for _ in range(25):
        predicted_by = [
            Predictions(group, draw.uniform(1, 9, (40, 6, 1)), np.full((40, 6, 1), 0.01)) for group in made
        ]
        table = [replace(Printed.of(group), value=draw.uniform(1, 9, 6)) for group in made]
        least = min(sum(surprise(a, b).sum(axis=1)[:, 0] for a, b in zip(predicted_by, table, strict=True)))
        matched += chance(predicted_by, table, readings=40, best=float(least)).is_match
    assert matched <= 3


def test_permutations_are_counted_without_repeats() -> None:
    (group,) = groups(parse("quantity,value,unit\nloss,1,%\nloss,1,%\nloss,2,%\n").numbers, 1)
    assert deals([Printed.of(group)]) == 3
    listed = chance_module._all_deals([Printed.of(group), Printed.of(group)])
    assert len({tuple(tuple(one.value) for one in table) for table in listed}) == len(listed) == 9


def test_a_path_or_a_value_that_cannot_be_set_is_explained(paper: Published) -> None:
    with pytest.raises(ScenarioError, match="did you mean"):
        Space.of(BASE, (Axis("link.bottleneck.rat", ("1Mbps",)),), paper.numbers)
    with pytest.raises(UserError, match="given twice"):
        Space.of(BASE, (AXES[0], AXES[0]), paper.numbers)
    with pytest.raises(UserError, match="say for which value they hold"):
        Space.of(BASE, (Axis("flow.0.tcp.variant", ("reno",)),), paper.numbers)


def test_a_flow_or_a_value_that_is_not_there_is_explained(store: MemoryStore) -> None:
    head = "quantity,value,unit,flow\n"
    with pytest.raises(UserError, match="there is no flow 'ren'"):
        found_in(parse(f"{head}throughput,1.5,Mb/s,ren\n"), store)
    with pytest.raises(UserError, match="line 2: no run has a value of completion time"):
        found_in(parse(f"{head}completion time,1.5,s,\n"), store)


def test_a_space_that_is_too_large_is_refused_with_its_time(paper: Published) -> None:
    axes = [
        Axis(f"flow.0.tcp.{name}", tuple(f"{i}s" for i in range(1, 1001)))
        for name in ("min_rto", "initial_rto")
    ]
    axes.append(Axis("link.bottleneck.delay", tuple(f"{i}ms" for i in range(1, 1001))))
    with pytest.raises(UserError, match=r"1,000,000,000 readings .* (years|days) on \d+ cores"):
        Space.of(BASE, axes, paper.numbers)


def test_the_verb_writes_tables_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text(BASE.to_toml())
    (tmp_path / "published.csv").write_text(printed(TRUTH))
    vary = [word for axis in AXES for word in ("--vary", f"{axis.path}={','.join(axis.values)}")]
    command = ["match", str(tmp_path / "mine.toml"), str(tmp_path / "published.csv"), *vary, "--reps", "1"]
    command += ["--out", str(tmp_path / "out"), "--json", str(tmp_path / "match.json")]
    assert main(command) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "stated in the file" in said
    assert "Found after the fact" in said
    made = json.loads((tmp_path / "match.json").read_text())
    assert made["readings"][0]["setting"] == TRUTH == made["found"]
    assert made["tried"] == 18
    assert made["chance"]["threshold"] == THRESHOLD
    schema = json.loads((Path(ac.__file__).parent / "results-match.schema.json").read_text())
    Draft202012Validator(schema).validate(made)
    assert set(made) == set(schema["properties"])
    assert (tmp_path / "out" / "match.json").read_text() == (tmp_path / "match.json").read_text()
