"""Properties of a flow's path before anything is sent: its bottleneck, round-trip time and product."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ackclock import _core, theory


@dataclass(frozen=True, slots=True)
class Path:
    """A flow's path without load."""

    bottleneck: str
    """The direction of least rate on the way to the destination, the first of several, as ``a>b``."""
    rate_bps: float
    """Its rate, bit/s; the mean of a recorded one; that of a token bucket if it is less."""
    rtt_s: float
    """Propagation there and back, seconds, without transmission times, which vary with the packet."""
    packet_bytes: int
    """A full packet of the flow on the wire, bytes."""
    queue: str
    """Kind of the bottleneck's queue."""
    queue_packets: float
    """Room of a drop-tail queue, full packets of the flow; infinite if unlimited, NaN for queues that drop earlier."""

    @property
    def bdp_packets(self) -> float:
        """Bandwidth-delay product in full packets of the flow."""
        return self.rate_bps * self.rtt_s / (8 * self.packet_bytes)


def path_of(described: Mapping[str, Any], flow: int, roads: Roads | None = None) -> Path | None:
    """Return the path with the fewest links of a flow over TCP or QUIC of a described scenario (`Scenario.describe`).

    None if links alone do not lead there. Give the scenario's `roads` if you ask for many flows.
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
    """Return the bytes on the wire of a full packet of a flow's described ``tcp`` table."""
    return _core.size_bytes(tcp["segment"]) + _core.size_bytes(tcp["header"])


def queues_of(described: Mapping[str, Any], flow: int, roads: Roads | None = None) -> list[dict[str, Any]]:
    """Return the described queues of the links on a flow's way to its destination; none if links do not lead there."""
    return [
        (link if forward else link["reverse"])["queue"] for link, forward in _hops(described, flow, roads)
    ]


def _hops(described: Mapping[str, Any], flow: int, roads: Roads | None) -> list[tuple[dict[str, Any], bool]]:
    end = described["flow"][flow]
    return (roads or Roads(described)).route(end["from"], end["to"])


def window_limit(described: Mapping[str, Any], flow: int) -> float:
    """Return the most segments that a TCP flow may have outstanding, regardless of its congestion window."""
    return theory.window_limit(described["flow"][flow]["tcp"])


def _rate(link: Mapping[str, Any]) -> float:
    """Return the rate of a direction in bit/s."""
    given = link["rate"]
    found = _recorded(given["gaps"]) if isinstance(given, Mapping) else float(_core.bits_per_second(given))
    bucket = link["queue"].get("rate")
    return found if bucket is None else min(found, float(_core.bits_per_second(bucket)))


def _recorded(gaps: str | list[str | int]) -> float:
    """Return the mean rate of opportunities for 1500 bytes each, given by the milliseconds between them."""
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
    """The links of a scenario as a graph, to find the ways of many flows."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        self._at: dict[str, list[tuple[str, dict[str, Any], bool]]] = {}
        for link in described.get("link", []):
            a, b = link["between"]
            self._at.setdefault(a, []).append((b, link, True))
            self._at.setdefault(b, []).append((a, link, False))
        # No way leads through a node with one link: most nodes are hosts with one.
        self._through = {
            node: [step for step in steps if len(self._at[step[0]]) > 1] for node, steps in self._at.items()
        }

    def route(self, source: str, target: str) -> list[tuple[dict[str, Any], bool]]:
        """Return the links of a shortest path, each with true if it is taken from its first node to its second."""
        before: dict[str, tuple[str, dict[str, Any], bool] | None] = {source: None}
        waiting = deque([source])
        last = {end for end, _, _ in self._at.get(target, [])}
        while waiting and target not in before:
            here = waiting.popleft()
            for end, link, forward in (self._at if here in last else self._through).get(here, []):
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
