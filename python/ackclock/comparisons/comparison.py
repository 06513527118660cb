"""Results of comparisons: intervals, paired differences, ranks, and rows of result files."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from ackclock import _core
from ackclock._io.versions import SCHEMA_VERSION
from ackclock.comparisons.advice import remarks, spread_remarks, tie_remarks
from ackclock.comparisons.plan import Plan
from ackclock.comparisons.trace_stats import LEVELS, Timeline
from ackclock.errors import UserError
from ackclock.runs.bottleneck import Bottleneck, bottleneck
from ackclock.runs.ties import Spread, how
from ackclock.scenario.differences import Differing, differences, said
from ackclock.stats.contrast import POWER, Contrast, Rank, contrast_json
from ackclock.stats.independence import drop_digest, drop_sequences
from ackclock.stats.measures import (
    MEASURES,
    MIXED,
    Measure,
    group_value,
    independent_values,
    measure_of,
    measures_of,
    parts,
)
from ackclock.stats.statistics import (
    Difference,
    Interval,
    Ratio,
    Values,
    condensed,
    holm,
    interval,
    paired,
    percent_above,
    replications_to_tell,
)
from ackclock.sweeps.drawn import Drawn, Taken
from ackclock.sweeps.jobs import Job
from ackclock.sweeps.results import RunTables
from ackclock.sweeps.tables import Columns, flow_columns

MOST_WATCHED = 2_000_000
"""Maximum number of packets of a run that is repeated with traces; traces of larger runs would take gigabytes."""


@dataclass(frozen=True, repr=False)
class Comparison(RunTables):
    """The results of a comparison of variants.

    ::

        found = ac.compare("reno", "vegas", rate="2Mbps", reps=5)
        found.ranks()                               # ranks by goodput; ties where differences are not significant
        found.difference("reno", "vegas")           # paired difference in goodput with its interval

    """

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
    """Quantiles of one-way packet delays, seconds, at `trace_stats.LEVELS`, by variant and replication.

    The mapping is empty if no run was traced."""
    timelines: Mapping[str, Timeline] = field(default_factory=dict)
    """Timeline of each variant's first replication; empty if these runs were not traced."""
    drawn: Drawn | None = None
    """Measures on perturbed links; None unless the comparison was run with ``ties``."""
    _contrasts: dict[str, dict[tuple[str, str], Contrast]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Cache of contrasts by measure."""

    @property
    def variants(self) -> list[str]:
        """Labels of the variants, in the order given."""
        return list(self.plan.scenarios)

    @cached_property
    def scenario_diff(self) -> list[Differing]:
        """Settings in which the scenarios differ, with values in the order of the variants."""
        return differences(list(self.plan.scenarios.values()))

    @property
    def unnamed_diff(self) -> list[Differing]:
        """Settings in which the scenarios differ, unless labels or variants' parameters state them."""
        return [one for one in self.scenario_diff if not self._named(one)]

    def _named(self, one: Differing) -> bool:
        first, *rest = one.path.split(".")
        transport = first == "flow" and len(rest) > 1 and rest[1] in ("tcp", "quic", "stack")
        if transport and self.plan.parameters:
            return True
        return transport and rest[2:] == ["variant"] and one.texts() == self.variants

    @property
    def reps(self) -> int:
        """Number of replications of each variant."""
        return len(self.jobs[self.variants[0]])

    @property
    def level(self) -> float:
        """Confidence level of intervals and ranking, 0 to 1."""
        return self.plan.level

    @cached_property
    def bottleneck(self) -> Bottleneck | None:
        """The resource whose utilisation and queue are measured: the one that the plan names, otherwise the busiest."""
        return bottleneck(self.summaries[self.variants[0]][0], self.plan.bottleneck)

    @property
    def measures(self) -> list[Measure]:
        """Measures that have a value in at least one run."""
        known = [*MEASURES, *(MIXED if self.plan.against else ()), *self.asked]
        return [one for one in known if self._there(one.name)]

    @cached_property
    def asked(self) -> tuple[Measure, ...]:
        """Measures of groups of flows that the plan asks for, in addition to the measures of every comparison."""
        listed = measures_of(self.plan.measure)
        by = measure_of(self.plan.by)
        return tuple(dict.fromkeys(one for one in (*listed, by) if one.group is not None))

    def has(self, measure: str) -> bool:
        """Return true if any run has a value of the measure, which is the only one that is computed."""
        of = self.taken_of.value
        return any(not math.isnan(of(measure, one)) for runs in self.summaries.values() for one in runs)

    def _there(self, measure: str) -> bool:
        """Return true if any run has a value of the measure."""
        return any(not math.isnan(one[measure]) for runs in self._values.values() for one in runs)

    @cached_property
    def _values(self) -> dict[str, list[dict[str, float]]]:
        return {
            variant: [self.taken_of.of(summary) for summary in self.summaries[variant]]
            for variant in self.variants
        }

    @cached_property
    def taken_of(self) -> Taken:
        """The flows and the resource for which measures are computed."""
        link = None if self.bottleneck is None else self.bottleneck.name
        return Taken(self.plan.own, self.plan.other if self.plan.against else (), link, self.asked)

    @cached_property
    def drop_sequences(self) -> dict[str, list[str]]:
        """Keys of the drop sequences of each variant's replications; equal keys mean equal drops in equal order."""
        return {
            variant: drop_sequences(self.plan.scenarios[variant], self.summaries[variant])
            for variant in self.variants
        }

    def values(self, variant: str, measure: str) -> list[float]:
        """Return the values of a measure, one per replication of a variant; NaN if a run has no value.

        The measure may be one of a group of flows, even if the plan does not ask for it: ``goodput_bps:bbr/*``.
        """
        found = self._values[variant]
        if measure in found[0]:
            return [one[measure] for one in found]
        of = measure_of(measure)
        if of.group is None:
            raise UserError(f"{measure}: only a mix has this measure (against=)")
        return [group_value(of, summary) for summary in self.summaries[variant]]

    def known(self, variant: str, measure: str) -> list[float]:
        """Return the values of a measure over the runs that have one."""
        return [x for x in self.values(variant, measure) if not math.isnan(x)]

    def flow_values(self, variant: str, name: str) -> list[float]:
        """Return the values of column `name` of all flows under test in all replications, except missing ones."""
        flows = (summary["flows"][i] for summary in self.summaries[variant] for i in self.plan.own)
        return [float(flow[name]) for flow in flows if flow.get(name) is not None]

    def interval(self, variant: str, measure: str) -> Interval:
        """Return the mean of a measure with its confidence interval, over the runs that have a value."""
        return interval(self.independent(variant, measure), self.level)

    def independent(self, variant: str, measure: str) -> Values:
        """Return the independent values from which an interval is computed; equal replications give one value.

        For a ratio of two groups of flows, the result is a `Ratio`.
        """
        return independent_values(
            measure_of(measure),
            self.drop_sequences[variant],
            self.summaries[variant],
            self.values(variant, measure),
        )

    def difference(self, variant: str, other: str, measure: str = "goodput_bps") -> Difference:
        """Return the mean difference, `variant` minus `other`, paired by replication, with interval and test.

        Replications in which one of the two has no value are left out.
        """
        return paired(*self._pairs(variant, other, measure), self.level)

    def percent(self, variant: str, other: str, measure: str = "goodput_bps") -> Interval:
        """Return the difference in percent of `other`'s mean; the interval reflects the uncertainty of both means."""
        return interval(percent_above(*self._pairs(variant, other, measure)), self.level)

    def _pairs(self, variant: str, other: str, measure: str) -> tuple[list[float], list[float]]:
        """Return paired values of both variants; replications that repeat each other give one pair."""
        keys = list(zip(self.drop_sequences[variant], self.drop_sequences[other], strict=True))
        both = (self._per_run(one, measure) for one in (variant, other))
        first, second = condensed(keys, *both)
        return first, second

    def _per_run(self, variant: str, measure: str) -> Sequence[float]:
        """Return one number per replication such that their mean is the estimate; ratios of groups are linearised."""
        of = measure_of(measure)
        if not of.is_ratio:
            return self.values(variant, measure)
        each = [parts(of, summary) for summary in self.summaries[variant]]
        known = [one for one in each if not math.isnan(sum(one))]
        if not known or not sum(below for _, below in known):
            return [math.nan] * len(each)
        numbers = iter(Ratio(tuple(a for a, _ in known), tuple(b for _, b in known)).linearised())
        return [math.nan if math.isnan(sum(one)) else next(numbers) for one in each]

    def reactions(self, variant: str) -> dict[tuple[str, str], int]:
        """Return the number of losses by (actual cause, inferred cause), over the flows under test and all runs.

        Table ``loss_reactions`` of the glossary defines the causes.
        """
        counts: dict[tuple[str, str], int] = {}
        for summary in self.summaries[variant]:
            for index in self.plan.own:
                for row in summary["flows"][index].get("loss_reactions", ()):
                    key = (row["actual_cause"], row["inferred_cause"])
                    counts[key] = counts.get(key, 0) + int(row["count"])
        return counts

    def tcp_variant(self, variant: str) -> str:
        """Return the variant of the flows under test of a label; several variants are joined by ``+``."""
        flows = self.summaries[variant][0]["flows"]
        return "+".join(dict.fromkeys(str(flows[i].get("variant") or "") for i in self.plan.own))

    def best(self, measure: str | None = None) -> str:
        """Return the variant with the best mean, even if its lead is not significant."""
        return self.ordered(measure)[0]

    def ordered(self, measure: str | None = None) -> list[str]:
        """Return the variants in order of their means, beginning with the best; variants without a mean come last."""
        name = measure or self.plan.by
        sign = 1.0 if measure_of(name).better == "lower" else -1.0

        def key(variant: str) -> float:
            found = sign * self.interval(variant, name).mean
            return math.inf if math.isnan(found) else found

        return sorted(self.variants, key=key)

    @property
    def reference(self) -> str:
        """The variant from which differences are computed: the one that the plan names, otherwise the best."""
        return self.plan.reference or self.best()

    def contrasts(self, measure: str | None = None) -> dict[tuple[str, str], Contrast]:
        """Return the contrasts of all ordered pairs of variants by a measure.

        A difference that is the same in all replications is not tested but taken as certain: p is 0, or 1 if the
        difference is zero.
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
        """Return the rank of each variant by a measure; variants that do not differ significantly are tied."""
        name = measure or self.plan.by
        sign = -1.0 if measure_of(name).better == "lower" else 1.0
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
        """Return the variants that no other variant beats significantly.

        The list is empty for a measure without a better direction, and with fewer than two replications.
        """
        if measure_of(measure).better == "neither" or self.reps < 2:
            return []
        return [variant for variant, rank in self.ranks(measure).items() if rank.best == 1]

    def hangs_on(self, variant: str, other: str, measure: str | None = None) -> str | None:
        """Return the effect that the order of two variants depends on: ``ties``, ``phase``, or None."""
        if self.drawn is None:
            return None
        name = measure or self.plan.by
        base = self.contrasts(name)[variant, other].difference.mean
        return self.drawn.hangs_on(base, variant, other, name)

    def taken(self, variant: str) -> Contrast | None:
        """Return the effect of a variant on the competing flows of a mix.

        The contrast is the goodput of the competing flows beside this variant, minus their goodput beside flows of
        their own variant. It is None outside of a mix, and for the competing variant itself.
        """
        base = self.plan.against
        return None if base is None or variant == base else self.contrasts("other_goodput_bps")[variant, base]

    def remarks(self) -> list[str]:
        """Return remarks on the reliability of the results."""
        return list(self._remarks)

    @cached_property
    def _remarks(self) -> list[str]:
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
        found += spread_remarks(measure_of(plan.by).title, values, self.drop_sequences)
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
        """Settings in which the scenarios differ, as text; empty if labels or parameters state all of them."""
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
        """Show the mean and interval of the ranking measure of each variant."""
        from ackclock.comparisons.repr import comparison_text

        return comparison_text(self)

    def _repr_html_(self) -> str:
        from ackclock.comparisons.repr import comparison_html

        return comparison_html(self)

    def run_rows(self) -> list[dict[str, Any]]:
        """Return one row per run with all measures."""
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

    def flow_columns(self) -> Columns:
        """Return one row per flow and run, with the flow's summary."""
        return flow_columns(
            ({"label": variant, **_head(job)}, summary["flows"])
            for variant in self.variants
            for job, summary in zip(self.jobs[variant], self.summaries[variant], strict=True)
        )

    def delay_rows(self) -> list[dict[str, Any]]:
        """Return the distribution of packet delays: mean over runs and half width for each quantile."""
        rows = []
        for variant, runs in self.delays.items():
            for i, level in enumerate(LEVELS):
                found = interval([one[i] for one in runs if not math.isnan(one[i])], self.level)
                row = {"label": variant, "quantile": level, "delay_s": found.mean}
                rows.append({**row, "delay_s_ci": found.half_width, "delay_s_n": found.n})
        return rows

    def timeline_rows(self) -> list[dict[str, Any]]:
        """Return windows and goodput over time of the first replications, thinned for drawing."""
        rows: list[dict[str, Any]] = []
        for variant, one in self.timelines.items():
            bins = tuple(i * one.bin_s for i in range(len(one.goodput)))
            curves = {"cwnd": one.cwnd, "ssthresh": one.ssthresh, "goodput_bps": (bins, one.goodput)}
            for variable, (time, value) in curves.items():
                head = {"label": variant, "variable": variable}
                rows += [{**head, "time_s": t, "value": x} for t, x in zip(time, value, strict=True)]
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return intervals, ranks and differences for JSON."""
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
            "schema_version": SCHEMA_VERSION,
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
        """Return the spread over the draws of the difference between two variants, for JSON; empty without draws."""
        if self.drawn is None:
            return {}
        spread = Spread.of(self.drawn.apart(variant, other, self.plan.by))
        return {**spread.to_json(), "hangs_on": self.hangs_on(variant, other)}

    def manifest(self) -> dict[str, Any]:
        """Return all inputs needed to repeat the comparison."""
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
