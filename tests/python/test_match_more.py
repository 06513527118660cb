"""Searches whose readings differ in the number of nodes, definitions from packets, and the numbers of studies."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import ackclock as ac
from ackclock import executors
from ackclock.cli.main import main
from ackclock.errors import UserError
from ackclock.readings.choices import groups
from ackclock.readings.published import parse
from ackclock.readings.runner import Plan, Search
from ackclock.readings.searching import search
from ackclock.readings.space import Space
from ackclock.readings.traced import Columns
from ackclock.study import registry
from ackclock.study.sought import Sought
from ackclock.sweeps.axes import Axis
from ackclock.sweeps.jobs import Job, MemoryStore

RING = """duration = "4s"

[[node]]
name = "n{i}"
count = 4

[[link]]
name = "up{i}"
between = ["n{i}", "hub"]
rate = "2Mbps"
delay = "5ms"
queue = 10

[[flow]]
name = "f{i}"
from = "n{i}"
to = "n{i+1}"
start = "0s + 0.1s"
tcp = { variant = "reno" }
"""


@pytest.fixture
def ring(tmp_path: Path) -> ac.Scenario:
    (tmp_path / "ring.toml").write_text(RING)
    return ac.load(tmp_path / "ring.toml")


def ends(scenario: ac.Scenario) -> list[tuple[str, str]]:
    return [(one["from"], one["to"]) for one in scenario.document()["flow"]]


def test_a_setting_makes_pairs_of_a_ring_and_changes_its_size(ring: ac.Scenario) -> None:
    assert ends(ring) == [("n0", "n1"), ("n1", "n2"), ("n2", "n3"), ("n3", "n0")]
    assert ends(ring.set("flow.*.step", 2)) == [("n0", "n1"), ("n2", "n3")]
    assert ends(ring.apply(["node.n.count=3"])) == [("n0", "n1"), ("n1", "n2"), ("n2", "n0")]
    both = ring.apply(["flow.*.step=2", "flow.*.tcp.variant=vegas", "node.n.count=6"])
    assert ends(both) == [("n0", "n1"), ("n2", "n3"), ("n4", "n5")]
    assert {one["tcp"]["variant"] for one in both.document()["flow"]} == {"vegas"}


def test_a_search_varies_the_number_of_nodes_and_the_flows_between_them(ring: ac.Scenario) -> None:
    truth = ring.apply(["flow.*.step=2", "link.*.rate=1Mbps"])
    head, lines = "quantity,value,unit,flow,node.n.count,flow.*.tcp.variant", []
    for count in ("2", "6"):
        for variant in ("reno", "vegas"):
            run = truth.apply([f"node.n.count={count}", f"flow.*.tcp.variant={variant}"]).run()
            delays = [one["delay_mean_s"] for one in run.summary["flows"]]
            total = sum(one["delivered_bytes"] for one in run.summary["flows"])
            lines.append(f"delay,{1e3 * sum(delays) / len(delays):.4f},ms,mean,{count},{variant}")
            lines.append(f"throughput,{8 * total / 4 / 1e6:.6f},Mb/s,sum,{count},{variant}")
    published = parse("\n".join([head, *lines]))
    axes = (Axis("link.*.rate", ("1Mbps", "2Mbps")), Axis("flow.*.step", ("1", "2")))
    found = search(Space.of(ring, axes, published.numbers), published, Plan(reps=1), store=MemoryStore())
    assert found.space.setting(found.order[0]) == {"link.*.rate": "1Mbps", "flow.*.step": "2"}
    assert found.distance(found.order[0]) < 0.1


def test_counts_of_shortened_runs_are_scaled_to_the_full_length() -> None:
    base = ac.dumbbell(["reno"], rate="1Mbps", delay="10ms", queue=20, duration="8s")
    published = parse(f"quantity,value,unit\npackets,{base.run().flow(0)['received_packets']},packets\n")
    space = Space.of(base, [Axis("link.bottleneck.rate", ("0.25Mbps", "1Mbps", "4Mbps"))], published.numbers)
    of = Search(space, groups(published.numbers, 1), Plan(reps=1), MemoryStore())
    with executors.opened(None, 1) as pool:
        short = of.run([0, 1, 2], [0], pool, None, None, 0.25)
    assert of.surprise([0, 1, 2], short).argmin() == 1


def test_jitter_and_delays_from_packets_agree_with_a_plain_computation() -> None:
    scenario = ac.dumbbell(["reno", "reno"], rate="1Mbps", delay="10ms", queue=5, duration="4s")
    run = scenario.run(traces=["delay", "segments"])
    made = json.loads(Columns(1.0)(Job(scenario, 1), run))["flows"]
    arrivals = run.trace("delay").to_polars().to_dicts()
    packets = run.trace("segments").to_polars().to_dicts()
    for i, row in enumerate(made):
        own = [one for one in arrivals if one["flow"] == i]
        jitter = 0.0
        for before, after in itertools.pairwise(own):
            jitter += (abs(after["delay_s"] - before["delay_s"]) - jitter) / 16
        assert row["traced_jitter_rfc3550_s"] == pytest.approx(jitter)
        delays = [one["delay_s"] for one in own]
        assert row["traced_delay_deviation_s"] == pytest.approx(np.std(delays, ddof=1))
        assert row["delay_mean_s"] == pytest.approx(np.mean(delays))
        sent: dict[int, float] = {}
        for one in packets:
            if one["event"] == "send" and one["flow"] == i:
                sent.setdefault(one["seq"], one["time_s"])
        last = {one["seq"]: one["time_s"] for one in own}
        by_number = [last[seq] - sent[seq] for seq in last]
        assert row["traced_number_delay_s"] == pytest.approx(np.mean(by_number))
        assert row["traced_send_to_arrival_s"] == pytest.approx(own[-1]["time_s"] - min(sent.values()))
    assert (
        made[0]["traced_number_delay_s"] > made[0]["delay_mean_s"]
    )  # retransmissions count from the first sending
    assert made[0]["traced_number_delay_together_s"] == made[1]["traced_number_delay_together_s"]
    everything = json.loads(Columns(0.0)(Job(scenario, 1), run))["flows"]
    for row in everything:
        assert row["traced_received_since_bps"] == pytest.approx(8 * row["received_bytes"] / 4)


def test_a_search_finds_a_definition_that_needs_packets() -> None:
    base = ac.dumbbell(["reno"], rate="1Mbps", delay="10ms", queue=5, duration="4s")
    run = base.set("link.bottleneck.delay", "30ms").run(traces=["delay", "segments"])
    flow = json.loads(Columns()(Job(base, 1), run))["flows"][0]
    published = parse(
        f"quantity,value,unit\njitter,{1e3 * flow['traced_jitter_rfc3550_s']:.6g},ms\n"
        f"throughput,{run.flow(0)['flowmonitor_throughput_bps'] / 1e3:.6g},kb/s\n"
    )
    space = Space.of(base, [Axis("link.bottleneck.delay", ("10ms", "20ms", "30ms"))], published.numbers)
    store = MemoryStore()
    found = search(space, published, Plan(reps=1, traced=True), store=store)
    assert found.space.setting(found.order[0]) == {"link.bottleneck.delay": "30ms"}
    assert found.definitions(found.order[0])["jitter"] == "RFC 3550"
    before = len(store._runs)
    assert search(space, published, Plan(reps=1, traced=True), store=store).order == found.order
    assert len(store._runs) == before
    plain = search(space, published, Plan(reps=1), store=MemoryStore())
    assert plain.definitions(plain.order[0])["jitter"] != "RFC 3550"


def test_a_tool_whose_definition_needs_packets_says_so() -> None:
    numbers = parse("quantity,value,unit\njitter,2.0,ms\n").numbers
    with pytest.raises(UserError, match="add --traced"):
        groups(numbers, 1, "iperf")
    assert [
        one.text(group) for group in groups(numbers, 1, "iperf", traced=True) for one in group.choices
    ] == ["RFC 3550"]


@pytest.mark.parametrize("name", ["abadin", "heriyanto", "huang", "maulana", "suherman"])
def test_a_study_declares_its_numbers_and_the_space_of_their_search(name: str) -> None:
    study = registry.get(name)
    sought = study.sought
    assert sought is not None
    numbers = parse(sought.csv())
    scenario = sought.scenario(study.jobs(study.plan(True, None)))
    space = Space.of(scenario, [Axis.parse(one) for one in sought.vary], numbers.numbers)
    assert len(numbers.numbers) >= 3
    assert all(one.source for one in numbers.numbers)
    assert len(space) >= 18
    assert space.scenario_of(len(space) - 1, space.cells[0]) is not None


def test_digits_of_a_study_are_kept_as_its_file_has_them(tmp_path: Path) -> None:
    (tmp_path / "paper.toml").write_text(
        "[number.RATE]\nreno = 1.50\nvegas = 2\n[claim.rates]\nfigure = 'Table 2'\n"
        "[match]\nvary = ['link.0.rate=1Mbps,2Mbps']\n[[match.number]]\nclaim = 'rates'\nquantity = 'throughput'\n"
        "unit = 'Mb/s'\nnumber = 'RATE'\ncolumn = 'flow.*.tcp.variant'\n"
    )
    sought = Sought.read(tmp_path)
    assert sought is not None
    assert [(one.text, one.source) for one in parse(sought.csv()).numbers] == [
        ("1.50", "Table 2"),
        ("2", "Table 2"),
    ]
    (tmp_path / "paper.toml").write_text("[study]\nname = 'x'\n")
    assert Sought.read(tmp_path) is None


def test_the_verb_searches_the_setting_of_a_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fixed = ["flow.*.tcp.window_rounding=integer", "flow.*.tcp.syn_loss_window=2", "flow.0.start=1700ms"]
    fixed += ["flow.1.start=2100ms", "link.1.rate=5Mbps", "link.1.delay=10ms", "flow.*.tcp.initial_rto=3s,6s"]
    vary = [word for one in fixed for word in ("--vary", one)]
    command = ["study", "abadin", "--match", *vary, "--out", str(tmp_path / "out"), "--jobs", "1"]
    assert main(command) == 0
    assert "Found after the fact" in " ".join(capsys.readouterr().out.split())
    made = json.loads((tmp_path / "out" / "match.json").read_text())
    assert made["tried"] == 4
    assert made["readings"][0]["setting"]["flow.*.tcp.min_rto"] == "1s"
    assert made["readings"][0]["setting"]["flow.*.tcp.initial_rto"] == "6s"
    # The folder has what `ackclock match` needs to go on.
    again = ["match", str(tmp_path / "out" / "scenario.json"), str(tmp_path / "out" / "published.csv")]
    assert main([*again, "--vary", "flow.*.tcp.min_rto=1s", "--out", str(tmp_path / "again"), "--quiet"]) == 0
    assert main(["study", "all", "--match"]) == 2
    capsys.readouterr()
    for words, said in [
        (["--match", "--quick", "--only", "fig4"], "--quick, --only would have no effect"),
        (["--quick", "--hold", "2"], "--hold would have no effect"),
    ]:
        assert main(["study", "abadin", *words, "--out", str(tmp_path / "none")]) == 2
        assert said in " ".join(capsys.readouterr().err.split())
        assert not (tmp_path / "none").exists()
