"""Checks in every run of the validation that packets are conserved and that no link exceeds its rate."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from validation.ns2 import Event


@dataclass
class Ledger:
    """Results of the conservation checks so far.

    Attributes:
        runs: Number of runs whose summaries were checked.
        traces: Number of runs whose packet traces were checked as well.
        violations: Violations found, one line each.
    """

    runs: int = 0
    traces: int = 0
    violations: list[str] = field(default_factory=list)

    def check(self, summary: dict[str, Any]) -> None:
        """Check a run by its summary."""
        self.runs += 1
        self.violations += [f"run {self.runs}: {line}" for line in by_summary(summary)]

    def check_trace(self, events: Iterable[Event], summary: dict[str, Any]) -> None:
        """Check a run by its packet trace."""
        self.traces += 1
        self.violations += [f"run {self.runs}: {line}" for line in by_trace(events, summary)]


LEDGER = Ledger()
"""The ledger that gets every run of `validation.ours`."""


def by_summary(summary: dict[str, Any]) -> list[str]:
    """Return the violations found in a run's counters, one line each."""
    wrong = []
    for f in summary["flows"]:
        name = f["name"]
        if "stalled_s" in f:
            wrong.append(f"flow {name}: stalled since {f['stalled_s']} s")
        rest = f["sent_packets"] - f["received_packets"] - f["lost_packets_total"] - f["in_flight_packets"]
        if rest != 0 or f["in_flight_packets"] < 0:
            wrong.append(f"flow {name}: sent - received - lost - in flight = {rest}")
        if sum(f["lost_packets"].values()) != f["lost_packets_total"]:
            wrong.append(f"flow {name}: losses by cause do not add up")
        if f["acked_bytes"] > f["delivered_bytes"]:
            wrong.append(f"flow {name}: more acknowledged than delivered")
        if f["delivered_bytes"] > f["sent_bytes"] - f["retransmitted_bytes"]:
            wrong.append(f"flow {name}: more delivered than sent")
    wrong += [
        f"link {link['name']}: utilisation {link['utilisation']}"
        for link in summary["links"]
        if not 0 <= link["utilisation"] <= 1 + 1e-9
    ]
    return wrong


def by_trace(events: Iterable[Event], summary: dict[str, Any]) -> list[str]:
    """Return the violations found in a packet trace: at each link, and between the ends of each flow."""
    ends = {i: (f["from"], f["to"]) for i, f in enumerate(summary["flows"])}
    counts: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    waiting: dict[tuple[int, str], int] = defaultdict(int)
    flying: dict[tuple[int, str], int] = defaultdict(int)
    wrong = []
    entered: dict[tuple[int, str], set[tuple[int, int, float]]] = defaultdict(set)
    for e in events:
        key = (e.flow, e.place)
        counts[e.flow, "all"][e.kind] += e.kind in ("send", "acksent", "drop")
        if e.kind == "enq":
            waiting[key] += 1
            entered[key].add((e.seq, e.bytes, e.time_s))
        elif e.kind == "deq":
            waiting[key] -= 1
            flying[key] += 1
        elif e.kind == "recv":
            flying[key] -= 1
            counts[e.flow, "all"]["arrived"] += e.place.partition(">")[2] in ends[e.flow]
        elif e.kind == "drop" and (e.seq, e.bytes, e.time_s) in entered[key]:
            waiting[key] -= 1
        if waiting[key] < 0 or flying[key] < 0:
            wrong.append(f"flow {e.flow}, {e.place} at {e.time_s} s: a packet out of nowhere")
            return wrong
    for flow in ends:
        total = counts[flow, "all"]
        inside = sum(n for (f, _), n in (*waiting.items(), *flying.items()) if f == flow)
        rest = total["send"] + total["acksent"] - total["arrived"] - total["drop"] - inside
        if rest != 0:
            wrong.append(f"flow {flow}: {rest} packets unaccounted for")
    return wrong
