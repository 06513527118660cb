"""Rule about phase locking: packets repeatedly arrive at the instants at which others leave or arrive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ackclock.lint.rule import rule
from ackclock.lint.world import World
from ackclock.scenario.path_properties import Path
from ackclock.scenario.quantities import bits_per_second, seconds, size_bytes

COARSE = 100
"""Two periods count as commensurate if the smaller term of their reduced ratio is at most this."""


@rule("ACK014", "phase-lock")
def phase_lock(world: World) -> Iterator[tuple[str, str]]:
    """Packets keep coming to a full queue in the very instants in which others leave it or come.

    **Why it matters.** The order of events in one instant then decides which packet is dropped. That order is a
    convention of the simulator; in ns-2 it depends on rounding. A change of a millionth in a rate can move a result by
    a tenth, and a change of a thousandth by more (phase effects: Floyd and Jacobson 1991).

    **How to see it.** `run` counts the packets that such an order let pass or dropped (`tied_packets` of the link
    table).
    `run --ties` repeats the run on links that differ by up to 1e-6 and 1e-3 and shows how far each result goes.

    **What to do.** Report the spread that `--ties` gives beside the result (`run`, `compare`, `sweep` and `study` have
    it), or use periods that are not round: `rate = "10.0137Mbps"`, a random spacing, on-off traffic.

    **When to ignore it.** If the locked phases are what you study, or a published run is to be repeated as it was.
    """
    calm = replace(world, jitter_s=0.0)
    if calm.is_random:
        return
    yield from _sources(world)
    yield from _round_trips(world)
    if not (world.jitter_s > 0 and (world.reps or 0) > 1):
        yield from _starts(world)


def _sources(world: World) -> Iterator[tuple[str, str]]:
    """Yield findings on periodic sources whose period is commensurate with packet times on a link shared with TCP."""
    for number, flow in enumerate(world.described["flow"]):
        traffic = flow.get("traffic", {})
        period = _period(traffic)
        if period is None:
            continue
        offered = bits_per_second(traffic["rate"]) if traffic.get("rate") else 0
        mine = world.roads.route(flow["from"], flow["to"])
        found = next(_fits(world, number, mine, period, offered), None)
        if found is not None:
            yield f"flow.{number}.traffic", found


def _fits(
    world: World, number: int, mine: list[tuple[dict[str, Any], bool]], period: Fraction, offered: int
) -> Iterator[str]:
    """Yield the links on which a source's period is commensurate with a TCP flow's packet time."""
    for other, path in world.paths.items():
        end = world.described["flow"][other]
        for hop in world.roads.route(end["from"], end["to"]) if other != number else ():
            time = _time(*hop, path.packet_bytes)
            if hop not in mine or time is None or not _drops(*hop):
                continue
            left = float(8 * 10**12 * path.packet_bytes / time) - offered
            if left <= path.rate_bps and _part(period / time) <= COARSE:
                ratio = period / time
                yield (
                    f"{ratio.denominator} of its periods ({_us(period)} us each) last as long as {ratio.numerator} "
                    f"packets of {world.name(other)} ({_us(time)} us each) on {_direction(*hop)}, which they can "
                    "fill together"
                )


def _round_trips(world: World) -> Iterator[tuple[str, str]]:
    """Yield findings on flows whose time from a departure to the resulting arrival is a multiple of a packet time."""
    known: dict[tuple[object, ...], str | None] = {}  # Most flows have the parameters and links of another.
    for flow, path in world.paths.items():
        end = world.described["flow"][flow]
        if "tcp" not in end:
            continue
        there = world.roads.route(end["from"], end["to"])
        slowest = next((i for i, hop in enumerate(there) if _direction(*hop) == path.bottleneck), None)
        if slowest is None or not _drops(*there[slowest]):
            continue
        tcp = world.parameters(flow)
        ways = [_way(link, way) for link, forward in there for way in (forward, not forward)]
        alike = (id(tcp), path.bottleneck, slowest, *((str(one["rate"]), one["delay"]) for one in ways))
        if alike not in known:
            known[alike] = _round_trip(tcp, path, there, slowest)
        found = known[alike]
        if found is not None:
            yield f"flow.{flow}", found


def _round_trip(
    tcp: Mapping[str, Any], path: Path, there: list[tuple[dict[str, Any], bool]], slowest: int
) -> str | None:
    """Return the finding on flows over the links `there`, of which number `slowest` is the bottleneck; else None."""
    stamps = size_bytes(tcp["timestamps_size"]) if tcp["timestamps"] else 0
    ack = size_bytes(tcp["ack_size"]) + stamps
    size = path.packet_bytes + (stamps if tcp["timestamps_on_data"] else 0)
    parts = [_time(link, forward, size) for i, (link, forward) in enumerate(there) if i != slowest]
    parts += [_time(link, not forward, ack) for link, forward in there]
    parts += [Fraction(_ps(_way(link, way)["delay"])) for link, _ in there for way in (True, False)]
    packet = _time(*there[slowest], size)
    known = [one for one in parts if one is not None]
    if packet is None or len(known) < len(parts):
        return None
    whole = sum(known, Fraction(0))
    if (whole / packet).denominator != 1 or not whole:
        return None
    return (
        f"its round trip without load ({_us(whole + packet)} us) is {whole / packet + 1} times the "
        f"{_us(packet)} us of a packet on {path.bottleneck}: packets come as others leave"
    )


def _starts(world: World) -> Iterator[tuple[str, str]]:
    """Yield findings on flows that start together and reach a bottleneck through equal links."""
    for path, flows in world.bottlenecks():
        alike: dict[tuple[Any, ...], list[int]] = {}
        for flow in flows:
            end = world.described["flow"][flow]
            before: list[tuple[str, str]] = []
            for link, forward in world.roads.route(end["from"], end["to"]):
                if _direction(link, forward) == path.bottleneck:
                    if _drops(link, forward) and before:
                        way = (end["start"], world.paths[flow].packet_bytes, *before)
                        alike.setdefault(way, []).append(flow)
                    break
                one = _way(link, forward)
                before.append((str(one["rate"]), one["delay"]))
        for same in alike.values():
            if len(same) > 1:
                yield (
                    f"flow.{same[0]}",
                    f"{len(same)} flows start together and reach {path.bottleneck} over equal links: their packets "
                    "come in the same instants",
                )


def _period(traffic: Mapping[str, Any]) -> Fraction | None:
    """Return the time between a periodic source's packets (or video frames), ps; None for other traffic."""
    if traffic.get("spacing") == "constant":
        return Fraction(8 * 10**12 * size_bytes(traffic["packet"]), bits_per_second(traffic["rate"]))
    if traffic.get("kind") == "video" and traffic.get("fps"):
        return 10**12 / Fraction(str(traffic["fps"]))
    return None


def _time(link: Mapping[str, Any], forward: bool, wire: int) -> Fraction | None:
    """Return a packet's transmission time on a link direction, ps; None if the rate varies."""
    rate = _way(link, forward)["rate"]
    return Fraction(8 * 10**12 * wire, bits_per_second(rate)) if isinstance(rate, str) else None


def _way(link: Mapping[str, Any], forward: bool) -> Mapping[str, Any]:
    found: Mapping[str, Any] = link if forward else link["reverse"]
    return found


def _direction(link: Mapping[str, Any], forward: bool) -> str:
    a, b = link["between"]
    return f"{a}>{b}" if forward else f"{b}>{a}"


def _drops(link: Mapping[str, Any], forward: bool) -> bool:
    """Return true if a link direction's queue drops packets only when it is full."""
    queue = _way(link, forward)["queue"]
    return queue["kind"] in ("droptail", "head-drop") and ("packets" in queue or "bytes" in queue)


def _ps(text: str) -> int:
    return round(seconds(text) * 1e12)


def _part(ratio: Fraction) -> int:
    """Return the smaller term of the ratio: the number of longer periods after which both periods coincide again."""
    return min(ratio.numerator, ratio.denominator)


def _us(time: Fraction) -> str:
    return f"{float(time) / 1e6:,.10g}"
