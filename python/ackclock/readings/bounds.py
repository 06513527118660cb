"""Bounds that links and windows set to printed numbers, by which readings are excluded without a run.

A throughput is bounded by the slowest link of the path, and by a window per round trip (Little's law). A number of
packets is bounded by the throughput and the flow's time. A delay is at least the propagation delay of the path.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ackclock import _core
from ackclock.lint.world import World
from ackclock.readings.published import Number
from ackclock.readings.units import BITS_PER_BYTE
from ackclock.scenario.path_properties import Path

SLACK: Final = 1.25
"""Factor by which a printed throughput may exceed its bound: sent data include data that queues drop."""

BOUNDED: Final = frozenset({"throughput", "packets", "rtt", "delay"})
"""Quantities that have a bound."""

BINARY: Final = 1.024
"""Ratio of a prefix's power of 1024 to that of 1000; a printed number may have either."""

LEAST_ROUND_TRIPS: Final = 20
"""Number of round trips that a flow must last, for its window to bound its throughput."""


@dataclass(frozen=True)
class Limits:
    """Bounds of a flow's numbers."""

    throughput_bps: float
    packets: float
    """Bound of the number of packets; infinite if packets need not be full."""
    rtt_s: float
    """Least round trip."""
    delay_s: float
    """Least one-way delay."""

    @classmethod
    def of(cls, world: World, flow: int) -> Limits | None:
        """Return the bounds of a flow; None if its path is not known."""
        if flow not in world.paths:
            return None
        path = world.paths[flow]
        rate = throughput_bps(world, flow)
        packets = rate * _time_s(world, flow) / (BITS_PER_BYTE * path.packet_bytes)
        return cls(rate, packets if _is_full(world, flow) else math.inf, path.rtt_s, path.delay_s)


FlowLimits: TypeAlias = Mapping[str, Limits | None]
"""Bounds of a scenario's flows, by name, in their order."""


def holds(world: World) -> bool:
    """Return true if bounds hold in a scenario.

    Its links must keep their rates, without events, traces and token buckets. Its gateways must not end round trips.
    """
    described = world.described
    ways = [way for link in described.get("link", ()) for way in (link, {**link, **link["reverse"]})]
    return (
        not described.get("event")
        and all(isinstance(way["rate"], str) and way["queue"]["kind"] != "token-bucket" for way in ways)
        and not any("gateway" in node for node in described.get("node", ()))
        and bool(world.paths)
    )


def limits(world: World) -> FlowLimits:
    """Return the bounds of the flows of a scenario."""
    names = [str(one["name"]) for one in world.described.get("flow", ())]
    return {name: Limits.of(world, i) for i, name in enumerate(names)}


def exceeds(flows: FlowLimits, number: Number) -> bool:
    """Return true if no flow can give a number under any definition."""
    if number.bound or number.quantity.name not in BOUNDED:
        return False
    counted = [one for one in _counted(flows, number.flow) if one is not None]
    if not counted or len(counted) < len(_counted(flows, number.flow)):
        return False
    name, low, high = number.quantity.name, number.base - number.base_half, number.base + number.base_half
    if name == "rtt":
        return high < min(one.rtt_s for one in counted)
    if name == "delay":
        return high < min(one.delay_s for one in counted)
    if name == "packets":
        return low > 1 + SLACK * math.fsum(one.packets for one in counted)
    prefix: float = BINARY**number.unit.prefix
    return low > prefix * SLACK * math.fsum(one.throughput_bps for one in counted)


def _counted(flows: FlowLimits, name: str) -> list[Limits | None]:
    """Return the bounds of the flows that a number may count."""
    every = list(flows.values())
    if name in flows:
        return [flows[name]]
    return [every[int(name)]] if name.isdecimal() and int(name) < len(every) else every


def throughput_bps(world: World, flow: int) -> float:
    """Return the bound of a flow's throughput: its slowest link, and its window per round trip if it lasts long."""
    path, given = world.paths[flow], world.described["flow"][flow]
    turn_s = path.rtt_s + BITS_PER_BYTE * path.packet_bytes / path.rate_bps
    is_long = _is_full(world, flow) and _time_s(world, flow) >= LEAST_ROUND_TRIPS * turn_s
    if not is_long or "kernel" in given["tcp"]:
        return path.rate_bps
    window = min(_window_bytes(given["tcp"], name, path) for name in ("max_window", "receive_window"))
    return min(path.rate_bps, BITS_PER_BYTE * window / turn_s)


def _is_full(world: World, flow: int) -> bool:
    """Return true if a flow has data throughout, so that its packets are full."""
    traffic: Mapping[str, Any] = world.described["flow"][flow].get("traffic", {})
    return traffic.get("kind") == "ftp" and "size" not in traffic


def _time_s(world: World, flow: int) -> float:
    """Return the time from a flow's start to its stop, seconds."""
    given = world.described["flow"][flow]
    return _core.seconds(given["stop"]) - _core.seconds(given["start"])


def _window_bytes(tcp: Mapping[str, Any], name: str, path: Path) -> float:
    """Return a window in bytes, with headers; infinite if it is unlimited."""
    value = tcp.get(name)
    if isinstance(value, bool) or value in (None, "unlimited"):
        return math.inf
    if isinstance(value, int | float):
        return float(value) * path.packet_bytes
    segment = _core.size_bytes(tcp["segment"])
    return _core.size_bytes(str(value)) / segment * path.packet_bytes
