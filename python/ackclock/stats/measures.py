"""Measures by which whole runs are compared, computed from a run's summary.

Names and definitions are those of table `runs` of the glossary (``ackclock list metrics``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from ackclock import _core
from ackclock.runs.bottleneck import Bottleneck, bottleneck
from ackclock.stats.statistics import jain, mean


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of a run: name, presentation and definition."""

    name: str
    """Name of the column; ends in the unit."""
    title: str
    """Title in tables and figures."""
    unit: str
    """Displayed unit; empty if the measure has none."""
    scale: float
    """Factor from the value to the displayed unit."""
    better: Literal["higher", "lower", "neither"]
    """Direction in which the measure improves."""

    @property
    def meaning(self) -> str:
        """Definition in one line, from the glossary."""
        return _glossary()[self.name]

    @property
    def heading(self) -> str:
        """Title with the displayed unit."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


MEASURES: tuple[Measure, ...] = (
    Measure("goodput_bps", "goodput", "Mb/s", 1e-6, "higher"),
    Measure("throughput_bps", "throughput", "Mb/s", 1e-6, "higher"),
    Measure("new_data_bps", "new data", "Mb/s", 1e-6, "higher"),
    Measure("packet_rtt_mean_s", "packet RTT", "ms", 1e3, "lower"),
    Measure("packet_rtt_p50_s", "packet RTT, median", "ms", 1e3, "lower"),
    Measure("packet_rtt_p95_s", "packet RTT, 95th percentile", "ms", 1e3, "lower"),
    Measure("packet_rtt_p99_s", "packet RTT, 99th percentile", "ms", 1e3, "lower"),
    Measure("sampled_rtt_mean_s", "sampled RTT", "ms", 1e3, "lower"),
    Measure("delay_mean_s", "delay", "ms", 1e3, "lower"),
    Measure("delay_p50_s", "delay, median", "ms", 1e3, "lower"),
    Measure("delay_p95_s", "delay, 95th percentile", "ms", 1e3, "lower"),
    Measure("delay_p99_s", "delay, 99th percentile", "ms", 1e3, "lower"),
    Measure("loss_ratio", "loss", "%", 1e2, "lower"),
    Measure("retransmitted_packets", "retransmitted", "packets", 1.0, "lower"),
    Measure("fct_mean_s", "completion", "s", 1.0, "lower"),
    Measure("timeouts", "timeouts", "", 1.0, "lower"),
    Measure("jain", "Jain", "", 1.0, "higher"),
    Measure("utilisation", "utilisation", "%", 1e2, "higher"),
    Measure("queue_mean_packets", "queue", "packets", 1.0, "lower"),
    Measure("queue_delay_mean_s", "queueing delay", "ms", 1e3, "lower"),
)
"""All measures of a run, in the order of columns."""

MIXED: tuple[Measure, ...] = (
    Measure("other_goodput_bps", "others' goodput", "Mb/s", 1e-6, "higher"),
    Measure("share", "share", "%", 1e2, "neither"),
)
"""Additional measures of mixes of two variants."""

BY_NAME: dict[str, Measure] = {measure.name: measure for measure in (*MEASURES, *MIXED)}

SHOWN = ("goodput_bps", "packet_rtt_mean_s", "delay_p95_s", "loss_ratio", "jain", "utilisation")
"""Default measures of tables: throughput, delay, loss and fairness, since no single one suffices (RFC 5166)."""

_SUMS = ("goodput_bps", "throughput_bps", "new_data_bps", "retransmitted_packets", "timeouts")
_MEANS = tuple(one.name for one in MEASURES if one.name.startswith(("packet_rtt_", "sampled_rtt_", "delay_")))
_OF_LINK = ("queue_mean_packets", "queue_delay_mean_s")


def measures(
    summary: Mapping[str, Any], flows: Sequence[int] | None = None, link: str | None = None
) -> dict[str, float]:
    """Return all measures of a run from its parsed summary; NaN for measures without a value.

    Flows without a value are left out of a measure: UDP flows, for example, have no round-trip time.

    Args:
        summary: Summary of the run.
        flows: Numbers of the flows to aggregate; all if None.
        link: Resource of utilisation and queue, as in `ackclock.runs.bottleneck`; the busiest if None.
    """
    every: list[Mapping[str, Any]] = summary["flows"]
    chosen = every if flows is None else [every[i] for i in flows]
    found = {name: math.fsum(_values(chosen, name)) for name in _SUMS}
    found.update({name: mean(_values(chosen, name)) for name in _MEANS})
    lost = math.fsum(_values(chosen, "lost_packets_total"))
    handled = lost + math.fsum(_values(chosen, "received_packets"))
    found["loss_ratio"] = lost / handled if handled else math.nan
    ended = _values(chosen, "fct_s")
    found["fct_mean_s"] = mean(ended) if len(ended) == len(chosen) else math.nan
    found["jain"] = jain(_values(chosen, "goodput_bps"))
    found.update(_of_bottleneck(bottleneck(summary, link)))
    return {measure.name: found[measure.name] for measure in MEASURES}


def mixed_measures(summary: Mapping[str, Any], own: Sequence[int], other: Sequence[int]) -> dict[str, float]:
    """Return the additional measures of a mix: goodput of the competing flows, and share of the flows under test."""
    flows = summary["flows"]
    ours, theirs = ([float(flows[i]["goodput_bps"]) for i in side] for side in (own, other))
    both = mean(ours) + mean(theirs)
    return {
        "jain": jain([*ours, *theirs]),
        "other_goodput_bps": math.fsum(theirs),
        "share": mean(ours) / both if both > 0 else math.nan,
    }


def _of_bottleneck(one: Bottleneck | None) -> dict[str, float]:
    values = {key: None if one is None else one.value(key) for key in _OF_LINK}
    found = {key: math.nan if value is None else value for key, value in values.items()}
    return {"utilisation": math.nan if one is None else one.share, **found}


def _values(flows: Sequence[Mapping[str, Any]], name: str) -> list[float]:
    return [float(flow[name]) for flow in flows if flow.get(name) is not None]


@cache
def _glossary() -> dict[str, str]:
    terms = json.loads(_core.catalogue("metrics"))
    return {term["name"]: term["summary"] for term in terms if term["table"] == "runs"}
