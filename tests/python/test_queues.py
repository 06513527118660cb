"""Queues of links, stations and UEs in traces and in the queue figure."""

from __future__ import annotations

import tomllib
from typing import Any

import polars
import pytest
from matplotlib.axes import Axes

import ackclock as ac


def link_run(queue: dict[str, Any], **tcp: Any) -> ac.Run:
    """Return a run of two flows over one link with this queue and random losses."""
    link = {"between": ["a", "b"], "rate": "5Mbps", "delay": "20ms", "queue": queue}
    link["loss"] = {"kind": "random", "rate": 0.001}
    flow = {"from": "a", "to": "b", "tcp": {"variant": "sack", **tcp}}
    return ac.Scenario({"duration": "20s", "link": [link], "flow": [flow, flow]}).run()


def legend(axis: Axes) -> list[str]:
    """Return the texts of an axis' legend."""
    found = axis.get_legend()
    assert found is not None
    return [text.get_text() for text in found.get_texts()]


def variable(run: ac.Run, name: str, place: str = "a>b") -> polars.DataFrame:
    """Return the changes of a variable of the queue discipline at `place`."""
    table = run.trace("disciplines").to_polars()
    return table.filter((table["variable"] == name) & (table["place"] == place))


def test_reds_average_follows_the_queue_between_its_thresholds() -> None:
    red = {"kind": "red", "packets": 60, "min": 5, "max": 15}
    run = link_run({**red, "weight": 1.0})
    found = variable(run, "average")["value"]
    lengths = run.trace("queue").to_polars()
    longest = int(lengths.filter(lengths["place"] == "a>b")["packets"].max())  # type: ignore[arg-type]
    # With a weight of 1, the average is the number of packets that an arriving packet finds queued. The packet in
    # transmission and the arriving packet do not count.
    assert found.max() in (longest - 2, longest - 1)
    assert set(found.to_list()) <= {float(n) for n in range(60)}
    assert variable(run, "min")["value"].to_list() == [5.0]
    assert variable(run, "max")["value"].to_list() == [15.0]
    (axis,) = link_run(red).plot.queue().axes
    named = legend(axis)
    assert named[:4] == ["queue", "average (RED)", "min (RED)", "max (RED)"]
    assert any(text.startswith("dropped: aqm") for text in named)


def test_marks_are_drawn_where_a_queue_marks() -> None:
    run = link_run({"kind": "red", "packets": 60}, ecn="classic")
    marks = run.trace("marks").to_polars()
    assert len(marks) > 5
    (axis,) = run.plot.queue("a>b").axes
    assert f"marked ({len(marks):,})" in legend(axis)
    assert not any("random" in text for text in legend(axis))


def test_codel_drops_while_its_state_says_so() -> None:
    run = link_run({"kind": "codel", "packets": 1000})
    dropping = variable(run, "dropping")
    begins = dropping.filter(dropping["value"] == 1)["time_s"].to_list()
    ends = dropping.filter(dropping["value"] == 0)["time_s"].to_list()
    spans = [(at, min((end for end in ends if end > at), default=20.0)) for at in begins]
    drops = run.trace("drops").to_polars()
    aqm = drops.filter(drops["cause"] == "aqm")["time_s"].to_list()
    assert len(aqm) > 10
    assert all(any(since <= at <= until for since, until in spans) for at in aqm)
    assert variable(run, "count")["value"].max() > 1  # type: ignore[operator]
    above, below = run.plot.queue().axes
    assert "dropping (CoDel)" in legend(above)
    assert legend(below) == ["delay", "target"]
    assert below.get_ylabel() == "delay (ms)"


def test_pies_delay_and_probability_have_panels() -> None:
    run = link_run({"kind": "pie", "packets": 1000})
    assert 0 < variable(run, "probability")["value"].max() < 1  # type: ignore[operator]
    labels = [axis.get_ylabel() for axis in run.plot.queue().axes]
    assert labels == ["queue (packets)", "delay (ms)", "drops (%)"]


WLAN = """
duration = "10s"
seed = 4

[[node]]
name = "ap"
position = [0, 0]

[[node]]
name = "sta"
position = [10, 0]

[[wifi]]
name = "wlan"
standard = "g"
profile = "PROFILE"
stations = ["ap", "sta"]

[[link]]
between = ["server", "ap"]
rate = "100Mbps"
delay = "5ms"

[[flow]]
from = "server"
to = "sta"
tcp = { variant = "sack", ecn = "classic" }

[[flow]]
from = "server"
to = "sta"
traffic = { kind = "cbr", rate = "30Mbps", packet = "1000B" }
start = "5s"
"""


def last(table: polars.DataFrame, **at: str) -> int:
    """Return the last length of the buffer whose columns have these values; 0 if there is none."""
    for column, value in at.items():
        table = table.filter(table[column] == value)
    return 0 if table.is_empty() else int(table["packets"][-1])


@pytest.mark.parametrize("profile", ["ns2", "ns3"])
def test_a_stations_queues_are_traced_and_drawn(profile: str) -> None:
    """In profile ns3, stations have FQ-CoDel above their MAC queues."""
    run = ac.Scenario(tomllib.loads(WLAN.replace("PROFILE", profile))).run()
    buffers = run.trace("buffers").to_polars()
    stations = {row["station"]: row for row in run.stations.to_polars().iter_rows(named=True)}
    for name, station in stations.items():
        left = sum(last(buffers, node=name, buffer=buffer) for buffer in ("mac", "discipline"))
        assert left == station["queued_at_end_packets"]
    busy = stations["ap"]["lost_queue_packets"] + stations["ap"]["lost_aqm_packets"]
    assert busy > 100
    buffer = "discipline" if profile == "ns3" else "mac"
    assert (buffers["buffer"] == "discipline").any() == (profile == "ns3")
    axis = run.plot.queue(f"ap {buffer}").axes[0]
    counted = sum(
        int(text.split("(")[1].rstrip(")").replace(",", "")) for text in legend(axis) if "dropped" in text
    )
    assert counted == busy
    # If no queue is named, the figure shows the longest one.
    assert run.plot.queue().axes[0].get_title("left") == f"Queue ap {buffer}"
    if profile == "ns3":
        assert not any("dropped" in text for text in legend(run.plot.queue("ap mac").axes[0]))
    with pytest.raises(ac.UserError, match=r"there is no queue 'ap mca'[\s\S]*did you mean ap mac"):
        run.plot.queue("ap mca")


def test_what_a_station_marks_is_traced_and_counted() -> None:
    net = ac.Scenario(tomllib.loads(WLAN.replace("PROFILE", "ns3"))).set("flow.1.start", "9.9s")
    run = net.run()
    marks = run.trace("marks").to_polars()
    assert set(marks["place"].to_list()) == {"ap"}
    flow = run.flows.to_polars().row(0, named=True)
    assert flow["marked_packets"] == len(marks.filter(marks["flow"] == 0)) > 5
    assert any(text.startswith("marked") for text in legend(run.plot.queue("ap discipline").axes[0]))


def test_rlc_buffers_are_traced_and_drawn() -> None:
    run = ac.load("lte", ["duration=5s", "lte.0.rlc.buffer=20kB"]).run()
    buffers, drops = run.trace("buffers").to_polars(), run.trace("drops").to_polars()
    for ue in run.ues.to_polars().iter_rows(named=True):
        mine = buffers.filter((buffers["node"] == ue["ue"]) & (buffers["buffer"] == "rlc-down"))
        assert mine["bytes"].max() <= ue["buffer_max_bytes"] <= 20_000  # type: ignore[operator]
        assert mine["bytes"].max() > ue["buffer_max_bytes"] / 2  # type: ignore[operator]
    full = drops.filter(drops["cause"] == "rlc-buffer")
    lost = run.ues.to_polars()["downlink_lost_buffer_packets"].sum()
    assert len(full) == lost > 0
    names = [f"{ue} rlc-down" for ue in run.ues.to_polars()["ue"]]
    drawn = [text for axis in run.plot.queue(names).axes for text in legend(axis) if "dropped" in text]
    assert sum(int(text.split("(")[1].rstrip(")").replace(",", "")) for text in drawn) == lost
