"""Results of comparisons: intervals, paired differences, ranks as far as the runs can tell, rows for files."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from ackclock import _core
from ackclock.comparisons.advice import remarks, spread_remarks, tie_remarks
from ackclock.comparisons.plan import Plan
from ackclock.comparisons.trace_stats import LEVELS, Timeline
from ackclock.runs.bottleneck import Bottleneck, bottleneck
from ackclock.runs.ties import Spread, how
from ackclock.scenario.differences import Differing, differences, said
from ackclock.stats.contrast import POWER, Contrast, Rank, contrast_json
from ackclock.stats.independence import drop_digest, drop_sequences
from ackclock.stats.measures import BY_NAME, MEASURES, MIXED, Measure
from ackclock.stats.statistics import (
    Difference,
    Interval,
    condensed,
    holm,
    interval,
    paired,
    percent_above,
    replications_to_tell,
)
from ackclock.sweeps.drawn import Drawn, Taken
from ackclock.sweeps.jobs import Job
from ackclock.sweeps.results import RunTables, flatten

MOST_WATCHED = 2_000_000
"""Packets of a run above which they are not traced one by one: the traces would take gigabytes."""


@dataclass(frozen=True, repr=False)
class Comparison(RunTables):
    """Replicated runs of several variants in the same base scenario."""

    ELSEWHERE: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("table", "results", "rows", "data", "df", "points"), "runs"),
        **dict.fromkeys(("to_polars", "to_pandas", "head", "columns"), "runs.{}"),
        "rank": "ranks", "places": "ranks", "winner": "best", "mean": "interval", "p": "contrasts",
        "warnings": "remarks", "summary": "to_json",
        **dict.fromkeys(("plot", "figures", "draw"), "ackclock.figures(comparison)"),
        **dict.fromkeys(("report", "save", "write"), 'ackclock.write_report(comparison, "folder")'),
    }  # fmt: skip

    plan: Plan
    jobs: Mapping[str, list[Job]]
    summaries: Mapping[str, list[dict[str, Any]]]
    delays: Mapping[str, list[tuple[float, ...]]] = field(default_factory=dict)
    """Quantiles of the delays of packets, at `trace_stats.LEVELS`, in each replication; empty if not traced."""
    timelines: Mapping[str, Timeline] = field(default_factory=dict)
    """Timeline of each first replication; empty if not traced."""
    drawn: Drawn | None = None
    """The replications on slightly changed links, if they were asked for."""
    _contrasts: dict[str, dict[tuple[str, str], Contrast]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Contrasts computed so far, by measure."""

    @property
    def variants(self) -> list[str]:
        """The labels of the variants, in the order asked for."""
        return list(self.plan.scenarios)

    @cached_property
    def scenario_diff(self) -> list[Differing]:
        """The settings that the scenarios do not share; values in the order of the variants."""
        return differences(list(self.plan.scenarios.values()))

    @property
    def unnamed_diff(self) -> list[Differing]:
        """Those of these settings that neither the labels nor the variants' own parameters name."""
        return [one for one in self.scenario_diff if not self._named(one)]

    def _named(self, one: Differing) -> bool:
        first, *rest = one.path.split(".")
        transport = first == "flow" and len(rest) > 1 and rest[1] in ("tcp", "quic")
        if transport and self.plan.parameters:
            return True
        return transport and rest[2:] == ["variant"] and one.texts() == self.variants

    @property
    def reps(self) -> int:
        """Replications made."""
        return len(self.jobs[self.variants[0]])

    @property
    def level(self) -> float:
        """Confidence of the intervals and of the ranking."""
        return self.plan.level

    @cached_property
    def bottleneck(self) -> Bottleneck | None:
        """The resource whose utilisation and queue are shown: as asked for, else the busiest of the first run."""
        return bottleneck(self.summaries[self.variants[0]][0], self.plan.bottleneck)

    @property
    def measures(self) -> list[Measure]:
        """The measures of which any of these runs has a value."""
        known = [*MEASURES, *(MIXED if self.plan.against else ())]
        return [one for one in known if self._there(one.name)]

    def _there(self, measure: str) -> bool:
        """Tell whether any run has a value: endless transfers have no completion time."""
        return any(not math.isnan(one[measure]) for runs in self._values.values() for one in runs)

    @cached_property
    def _values(self) -> dict[str, list[dict[str, float]]]:
        return {
            variant: [self.taken_of.of(summary) for summary in self.summaries[variant]]
            for variant in self.variants
        }

    @cached_property
    def taken_of(self) -> Taken:
        """The measures to take from a run."""
        link = None if self.bottleneck is None else self.bottleneck.name
        return Taken(self.plan.own, self.plan.other if self.plan.against else (), link)

    @cached_property
    def drop_sequences(self) -> dict[str, list[str]]:
        """Keys of each variant's replications: equal keys mean the same packets dropped in the same order."""
        return {
            variant: drop_sequences(self.plan.scenarios[variant], self.summaries[variant])
            for variant in self.variants
        }

    def values(self, variant: str, measure: str) -> list[float]:
        """Return one measure of one variant in each replication; NaN if a run has none."""
        return [one[measure] for one in self._values[variant]]

    def known(self, variant: str, measure: str) -> list[float]:
        """Return the values of a measure without the runs that have none."""
        return [x for x in self.values(variant, measure) if not math.isnan(x)]

    def flow_values(self, variant: str, name: str) -> list[float]:
        """Return one value of each flow under test in each replication, those without one left out."""
        flows = (summary["flows"][i] for summary in self.summaries[variant] for i in self.plan.own)
        return [float(flow[name]) for flow in flows if flow.get(name) is not None]

    def interval(self, variant: str, measure: str) -> Interval:
        """Return the mean of a measure with its interval, over the runs that have it."""
        return interval(self.independent(variant, measure), self.level)

    def independent(self, variant: str, measure: str) -> list[float]:
        """Return the values that an interval is based on: one for each group of replications that repeat each other."""
        (values,) = condensed(self.drop_sequences[variant], self.values(variant, measure))
        return values

    def difference(self, variant: str, other: str, measure: str = "goodput_bps") -> Difference:
        """Return the paired difference, `variant` minus `other`, over the replications in which both have a value."""
        return paired(*self._pairs(variant, other, measure), self.level)

    def percent(self, variant: str, other: str, measure: str = "goodput_bps") -> Interval:
        """Return the difference in percent of the other's mean, whose own uncertainty is in the interval."""
        return interval(percent_above(*self._pairs(variant, other, measure)), self.level)

    def _pairs(self, variant: str, other: str, measure: str) -> tuple[list[float], list[float]]:
        """Return the values of both in the replications in which both have one; repeated replications count as one."""
        keys = list(zip(self.drop_sequences[variant], self.drop_sequences[other], strict=True))
        first, second = condensed(keys, self.values(variant, measure), self.values(other, measure))
        return first, second

    def reactions(self, variant: str) -> dict[tuple[str, str], int]:
        """Return the number of losses by actual and inferred cause, over the flows under test and all runs.

        Table ``loss_reactions`` of the glossary says what the words mean.
        """
        counts: dict[tuple[str, str], int] = {}
        for summary in self.summaries[variant]:
            for index in self.plan.own:
                for row in summary["flows"][index].get("loss_reactions", ()):
                    key = (row["actual_cause"], row["inferred_cause"])
                    counts[key] = counts.get(key, 0) + int(row["count"])
        return counts

    def tcp_variant(self, variant: str) -> str:
        """Return the TCP or QUIC variant that the flows under test run under a label; several joined by ``+``."""
        flows = self.summaries[variant][0]["flows"]
        return "+".join(dict.fromkeys(str(flows[i].get("variant") or "") for i in self.plan.own))

    def best(self, measure: str | None = None) -> str:
        """Return the variant with the best mean; it need not be significantly better."""
        return self.ordered(measure)[0]

    def ordered(self, measure: str | None = None) -> list[str]:
        """Return the variants by their means, the best first; those without a mean last."""
        name = measure or self.plan.by
        sign = 1.0 if BY_NAME[name].better == "lower" else -1.0

        def key(variant: str) -> float:
            found = sign * self.interval(variant, name).mean
            return math.inf if math.isnan(found) else found

        return sorted(self.variants, key=key)

    @property
    def reference(self) -> str:
        """The variant that differences are taken from."""
        return self.plan.reference or self.best()

    def contrasts(self, measure: str | None = None) -> dict[tuple[str, str], Contrast]:
        """Return the difference of every pair, both ways round.

        A difference that is the same in every replication needs no test and counts as certain: p is 0 (or 1
        if it is zero).
        """
        name = measure or self.plan.by
        if name in self._contrasts:
            return self._contrasts[name]
        pairs = list(itertools.combinations(self.variants, 2))
        found = [self.difference(one, other, name) for one, other in pairs]
        adjusted = holm([0.0 if one.interval.zero_variance and one.mean else one.p for one in found])
        alpha = 1 - self.level
        contrasts: dict[tuple[str, str], Contrast] = {}
        for (one, other), difference, p in zip(pairs, found, adjusted, strict=True):
            back = self.difference(other, one, name)
            known = p < alpha
            needed = None if known else replications_to_tell(difference.effect, alpha / len(pairs), POWER)
            if needed is not None:
                needed = max(needed, difference.interval.n + 1)
            for a, b, way in ((one, other, difference), (other, one, back)):
                contrasts[a, b] = Contrast(
                    a, b, way, self.percent(a, b, name), p, known, needed, self.plan.margin
                )
        self._contrasts[name] = contrasts
        return contrasts

    def ranks(self, measure: str | None = None) -> dict[str, Rank]:
        """Rank the variants by a measure, as far as the runs can tell them apart."""
        name = measure or self.plan.by
        sign = -1.0 if BY_NAME[name].better == "lower" else 1.0
        contrasts = self.contrasts(name)
        found: dict[str, Rank] = {}
        for one in self.variants:
            mine = [contrasts[one, other] for other in self.variants if other != one]
            ahead = sum(1 for contrast in mine if contrast.matters and sign * contrast.difference.mean < 0)
            behind = sum(1 for contrast in mine if contrast.matters and sign * contrast.difference.mean > 0)
            tied = tuple(contrast.other for contrast in mine if not contrast.matters)
            found[one] = Rank(ahead + 1, len(self.variants) - behind, tied)
        return found

    def leaders(self, measure: str) -> list[str]:
        """Return the variants that no other is significantly better than; empty if no direction is the better one."""
        if BY_NAME[measure].better == "neither" or self.reps < 2:
            return []
        return [variant for variant, rank in self.ranks(measure).items() if rank.best == 1]

    def hangs_on(self, variant: str, other: str, measure: str | None = None) -> str | None:
        """Return the effect that decides the order of two variants: ``ties``, ``phase``, or None."""
        if self.drawn is None:
            return None
        name = measure or self.plan.by
        base = self.contrasts(name)[variant, other].difference.mean
        return self.drawn.hangs_on(base, variant, other, name)

    def taken(self, variant: str) -> Contrast | None:
        """Return what a variant takes from the other one of a mix.

        That is the goodput of the other's flows beside this variant, less their goodput beside their own kind.
        None if there is nothing to compare with: no mix, or the other variant itself.
        """
        base = self.plan.against
        return None if base is None or variant == base else self.contrasts("other_goodput_bps")[variant, base]

    def remarks(self) -> list[str]:
        """Return remarks that a reader should know before believing the numbers."""
        values = {variant: self.known(variant, self.plan.by) for variant in self.variants}
        plan = self.plan
        found = self._diff_remarks()
        found += remarks(
            {label: some[0].scenario for label, some in self.jobs.items()},
            plan.own,
            self.summaries,
            self.timelines,
            self.bottleneck,
            reps=self.reps,
            jitter_s=self.jobs[self.variants[0]][0].jitter_s,
        )
        found += spread_remarks(BY_NAME[plan.by].title, values, self.drop_sequences)
        found += tie_remarks(self)
        if self.plan.until is not None:
            found += self._too_wide(self.plan.until)
        if self.plan.watch and not self.timelines:
            found.append(
                f"more than {MOST_WATCHED:,} packets in a run: they were not watched one by one, so there are no "
                "delay percentiles, distributions and windows"
            )
        return found

    @property
    def diff_text(self) -> str:
        """The settings in which the scenarios differ, in words, if the labels do not name them; else empty."""
        if not self.unnamed_diff:
            return ""
        return f"{' / '.join(self.variants)} differ in {said(self.unnamed_diff, 5)}"

    def _diff_remarks(self) -> list[str]:
        found = [self.diff_text] if self.diff_text else []
        alone = [
            one.path
            for one in self.scenario_diff
            if one.path.startswith("flow.") and one.path.count(".") == 1
        ]
        if alone:
            found.append(f"not in every scenario, so not measured: {', '.join(alone)}")
        first: dict[str, str] = {}
        for label, scenario in self.plan.scenarios.items():
            other = first.setdefault(scenario.canonical(), label)
            if other != label:
                found.append(f"{other} and {label} have the same scenario")
        return found

    def _too_wide(self, until: float) -> list[str]:
        wide = [
            variant
            for variant in self.variants
            if not (found := self.interval(variant, self.plan.by)).zero_variance and found.relative > until
        ]
        return (
            [f"{', '.join(wide)}: not known to {until * 100:g} % after {self.reps} replications"]
            if wide
            else []
        )

    def __repr__(self) -> str:
        """Show each variant's mean and interval of the ranking measure."""
        from ackclock.comparisons.repr import comparison_text

        return comparison_text(self)

    def _repr_html_(self) -> str:
        from ackclock.comparisons.repr import comparison_html

        return comparison_html(self)

    def run_rows(self) -> list[dict[str, Any]]:
        """Return one row per run, with every measure."""
        return [
            {
                "label": variant,
                "variant": self.tcp_variant(variant),
                **_head(job),
                **values,
                "drop_digest": drop_digest(summary),
            }
            for variant in self.variants
            for job, values, summary in zip(
                self.jobs[variant], self._values[variant], self.summaries[variant], strict=True
            )
        ]

    def flow_rows(self) -> list[dict[str, Any]]:
        """Return one row per flow of each run, with its whole summary."""
        return [
            {"label": variant, **_head(job), "flow": index, **flatten(flow)}
            for variant in self.variants
            for job, summary in zip(self.jobs[variant], self.summaries[variant], strict=True)
            for index, flow in enumerate(summary["flows"])
        ]

    def delay_rows(self) -> list[dict[str, Any]]:
        """Return the distribution of packets' delays: mean and half width over the runs of each quantile."""
        rows = []
        for variant, runs in self.delays.items():
            for i, level in enumerate(LEVELS):
                found = interval([one[i] for one in runs if not math.isnan(one[i])], self.level)
                row = {"label": variant, "quantile": level, "delay_s": found.mean}
                rows.append({**row, "delay_s_ci": found.half_width, "delay_s_n": found.n})
        return rows

    def timeline_rows(self) -> list[dict[str, Any]]:
        """Return the first runs' windows and goodput over time, as they are drawn."""
        rows: list[dict[str, Any]] = []
        for variant, one in self.timelines.items():
            bins = tuple(i * one.bin_s for i in range(len(one.goodput)))
            curves = {"cwnd": one.cwnd, "ssthresh": one.ssthresh, "goodput_bps": (bins, one.goodput)}
            for variable, (time, value) in curves.items():
                head = {"label": variant, "variable": variable}
                rows += [{**head, "time_s": t, "value": x} for t, x in zip(time, value, strict=True)]
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return intervals, ranks and differences as plain data."""
        ranks = self.ranks()
        rows = []
        for variant in self.variants:
            found = {one.name: self.interval(variant, one.name) for one in self.measures}
            rows.append(
                {
                    "label": variant,
                    "variant": self.tcp_variant(variant),
                    "place": ranks[variant].best,
                    "last_place": ranks[variant].worst,
                    "tied_with": list(ranks[variant].tied),
                    "drop_sequences": len(set(self.drop_sequences[variant])),
                    "measures": {
                        name: {
                            "mean": one.mean,
                            "half_width": one.half_width,
                            "n": one.n,
                            **({} if self.drawn is None else self.drawn.spread(variant, name).to_json()),
                        }
                        for name, one in found.items()
                    },
                }
            )
        pairs = itertools.combinations(self.ordered(), 2)
        return {
            "level": self.level,
            "margin": self.plan.margin,
            "by": self.plan.by,
            "best": self.best(),
            "variants": rows,
            "differences": [
                {**contrast_json(self.contrasts()[pair]), **self._apart_json(*pair)} for pair in pairs
            ],
            **({} if self.drawn is None else {"ties": how()}),
            "scenario_diff": [
                {"path": one.path, "values": dict(zip(self.variants, one.values, strict=True))}
                for one in self.scenario_diff
            ],
            "taken_from_the_other": [
                contrast_json(contrast)
                for variant in self.variants
                if (contrast := self.taken(variant)) is not None
            ],
            "warnings": self.remarks(),
            "manifest": self.manifest(),
        }

    def _apart_json(self, variant: str, other: str) -> dict[str, Any]:
        """Return the draws of a difference as plain data; empty if there are none."""
        if self.drawn is None:
            return {}
        spread = Spread.of(self.drawn.apart(variant, other, self.plan.by))
        return {**spread.to_json(), "hangs_on": self.hangs_on(variant, other)}

    def manifest(self) -> dict[str, Any]:
        """Return the data that repeats the comparison."""
        first = self.jobs[self.variants[0]]
        return {
            "version": _core.__version__,
            "seeds": [job.seed for job in first],
            "jitter_bounds_s": [job.jitter_s for job in first],
            "bottleneck": None if self.bottleneck is None else self.bottleneck.label,
            "plan": self.plan.to_json(),
        }


def _head(job: Job) -> dict[str, Any]:
    return {"replication": job.replication, "seed": job.seed, "jitter_bound_s": job.jitter_s}
