"""Randomness between the replications of a comparison or a sweep, in addition to that of the scenario itself.

Without this randomness, flows over a drop-tail queue synchronise, and replications repeat a few sequences of drops
(phase effects). Floyd and Jacobson (1992, section 3.2) prevent this by a random processing time at the sender, uniform
from 0 to the transmission time of a packet at the bottleneck. In addition starts are spread over several round trips,
so that the slow starts of flows differ from replication to replication.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ackclock.errors import whole
from ackclock.lint.world import World
from ackclock.scenario.scenario import Document, Scenario
from ackclock.sweeps.jobs import Job

ROUND_TRIPS = 10
"""Upper bound of flows' start delay, in round trips of the longest path without load."""

SHARE = 0.05
"""Maximum of flows' start delay, as a share of the shortest time in which a flow may send."""

ELSEWHERE_S = 0.1
"""Upper bound of the start jitter, seconds, if no flow's round-trip time is known from links (radio networks)."""

MOST_OVERHEAD_S = 10.0
"""Maximum `send_overhead`, seconds."""


@dataclass(frozen=True)
class Randomness:
    """Settings of the randomness between replications."""

    start_jitter_s: float | None = None
    """Upper bound of each flow's random start delay, seconds; None to derive it from paths (`ROUND_TRIPS`, `SHARE`)."""
    send_overhead_s: float | None = None
    """Upper bound of senders' processing time, seconds; None for a packet's transmission time at the bottleneck."""

    def jitter_s(self, scenario: Scenario) -> float:
        """Return the upper bound of the start jitter for a scenario, seconds."""
        if self.start_jitter_s is not None:
            return self.start_jitter_s
        world = World.read(scenario)
        trips = [path.rtt_s for path in world.paths.values()]
        wanted = ROUND_TRIPS * max(trips) if trips else ELSEWHERE_S
        return round(min(wanted, SHARE * world.shortest_s), 12)

    def overheads_s(self, scenario: Scenario) -> dict[int, float]:
        """Return the upper bound of the processing time of each TCP flow's sender, seconds, by number of the flow.

        Flows that set their own processing time are left out.
        """
        world = World.read(scenario)
        found: dict[int, float] = {}
        for flow in world.tcp:
            path = world.paths.get(flow)
            usual = 8 * path.packet_bytes / path.rate_bps if path is not None else 0.0
            bound = usual if self.send_overhead_s is None else self.send_overhead_s
            if bound > 0 and not world.overhead_s(flow):
                found[flow] = min(bound, MOST_OVERHEAD_S)
        return found

    def on(self, scenario: Scenario) -> Scenario:
        """Return the scenario with a random processing time at each TCP sender that does not set its own."""
        return _on(self, scenario)

    def replications(
        self,
        scenario: Scenario,
        reps: int,
        *,
        seed: int | None = None,
        labels: Mapping[str, Any] | None = None,
    ) -> list[Job]:
        """Return `reps` jobs of one scenario; replication r has seed `seed` + r, and all have the same randomness.

        If `seed` is None, the scenario's own seed is used. Jobs of different scenarios with equal seeds use common
        random numbers, as `ackclock.stats.statistics.paired` requires.
        """
        first = scenario.seed if seed is None else seed
        count = whole("reps", reps, 1)
        run, jitter_s = self.on(scenario), self.jitter_s(scenario)
        return [Job(run, first + r, jitter_s, dict(labels or {}), r) for r in range(count)]


@lru_cache(maxsize=8)
def _on(randomness: Randomness, scenario: Scenario) -> Scenario:
    """Return the scenario with `randomness` at its senders; cached, as a comparison asks again for each scenario."""
    flows = list(scenario.view.get("flow", ()))
    made: dict[str, Document] = {}
    for index, bound in randomness.overheads_s(scenario).items():
        table = {**flows[index].get("tcp", {}), "send_overhead": _text(bound)}
        flows[index] = {**flows[index], "tcp": made.setdefault(repr(table), table)}
    return Scenario.of_plain({**scenario.view, "flow": flows})


def said(job: Job) -> str:
    """Return a sentence, for reports, on the randomness between the replications of a job's scenario."""
    world = World.read(job.scenario)
    starts = (
        f"each flow starts up to {job.jitter_s:.4g} s later" if job.jitter_s else "flows start when they say"
    )
    bounds = sorted({world.overhead_s(flow) for flow in world.tcp} - {0.0})
    if not bounds:
        return f"{starts}, senders take no time"
    times = " to ".join(f"{1e3 * one:.4g}" for one in dict.fromkeys((bounds[0], bounds[-1])))
    return (
        f"{starts}, and each sender takes a random time of up to {times} ms to send what its window lets go"
    )


def _text(time_s: float) -> str:
    """Return a time in seconds as text with a unit, rounded to picoseconds."""
    return f"{1e3 * time_s:.9g}ms" if time_s >= 1e-3 else f"{round(1e6 * time_s, 6):g}us"
