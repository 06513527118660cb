"""The few numbers by which whole runs are compared, taken from a run's summary."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ackclock.sweep.statistics import mean


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of a run: what it is called, how it is shown, and what it means."""

    name: str
    """Column name; it ends in its unit."""
    title: str
    """Heading in tables and plots."""
    unit: str
    """Unit shown; empty where it has none."""
    scale: float
    """What the value is multiplied by to be shown in `unit`."""
    better: Literal["higher", "lower", "neither"]
    """Which way is better."""
    meaning: str
    """Definition in one line."""


MEASURES: tuple[Measure, ...] = (
    Measure(
        "goodput_bps", "goodput", "Mb/s", 1e-6, "higher", "payload acknowledged per second, summed over flows"
    ),
    Measure(
        "throughput_bps",
        "throughput",
        "Mb/s",
        1e-6,
        "higher",
        "bytes received with headers, per second, summed over flows",
    ),
    Measure(
        "new_data_bps",
        "new data",
        "Mb/s",
        1e-6,
        "higher",
        "payload sent less payload retransmitted, per second, summed",
    ),
    Measure(
        "rtt_mean_s",
        "RTT",
        "ms",
        1e3,
        "lower",
        "mean over flows of each flow's mean measured round-trip time",
    ),
    Measure(
        "delay_mean_s",
        "delay",
        "ms",
        1e3,
        "lower",
        "mean over flows of each flow's mean one-way delay of data packets",
    ),
    Measure(
        "loss_ratio",
        "loss",
        "%",
        1e2,
        "lower",
        "packets lost, whatever the cause, per packet sent, over all flows",
    ),
    Measure(
        "retransmitted_packets",
        "retransmitted",
        "packets",
        1.0,
        "lower",
        "data packets sent again, summed over flows",
    ),
    Measure(
        "timeouts", "timeouts", "", 1.0, "lower", "expiries of the retransmission timer, summed over flows"
    ),
    Measure("jain", "Jain", "", 1.0, "higher", "Jain's fairness index of the flows' goodputs"),
    Measure(
        "utilisation",
        "utilisation",
        "%",
        1e2,
        "higher",
        "share of time in which link 0 transmits, first direction",
    ),
    Measure(
        "queue_mean_packets",
        "queue",
        "packets",
        1.0,
        "lower",
        "mean length of link 0's queue over time, first direction",
    ),
)
"""Every measure, in the order of columns."""

BY_NAME: dict[str, Measure] = {measure.name: measure for measure in MEASURES}

_SUMS = ("goodput_bps", "throughput_bps", "new_data_bps", "retransmitted_packets", "timeouts")
_MEANS = ("rtt_mean_s", "delay_mean_s")


def measures(summary: Mapping[str, Any]) -> dict[str, float]:
    """Return every measure of a run from its parsed summary; NaN where a run has nothing to measure it by.

    Flows that lack a value (a UDP flow has no round-trip time) are left out of it.
    """
    flows: list[Mapping[str, Any]] = summary["flows"]
    links: list[Mapping[str, Any]] = summary["links"]
    found = {name: math.fsum(_values(flows, name)) for name in _SUMS}
    found.update({name: mean(_values(flows, name)) for name in _MEANS})
    sent = math.fsum(_values(flows, "sent_packets"))
    found["loss_ratio"] = math.fsum(_values(flows, "lost_packets_total")) / sent if sent else math.nan
    jain = summary["fairness"]["jain"]
    found["jain"] = math.nan if jain is None else float(jain)
    for name in ("utilisation", "queue_mean_packets"):
        found[name] = float(links[0][name]) if links and links[0].get(name) is not None else math.nan
    return {measure.name: found[measure.name] for measure in MEASURES}


def _values(flows: list[Mapping[str, Any]], name: str) -> list[float]:
    return [float(flow[name]) for flow in flows if flow.get(name) is not None]
