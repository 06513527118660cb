"""Candidate scenarios: a path, the disturbances on it, and the flows of the subject."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from ackclock.comparisons.variants import Variant
from ackclock.scenario.scenario import Scenario

__all__ = ["PACKET", "Burst", "Case", "DelayChange", "Drop", "Part", "Path", "RateChange", "Rival", "Spike"]

PACKET: Final = 1500
"""Size of a full packet on the wire, bytes; queues in BDP are counted in such packets."""

HEADER: Final = 28
"""Headers of IPv4 and UDP, bytes; a datagram of cross traffic is as long as a full packet."""

ACCESS: Final = 10.0
"""Rate of the links that join rivals to the bottleneck, as a multiple of the bottleneck's rate."""

LEAST_QUEUE: Final = 4
"""Minimum length of the queue, packets."""

Table: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Path:
    """A bottleneck link: rate, round-trip propagation delay, and length of the queue."""

    rate_bps: float
    rtt_s: float
    queue_bdp: float

    @property
    def queue_packets(self) -> int:
        """Length of the queue, packets."""
        return max(round(self.queue_bdp * self.rate_bps * self.rtt_s / (8 * PACKET)), LEAST_QUEUE)


@dataclass(frozen=True)
class Drop:
    """A data packet of flow 0 that is lost, by its number in the order of sending."""

    packet: int


@dataclass(frozen=True)
class RateChange:
    """From a time on, the link has another rate."""

    at_s: float
    rate_bps: float


@dataclass(frozen=True)
class DelayChange:
    """From a time on, the path has another round-trip propagation delay, as after a change of the route."""

    at_s: float
    rtt_s: float


@dataclass(frozen=True)
class Spike:
    """For a time, packets take longer by an extra delay, as when a radio link pauses; none is lost or overtaken."""

    at_s: float
    length_s: float
    extra_s: float


@dataclass(frozen=True)
class Burst:
    """Cross traffic without congestion control: bursts of datagrams, one in each period."""

    start_s: float
    rate_bps: float
    """Rate on the wire within a burst."""
    on_s: float
    period_s: float


@dataclass(frozen=True)
class Rival:
    """A further flow of the subject, with its start and the propagation delay that its access link adds to the RTT."""

    start_s: float
    extra_rtt_s: float


Part: TypeAlias = Drop | RateChange | DelayChange | Spike | Burst | Rival
"""A disturbance; the shrinker tries to remove each."""


@dataclass(frozen=True)
class Case:
    """A candidate: the path, its disturbances, the length of the run, and the flow's own start."""

    path: Path
    parts: tuple[Part, ...]
    duration_s: float
    seed: int = 1

    def of(self, kind: type[Any]) -> list[Any]:
        """Return the parts of one kind, in order."""
        return [part for part in self.parts if isinstance(part, kind)]

    def with_parts(self, parts: Iterable[Part]) -> Case:
        """Return the case with other parts."""
        return replace(self, parts=tuple(parts))

    @property
    def rivals(self) -> list[Rival]:
        """The further flows of the subject."""
        return self.of(Rival)

    @property
    def own(self) -> range:
        """Numbers of the subject's flows."""
        return range(1 + len(self.rivals))

    @property
    def is_valid(self) -> bool:
        """True if every time lies within the run, and each burst ends before the next."""
        times = [part.at_s for part in self.parts if isinstance(part, RateChange | DelayChange | Spike)]
        times += [part.at_s + part.length_s for part in self.of(Spike)]
        times += [part.start_s for part in self.parts if isinstance(part, Burst | Rival)]
        within = all(0 <= time < self.duration_s for time in times)
        return within and all(0 < one.on_s < one.period_s for one in self.of(Burst))

    def capacity_bits(self, from_s: float = 0.0) -> float:
        """Return how many bits the path can deliver from a time to the end of the run.

        For the extra delay of a spike nothing arrives, so that time does not count.
        """
        changes = [(one.at_s, one.rate_bps) for one in self.of(RateChange)]

        def until(time_s: float) -> float:
            return area(self.path.rate_bps, changes, from_s, max(time_s, from_s))

        total, end_s = until(self.duration_s), from_s
        for one in sorted(self.of(Spike), key=lambda spike: spike.at_s):
            begin_s, end_s = max(one.at_s, end_s), max(one.at_s + one.extra_s, end_s)
            total -= until(min(end_s, self.duration_s)) - until(min(begin_s, self.duration_s))
        return total

    @property
    def mean_rtt_s(self) -> float:
        """Round-trip propagation delay of the path, averaged over the run, s."""
        return self._rtt_area(0.0) / self.duration_s

    @property
    def late_rtt_s(self) -> float:
        """Round-trip propagation delay of the path, averaged over the second half of the run, s."""
        return self._rtt_area(self.duration_s / 2) / (self.duration_s / 2)

    def _rtt_area(self, from_s: float) -> float:
        changes = [(one.at_s, one.rtt_s) for one in self.of(DelayChange)]
        return area(self.path.rtt_s, changes, from_s, self.duration_s)

    def scenario(self, subject: Variant) -> Scenario:
        """Return the scenario with the subject on flow 0 and on its rivals."""
        return subject.on(Scenario(self._document()), self.own)

    def _document(self) -> Table:
        source = "r" if self.rivals else "a"
        link: Table = {
            "name": "path",
            "between": [source, "b"],
            "rate": rate_text(self.path.rate_bps),
            "delay": time_text(self.path.rtt_s / 2),
            "queue": {"kind": "droptail", "packets": self.path.queue_packets},
        }
        drops = sorted({one.packet for one in self.of(Drop)})
        if drops:
            link["loss"] = {"kind": "list", "toward": "b", "flow": 0, "packets": drops}
        links, flows = [link], [self._flow("a", 0.0)]
        if self.rivals:
            links.append(self._access("a", 0.0))
        for i, rival in enumerate(self.rivals):
            links.append(self._access(f"a{i + 1}", rival.extra_rtt_s))
            flows.append(self._flow(f"a{i + 1}", rival.start_s))
        flows += [self._cross(source, i, burst) for i, burst in enumerate(self.of(Burst))]
        document: Table = {
            "duration": time_text(self.duration_s),
            "seed": self.seed,
            "link": links,
            "flow": flows,
        }
        events = self._events()
        return {**document, "event": events} if events else document

    def _access(self, node: str, extra_rtt_s: float) -> Table:
        return {
            "between": [node, "r"],
            "rate": rate_text(ACCESS * self.path.rate_bps),
            "delay": time_text(extra_rtt_s / 2),
            "queue": {"kind": "droptail", "packets": 10_000},
        }

    @staticmethod
    def _flow(node: str, start_s: float) -> Table:
        flow: Table = {"from": node, "to": "b", "tcp": {"variant": "reno"}}
        return {**flow, "start": time_text(start_s)} if start_s else flow

    @staticmethod
    def _cross(source: str, number: int, burst: Burst) -> Table:
        payload = (PACKET - HEADER) / PACKET
        return {
            "name": f"bursts{number or ''}",
            "from": source,
            "to": "b",
            "start": time_text(burst.start_s),
            "traffic": {
                "kind": "on-off",
                "rate": rate_text(burst.rate_bps * payload),
                "packet": f"{PACKET - HEADER}B",
                "on": time_text(burst.on_s),
                "off": time_text(burst.period_s - burst.on_s),
            },
        }

    def _spike(self, spike: Spike) -> list[tuple[float, float]]:
        """Return the times of a spike's two changes, each with the delay from then on, s."""
        before = self.path.rtt_s
        for change in self.of(DelayChange):
            before = change.rtt_s if change.at_s <= spike.at_s else before
        end_s = round(spike.at_s + spike.length_s, 6)
        return [(spike.at_s, round(before / 2 + spike.extra_s, 6)), (end_s, before / 2)]

    def _events(self) -> list[Table]:
        changes = [
            (one.at_s, {"set": "link.path.rate", "to": rate_text(one.rate_bps)})
            for one in self.of(RateChange)
        ]
        changes += [
            (at_s, {"set": "link.path.forward.delay", "to": time_text(delay_s)})
            for one in self.of(Spike)
            for at_s, delay_s in self._spike(one)
        ]
        changes += [
            (one.at_s, {"set": "link.path.delay", "to": time_text(one.rtt_s / 2)})
            for one in self.of(DelayChange)
        ]
        return [{"at": time_text(at_s), **change} for at_s, change in sorted(changes, key=lambda one: one[0])]


def area(first: float, changes: Sequence[tuple[float, float]], from_s: float, to_s: float) -> float:
    """Return the integral of a step function over a time."""
    total, since, value = 0.0, 0.0, first
    for at_s, after in [*sorted(changes), (to_s, 0.0)]:
        total += value * max(min(at_s, to_s) - max(since, from_s), 0.0)
        since, value = at_s, after
    return total


def significant(value: float, digits: int) -> float:
    """Return a value rounded to a number of significant digits."""
    if value == 0 or not math.isfinite(value):
        return value
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


def rate_text(rate_bps: float) -> str:
    """Return a rate as text of a scenario: ``"2.5Mbps"``."""
    return f"{rate_bps / 1e6:.6g}Mbps" if rate_bps >= 1e5 else f"{rate_bps / 1e3:.6g}kbps"


def time_text(time_s: float) -> str:
    """Return a time as text of a scenario: ``"20ms"``."""
    if time_s >= 1 or time_s == 0:
        return f"{time_s:.9g}s"
    return f"{time_s * 1e3:.9g}ms"
