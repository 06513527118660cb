"""Sweeps: parsing of --vary, one run of every combination, wildcards, seeds and jitter."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ackclock import Network, Scenario, dumbbell
from ackclock.errors import ScenarioError, UserError
from ackclock.scenario.wildcards import expand, left_out, taken
from ackclock.sweeps import Sweep
from ackclock.sweeps.axes import Axis, points, split_values
from ackclock.sweeps.jobs import Job, replications
from ackclock.sweeps.tables import columns_of, flatten, flow_columns

NAMES = some.text("abcdefgh", min_size=1, max_size=6)
AXES = some.lists(
    some.builds(Axis, NAMES, some.lists(NAMES, min_size=1, max_size=4, unique=True).map(tuple)),
    max_size=3,
    unique_by=lambda axis: axis.path,
)


@given(AXES)
def test_every_combination_once(axes: list[Axis]) -> None:
    found = points(axes)
    assert len(found) == math.prod(len(axis.values) for axis in axes)
    assert len({tuple(point.items()) for point in found}) == len(found)
    for axis in axes:
        for value in axis.values:
            with_it = sum(1 for point in found if point[axis.path] == value)
            assert with_it * len(axis.values) == len(found)


@given(AXES)
def test_axes_read_back(axes: list[Axis]) -> None:
    assert [Axis.parse(f"{axis.path}={','.join(axis.values)}") for axis in axes] == axes


def test_last_axis_runs_fastest() -> None:
    found = points([Axis("a", ("1", "2")), Axis("b", ("x", "y"))])
    assert found == [{"a": "1", "b": "x"}, {"a": "1", "b": "y"}, {"a": "2", "b": "x"}, {"a": "2", "b": "y"}]


def test_commas_inside_tables_lists_and_quotes_do_not_separate() -> None:
    text = '{ kind = "droptail", packets = 5 },[1, 2],"a,b",plain'
    assert split_values(text) == ['{ kind = "droptail", packets = 5 }', "[1, 2]", '"a,b"', "plain"]


@pytest.mark.parametrize("text", ["", "link.0.rate", "link.0.rate=", "=1,2", "a=1,,2"])
def test_what_is_no_axis_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UserError, match="wanted: PATH=V1,V2"):
        Axis.parse(text)


def test_repetitions_are_refused() -> None:
    with pytest.raises(UserError, match="listed twice"):
        Axis.parse("a=1,2,1")
    with pytest.raises(UserError, match="given twice"):
        points([Axis("a", ("1",)), Axis("a", ("2",))])


def test_star_means_every_entry() -> None:
    scenario = dumbbell(["reno", "sack"], loss=[{"kind": "random", "rate": x / 100} for x in (1, 2, 3)])
    assert expand("flow.*.tcp.variant=reno", scenario) == [
        "flow.0.tcp.variant=reno",
        "flow.1.tcp.variant=reno",
    ]
    assert expand("link.*.loss.*.rate=0", scenario) == [f"link.0.loss.{i}.rate=0" for i in range(3)]
    assert expand("duration=2*3", scenario) == ["duration=2*3"]
    assert expand("flwo.*.start=1s", scenario) == ["flwo.*.start=1s"]


def test_star_takes_the_entries_that_have_the_key() -> None:
    """``*`` selects entries that have the key; UDP flows have no variant, and only Vegas has alpha.

    No flow sets `stop`, although every flow could.
    """
    net = Network().link("a", "b", rate="1Mbps", delay="1ms")
    net.flow("a", "b", variant="vegas").flow("a", "b", variant="reno").flow(
        "a", "b", traffic={"kind": "cbr", "rate": "1kbps", "packet": "100B"}
    )
    scenario = net.scenario("5s")
    assert taken("flow.*.tcp.variant", scenario) == ["flow.0.tcp.variant", "flow.1.tcp.variant"]
    assert taken("flow.*.tcp.control.alpha", scenario) == ["flow.0.tcp.control.alpha"]
    assert len(taken("flow.*.stop", scenario)) == 3
    assert left_out("flow.*.tcp.variant", scenario) == (
        "flow.*.tcp.variant takes 2 of 3 flows: those that have the key"
    )
    assert left_out("flow.*.start", scenario) is None
    changed = scenario.set("flow.*.tcp.variant", "sack").document()["flow"]
    assert [flow.get("tcp", {}).get("variant") for flow in changed] == ["sack", "sack", None]


def test_links_and_flows_go_by_name() -> None:
    scenario = dumbbell(["reno"], duration="2s")
    changed = scenario.with_({"link.bottleneck.rate": "3Mbps", "flow.flow0.tcp.variant": "vegas"}).document()
    assert changed["link"][0]["rate"] == "3Mbps"
    assert changed["flow"][0]["tcp"]["variant"] == "vegas"
    with pytest.raises(ScenarioError, match="did you mean `bottleneck`"):
        scenario.set("link.botleneck.rate", "3Mbps")


def test_replications_share_seeds_and_jitter_from_the_second_on() -> None:
    jobs = replications(Scenario({"seed": 7}), 3, jitter_s=0.1)
    assert [(job.seed, job.jitter_s, job.replication) for job in jobs] == [
        (7, 0.0, 0),
        (8, 0.1, 1),
        (9, 0.1, 2),
    ]
    assert [job.seed for job in replications(Scenario({}), 2, seed=100, jitter_s=0.1)] == [100, 101]


def test_keys_tell_apart_what_decides_the_result() -> None:
    scenario = Scenario({"duration": "1s"})
    keys = {
        Job(scenario, 1).key,
        Job(scenario, 2).key,
        Job(scenario, 1, 0.1).key,
        Job(Scenario({"duration": "2s"}), 1).key,
    }
    assert len(keys) == 4
    assert Job(scenario, 1, labels={"x": 1}, replication=5).key == Job(Scenario({"duration": "1s"}), 1).key


def test_records_are_flattened() -> None:
    assert flatten({"a": 1, "lost": {"queue": 2, "list": {"n": 3}}}) == {
        "a": 1,
        "lost.queue": 2,
        "lost.list.n": 3,
    }


def test_a_sweep_is_grid_times_replications() -> None:
    axes = (Axis("link.0.rate", ("1Mbps", "2Mbps")), Axis("flow.*.tcp.variant", ("reno", "sack")))
    jobs = Sweep(dumbbell(["reno", "reno"], duration="1s"), axes, reps=3).jobs()
    assert len(jobs) == 12
    last = jobs[-1]
    assert last.labels == {"link.0.rate": "2Mbps", "flow.*.tcp.variant": "sack"}
    assert last.scenario.document()["link"][0]["rate"] == "2Mbps"
    assert [flow["tcp"]["variant"] for flow in last.scenario.document()["flow"]] == ["sack", "sack"]


def test_flows_of_runs_are_columns() -> None:
    """Columns hold what `flatten` makes of each record, in the order in which the keys appear."""
    first = {"name": "a", "lost_packets": {"queue": 2, "list": 0}, "lost_packets_total": 2, "lists": [1]}
    second = {"name": "b", "lost_packets": {"queue": 1, "list": 5}, "lost_packets_total": 6, "lists": []}
    other = {"name": "c", "late": 0.5}
    for flows in ([first, second], [first, other, second]):
        found = flow_columns([({"seed": 1}, flows), ({"seed": 2}, []), ({"seed": 3}, [second])])
        rows = [{"seed": 1, "flow": i, **flatten(flow)} for i, flow in enumerate(flows)]
        wanted = columns_of([*rows, {"seed": 3, "flow": 0, **flatten(second)}])
        assert {name: list(values) for name, values in found.items()} == wanted
        assert list(found)[:5] == ["seed", "flow", "name", "lost_queue_packets", "lost_list_packets"]
    assert flow_columns([({"seed": 2}, [])]) == {}
