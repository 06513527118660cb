"""Randomness between the replications of a comparison or a sweep, beside the randomness in the scenario.

Without it, flows over a drop-tail queue fall into step: replications repeat a few sequences of drops (phase
effects). Floyd and Jacobson (1992, section 3.2) break the step by a random processing time at the sender, uniform
from 0 to the time that the bottleneck takes to transmit a packet. Starts are spread over some round trips, so that
flows do not meet in one and the same slow start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ackclock.errors import whole
from ackclock.lint.world import World
from ackclock.scenario.scenario import Scenario
from ackclock.sweeps.jobs import Job

ROUND_TRIPS = 10
"""Round trips of the longest path, without load, over which starts are spread."""

SHARE = 0.05
"""Share of the time for which a flow may send over which starts are spread, at most."""

ELSEWHERE_S = 0.1
"""Bound of the start jitter, seconds, if links alone give no flow a round-trip time (radio)."""

MOST_OVERHEAD_S = 10.0
"""The largest `send_overhead`, seconds."""


@dataclass(frozen=True)
class Randomness:
    """Randomness between replications."""

    start_jitter_s: float | None = None
    """Each flow starts later by a random time up to this, seconds; `ROUND_TRIPS` of the longest path if None."""
    send_overhead_s: float | None = None
    """Bound of the senders' processing time, seconds; a packet's time at the bottleneck of its flow if None."""

    def jitter_s(self, scenario: Scenario) -> float:
        """Return the bound of the start jitter of a scenario, seconds."""
        if self.start_jitter_s is not None:
            return self.start_jitter_s
        world = _world(scenario)
        trips = [path.rtt_s for path in world.paths.values()]
        wanted = ROUND_TRIPS * max(trips) if trips else ELSEWHERE_S
        active = [world.active_s(flow) for flow in range(len(world.described.get("flow", ())))]
        return round(min(wanted, SHARE * min(active, default=0.0)), 12)

    def overheads_s(self, scenario: Scenario) -> dict[int, float]:
        """Return the processing time's bound of each TCP flow that gets one, seconds; a flow's own stays."""
        world = _world(scenario)
        found: dict[int, float] = {}
        for flow in world.tcp:
            path = world.paths.get(flow)
            usual = 8 * path.packet_bytes / path.rate_bps if path is not None else 0.0
            bound = usual if self.send_overhead_s is None else self.send_overhead_s
            if bound > 0 and not world.overhead_s(flow):
                found[flow] = min(bound, MOST_OVERHEAD_S)
        return found

    def on(self, scenario: Scenario) -> Scenario:
        """Return the scenario for the runs: with a processing time at each TCP sender."""
        document = scenario.document()
        for flow, bound in self.overheads_s(scenario).items():
            document["flow"][flow].setdefault("tcp", {})["send_overhead"] = _text(bound)
        return Scenario(document)

    def replications(
        self,
        scenario: Scenario,
        reps: int,
        *,
        seed: int | None = None,
        labels: Mapping[str, Any] | None = None,
    ) -> list[Job]:
        """Return `reps` jobs of one scenario: replication r has seed + r.

        All have the same kind of draws, the first as well. All are drawn alike, the first as well.

        `seed` is the first one; the scenario's own if None. Jobs of different scenarios with the same seed meet the
        same random draws, which is what `ackclock.stats.statistics.paired` needs.
        """
        first = scenario.seed if seed is None else seed
        count = whole("reps", reps, 1)
        run, jitter_s = self.on(scenario), self.jitter_s(scenario)
        return [Job(run, first + r, jitter_s, dict(labels or {}), r) for r in range(count)]


def said(job: Job) -> str:
    """Describe the randomness between the replications of a job's scenario, for reports."""
    world = _world(job.scenario)
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
    """Return a time in the form of scenarios, to the picosecond."""
    return f"{1e3 * time_s:.9g}ms" if time_s >= 1e-3 else f"{round(1e6 * time_s, 6):g}us"


def _world(scenario: Scenario) -> World:
    return World(scenario.document(), scenario.describe())
