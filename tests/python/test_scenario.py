"""Scenarios in Python: building, ready-made topologies, changes by path, writing and reading."""

from __future__ import annotations

from pathlib import Path

import pytest

import ackclock as ac


def small(**more: object) -> ac.Scenario:
    return ac.dumbbell(["reno", "vegas"], rate="1Mbps", queue=5, duration="2s").with_(more)


def test_ready_made_topologies_are_in_order() -> None:
    for scenario in (
        ac.dumbbell(),
        ac.dumbbell(["sack"], flows=4, stagger="100ms"),
        ac.parking_lot(3),
        ac.scenario.chain(4),
    ):
        assert scenario.check() is scenario
        assert scenario.describe()["flow"]


def test_a_dumbbell_is_what_it_says() -> None:
    document = ac.dumbbell(
        ["reno", "vegas"], flows=3, stagger="0.5s", profile="ns2", tcp={"max_window": 20}
    ).document()
    assert document["link"][0]["between"] == ["r0", "r1"]
    assert len(document["link"]) == 7
    assert [flow["tcp"]["variant"] for flow in document["flow"]] == ["reno", "vegas", "reno"]
    assert [flow["start"] for flow in document["flow"]] == ["0s", "0.5s", "1s"]
    assert document["flow"][0]["tcp"] == {"variant": "reno", "profile": "ns2", "max_window": 20}


def test_queues_and_losses_in_short() -> None:
    net = ac.Network()
    net.link("a", "b", rate="1Mbps", delay="1ms", queue=7, loss=0.01, reverse={"queue": "64KiB"})
    link = net.scenario("1s").document()["link"][0]
    assert link["queue"] == {"kind": "droptail", "packets": 7}
    assert link["loss"] == {"kind": "random", "rate": 0.01, "toward": "b"}
    assert link["reverse"] == {"queue": {"kind": "droptail", "bytes": "64KiB"}}


def test_a_network_piece_by_piece_runs() -> None:
    net = ac.Network()
    net.link("a", "b", rate="1Mbps", delay="5ms", queue=10).flow("a", "b", variant="newreno")
    net.event("1s", "link.0.rate", "0.5Mbps")
    run = net.run("2s", seed=3)
    assert run.summary["flows"][0]["goodput_bps"] > 1e5
    assert run.manifest["seed"] == 3


def test_changing_returns_a_copy() -> None:
    one = small()
    other = one.set("link.0.rate", "2Mbps")
    assert one.document()["link"][0]["rate"] == "1Mbps"
    assert other.document()["link"][0]["rate"] == "2Mbps"
    assert one != other
    assert one == small()
    assert hash(one) == hash(small())
    copy = one.document()
    copy["link"].clear()
    assert one.document()["link"]


def test_several_values_change_together() -> None:
    scenario = small().with_({"flow.*.tcp.variant": "sack", "link.0.queue.packets": 9}, duration="7s", seed=5)
    document = scenario.document()
    assert [flow["tcp"]["variant"] for flow in document["flow"]] == ["sack", "sack"]
    assert (document["duration"], document["seed"], document["link"][0]["queue"]["packets"]) == ("7s", 5, 9)


def test_toml_reads_back(tmp_path: Path) -> None:
    scenario = small()
    (tmp_path / "s.toml").write_text(scenario.to_toml())
    assert ac.load(tmp_path / "s.toml") == scenario
    (tmp_path / "s.json").write_text(scenario.json())
    assert ac.load(tmp_path / "s.json", ["seed=9"]) == scenario.with_(seed=9)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("flow.0.tcp.variant", "newrenno", "newreno"),
        ("link.0.rate", "-1Mbps", "-1Mbps"),
        ("link.0.rate", 10, "10"),
        ("link.0.raet", "1Mbps", "rate"),
        ("flow.1.to", "nowhere", "nowhere"),
    ],
)
def test_errors_name_field_value_and_what_was_meant(path: str, value: object, said: str) -> None:
    with pytest.raises(ac.ScenarioError) as caught:
        small().set(path, value)
    assert said in str(caught.value)
    assert caught.value.path.split(".")[0] in ("flow", "link")
    assert len(str(caught.value).splitlines()) < 10


def test_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "dumbbell.toml").write_text("")
    with pytest.raises(ac.errors.FileError, match=r"did you mean .*dumbbell\.toml"):
        ac.load(tmp_path / "dumbell.toml")


def test_binary_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ac.errors.FileError, match="not UTF-8"):
        ac.load(tmp_path / "s.toml")


def test_starts_must_be_as_many_as_flows() -> None:
    with pytest.raises(ValueError, match="1 times for 2 flows"):
        ac.dumbbell(["reno", "vegas"], starts=["0s"])


def traced(folder: Path) -> Path:
    """Return a scenario file and its rate trace, which has one opportunity of 1500 bytes per millisecond."""
    net = ac.Network()
    net.link("a", "b", rate="1Mbps", delay="1ms", queue={"kind": "codel"}).flow("a", "b", variant="sack")
    text = net.scenario("2s").to_toml().replace('rate = "1Mbps"', 'rate = { trace = "cell.trace" }')
    (folder / "cell.trace").write_text("1\n", encoding="utf-8")
    file = folder / "traced.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_files_stand_in_the_scenario_once_it_is_read(tmp_path: Path) -> None:
    file = traced(tmp_path)
    scenario = ac.load(file)
    assert scenario.document()["link"][0]["rate"] == {"trace": "cell.trace", "gaps": "1"}
    first = scenario.run().summary_json
    # The stored scenario contains the rate trace, so it runs without the file and gives equal results.
    (tmp_path / "cell.trace").unlink()
    file.write_text(scenario.to_toml(), encoding="utf-8")
    assert ac.load(file).run().summary_json == first


def test_a_scenario_of_python_reads_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    traced(tmp_path)
    monkeypatch.chdir(tmp_path)
    net = ac.Network()
    net.link("a", "b", rate={"trace": "cell.trace"}, delay="1ms", jitter={"kind": "uniform", "max": "1ms"})
    net.flow("a", "b", variant="sack", flow_class=0)
    scenario = net.scenario("2s")
    assert scenario.document()["link"][0]["rate"]["gaps"] == "1"
    assert scenario.document()["flow"][0]["class"] == 0
    assert scenario.run().flows.to_polars()["goodput_bps"][0] > 1e6


def test_a_malformed_trace_names_file_and_line(tmp_path: Path) -> None:
    file = traced(tmp_path)
    (tmp_path / "cell.trace").write_text("1\n2\nsoon\n", encoding="utf-8")
    with pytest.raises(ac.ScenarioError, match=r'cell\.trace, line 3: "soon" is no time') as caught:
        ac.load(file)
    assert caught.value.path == "link.0.rate.trace"
