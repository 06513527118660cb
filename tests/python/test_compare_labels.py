"""Labels of a comparison in every file, table, figure and sentence; and the settings that distinguish the scenarios."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli.main import main
from ackclock.comparisons import Comparison
from ackclock.errors import UserError
from ackclock.scenario.differences import differences, said

LABELS = ["DropTail", "FQ-CoDel"]
KIND = "link.bottleneck.queue.kind: droptail / fq-codel"
FILES = ("runs", "results", "delays", "windows")


@pytest.fixture(scope="module")
def queues() -> Comparison:
    made = {
        "DropTail": ac.dumbbell(["cubic"], flows=2, rate="2Mbps", queue=20, duration="6s"),
        "FQ-CoDel": ac.dumbbell(["cubic"], flows=2, rate="2Mbps", queue={"kind": "fq-codel"}, duration="6s"),
    }
    return ac.compare(made, reps=3, progress=False)


def columns(folder: Path, name: str) -> dict[str, list[str]]:
    rows = list(csv.DictReader((folder / f"{name}.csv").read_text(encoding="utf-8").splitlines()))
    return {column: [row[column] for row in rows] for column in rows[0]}


def test_every_file_has_the_labels(queues: Comparison, tmp_path: Path) -> None:
    ac.write_report(queues, tmp_path / "out")
    for name in FILES:
        found = columns(tmp_path / "out", name)
        assert next(iter(found)) == "label", name
        assert list(dict.fromkeys(found["label"])) == LABELS, name
    assert set(columns(tmp_path / "out", "results")["variant"]) == {"cubic"}
    assert set(columns(tmp_path / "out", "runs")["variant"]) == {"cubic"}
    page = (tmp_path / "out" / "report.md").read_text()
    assert f"DropTail / FQ-CoDel differ in {KIND}" in page
    assert "| `link.bottleneck.queue.kind` | droptail | fq-codel |" in page
    # The description of the path names the scenario to which it belongs.
    assert "DropTail: 20 packets" in page
    found = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert [row["label"] for row in found["variants"]] == LABELS
    assert {
        "path": "link.bottleneck.queue.kind",
        "values": {"DropTail": "droptail", "FQ-CoDel": "fq-codel"},
    } in (found["scenario_diff"])


def test_repr_and_remarks_say_what_the_labels_do_not(queues: Comparison) -> None:
    assert any(KIND in text for text in queues.remarks())
    ranked = " / ".join({"DropTail": "droptail", "FQ-CoDel": "fq-codel"}[one] for one in queues.ordered())
    assert f"link.bottleneck.queue.kind: {ranked}" in repr(queues)


def test_typed_variants_are_labelled_as_typed_and_say_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = ["reno:decrease=0.7", "slow=reno"]
    options = ("--reps", "2", "--duration", "4s", "--rate", "1Mbps", "--out", "out")
    assert main(["compare", *typed, *options]) == 0
    printed = capsys.readouterr()
    assert "differ in" not in printed.err
    for name in FILES:
        assert set(columns(Path("out"), name)["label"]) == {"reno:decrease=0.7", "slow"}, name
    assert set(columns(Path("out"), "runs")["variant"]) == {"reno"}
    assert "`flow.*.tcp.control.decrease` | 0.7 | 0.5" in Path("out/report.md").read_text()
    assert main(["compare", "--again", "out"]) == 0


def test_one_scenario_under_two_labels_is_said() -> None:
    one = ac.dumbbell(["reno"], rate="1Mbps", duration="2s")
    found = ac.compare({"a": one, "b": one}, reps=2, packets=False, progress=False)
    assert "a and b have the same scenario" in found.remarks()


def test_flows_that_not_all_scenarios_have_are_not_measured() -> None:
    few, many = (ac.dumbbell(["reno"], flows=n, rate="1Mbps", duration="2s") for n in (1, 2))
    for scenarios in ({"few": few, "many": many}, {"many": many, "few": few}):
        found = ac.compare(scenarios, reps=2, packets=False, progress=False)
        assert found.plan.own == (0,)
        assert "not in every scenario, so not measured: flow.1" in found.remarks()


@pytest.mark.parametrize(
    ("scenarios", "told"),
    [({}, "name the scenarios"), ({1: ac.dumbbell()}, "label 1 is not text"), ({"=a": ac.dumbbell()}, "formula"),
     ({"a": "cubic"}, "not a scenario but str")],
)  # fmt: skip
def test_a_mapping_that_gives_no_scenarios_is_refused(scenarios: dict[str, ac.Scenario], told: str) -> None:
    with pytest.raises(UserError, match=told):
        ac.compare(scenarios)


def base() -> ac.Scenario:
    return ac.dumbbell(["cubic"], flows=2, rate="10Mbps", queue=100, duration="5s")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, ""),
        ({"flow.*.tcp.variant": "reno"}, "flow.*.tcp.variant: cubic / reno"),
        (
            {"flow.1.tcp.profile": "linux"},
            "flow.flow1.tcp.variant: cubic / rack+cubic; flow.flow1.tcp.profile: rfc / linux",
        ),
        ({"link.0.delay": "5ms"}, "link.bottleneck.delay: 20ms / 5ms"),
        ({"link.0.reverse.delay": "5ms"}, "link.bottleneck.reverse.delay: 20ms / 5ms"),
        ({"duration": "9s"}, "duration: 5s / 9s"),
        ({"link.0.queue": {"kind": "codel"}}, "link.bottleneck.queue.kind: droptail / codel"),
        (
            {"flow.*.tcp.variant": "reno", "flow.*.tcp.initial_window": 3},
            "flow.*.tcp.variant: cubic / reno; flow.*.tcp.initial_window: 10 / 3",
        ),
    ],
)
def test_what_follows_from_a_setting_is_not_listed(changes: dict[str, object], told: str) -> None:
    found = said(differences([base(), base().with_(changes) if changes else base()]), 9)
    assert found.split("; link.bottleneck.queue.packets")[0] == told


def test_entries_that_not_all_have_are_named_once() -> None:
    found = {one.path: one.texts() for one in differences([base(), ac.dumbbell(["cubic"], flows=3)])}
    assert found["flow.2"] == ["-", "flow2"]
    assert found["link.5"] == ["-", "s2-r0"]
    assert not any(path.startswith("node") for path in found)


def test_columns_of_flows_have_the_glossarys_names(queues: Comparison) -> None:
    own = {"label", "replication", "seed", "jitter_bound_s"}
    known = set(queues.plan.scenarios["DropTail"].run("1s").flows.columns)
    assert set(queues.flows.columns) - own <= known
    now = queues.flows["lost_queue_packets"].to_list()
    assert sum(now) > 0
    with pytest.warns(DeprecationWarning, match=r"lost_packets\.queue is called lost_queue_packets"):
        assert queues.flows["lost_packets.queue"].to_list() == now
    with pytest.raises(KeyError, match="there is no column"):
        queues.flows["lost_packets.queu"]
