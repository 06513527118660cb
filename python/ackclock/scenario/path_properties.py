"""Properties of a flow's unloaded path: bottleneck rate, round-trip time and bandwidth-delay product."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ackclock import _core, theory


@dataclass(frozen=True, slots=True)
class Path:
    """Properties of a flow's path without load."""

    bottleneck: str
    """Link direction with the least rate on the way to the destination, as ``a>b``; the first of several equal ones."""
    rate_bps: float
    """Rate of the bottleneck, bit/s: the mean of a rate trace, and at most the rate of a token bucket."""
    rtt_s: float
    """Round-trip propagation delay, seconds, without transmission times."""
    packet_bytes: int
    """Size of a full packet of the flow on the wire, bytes."""
    queue: str
    """Kind of the bottleneck's queue."""
    queue_packets: float
    """Limit of a drop-tail queue in full packets of the flow; infinite if unlimited, NaN for other kinds of queue."""

    @property
    def bdp_packets(self) -> float:
        """Bandwidth-delay product in full packets of the flow."""
        return self.rate_bps * self.rtt_s / (8 * self.packet_bytes)


def path_of(described: Mapping[str, Any], flow: int, roads: Roads | None = None) -> Path | None:
    """Return the path of a TCP or QUIC flow of a described scenario (`Scenario.describe`), by the fewest links.

    The result is None if the path has hops other than links. Pass the scenario's `roads` if you ask for many flows.
    """
    hops = _hops(described, flow, roads)
    if not hops:
        return None
    given = described["flow"][flow]
    packet = packet_bytes(given["tcp"]) if "tcp" in given else _core.QUIC_PACKET_BYTES
    there = [link if forward else {**link, **link["reverse"]} for link, forward in hops]
    back = [link if not forward else {**link, **link["reverse"]} for link, forward in hops]
    rates = [_rate(link) for link in there]
    slowest = rates.index(min(rates))
    link, forward = hops[slowest]
    a, b = link["between"]
    return Path(
        bottleneck=f"{a}>{b}" if forward else f"{b}>{a}",
        rate_bps=rates[slowest],
        rtt_s=math.fsum(_core.seconds(one["delay"]) for one in (*there, *back)),
        packet_bytes=packet,
        queue=there[slowest]["queue"]["kind"],
        queue_packets=_room(there[slowest]["queue"], packet),
    )


def packet_bytes(tcp: Mapping[str, Any]) -> int:
    """Return the size on the wire of a full packet, bytes, from a flow's described ``tcp`` table."""
    return _core.size_bytes(tcp["segment"]) + _core.size_bytes(tcp["header"])


def queues_of(described: Mapping[str, Any], flow: int, roads: Roads | None = None) -> list[dict[str, Any]]:
    """Return the described queues on a flow's path to its destination; empty if the path has hops other than links."""
    return [
        (link if forward else link["reverse"])["queue"] for link, forward in _hops(described, flow, roads)
    ]


def _hops(described: Mapping[str, Any], flow: int, roads: Roads | None) -> list[tuple[dict[str, Any], bool]]:
    end = described["flow"][flow]
    return (roads or Roads(described)).route(end["from"], end["to"])


def window_limit(described: Mapping[str, Any], flow: int) -> float:
    """Return the window limit of a TCP flow other than cwnd, segments: the sender's and the receiver's limit."""
    return theory.window_limit(described["flow"][flow]["tcp"])


def _rate(link: Mapping[str, Any]) -> float:
    """Return the rate of a link direction, bit/s."""
    given = link["rate"]
    found = _recorded(given["gaps"]) if isinstance(given, Mapping) else float(_core.bits_per_second(given))
    bucket = link["queue"].get("rate")
    return found if bucket is None else min(found, float(_core.bits_per_second(bucket)))


def _recorded(gaps: str | list[str | int]) -> float:
    """Return the mean rate of a trace, bit/s: opportunities of 1500 bytes each, given by the gaps in milliseconds."""
    parts = gaps.split() if isinstance(gaps, str) else [str(one) for one in gaps]
    pairs = [(float(gap), int(times or 1)) for gap, _, times in (one.partition("x") for one in parts)]
    total = math.fsum(gap * times for gap, times in pairs)
    return 1500 * 8 * sum(times for _, times in pairs) / (total * 1e-3) if total > 0 else math.inf


def _room(queue: Mapping[str, Any], packet: int) -> float:
    if queue["kind"] == "token-bucket" and isinstance(queue.get("queue"), Mapping):
        return _room(queue["queue"], packet)
    if queue["kind"] != "droptail":
        return math.nan
    if "packets" in queue:
        return float(queue["packets"])
    return _core.size_bytes(queue["bytes"]) / packet if "bytes" in queue else math.inf


class Roads:
    """The links of a scenario as a graph, for shortest paths of many flows."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        self._at: dict[str, list[tuple[str, dict[str, Any], bool]]] = {}
        for link in described.get("link", []):
            a, b = link["between"]
            self._at.setdefault(a, []).append((b, link, True))
            self._at.setdefault(b, []).append((a, link, False))
        # No path leads through a node with only one link, and most nodes are such hosts: leave them out of the search.
        self._through = {
            node: [step for step in steps if len(self._at[step[0]]) > 1] for node, steps in self._at.items()
        }

    def route(self, source: str, target: str) -> list[tuple[dict[str, Any], bool]]:
        """Return the links of a shortest path, each with True if the path uses its forward direction."""
        before: dict[str, tuple[str, dict[str, Any], bool] | None] = {source: None}
        waiting = deque([source])
        # Links to the target by the node at their other end: the first of several in parallel.
        last = {end: (link, not forward) for end, link, forward in reversed(self._at.get(target, []))}
        while waiting and target not in before:
            here = waiting.popleft()
            if here in last:
                before[target] = (here, *last[here])
                break
            for end, link, forward in self._through.get(here, []):
                if end not in before:
                    before[end] = (here, link, forward)
                    waiting.append(end)
        hops: list[tuple[dict[str, Any], bool]] = []
        step = before.get(target)
        while step is not None:
            here, link, forward = step
            hops.append((link, forward))
            step = before[here]
        return hops[::-1]
