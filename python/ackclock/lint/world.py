"""Data for the rules: a scenario with all parameters, and the paths of its flows."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from ackclock.scenario.path_properties import Path, Roads, path_of, queues_of
from ackclock.scenario.quantities import seconds

if TYPE_CHECKING:
    from ackclock.scenario.scenario import Scenario

RANDOM_LOSSES = ("random", "bit-error", "gilbert-elliott")
RANDOM_QUEUES = ("red", "pie")

_ROADS: deque[tuple[object, Roads]] = deque(maxlen=4)
"""Lists of links with their graphs. Scenarios of one network share the list, and so the graph with its routes."""


@dataclass(frozen=True)
class Described:
    """A described scenario and its flows' paths."""

    document: Mapping[str, Any]
    """The scenario as given."""
    described: Mapping[str, Any]
    """The scenario with all parameters (`Scenario.describe`)."""

    @cached_property
    def tcp(self) -> list[int]:
        """Numbers of the TCP flows."""
        return [i for i, flow in enumerate(self.described.get("flow", ())) if "tcp" in flow]

    @cached_property
    def roads(self) -> Roads:
        """The scenario's links as a graph."""
        links = self.described.get("link", [])
        known = next((roads for of, roads in _ROADS if of is links), None)
        if known is None:
            known = Roads(self.described)
            _ROADS.append((links, known))
        return known

    @cached_property
    def paths(self) -> dict[int, Path]:
        """Path of each TCP flow whose path consists of links only, by number of the flow."""
        found = {i: path_of(self.described, i, self.roads) for i in self.tcp}
        return {i: path for i, path in found.items() if path is not None and path.rate_bps > 0}


@lru_cache(maxsize=4)
def _described(scenario: Scenario) -> Described:
    """Return a scenario's description; cached, since a comparison asks repeatedly for the same few scenarios."""
    return Described(scenario.view, scenario.described)


@dataclass(frozen=True)
class World:
    """A described scenario, its flows' paths, and the planned replications."""

    of: Described
    """The scenario and the paths."""
    reps: int | None = None
    """Number of replications, if known."""
    jitter_s: float = 0.0
    """Upper bound of the start jitter, seconds."""

    @classmethod
    def read(cls, scenario: Scenario, *, reps: int | None = None, jitter_s: float = 0.0) -> World:
        """Return the world of a scenario.

        Raises:
            ScenarioError: If the scenario is not valid.

        """
        return cls(_described(scenario), reps, jitter_s)

    @property
    def document(self) -> Mapping[str, Any]:
        """The scenario as given."""
        return self.of.document

    @property
    def described(self) -> Mapping[str, Any]:
        """The scenario with all parameters (`Scenario.describe`)."""
        return self.of.described

    @property
    def tcp(self) -> list[int]:
        """Numbers of the TCP flows."""
        return self.of.tcp

    @property
    def roads(self) -> Roads:
        """The scenario's links as a graph."""
        return self.of.roads

    @property
    def paths(self) -> dict[int, Path]:
        """Path of each TCP flow whose path consists of links only, by number of the flow."""
        return self.of.paths

    def name(self, flow: int) -> str:
        """Return a flow's name."""
        return str(self.described["flow"][flow]["name"])

    def place(self, path: str) -> str:
        """Return a setting's path with names of links and flows instead of numbers, where paths permit names."""
        kind, _, below = path.partition(".")
        number, _, rest = below.partition(".")
        if kind not in ("link", "flow"):
            return path
        name = str(self.described[kind][int(number)].get("name") or "")
        usable = name and not name.isdecimal() and not any(one in name for one in ".=*")
        return f"{kind}.{name}.{rest}".rstrip(".") if usable else path

    def parameters(self, flow: int) -> dict[str, Any]:
        """Return the ``tcp`` table of a TCP flow, with all parameters."""
        found: dict[str, Any] = self.described["flow"][flow]["tcp"]
        return found

    def overhead_s(self, flow: int) -> float:
        """Return the upper bound of a TCP sender's random processing time (`send_overhead`), seconds."""
        return seconds(self.parameters(flow)["send_overhead"])

    def queues(self, flow: int) -> list[dict[str, Any]]:
        """Return the queues on a flow's path to its destination."""
        return queues_of(self.described, flow, self.roads)

    def bottlenecks(self) -> Iterator[tuple[Path, list[int]]]:
        """Yield each bottleneck as the path of its first flow, with the TCP flows that share it."""
        sharing: dict[str, list[int]] = {}
        for flow, path in self.paths.items():
            sharing.setdefault(path.bottleneck, []).append(flow)
        for flows in sharing.values():
            yield self.paths[flows[0]], flows

    @cached_property
    def sharers(self) -> Counter[str]:
        """Number of flows on each bottleneck, by the bottleneck's name."""
        return Counter(path.bottleneck for path in self.paths.values())

    def share_packets(self, flow: int) -> float:
        """Return a flow's share of its path's bandwidth-delay product, packets."""
        path = self.paths[flow]
        return path.bdp_packets / self.sharers[path.bottleneck]

    def active_s(self, flow: int) -> float:
        """Return the time between a flow's start and stop, seconds."""
        one = self.described["flow"][flow]
        return max(0.0, seconds(one["stop"]) - seconds(one["start"]))

    @property
    def shortest_s(self) -> float:
        """The shortest time between a flow's start and stop, seconds; 0 without flows."""
        times = {(one["start"], one["stop"]) for one in self.described.get("flow", ())}
        return min((max(0.0, seconds(stop) - seconds(start)) for start, stop in times), default=0.0)

    @cached_property
    def is_random(self) -> bool:
        """True if any random process affects packets: losses, jitter, radio, queues, traffic or starts."""
        if self.has_random_times or (self.jitter_s > 0 and (self.reps or 0) > 1):
            return True
        if any(self.overhead_s(flow) for flow in self.tcp):
            return True
        for link in self.described.get("link", ()):
            losses = link.get("loss") or []
            if any(
                one["kind"] in RANDOM_LOSSES for one in ([losses] if isinstance(losses, Mapping) else losses)
            ):
                return True
            if any(one["queue"]["kind"] in RANDOM_QUEUES for one in (link, link["reverse"])):
                return True
        return False

    @cached_property
    def has_random_times(self) -> bool:
        """True if a random process other than losses affects packet times: radio, delay jitter or traffic."""
        described = self.described
        if described.get("wifi") or described.get("lte"):
            return True
        links = described.get("link", ())
        if any(link.get(key) for link in links for key in ("jitter", "reorder", "duplicate")):
            return True
        traffics = [flow.get("traffic", {}) for flow in described["flow"]]
        return any(
            one.get("spacing") == "exponential"
            or one.get("distribution", "constant") != "constant"
            or (one.get("kind") == "sessions" and draws(one))
            for one in traffics
        )


def draws(sessions: Mapping[str, Any]) -> bool:
    """Return true if arrivals, sizes or times of described sessions are drawn at random."""
    parts = [one for one in sessions.values() if isinstance(one, Mapping)]
    return any(one["kind"] not in ("given", "constant") for one in parts)


def marks(queue: Mapping[str, Any]) -> bool:
    """Return true if a described queue, or a queue inside it, marks packets of ECN flows."""
    inside = [one for one in (queue.get("queue"), *queue.get("bands", ())) if isinstance(one, Mapping)]
    return queue.get("ecn") is True or any(marks(one) for one in inside)
