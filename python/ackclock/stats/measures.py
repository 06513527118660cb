"""Measures by which whole runs are compared, computed from a run's summary.

Names and definitions are those of table `runs` of the glossary (``ackclock list metrics``). A measure may be taken of
a group of flows (``goodput_bps:bbr/*``, ``goodput_share:cubic``), or as the ratio of two groups
(``goodput_bps:bbr:cubic``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Final, Literal, TypeAlias

from ackclock import _core
from ackclock.errors import UserError, choices
from ackclock.runs.bottleneck import Bottleneck, bottleneck
from ackclock.stats.groups import CHOSEN, Group
from ackclock.stats.statistics import Ratio, Values, condensed, jain, mean, quantiles

Flows: TypeAlias = Sequence[Mapping[str, Any]]
"""Records of flows, from a summary."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of a run, with presentation and definition."""

    name: str
    """Name of the column; it ends in the unit."""
    title: str
    """Title in tables and figures."""
    unit: str
    """Displayed unit; empty if the measure has none."""
    scale: float
    """Factor from the value to the displayed unit."""
    better: Literal["higher", "lower", "neither"]
    """Direction of improvement."""
    group: Group | None = None
    """Flows over which the measure is taken; None for those of the comparison or sweep."""
    base: Group | None = None
    """Flows for the base of a ratio; None if the measure is not a ratio of groups."""

    @property
    def meaning(self) -> str:
        """One-line definition from the glossary."""
        own = _glossary()[self.name.partition(":")[0]]
        if self.group is None:
            return own
        if self.base is None:
            return f"{own}; its flows are those in `{self.group.text}`"
        each = "per flow" if self.name.partition(":")[0] in _SUMS else "as above"
        return f"({own}) of `{self.group.text}` divided by that of `{self.base.text}`, {each}"

    @property
    def is_ratio(self) -> bool:
        """True for a ratio of two groups, which is estimated by the ratio of the means over runs."""
        return self.base is not None

    @property
    def heading(self) -> str:
        """Title, with the displayed unit if there is one."""
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
    Measure("jitter_mean_s", "jitter", "ms", 1e3, "lower"),
    Measure("loss_ratio", "loss", "%", 1e2, "lower"),
    Measure("retransmitted_packets", "retransmitted", "packets", 1.0, "lower"),
    Measure("fct_mean_s", "completion", "s", 1.0, "lower"),
    Measure("fct_p50_s", "completion, median", "s", 1.0, "lower"),
    Measure("fct_p95_s", "completion, 95th percentile", "s", 1.0, "lower"),
    Measure("fct_p99_s", "completion, 99th percentile", "s", 1.0, "lower"),
    Measure("slowdown_mean", "slowdown", "", 1.0, "lower"),
    Measure("slowdown_p50", "slowdown, median", "", 1.0, "lower"),
    Measure("slowdown_p95", "slowdown, 95th percentile", "", 1.0, "lower"),
    Measure("slowdown_p99", "slowdown, 99th percentile", "", 1.0, "lower"),
    Measure("timeouts", "timeouts", "", 1.0, "lower"),
    Measure("jain", "Jain", "", 1.0, "higher"),
    Measure("utilisation", "utilisation", "%", 1e2, "higher"),
    Measure("queue_mean_packets", "queue", "packets", 1.0, "lower"),
    Measure("queue_delay_mean_s", "queueing delay", "ms", 1e3, "lower"),
)
"""All measures of a run, in the order of table columns."""

MIXED: tuple[Measure, ...] = (
    Measure("other_goodput_bps", "others' goodput", "Mb/s", 1e-6, "higher"),
    Measure("share", "share", "%", 1e2, "neither"),
)
"""Additional measures for mixes of two variants."""

GOODPUT_SHARE: Final = Measure("goodput_share", "share of goodput", "%", 1e2, "neither")
"""Measure that exists only for groups of flows: their part of the goodput of all flows of the run."""

BY_NAME: dict[str, Measure] = {measure.name: measure for measure in (*MEASURES, *MIXED)}
"""Measures without groups, by name; `measure_of` also finds measures of groups."""

SHOWN = ("goodput_bps", "packet_rtt_mean_s", "delay_p95_s", "loss_ratio", "jain", "utilisation")
"""Default measures of tables: throughput, delay, loss and fairness, as no single one suffices (RFC 5166)."""

_SUMS: Final = ("goodput_bps", "throughput_bps", "new_data_bps", "retransmitted_packets", "timeouts")
_MEANS: Final = tuple(
    one.name for one in MEASURES if one.name.startswith(("packet_rtt_", "sampled_rtt_", "delay_", "jitter_"))
)
_COMPLETIONS: Final = {"fct_p50_s": 0.5, "fct_p95_s": 0.95, "fct_p99_s": 0.99}
_SLOWDOWNS: Final = ("slowdown_mean", "slowdown_p50", "slowdown_p95", "slowdown_p99")
_OF_LINK: Final = ("queue_mean_packets", "queue_delay_mean_s")


def measures(
    summary: Mapping[str, Any], flows: Sequence[int] | None = None, link: str | None = None
) -> dict[str, float]:
    """Return all measures of a run from its parsed summary; NaN where a measure has no value.

    Flows without a value are left out of a measure: UDP flows, for example, have no round-trip time.

    Args:
        summary: Summary of the run.
        flows: Numbers of the flows to aggregate; all if None.
        link: Resource of utilisation and queue, as in `ackclock.runs.bottleneck`; the busiest if None.
    """
    chosen = _chosen(summary, flows)
    found = {name: of(chosen) for name, of in _of_flows().items()}
    found.update(_of_bottleneck(bottleneck(summary, link)))
    return {measure.name: found[measure.name] for measure in MEASURES}


def measure_value(
    name: str, summary: Mapping[str, Any], flows: Sequence[int] | None = None, link: str | None = None
) -> float:
    """Return one of the measures that `measures` returns."""
    of = _of_flows().get(name)
    return _of_bottleneck(bottleneck(summary, link))[name] if of is None else of(_chosen(summary, flows))


def _chosen(summary: Mapping[str, Any], flows: Sequence[int] | None) -> Flows:
    every: Flows = summary["flows"]
    return every if flows is None else [every[i] for i in flows]


def mixed_measures(summary: Mapping[str, Any], own: Sequence[int], other: Sequence[int]) -> dict[str, float]:
    """Return the measures of a mix: fairness of all its flows, the rivals' goodput, and the share of the tested flows.

    The share compares mean goodputs per flow, so that it is 1/2 if both sides do equally well.
    """
    flows = summary["flows"]
    ours, theirs = ([float(flows[i]["goodput_bps"]) for i in side] for side in (own, other))
    both = mean(ours) + mean(theirs)
    return {
        "jain": jain([*ours, *theirs]),
        "other_goodput_bps": math.fsum(theirs),
        "share": mean(ours) / both if both > 0 else math.nan,
    }


@cache
def measure_of(name: str, what: str = "measure") -> Measure:
    """Return a measure, given its name, such as ``goodput_bps``, or name and groups, such as ``goodput_bps:bbr/*``.

    ``NAME:GROUP`` is the measure over the flows of a group, and ``NAME:GROUP:BASE`` its ratio to that of another
    group. Sums such as goodput are totals; in a ratio they are taken per flow, so that groups may differ in size.
    `what` names the option in errors.

    Raises:
        UserError: If there is no such measure, or it cannot be taken of a group.
    """
    own, *groups = (part.strip() for part in name.split(":"))
    if not groups and own in BY_NAME:
        return BY_NAME[own]
    known = [*_of_flows(), GOODPUT_SHARE.name]
    if not groups:
        every = [*BY_NAME, *(f"{one}:GROUP" for one in (GOODPUT_SHARE.name,))]
        raise UserError(f"{what}: there is no measure {own!r}{choices(own, every)}")
    if own not in known:
        raise UserError(f"{what}: {own!r} is no measure of a group of flows{choices(own, known)}")
    if len(groups) > 2 or (own == GOODPUT_SHARE.name and len(groups) > 1):
        wanted = "NAME:GROUP" if own == GOODPUT_SHARE.name else "NAME:GROUP, or NAME:GROUP:BASE for a ratio"
        raise UserError(f"{what}: cannot read {name!r}\n  wanted: {wanted}")
    group, *base = (Group.parse(part) for part in groups)
    plain = GOODPUT_SHARE if own == GOODPUT_SHARE.name else BY_NAME[own]
    full = ":".join((own, *groups))
    if base:
        title = f"{plain.title}, {group.text} to {base[0].text}"
        return Measure(full, title, "", 1.0, "neither", group, base[0])
    return replace(plain, name=full, title=f"{plain.title} {group.text}", group=group)


def measures_of(listed: str | None, what: str = "measure") -> tuple[Measure, ...]:
    """Return the measures in a comma-separated list of names, without duplicates; none if the list is None."""
    names = [part.strip() for part in (listed or "").split(",")]
    return tuple(measure_of(name, what) for name in dict.fromkeys(names) if name)


def parts(measure: Measure, summary: Mapping[str, Any]) -> tuple[float, float]:
    """Return a measure's values for its group and its base in a run; the base is 1 if there is no ratio.

    A group without flows in the run has no value (NaN).
    """
    every: Flows = summary["flows"]
    if measure.group is None:
        raise AssertionError(measure)
    own = measure.name.partition(":")[0]
    chosen = measure.group.chosen(every)
    if not chosen:
        return math.nan, math.nan
    if own == GOODPUT_SHARE.name:
        total = math.fsum(_values(every, "goodput_bps"))
        return (math.fsum(_values(chosen, "goodput_bps")) / total if total else math.nan), 1.0
    of = _of_flows()[own]
    if measure.base is None:
        return of(chosen), 1.0
    others = measure.base.chosen(every)
    if not others:
        return math.nan, math.nan
    if own in _SUMS:
        return of(chosen) / len(chosen), of(others) / len(others)
    return of(chosen), of(others)


def group_value(measure: Measure, summary: Mapping[str, Any]) -> float:
    """Return a group measure's value in one run; NaN if it has none."""
    above, below = parts(measure, summary)
    return above / below if below else math.nan


def independent_values(
    measure: Measure, keys: Sequence[str], summaries: Iterable[Mapping[str, Any]], values: Sequence[float]
) -> Values:
    """Return the data for a measure's interval: independent values, or a `Ratio` for a ratio of groups.

    Args:
        measure: The measure.
        keys: Drop sequences of the replications; those with equal keys count once.
        summaries: Summaries of the replications, which are read for a ratio only.
        values: Values of the measure, one per replication.
    """
    if not measure.is_ratio:
        (some,) = condensed(keys, values)
        return some
    both = [parts(measure, summary) for summary in summaries]
    above, below = condensed(keys, [one for one, _ in both], [one for _, one in both])
    return Ratio(tuple(above), tuple(below))


@cache
def _of_flows() -> Mapping[str, Callable[[Flows], float]]:
    """Return the functions that compute measures from flow records, by name of the measure."""
    return {
        **{name: partial(_sum, name) for name in _SUMS},
        **{name: partial(_mean, name) for name in _MEANS},
        "loss_ratio": _loss_ratio,
        "fct_mean_s": partial(_completion, "fct_mean_s"),
        **{name: partial(_completion, name, at=at) for name, at in _COMPLETIONS.items()},
        **{name: partial(_of_requests, name) for name in _SLOWDOWNS},
        "jain": lambda flows: jain(_values(flows, "goodput_bps")),
    }


def _sum(name: str, flows: Flows) -> float:
    return math.fsum(_values(flows, name))


def _mean(name: str, flows: Flows) -> float:
    return mean(_values(flows, name))


def _loss_ratio(flows: Flows) -> float:
    lost = _sum("lost_packets_total", flows)
    handled = lost + _sum("received_packets", flows)
    return lost / handled if handled else math.nan


def _completion(name: str, flows: Flows, at: float | None = None) -> float:
    """Return the mean completion time of flows and requests, or the quantile `at`; NaN unless all flows completed."""
    if not flows or any(flow.get("fct_s") is None and not flow.get("completions") for flow in flows):
        return math.nan
    ended = _values([flow for flow in flows if not flow.get("completions")], "fct_s")
    parts = [(mean(ended) if at is None else quantiles(ended, [at])[0], len(ended))] if ended else []
    parts += [(float(row[name]), int(row["count"])) for row in _requests(flows) if row["count"]]
    return _weighted(parts)


def _of_requests(name: str, flows: Flows) -> float:
    """Return a value of the requests of flows with sessions, averaged by requests; NaN if there are none."""
    rows = _requests(flows)
    return _weighted([(float(row[name]), int(row["count"])) for row in rows if row[name] is not None])


def _requests(flows: Flows) -> list[Mapping[str, Any]]:
    """Return the rows of completion times of flows with sessions: all requests, or the classes that a group chose."""
    return [
        row for flow in flows for row in flow.get("completions", ()) if row["requests_of"] in ("all", CHOSEN)
    ]


def _weighted(parts: Sequence[tuple[float, int]]) -> float:
    total = sum(weight for _, weight in parts)
    return math.fsum(value * weight for value, weight in parts) / total if total else math.nan


def _of_bottleneck(one: Bottleneck | None) -> dict[str, float]:
    values = {key: None if one is None else one.value(key) for key in _OF_LINK}
    found = {key: math.nan if value is None else value for key, value in values.items()}
    return {"utilisation": math.nan if one is None else one.share, **found}


def _values(flows: Flows, name: str) -> list[float]:
    return [float(value) for flow in flows if (value := flow.get(name)) is not None]


@cache
def _glossary() -> dict[str, str]:
    terms = json.loads(_core.catalogue("metrics"))
    return {term["name"]: term["summary"] for term in terms if term["table"] == "runs"}
