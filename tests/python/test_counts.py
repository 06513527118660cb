"""Numbers of flows, links and stations as settings, and flows that differ in a dumbbell."""

from __future__ import annotations

from pathlib import Path

import pytest

import ackclock as ac
from ackclock.cli.main import main
from ackclock.sweeps.sweep import Sweep

CELL = """
duration = "1s"
[[node]]
name = "ap"
position = [0, 0, 2]
[[node]]
name = "sta"
count = 2
placement = { kind = "disc", radius = 10 }
[[link]]
between = ["server", "ap"]
rate = "100Mbps"
delay = "5ms"
[[wifi]]
standard = "g"
stations = ["ap", "sta{i}"]
access_point = "ap"
[[flow]]
name = "up"
from = "sta{i}"
to = "server"
start = "0s + 0.1s"
tcp = { variant = "cubic" }
"""


@pytest.fixture
def cell(tmp_path: Path) -> Path:
    file = tmp_path / "cell.toml"
    file.write_text(CELL)
    return file


def test_the_count_of_a_node_holds_for_what_refers_to_it(cell: Path) -> None:
    document = ac.load(cell).document()
    assert document["wifi"][0]["stations"] == ["ap", "sta0", "sta1"]
    assert [(flow["name"], flow["from"]) for flow in document["flow"]] == [("up0", "sta0"), ("up1", "sta1")]


def test_a_sweep_varies_the_number_of_stations(cell: Path) -> None:
    found = ac.sweep(cell, {"node.sta.count": [1, 3]}, reps=2)
    assert [len(job.scenario.document()["flow"]) for job in found.jobs] == [1, 1, 3, 3]
    again = Sweep.of_manifest(found.sweep.manifest())
    assert [job.key for job in again.jobs()] == [job.key for job in found.jobs]


def test_settings_given_before_hold_for_the_copies(cell: Path) -> None:
    scenario = ac.load(cell, ["flow.up1.start=0.5s", "flow.*.tcp.variant=vegas"]).apply(["node.sta.count=3"])
    flows = scenario.document()["flow"]
    assert [flow["start"] for flow in flows] == ["0s", "0.5s", "200ms"]
    assert {flow["tcp"]["variant"] for flow in flows} == {"vegas"}
    assert ac.load(cell, ["node.sta.count=3"]).document()["flow"][2]["name"] == "up2"


def test_a_plain_flow_can_be_repeated() -> None:
    scenario = ac.dumbbell(["cubic"]).apply(["flow.0.count=3"])
    assert len(scenario.document()["flow"]) == 3


def test_a_wrong_count_is_refused(cell: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ac.ScenarioError, match="did you mean sta"):
        ac.load(cell).apply(["node.sat.count=3"])
    assert main(["sweep", str(cell), "--vary", "node.sta.count=2,many"]) == 2
    assert "whole number from 1" in capsys.readouterr().err


def rtts(scenario: ac.Scenario) -> list[float]:
    found = scenario.run(seed=1).summary["flows"]
    return [1e3 * flow["sampled_rtt_min_s"] for flow in found]


def test_a_dumbbell_has_a_round_trip_for_each_flow() -> None:
    scenario = ac.dumbbell(
        ["cubic", "cubic", "bbr", "bbr"], rtt=["20ms", "80ms"], delay="5ms", rate="100Mbps", duration="2s"
    )
    # The handshake gives the shortest sample, since its packets have almost no transmission time.
    assert rtts(scenario) == pytest.approx([20, 80, 20, 80], abs=0.1)
    assert len(ac.dumbbell("reno", rtt=["20ms", "30ms", "40ms"], delay="1ms").document()["flow"]) == 3


def test_access_links_may_differ() -> None:
    links = ac.dumbbell(["reno", "vegas"], access_rate=["10Mbps", "20Mbps"], access_queue=[5, 6]).document()[
        "link"
    ]
    assert [link["rate"] for link in links[1:]] == ["10Mbps", "10Mbps", "20Mbps", "20Mbps"]
    assert [link["queue"]["packets"] for link in links[1:]] == [5, 5, 6, 6]


def test_round_trips_that_cannot_be_are_refused() -> None:
    with pytest.raises(ac.UserError, match="40ms or more"):
        ac.dumbbell(["reno"], rtt="30ms", delay="20ms")
    with pytest.raises(ac.UserError, match="both given"):
        ac.dumbbell(["reno"], rtt="50ms", access_delay="2ms")
    with pytest.raises(ac.UserError, match="rtt"):
        ac.dumbbell(["reno"], rtt="fast")


def test_compare_takes_round_trips() -> None:
    found = ac.compare("reno", "vegas", rtt="20ms,60ms", delay="5ms", reps=2, duration="3s", packets=False)
    flows = found.summaries["reno"][0]["flows"]
    assert [1e3 * flow["sampled_rtt_min_s"] > 59 for flow in flows] == [False, True]


def test_run_in_python_warns_as_check_does() -> None:
    with pytest.warns(ac.errors.ExperimentWarning, match="ACK009 short-run"):
        ac.run("dumbbell", ["duration=1s"])
