"""The judged variant, and its runs on the scenarios of the cases."""

from __future__ import annotations

import json
from typing import Any

from ackclock.comparisons.variants import Variant, is_stack
from ackclock.conform.case import NotShownError
from ackclock.conform.trace import PACKETS, VARIABLES, Trace
from ackclock.scenario.scenario import Scenario

__all__ = ["PAYLOAD", "Subject", "link", "writes"]

PAYLOAD = 1448
"""Payload of a full segment, bytes."""
SEED = 1

Table = dict[str, Any]


def link(rate: str = "10Mbps", delay: str = "20ms", queue: Any = 1000, **more: Any) -> Table:
    """Return a bottleneck link; `queue` is in packets."""
    return {"name": "path", "between": ["a", "b"], "rate": rate, "delay": delay, "queue": queue, **more}


def writes(schedule: list[tuple[float, int]]) -> Table:
    """Return an application that writes data at given times: pairs of time, s, and bytes, in order of time."""
    frames, before = [], 0
    for time_s, size in schedule:
        at = round(time_s * 1e6)
        # A frame is limited to 1000 segments here, so a large write becomes several frames at the same time.
        left = size
        while left > 0:
            part = min(left, 1000 * PAYLOAD)
            frames.append(f"P{part}/{-(-part // PAYLOAD)}@{at - before}")
            before = at
            left -= part
    return {"kind": "video", "frames": " ".join(frames), "packet": f"{PAYLOAD}B", "transport": "tcp"}


class Subject:
    """A variant to judge; its runs are cached, since several cases use the same run."""

    def __init__(self, variant: Variant, control: str) -> None:
        """Set the variant, and the name of the control whose phases are read."""
        self.variant = variant
        self.control = control
        self._runs: dict[str, Trace] = {}
        self.scenarios: list[Scenario] = []
        """Scenarios that the current case has run, in order; `verdict_on` empties the list."""

    @property
    def is_stack(self) -> bool:
        """True if the subject is a transport stack, which shows its packets but not its inner state."""
        return is_stack(self.variant.name)

    def run(
        self,
        duration_s: float,
        path: Table | None = None,
        *,
        traffic: Table | None = None,
        events: list[Table] | None = None,
        tcp: Table | None = None,
    ) -> Trace:
        """Run the subject over a path and return its trace.

        Raises:
            NotShownError: If the subject cannot send what the case asks for.
        """
        if self.is_stack and traffic is not None:
            raise NotShownError("a stack sends a file here: its application cannot be limited")
        flow: Table = {"from": "a", "to": "b", "tcp": {"variant": "reno", "profile": "linux", **(tcp or {})}}
        if traffic is not None:
            flow["traffic"] = traffic
        document: Table = {
            "duration": f"{duration_s}s",
            "seed": SEED,
            "link": [path or link()],
            "flow": [flow],
            "event": events or [],
        }
        key = json.dumps(document, sort_keys=True)
        scenario = self.variant.on(Scenario(document), [0])
        self.scenarios.append(scenario)
        if key not in self._runs:
            run = scenario.run(traces=[*VARIABLES, *PACKETS])
            self._runs[key] = Trace(run, self.control, duration_s, numbered=self.is_stack)
        return self._runs[key]
