"""Successive halving over lengths and seeds, bounds without runs, and definitions that need stated facts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ackclock as ac
from ackclock import executors
from ackclock.lint.world import World
from ackclock.readings import ladder
from ackclock.readings.bounds import exceeds, holds, limits, throughput_bps
from ackclock.readings.chance import _near
from ackclock.readings.choices import groups
from ackclock.readings.correction import corrected
from ackclock.readings.published import parse
from ackclock.readings.report import verdict
from ackclock.readings.runner import Plan, Search
from ackclock.readings.score import Predictions, Printed, best_choices, predictions, typical_spread
from ackclock.readings.searching import carried_out, search
from ackclock.readings.space import Space
from ackclock.sweeps.axes import Axis
from ackclock.sweeps.jobs import MemoryStore

BASE = ac.dumbbell(["reno"], rate="2Mbps", delay="20ms", queue=10, duration="5s").apply(
    ["flow.0.tcp.profile=ns2"]
)


SHORT = 'flow.0.traffic={kind="ftp", size="100kB"}'
"""Setting of a flow that transfers a file."""


def test_runs_grow_while_readings_become_fewer() -> None:
    assert ladder.lengths(2_000) == [1.0]
    assert ladder.lengths(2_001) == [0.25, 1.0]
    assert ladder.lengths(20_000) == [1 / 16, 0.25, 1.0]
    bits = np.arange(20_000, dtype=float)[::-1]
    assert ladder.longer(range(20_000), bits, 1 / 16) == list(range(10_000, 20_000))
    assert ladder.longer(range(20_000), bits, 0.25) == list(range(15_000, 20_000))
    assert ladder.longer(range(500), bits[:500], 0.25) == list(range(100, 500))


def test_seeds_double_while_readings_halve_and_ties_stay() -> None:
    assert ladder.seeds(1) == [1]
    assert ladder.seeds(3) == [1, 2, 3]
    assert ladder.seeds(20) == [1, 2, 4, 8, 16, 20]
    bits = np.array([10.0 * i for i in range(20)])
    assert ladder.halved(range(20), bits) == list(range(10))
    assert ladder.halved(range(6), bits[:6]) == list(range(5))
    assert ladder.halved(range(20), bits / 100) == list(range(20))


def test_better_readings_get_more_seeds() -> None:
    published = parse("quantity,value,unit\nthroughput,1.1,Mb/s\ndelay,30.5,ms\n")
    rates = tuple(f"{rate}kbps" for rate in range(900, 1300, 20))
    space = Space.of(BASE, [Axis("link.bottleneck.rate", rates)], published.numbers)
    of = Search(space, groups(published.numbers, 1), Plan(reps=5, jitter_s=0.1), MemoryStore())
    with executors.opened(None, 1) as pool:
        found = carried_out(of, published, (), pool)
    seeds = {one: int((~np.isnan(of.values[0][one, :, 0, 0])).sum()) for one in range(len(space))}
    assert set(seeds.values()) - {1, 2, 4, 5} == set()
    assert seeds[found.order[0]] == 5
    assert sum(seeds.values()) < 5 * len(space)
    finalists = [one for one in found.order if one in found.predicted]
    assert {seeds[one] for one in finalists} == {5}
    assert len(finalists) >= ladder.LEAST_HALVED
    # A search that finds all runs in the store ends alike.
    again = Search(space, of.groups, of.plan, of.store)
    with executors.opened(None, 2) as pool:
        assert carried_out(again, published, (), pool).order == found.order


def test_short_runs_are_corrected_by_what_their_settings_do() -> None:
    """Full values are short ones times a factor of each setting, so a model of the settings gives them exactly."""
    published = parse("quantity,value,unit\nthroughput,1.1,Mb/s\n")
    axes = [Axis("link.bottleneck.rate", tuple(f"{i}Mbps" for i in range(1, 13)))]
    axes.append(Axis("link.bottleneck.delay", tuple(f"{i}ms" for i in range(1, 13))))
    space = Space.of(BASE, axes, published.numbers)
    (group,) = groups(published.numbers, 1, "flowmonitor")
    draw = np.random.default_rng(2)
    full = np.full((144, 1, 1, len(group.choices)), np.nan)
    full[:, 0, 0, :] = draw.uniform(1.0, 4.0, (144, 1))
    factors = np.array([(1 + 0.1 * i) * (1 + 0.05 * j) for i in range(12) for j in range(12)], dtype=float)
    short = full / factors[:, None, None, None]
    sample = [int(one) for one in draw.permutation(144)[:100]]
    unseen = [one for one in range(144) if one not in sample]
    known = np.full_like(full, np.nan)
    known[sample] = full[sample]
    made = corrected(space, group, short, known, unseen, sample)
    assert made.mean[:, 0, 0] == pytest.approx(full[unseen, 0, 0, 0], rel=0.1)
    assert np.all(made.scale < 0.05 * made.mean)
    plain = corrected(space, group, short, known, unseen, sample[:50])
    assert plain.mean[:, 0, 0] == pytest.approx(short[unseen, 0, 0, 0])
    assert np.all(plain.scale > 0.5)
    shifted = full - factors[:, None, None, None] / 5
    change = replace(group, is_change=True)
    moved = corrected(space, change, shifted, known, unseen, sample)
    assert np.median(np.abs(moved.mean[:, 0, 0] - full[unseen, 0, 0, 0])) < 0.5 * np.median(factors / 5)


def bounded(text: str, *settings: str, flows: int = 1) -> bool:
    """Return true if a number exceeds what a scenario's links and windows can give."""
    base = BASE if flows == 1 else ac.dumbbell(["reno"] * flows, rate="2Mbps", delay="20ms", duration="5s")
    (number,) = parse(f"quantity,value,unit,flow\n{text}\n").numbers
    return exceeds(limits(World.read(base.apply(settings))), number)


def test_links_bound_throughputs_packets_and_delays() -> None:
    assert bounded("throughput,2.7,Mb/s,")  # over 1.25 x 1.024^2 x 2 Mb/s
    assert not bounded("throughput,2.6,Mb/s,")
    assert not bounded("throughput,< 9,Mb/s,")
    assert bounded("packets,1600,packets,")  # over 1.25 x 1202 in 5 s
    assert not bounded("packets,1400,packets,")
    path = World.read(BASE).paths[0]
    assert 0 < path.delay_s < path.rtt_s
    assert bounded(f"delay,{1e3 * path.delay_s - 1:.1f},ms,")
    assert not bounded(f"delay,{1e3 * path.delay_s + 1:.1f},ms,")
    assert bounded(f"rtt,{1e3 * path.rtt_s - 1:.1f},ms,")
    assert not bounded("jitter,0.001,ms,")


def test_a_window_bounds_the_throughput_of_a_long_flow() -> None:
    narrow = ("flow.0.tcp.max_window=2", "link.bottleneck.delay=100ms")
    world = World.read(BASE.apply(narrow))
    run = BASE.apply(narrow).run().flow(0)
    bound = throughput_bps(world, 0)
    assert bound < 0.1 * world.paths[0].rate_bps
    assert 0.8 * bound < run["throughput_bps"] <= bound
    assert bounded(f"throughput,{1.4 * bound / 1e3:.1f},kb/s,", *narrow)
    assert not bounded(f"throughput,{1.2 * bound / 1e3:.1f},kb/s,", *narrow)
    # A short flow may send its window at the rate of the link.
    assert not bounded(f"throughput,{1.4 * bound / 1e3:.1f},kb/s,", *narrow, "duration=2s")
    assert not bounded(
        f"throughput,{1.4 * bound / 1e3:.1f},kb/s,", *narrow, 'flow.0.traffic={kind="ftp", size="100kB"}'
    )


@pytest.mark.parametrize(
    ("setting", "held"),
    [
        ("link.bottleneck.delay=30ms", True),
        ('link.bottleneck.queue={ kind = "token-bucket", rate = "1Mbps", burst = "64kB" }', False),
        ('link.bottleneck.rate={ gaps = "6 6 12" }', False),
    ],
)
def test_bounds_hold_if_links_keep_their_rates(setting: str, held: bool) -> None:
    assert holds(World.read(BASE.apply([setting]))) == held


def test_bounds_do_not_hold_behind_a_gateway() -> None:
    node = {"name": "r0", "gateway": {"kind": "split", "buffer": "256KiB"}}
    assert holds(World.read(BASE))
    assert not holds(World.read(BASE.with_({"node": [node]})))


def test_a_number_of_several_flows_is_bounded_by_their_sum() -> None:
    assert not bounded("throughput,4.0,Mb/s,", flows=2)
    assert bounded("throughput,4.0,Mb/s,0", flows=2)
    assert bounded("throughput,5.5,Mb/s,sum", flows=2)


def test_readings_that_cannot_give_a_number_are_excluded_and_still_serve_the_chance() -> None:
    published = parse("quantity,value,unit\nthroughput,2.9,Mb/s\ndelay,90,ms\n")
    axes = [Axis("link.bottleneck.rate", ("1Mbps", "2Mbps", "3Mbps"))]
    axes.append(Axis("link.bottleneck.delay", ("10ms", "100ms")))
    space = Space.of(BASE, axes, published.numbers)
    found = search(space, published, Plan(reps=1), store=MemoryStore())
    assert found.excluded == 5
    assert len(found.order) == 1
    assert found.runs == 6
    assert "of which links and windows rule 5 out" in verdict(found)[0]
    assert found.space.setting(found.order[0]) == {
        "link.bottleneck.rate": "3Mbps",
        "link.bottleneck.delay": "10ms",
    }
    event = BASE.with_({"event": [{"at": "1s", "set": "link.bottleneck.rate", "to": "9Mbps"}]})
    changed = Space.of(event, axes, published.numbers)
    assert not any(changed.exceeds(one, published.numbers) for one in range(len(changed)))


def test_frames_are_counted_with_a_stated_overhead_only() -> None:
    run = BASE.set("link.bottleneck.rate", "1Mbps").run()
    flow = run.flow(0)
    frames = 8 * (flow["received_bytes"] + 18 * flow["received_packets"]) / 5
    head = f"quantity,value,unit\nthroughput,{frames / 1e3:.6g},kb/s\n"
    axes = [Axis("link.bottleneck.rate", ("0.5Mbps", "1Mbps", "1.5Mbps"))]
    for stated in (False, True):
        published = parse(head + "frame overhead,18,B\n" * stated)
        found = search(Space.of(BASE, axes, published.numbers), published, Plan(reps=1), store=MemoryStore())
        names = [one.name for one in found.groups[0].quantity.definitions]
        tried = {names[one.definition] for one in found.groups[0].choices}
        assert any(one.startswith("frames received") for one in tried) == stated
        best = found.distance(found.order[0])
        assert (best < 0.01) == stated
    assert found.definitions(found.order[0])["throughput"].startswith("frames received, over the run")


def test_the_spread_of_a_change_does_not_vanish_with_it() -> None:
    column = "flow.0.tcp.variant"
    change = parse(f"quantity,value,unit,{column}\ndelay,-17.05,%,reno to vegas\n").numbers
    (group,) = groups(change, 1, "flowmonitor")
    values = np.full((3, 2, 1, len(group.choices)), np.nan)
    values[0] = [[[10.0]], [[12.0]]]
    values[1] = [[[20.0]], [[22.0]]]
    values[2, 0] = 0.0
    spread = typical_spread(group, values)
    assert spread[0, 0] == pytest.approx(np.sqrt(2))
    assert predictions(group, values).scale[2, 0, 0] == pytest.approx(2.0)
    plain = replace(group, is_change=False)
    assert typical_spread(plain, values)[0, 0] == pytest.approx(np.sqrt(2) * np.median([1 / 11, 1 / 21]))
    assert predictions(plain, values).scale[2, 0, 0] == 0.0


def test_readings_as_near_as_the_best_are_counted_in_parts_as_in_whole() -> None:
    text = "quantity,value,unit\nthroughput,1.50,Mb/s\nthroughput,1.25,Mb/s\ndelay,20.5,ms\nloss,1.10,%\n"
    made = groups(parse(text).numbers, 1)
    draw = np.random.default_rng(1)
    by_group, table = [], []
    for group in made:
        printed = Printed.of(group)
        shape = (200, len(group.numbers), len(group.choices))
        around = printed.value[None, :, None] * draw.uniform(0.9, 1.1, shape)
        by_group.append(Predictions(group, around, np.full(shape, 0.001)))
        table.append(printed)
    total = sum(best_choices(a, b)[0] for a, b in zip(by_group, table, strict=True))
    for best in (*np.quantile(total, [0.0, 0.02, 0.5, 1.0]), 0.0):
        assert _near(by_group, table, float(best)) == int(np.sum(total <= best + 1e-9))
