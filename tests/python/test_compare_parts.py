"""Parts of comparisons: spelling of variants, base scenarios, paths, advice, statistics of traces."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import ackclock as ac
from ackclock.comparisons.base_scenario import of_scenario, of_topology, tcp_flows
from ackclock.comparisons.compare import compare
from ackclock.comparisons.trace_stats import Timeline, thinned
from ackclock.comparisons.variants import Variant, stems
from ackclock.errors import UserError
from ackclock.scenario.path_properties import Roads, path_of, window_limit

SCENARIOS = Path(ac.__file__).parent / "scenarios"


def test_a_variant_may_have_parameters_and_a_label() -> None:
    assert Variant.parse("reno") == Variant("reno", "reno")
    found = Variant.parse("gentle=sack+reno:decrease=0.7,min_rto=1s,initial_window=4")
    assert (found.label, found.name) == ("gentle", "sack+reno")
    assert found.control == {"decrease": 0.7}
    assert found.tcp == {"min_rto": "1s", "initial_window": 4}
    assert Variant.parse("reno:decrease=0.7").label == "reno:decrease=0.7"
    assert Variant.parse("reno:decrease=0.7").own == "decrease = 0.7"
    spelt = Variant.parse("ns3::TcpNewReno:min_rto=1s")
    assert (spelt.name, spelt.tcp) == ("ns3::TcpNewReno", {"min_rto": "1s"})


@pytest.mark.parametrize(
    "text", ["", ":", "=reno", "reno:", "reno:decrease", "reno:decrease=0.5,", "reno(decrease=0.7)"]
)
def test_a_variant_in_another_form_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="wanted:"):
        Variant.parse(text)


def test_an_unknown_parameter_or_variant_names_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean decrease"):
        Variant.parse("reno:decrese=0.7")
    with pytest.raises(UserError, match="did you mean min_rto"):
        Variant.parse("vegas:min_rt=1s")
    with pytest.raises(UserError, match="did you mean `newreno`"):
        Variant.parse("newrno")


def test_a_variant_takes_the_place_of_another_control() -> None:
    scenario = ac.dumbbell(["vegas", "vegas"], tcp={"control": {"alpha": 2}, "min_rto": "1s"})
    changed = Variant.parse("reno:decrease=0.7").on(scenario, [0]).check().document()["flow"]
    assert changed[0]["tcp"] == {"variant": "reno", "control": {"decrease": 0.7}, "min_rto": "1s"}
    assert changed[1]["tcp"]["control"] == {"alpha": 2}


def test_labels_become_file_names_that_differ() -> None:
    assert stems(["reno", "a/b", "a b", "Reno", "::"]) == ["reno", "a_b", "a_b-2", "Reno-2", "variant"]


@pytest.mark.parametrize(
    ("topology", "own", "other"),
    [("dumbbell", (0, 2), (1, 3)), ("chain", (0, 2), (1, 3)), ("parking-lot", (0,), (1, 2, 3))],
)
def test_a_mix_on_each_topology(topology: str, own: tuple[int, ...], other: tuple[int, ...]) -> None:
    options = {} if topology == "parking-lot" else {"flows": 4}
    found = of_topology(topology, options, [], mix=True)
    assert (found.own, found.other) == (own, other)
    flows = found.of(Variant.parse("vegas"), Variant.parse("reno")).document()["flow"]
    assert [flow["tcp"]["variant"] for flow in flows] == [
        "vegas" if i in own else "reno" for i in range(len(flows))
    ]
    alone = of_topology(topology, options, [], mix=False)
    assert alone.own == (0, 1, 2, 3)
    assert alone.other == ()


def test_topologies_take_their_options_and_refuse_others() -> None:
    found = of_topology("chain", {"hops": 3, "rate": "2Mbps", "queue": "2bdp"}, ["duration=9s"], mix=False)
    document = found.scenario.document()
    assert len(document["link"]) == 3
    assert document["duration"] == "9s"
    # The bandwidth-delay product is 2 Mb/s * 2 * 3 * 10 ms = 15000 bytes, ten packets of 1500 bytes.
    assert document["link"][0]["queue"] == {"kind": "droptail", "packets": 20}
    with pytest.raises(UserError, match="--access-rate: topology chain has no such option"):
        of_topology("chain", {"access_rate": "1Mbps"}, [], mix=False)
    with pytest.raises(UserError, match="did you mean parking_lot"):
        of_topology("parkinglot", {}, [], mix=False)


def test_flows_of_a_scenario_are_chosen_by_number_or_name() -> None:
    scenario = ac.load(SCENARIOS / "udp-cross.toml")
    assert tcp_flows(scenario) == [0]
    assert of_scenario(scenario, None, mix=False).own == (0,)
    assert of_scenario(scenario, "transfer", mix=False).own == (0,)
    with pytest.raises(UserError, match=r"allowed: 0 \(transfer\)"):
        of_scenario(scenario, "cbr", mix=False)
    with pytest.raises(UserError, match="two TCP flows"):
        of_scenario(scenario, None, mix=True)
    both = ac.dumbbell(flows=3)
    assert of_scenario(both, "1", mix=True).other == (0, 2)
    with pytest.raises(UserError, match="no TCP flow is left"):
        of_scenario(both, "0,1,2", mix=True)


def test_the_path_of_a_flow() -> None:
    described = ac.dumbbell(rate="8Mbps", delay="23ms", queue="60kB").describe()
    path = path_of(described, 0)
    assert path is not None
    assert (path.bottleneck, path.rate_bps, path.packet_bytes) == ("r0>r1", 8e6, 1500)
    assert path.rtt_s == pytest.approx(0.05)
    assert path.bdp_packets == pytest.approx(8e6 * 0.05 / 12000)
    assert path.queue_packets == 40
    assert window_limit(described, 0) == math.inf


def test_the_way_back_may_differ() -> None:
    net = ac.Network()
    net.link("a", "b", rate="9Mbps", delay="5ms", reverse={"rate": "1Mbps", "delay": "15ms", "queue": 7})
    net.flow("a", "b", variant="reno", tcp={"receive_window": "64KiB", "max_window": 90})
    net.flow("b", "a", variant="reno", tcp={"max_window": 12})
    described = net.scenario("1s").describe()
    there, back = path_of(described, 0), path_of(described, 1)
    assert there is not None
    assert back is not None
    assert (there.bottleneck, there.rate_bps) == ("a>b", 9e6)
    assert (back.bottleneck, back.rate_bps, back.queue_packets) == ("b>a", 1e6, 7)
    assert there.rtt_s == back.rtt_s == pytest.approx(0.02)
    assert window_limit(described, 0) == 65536 // 1460
    assert window_limit(described, 1) == 12


_NODES = some.integers(0, 9)


@given(some.lists(some.tuples(_NODES, _NODES).filter(lambda ends: ends[0] != ends[1]), max_size=20))
def test_a_way_is_the_first_of_the_shortest(ends: list[tuple[int, int]]) -> None:
    links = [{"between": [str(a), str(b)]} for a, b in ends]
    roads = Roads({"link": links})
    before: dict[str, list[tuple[object, bool]]] = {"0": []}
    waiting = ["0"]
    for here in waiting:
        for link in links:
            a, b = link["between"]
            for start, end, forward in ((a, b, True), (b, a, False)):
                if start == here and end not in before:
                    before[end] = [*before[here], (link, forward)]
                    waiting.append(end)
    for node in map(str, range(10)):
        assert roads.route("0", node) == before.get(node, [])


def test_queues_of_other_kinds_and_their_rates() -> None:
    plain = of_topology("dumbbell", {"queue": "codel"}, [], mix=False).scenario
    assert plain.document()["link"][0]["queue"] == {"kind": "codel"}
    roomy = of_topology("dumbbell", {"queue": "red:2bdp"}, [], mix=False).scenario
    assert roomy.document()["link"][0]["queue"] == {"kind": "red", "packets": 74}
    path = path_of(roomy.describe(), 0)
    assert path is not None
    assert path.queue == "red"
    assert math.isnan(path.queue_packets)
    bucket = {
        "kind": "token-bucket",
        "rate": "2Mbps",
        "burst": "15kB",
        "queue": {"kind": "droptail", "packets": 9},
    }
    shaped = path_of(ac.dumbbell(queue=bucket).describe(), 0)
    assert shaped is not None
    assert (shaped.rate_bps, shaped.queue_packets) == (2e6, 9)


def test_the_mean_of_a_recorded_rate(tmp_path: Path) -> None:
    # The trace has three opportunities of 1500 bytes in 9 ms: 4 Mb/s.
    (tmp_path / "cell.trace").write_text("3\n6\n9\n")
    (tmp_path / "cell.toml").write_text(
        'duration = "1s"\n[[link]]\nbetween = ["a", "b"]\nrate = { trace = "cell.trace" }\ndelay = "1ms"\n'
        '[[flow]]\nfrom = "a"\nto = "b"\ntcp = { variant = "reno" }\n'
    )
    path = path_of(ac.load(tmp_path / "cell.toml").describe(), 0)
    assert path is not None
    assert path.rate_bps == pytest.approx(4e6)


def remarks_on(
    duration: str = "20s",
    reps: int = 2,
    jitter_s: float = 0.5,
    overhead_s: float | None = None,
    **options: Any,
) -> str:
    scenarios = {
        variant: ac.dumbbell([variant], duration=duration, **options) for variant in ("reno", "sack")
    }
    return "\n".join(compare(scenarios, reps=reps, jitter_s=jitter_s, overhead_s=overhead_s).remarks())


def test_a_window_below_the_bandwidth_delay_product_is_remarked_on() -> None:
    said = remarks_on(tcp={"max_window": 20}, queue=37)
    assert (
        "window limit of 20 segments is below a flow's share of the bandwidth-delay product (36.7 packets)"
        in said
    )
    assert "no packet was lost or marked in any run" in said
    said = remarks_on(tcp={"max_window": 40}, queue=37)
    assert "at most 40 segments and fit into path and queue (36.7 + 37 packets)" in said


def test_queues_far_from_the_product_are_remarked_on() -> None:
    assert "0.14 bandwidth-delay products (5 of 36.7 packets)" in remarks_on(queue=5)
    assert "5.5 bandwidth-delay products (200 of 36.7 packets)" in remarks_on(queue=200)
    assert "the queue of r0>r1 has no limit" in remarks_on(queue={"kind": "droptail", "unlimited": True})
    assert "bandwidth-delay" not in remarks_on(queue=37)


def test_runs_that_are_too_short_are_remarked_on() -> None:
    assert "fewer than 200 round trips" in remarks_on("3s", queue=37)
    assert "fewer than 5 loss events" in remarks_on("30s", rate="50Mbps", queue=200)


def test_a_network_without_a_bottleneck_is_remarked_on() -> None:
    said = remarks_on("30s", rate="50Mbps", access_rate="50Mbps", queue=200, tcp={"max_window": 8})
    assert "the bottleneck, r0>r1 (bottleneck), is busy for at most" in said


def test_replications_without_variance_are_remarked_on() -> None:
    said = remarks_on("30s", reps=2, jitter_s=0.0, overhead_s=0.0, queue=37)
    assert "reno, sack: all 2 replications gave the same goodput" in said


def test_a_thinned_curve_keeps_every_extreme() -> None:
    time = [i / 1000 for i in range(10_000)]
    value = [math.sin(17 * t) + (3.0 if i == 4321 else 0.0) for i, t in enumerate(time)]
    kept_time, kept = thinned(time, value, 10.0, most=50)
    assert len(kept) <= 200
    assert (max(kept), min(kept)) == (max(value), min(value))
    assert list(kept_time) == sorted(kept_time)
    assert (kept_time[0], kept_time[-1]) == (time[0], time[-1])
    assert thinned(time[:100], value[:100], 10.0, most=50) == (tuple(time[:100]), tuple(value[:100]))


def test_a_late_start_is_measured() -> None:
    timeline = Timeline("flow0", 8.0, ((), ()), ((), ()), (), 1.0, (0.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0))
    assert timeline.ramp_up == pytest.approx(1 - 1 / 2)
    restless = replace(timeline, goodput=(1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0))
    assert restless.ramp_up == 0, "the other quarters differ among themselves by more"
    assert replace(timeline, goodput=()).ramp_up == 0


def test_a_label_begins_no_formula() -> None:
    for label in ("=1+1", "+x", "-x", "@x"):
        with pytest.raises(UserError, match="begins like a formula"):
            Variant.parse(f"{label}=reno")
    assert Variant.parse("a=1=reno").label == "a=1"
