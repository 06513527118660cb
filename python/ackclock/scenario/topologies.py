"""Makes scenarios with common topologies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from ackclock import _core
from ackclock.errors import UserError, whole
from ackclock.errors.suggestions import named_arguments
from ackclock.scenario.network import Loss, Network, Queue
from ackclock.scenario.scenario import Scenario

if TYPE_CHECKING:
    from ackclock.control.control import Control

Variant: TypeAlias = "str | type[Control]"
"""The name of a variant, or a user-defined congestion control (a class)."""

TOPOLOGIES: dict[str, str] = {
    "dumbbell": "senders s0.. and receivers d0.. on either side of one bottleneck r0-r1 (link.bottleneck)",
    "parking_lot": "one long path over bottlenecks r0-r1-.. (link.bottleneck0..), each crossed by a flow of its own",
    "chain": "nodes n0-n1-.. in a row (link.hop0..), every flow from the first to the last",
}
"""Functions of this module, each with a one-line description of its topology."""


@named_arguments
def dumbbell(
    variants: Variant | Sequence[Variant] = ("newreno",),
    *,
    rate: str = "10Mbps",
    delay: str = "20ms",
    queue: Queue = 50,
    access_rate: str | Sequence[str] = "100Mbps",
    access_delay: str | Sequence[str] | None = None,
    access_queue: Queue | Sequence[Queue] | None = None,
    rtt: str | Sequence[str] | None = None,
    flows: int | None = None,
    starts: Sequence[str] | None = None,
    stagger: str | None = None,
    profile: str | None = None,
    tcp: Mapping[str, object] | None = None,
    loss: Loss | None = None,
    duration: str = "60s",
) -> Scenario:
    """Return a dumbbell: senders s0, s1 and so on, receivers d0, d1 and so on, and one bottleneck between r0 and r1.

    ``ac.dumbbell(["reno", "vegas"], rate="2Mbps", delay="20ms", queue=20).run("60s")``. The bottleneck is link 0, named
    ``bottleneck``.

    Flows may differ: ``ac.dumbbell(["cubic", "cubic", "bbr", "bbr"], rtt=["20ms", "80ms"], delay="5ms")`` gives the
    first and third flow a round trip of 20 ms, the second and fourth one of 80 ms.

    Args:
        variants: TCP variants, one flow each, in order.
        rate: Rate of the bottleneck.
        delay: One-way propagation delay of the bottleneck.
        queue: Queue of the bottleneck: packets (including the one in transmission), bytes, or a table.
        access_rate: Rate of every access link, between a host and its router; a list is assigned to flows in turn.
        access_delay: One-way propagation delay of every access link, or a list; 1 ms if neither it nor `rtt` is given.
        access_queue: Queue of every access link, or a list; the core's default if None.
        rtt: Round-trip propagation time of each flow, or a list that is assigned to flows in turn. It is divided
            between the bottleneck, which has `delay`, and the flow's two access links. Packets also take time for
            transmission.
        flows: Number of flows, if it differs from the number of variants; variants are assigned to flows in turn. With
            a list of round trips there are at least as many flows as it has entries.
        starts: Start time of each flow.
        stagger: Time between the starts of consecutive flows, in place of `starts`.
        profile: Endpoint profile of every flow.
        tcp: Further TCP parameters of every flow.
        loss: Losses on the bottleneck, from r0 to r1.
        duration: Length of the run.
    """
    net = Network()
    trips = [] if rtt is None else [rtt] if isinstance(rtt, str) else list(rtt)
    if rtt is not None and access_delay is not None:
        raise UserError("rtt and access_delay are both given: the one follows from the other")
    if flows is None and len(trips) > len(_dealt(variants, None)):
        flows = len(trips)
    dealt = _dealt(variants, flows)
    delays = [_access_delay(one, delay) for one in trips] or access_delay or "1ms"
    net.link("r0", "r1", name="bottleneck", rate=rate, delay=delay, queue=queue, loss=loss)
    begins = starts_of(len(dealt), starts, stagger)
    for i in range(len(dealt)):
        own = {
            "rate": _of_flow(access_rate, i),
            "delay": _of_flow(delays, i),
            "queue": _of_flow(access_queue, i),
        }
        net.link(f"s{i}", "r0", **own)
        net.link("r1", f"d{i}", **own)
    for i, variant in enumerate(dealt):
        net.flow(f"s{i}", f"d{i}", variant=variant, profile=profile, start=begins[i], tcp=tcp)
    return net.scenario(duration)


@named_arguments
def parking_lot(
    hops: int = 3,
    *,
    variant: Variant = "newreno",
    cross: Variant | None = None,
    rate: str = "10Mbps",
    delay: str = "10ms",
    queue: Queue = 50,
    access_rate: str = "100Mbps",
    access_delay: str = "1ms",
    access_queue: Queue | None = None,
    profile: str | None = None,
    tcp: Mapping[str, object] | None = None,
    duration: str = "60s",
) -> Scenario:
    """Return a parking lot: a long flow over `hops` bottlenecks in a row, each of which it shares with a cross flow.

    ``ac.parking_lot(hops=3, variant="vegas", cross="cubic")``. The long flow is flow 0, from s to d; bottlenecks are
    links 0 to hops - 1, between routers r0, r1 and so on. `variant` is the TCP variant of the long flow, `cross` that
    of the cross flows (None for the same). The other arguments are those of `dumbbell` and hold for every bottleneck.
    """
    net = Network()
    hops = whole("hops", hops, 1)
    for i in range(hops):
        net.link(f"r{i}", f"r{i + 1}", name=f"bottleneck{i}", rate=rate, delay=delay, queue=queue)
    ends = [("s", "r0"), (f"r{hops}", "d")]
    for i in range(hops):
        ends += [(f"c{i}", f"r{i}"), (f"r{i + 1}", f"e{i}")]
    for a, b in ends:
        net.link(a, b, rate=access_rate, delay=access_delay, queue=access_queue)
    net.flow("s", "d", variant=variant, profile=profile, tcp=tcp)
    for i in range(hops):
        net.flow(f"c{i}", f"e{i}", variant=variant if cross is None else cross, profile=profile, tcp=tcp)
    return net.scenario(duration)


@named_arguments
def chain(
    hops: int = 2,
    *,
    variants: Variant | Sequence[Variant] = ("newreno",),
    rate: str = "10Mbps",
    delay: str = "10ms",
    queue: Queue = 50,
    flows: int | None = None,
    profile: str | None = None,
    tcp: Mapping[str, object] | None = None,
    loss: Loss | None = None,
    duration: str = "60s",
) -> Scenario:
    """Return a chain: nodes n0, n1 and so on, connected in a row by `hops` equal links, with flows from end to end.

    ``ac.scenario.chain(hops=3, variants=["reno", "cubic"])``. There is one flow per variant unless `flows` gives
    another number. `loss` applies to the last link, in the direction away from the sender. The other arguments are
    those of `dumbbell`.
    """
    net = Network()
    hops = whole("hops", hops, 1)
    for i in range(hops):
        last = i == hops - 1
        net.link(
            f"n{i}",
            f"n{i + 1}",
            name=f"hop{i}",
            rate=rate,
            delay=delay,
            queue=queue,
            loss=loss if last else None,
        )
    for variant in _dealt(variants, flows):
        net.flow("n0", f"n{hops}", variant=variant, profile=profile, tcp=tcp)
    return net.scenario(duration)


def _of_flow(given: Any, flow: int) -> Any:
    """Return the value for a flow: `given` itself, or the entry that a list assigns to the flow in turn."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        return given
    if not given:
        raise UserError("an empty list has no value for a flow\n  allowed: one value, or a list of values")
    return given[flow % len(given)]


def _access_delay(rtt: str, delay: str) -> str:
    """Return the delay of each of a flow's two access links that gives a round trip of `rtt`."""
    try:
        trip, middle = _core.seconds(rtt), _core.seconds(delay)
    except ValueError as why:
        raise UserError(f"rtt {rtt!r}, delay {delay!r}: {why}") from why
    rest = trip / 2 - middle
    if rest < 0:
        raise UserError(
            f"rtt: {rtt} is less than the way there and back over the bottleneck (delay {delay})\n"
            f"  allowed: {2e3 * middle:.6g}ms or more, or a smaller delay"
        )
    return f"{round(5e8 * rest)}ns"


def _dealt(variants: Variant | Sequence[Variant], flows: int | None) -> list[Variant]:
    """Return the variant of each flow; variants are assigned to flows in turn."""
    each = [variants] if isinstance(variants, str | type) else list(variants)
    if not each:
        raise UserError('variants: none is given\n  allowed: one or more, such as ["newreno", "cubic"]')
    count = len(each) if flows is None else whole("flows", flows, 1)
    return [each[i % len(each)] for i in range(count)]


def starts_of(count: int, starts: Sequence[str] | None, stagger: str | None) -> list[str | None]:
    """Return the start of each flow: an entry of `starts`, a multiple of `stagger`, or None."""
    if starts is not None:
        if len(starts) != count:
            raise ValueError(f"starts lists {len(starts)} times for {count} flows")
        return list(starts)
    if stagger is None:
        return [None] * count
    return [times(stagger, i) for i in range(count)]


def times(quantity: str, factor: int) -> str:
    """Multiply a quantity such as ``"100ms"`` by a factor; the core checks its unit."""
    split = re.fullmatch(r"\s*([0-9.]+)\s*([^0-9.\s]\S*)\s*", quantity)
    if split is None:
        return quantity
    return f"{(Decimal(split[1]) * factor).normalize():f}{split[2]}"
