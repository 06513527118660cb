"""Computes properties of a flow's unloaded path: bottleneck rate, round-trip time, bandwidth-delay product."""

from __future__ import annotations

import itertools
import json
import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ackclock import _core, theory
from ackclock.scenario.quantities import bits_per_second, seconds, size_bytes


@dataclass(frozen=True, slots=True)
class Path:
    """Properties of a flow's unloaded path."""

    bottleneck: str
    """Slowest link direction on the way to the destination, as ``a>b``; the first one if several are equal."""
    rate_bps: float
    """Rate of the bottleneck, bit/s: the mean for a rate trace, and at most the rate of a token bucket."""
    rtt_s: float
    """Round-trip propagation delay, seconds, without transmission times."""
    delay_s: float
    """Propagation delay to the destination, seconds, without transmission times."""
    packet_bytes: int
    """Size of a full packet of the flow on the wire, bytes."""
    queue: str
    """Kind of the bottleneck's queue."""
    queue_packets: float
    """Limit of a drop-tail queue, in full packets of the flow; infinite if unlimited, NaN for other queues."""

    @property
    def bdp_packets(self) -> float:
        """Bandwidth-delay product, in full packets of the flow."""
        return self.rate_bps * self.rtt_s / (8 * self.packet_bytes)


def path_of(described: Mapping[str, Any], flow: int, roads: Roads | None = None) -> Path | None:
    """Return a described flow's path with the fewest links (`Scenario.describe`), over TCP or a stack.

    The result is None if the path has hops other than links. Pass the scenario's `roads` if you ask for many flows.
    """
    given = described["flow"][flow]
    packet = packet_bytes(given["tcp"]) if "tcp" in given else _stack_packet_bytes(given)
    return (roads or Roads(described)).path(given["from"], given["to"], packet)


def _path(hops: Sequence[tuple[dict[str, Any], bool]], packet: int) -> Path | None:
    """Return the path over links for packets of a size; None without links."""
    if not hops:
        return None
    there = [link if forward else link["reverse"] for link, forward in hops]
    back = [link["reverse"] if forward else link for link, forward in hops]
    rates = [_rate(link) for link in there]
    slowest = rates.index(min(rates))
    link, forward = hops[slowest]
    a, b = link["between"]
    delays = [[seconds(one["delay"]) for one in way] for way in (there, back)]
    return Path(
        bottleneck=f"{a}>{b}" if forward else f"{b}>{a}",
        rate_bps=rates[slowest],
        rtt_s=math.fsum(itertools.chain(*delays)),
        delay_s=math.fsum(delays[0]),
        packet_bytes=packet,
        queue=there[slowest]["queue"]["kind"],
        queue_packets=_room(there[slowest]["queue"], packet),
    )


def packet_bytes(tcp: Mapping[str, Any]) -> int:
    """Return the size of a flow's full packet on the wire, bytes, from its described ``tcp`` table."""
    return size_bytes(tcp["segment"]) + size_bytes(tcp["header"])


def _stack_packet_bytes(flow: Mapping[str, Any]) -> int:
    """Return the size of a full packet of a described flow over a stack, bytes."""
    variant = (flow.get("quic") or flow.get("stack") or {}).get("variant")
    known = {one["name"]: one["packet_bytes"] for one in json.loads(_core.catalogue("stacks"))}
    return int(known.get(variant, _core.QUIC_PACKET_BYTES))


def queues_of(described: Mapping[str, Any], flow: int, roads: Roads | None = None) -> list[dict[str, Any]]:
    """Return the described queues on a flow's way to its destination; empty if any hop is not a link."""
    return [
        (link if forward else link["reverse"])["queue"] for link, forward in _hops(described, flow, roads)
    ]


def _hops(described: Mapping[str, Any], flow: int, roads: Roads | None) -> list[tuple[dict[str, Any], bool]]:
    end = described["flow"][flow]
    return (roads or Roads(described)).route(end["from"], end["to"])


def window_limit(described: Mapping[str, Any], flow: int) -> float:
    """Return a TCP flow's window limit apart from cwnd, segments: the smaller of the sender's and the receiver's."""
    return theory.window_limit(described["flow"][flow]["tcp"])


def _rate(link: Mapping[str, Any]) -> float:
    """Return a link direction's rate, bit/s."""
    given = link["rate"]
    found = float(bits_per_second(given)) if isinstance(given, str) else _recorded(given["gaps"])
    bucket = link["queue"].get("rate")
    return found if bucket is None else min(found, float(bits_per_second(bucket)))


def _recorded(gaps: str | list[str | int]) -> float:
    """Return a trace's mean rate, bit/s; each gap, in milliseconds, ends with an opportunity to send 1500 bytes."""
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
    return size_bytes(queue["bytes"]) / packet if "bytes" in queue else math.inf


Step: TypeAlias = tuple[str, dict[str, Any], bool]
"""A node, a link, and True if the link's forward direction is meant."""


class Roads:
    """The links of a scenario as a graph, for finding the shortest paths of many flows."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        self._at: dict[str, list[Step]] = {}
        self._paths: dict[tuple[str, str, int], Path | None] = {}
        self._trees: dict[str, dict[str, tuple[int, Step | None]]] = {}
        self._routes: dict[tuple[str, str], list[tuple[dict[str, Any], bool]]] = {}
        for link in described.get("link", []):
            a, b = link["between"]
            self._at.setdefault(a, []).append((b, link, True))
            self._at.setdefault(b, []).append((a, link, False))
        # Leave hosts out of the search: they are most nodes, have only one link each, and no path leads through them.
        self._through = {
            node: [step for step in steps if len(self._at[step[0]]) > 1] for node, steps in self._at.items()
        }

    def path(self, source: str, target: str, packet: int) -> Path | None:
        """Return the shortest path for packets of a size, bytes; None if it has hops other than links."""
        key = (source, target, packet)
        if key not in self._paths:
            self._paths[key] = _path(self.route(source, target), packet)
        return self._paths[key]

    def route(self, source: str, target: str) -> list[tuple[dict[str, Any], bool]]:
        """Return the links of a shortest path; each has True if the path uses its forward direction."""
        if (source, target) not in self._routes:
            self._routes[source, target] = self._route(source, target)
        return self._routes[source, target]

    def _route(self, source: str, target: str) -> list[tuple[dict[str, Any], bool]]:
        steps = self._at.get(source, [])
        if len(steps) == 1 and steps[0][0] != target:  # All hosts at a router share the router's tree.
            root, first = steps[0][0], [steps[0][1:]]
        else:
            root, first = source, []
        tree = self._tree(root)
        # Links to the target by the node at their other end; of several parallel links, the first.
        last = {end: (link, not forward) for end, link, forward in reversed(self._at.get(target, []))}
        near = min((end for end in last if end in tree), key=lambda end: tree[end][0], default=None)
        if near is None or target == source:
            return []
        hops = [last[near]]
        step = tree[near][1]
        while step is not None:
            here, link, forward = step
            hops.append((link, forward))
            step = tree[here][1]
        return [*first, *hops[::-1]]

    def _tree(self, root: str) -> dict[str, tuple[int, Step | None]]:
        """Return for each node between hosts its number in breadth-first order from `root`, and the step to it."""
        if root not in self._trees:
            tree: dict[str, tuple[int, Step | None]] = {root: (0, None)}
            waiting = deque([root])
            while waiting:
                here = waiting.popleft()
                for end, link, forward in self._through.get(here, []):
                    if end not in tree:
                        tree[end] = (len(tree), (here, link, forward))
                        waiting.append(end)
            self._trees[root] = tree
        return self._trees[root]
