"""Radio networks from Python and the command line: examples, tables, traces, and error messages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ackclock as ac

SCENARIOS = Path(ac.__file__).parent / "scenarios"


def test_a_chain_of_stations() -> None:
    run = ac.load(SCENARIOS / "adhoc.toml", ["duration=5s"]).run(traces=["frames", "segments"])
    stations = run.stations.to_polars()
    assert stations["station"].to_list() == ["a", "b", "c", "d"]
    row = {name: stations.row(i, named=True) for i, name in enumerate(stations["station"])}
    assert row["b"]["forwarded_packets"] > 0
    assert row["d"]["delivered_packets"] > 0
    (network,) = run.summary["wifi"]
    airtime = sum(stations["airtime_s"]) / run.manifest["duration_s"]
    # Hidden stations transmit at the same time, so the medium is busy for less than the sum of their airtimes.
    assert 0.5 < network.pop("utilisation") < airtime
    assert network == {"name": "wifi0", "standard": "b", "access_point": None}
    # Over three hops, each data packet is sent at least three times, always to a neighbour.
    frames = run.trace("frames").to_polars()
    sent = frames.filter(frames["kind"] == "DATA")
    pairs = set(zip(sent["from"].to_list(), sent["to"].to_list(), strict=True))
    assert pairs == {(x, y) for x, y in zip("abcdcb", "bcdcba", strict=True)}
    places = set(run.trace("segments").to_polars()["place"].to_list())
    assert places == {"a", "d", "a>d", "d>a"}


def test_a_room_with_walkers() -> None:
    scenario = ac.load(SCENARIOS / "wlan.toml", ["duration=5s", "flow.2.start=1s"])
    run = scenario.run(traces=["positions"])
    assert all(flow["goodput_bps"] > 1e6 for flow in run.summary["flows"])
    positions = run.trace("positions").to_polars()
    moving = positions.filter(positions["node"] == "sta2")
    assert moving["time_s"].to_list() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert moving["x_m"].n_unique() > 1
    assert positions.filter(positions["node"] == "ap").height == 1
    # Another seed gives other positions and paths.
    other = scenario.run(seed=2, traces=["positions"]).trace("positions").to_polars()
    assert other.filter(other["node"] == "sta2")["x_m"].to_list() != moving["x_m"].to_list()


def test_a_cell() -> None:
    run = ac.load(SCENARIOS / "lte.toml", ["duration=5s"]).run()
    near, far = run.ues.to_polars().iter_rows(named=True)
    assert (near["ue"], far["ue"]) == ("near", "far")
    assert near["cqi"] > far["cqi"] > 0
    assert near["downlink_delivered_packets"] > far["downlink_delivered_packets"] > 0
    cell = run.cells.to_polars().row(0, named=True)
    assert cell["cell"] == "enb1"
    assert 0.5 < cell["downlink_utilisation"] <= 1.0


@pytest.mark.parametrize("name", ["adhoc", "wlan", "lte"])
def test_an_example_at_the_command_line(name: str) -> None:
    command = [sys.executable, "-m", "ackclock", "run", f"{name}.toml", "--set", "duration=6s"]
    done = subprocess.run(command, cwd=SCENARIOS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ("UEs" if name == "lte" else "stations") in done.stdout


def test_a_rate_that_the_standard_lacks() -> None:
    with pytest.raises(ac.ScenarioError, match=r"802\.11b has no rate of 54Mbps") as said:
        ac.load(SCENARIOS / "adhoc.toml", ["wifi.0.rate=54Mbps"])
    assert '"1Mbps", "2Mbps", "5.5Mbps", "11Mbps"' in str(said.value)


@pytest.mark.parametrize("what", ["mobility", "propagation", "wifi-standards", "routing", "lte-bandwidths"])
def test_lists(what: str) -> None:
    command = [sys.executable, "-m", "ackclock", "list", what]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 4
