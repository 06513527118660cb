"""Studies that consist of sweeps: each variant is run at each point of each experiment, declared without code."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import polars as pl

from ackclock.report.model import Figure, Panel, Section, Series, Table
from ackclock.stats.measures import group_value, measure_of
from ackclock.stats.measures import measures as run_measures
from ackclock.stats.statistics import Interval, Ratio, interval, mean, percent_above
from ackclock.study import curves
from ackclock.study.agreement import Comparison, compare
from ackclock.study.claims import Claim, judged
from ackclock.study.data import StudyData
from ackclock.study.judge import Number, Test, level, positive
from ackclock.study.layout import Findings, Layout
from ackclock.study.names import Names
from ackclock.study.runs import RunTable, replicated
from ackclock.study.study import Plan, Study
from ackclock.study.tables import cell, ends, table

if TYPE_CHECKING:
    from ackclock.runs.run import Run
    from ackclock.scenario.scenario import Scenario
    from ackclock.study.runs import StudyJob


@dataclass(frozen=True)
class Measure:
    """A quantity measured in each run.

    Attributes:
        key: Name of the column in the data ("throughput_mbps").
        name: Printed name ("throughput").
        unit: Printed unit; empty for a count.
        of: Expression over the rows of `run.flows`; or the name of a measure of runs or of a group of flows
            (``"goodput_share:bbr"``), whose value is in the measure's displayed unit.
        digits: Number of decimals in tables.
    """

    key: str
    name: str
    unit: str
    of: pl.Expr | str
    digits: int = 2

    @property
    def label(self) -> str:
        """The printed name with its unit."""
        return f"{self.name}, {self.unit}" if self.unit else self.name


def measured(run: Run, measures: Sequence[Measure]) -> pl.DataFrame:
    """Return one row with the values of the measures in a run; null for a measure without a value."""
    flows = run.flows.to_polars()
    found = {}
    for one in measures:
        if isinstance(one.of, str):
            of = measure_of(one.of)
            value = group_value(of, run.summary) if of.group else run_measures(run.summary)[of.name]
            found[one.key] = pl.Series([None if math.isnan(value) else value * of.scale], dtype=pl.Float64)
        else:
            found[one.key] = flows.select(one.of).to_series()
    return pl.DataFrame(found)


@dataclass(frozen=True)
class Experiment:
    """A sweep over x, or a single point.

    Attributes:
        key: Name in the data.
        figures: The figures and tables of the paper that need the experiment, as `only` takes them ("fig3", "table1").
        title: Heading of the figure or table.
        xs: Values of x, ascending.
        quick: Values of x in the quick form.
        place: Format string that describes a point, with x in braces.
        scale: Factor by which x is multiplied where it is shown.
        axis: Label of the x axis; empty if no figure is drawn.
        note: The fixed settings, for the figure's caption.
        name: Short name in tables.
        file: File name of the figure.
        published: The paper's values, by key of the measure, variant and x.
        log_x: True if the x axis is logarithmic.
        counts: True if x is a count.
        network: The network of the scenarios; ``{x}`` in its texts stands for x. See `at`.
    """

    key: str
    figures: tuple[str, ...]
    title: str = ""
    xs: tuple[float, ...] = (0,)
    quick: tuple[float, ...] = (0,)
    place: str = ""
    scale: float = 1.0
    axis: str = ""
    note: str = ""
    name: str = ""
    file: str = ""
    published: Mapping[str, Mapping[tuple[str, float], float]] = field(default_factory=dict)
    log_x: bool = False
    counts: bool = False
    network: Mapping[str, Any] = field(default_factory=dict)

    def at(self, x: float, **values: object) -> dict[str, Any]:
        """Return `network` with ``{x}`` and the names of `values` in braces replaced by their values."""
        given = {"x": x, **values}

        def filled(value: Any) -> Any:
            alone = value[1:-1] if isinstance(value, str) and value.startswith("{") else ""
            return (
                given[alone] if alone in given else value.format(**given) if isinstance(value, str) else value
            )

        return {key: filled(value) for key, value in self.network.items()}

    def point(self, x: float) -> str:
        """Return the description of the point at `x` in words."""
        return self.place.format(x * self.scale)

    def fewer(self) -> Experiment:
        """Return the experiment with only the points of the quick form."""
        return replace(self, xs=tuple(x for x in self.xs if x in self.quick))


Point: TypeAlias = tuple[str, float, str]
"""A point: key of the experiment, x, and key of the variant."""


class Runs:
    """Measured values by experiment, x, variant, and whether start times were jittered."""

    def __init__(
        self,
        data: StudyData,
        experiments: Sequence[Experiment],
        variants: Mapping[str, str],
        measures: Sequence[Measure],
    ) -> None:
        self.data = data
        self.figures = set(data.figures)
        self.by_key = {experiment.key: experiment for experiment in experiments}
        self.variants = (*variants, *data.changes.added)
        self.names = Names(variants)
        self.measures = {one.key: one for one in measures}
        self.first = next(iter(self.measures))
        self.runs = data.values("runs", "experiment", "x", "variant", "jittered")

    def experiments(self) -> list[str]:
        """Return the keys of the experiments that were run, in their order."""
        return self.runs.labels(0)

    def xs(self, experiment: str) -> list[float]:
        """Return the x values that were run, ascending."""
        return sorted(self.runs.labels(1, experiment))

    def point(self, experiment: str, x: float) -> str:
        """Return the description of a point of an experiment in words."""
        return self.by_key[experiment].point(x)

    def values(
        self, experiment: str, x: float, variant: str, measure: str = "", *, jittered: bool = True
    ) -> list[float]:
        """Return the values of a measure (by default the first), one per replication, by ascending seed."""
        return self.runs.of(measure or self.first, experiment, x, variant, jittered)

    def mean(
        self, experiment: str, x: float, variant: str, measure: str = "", *, jittered: bool = True
    ) -> float:
        """Return the mean of a measure (by default the first) over the replications."""
        return mean(self.values(experiment, x, variant, measure, jittered=jittered))

    def interval(
        self, experiment: str, x: float, variant: str, measure: str = "", *, jittered: bool = True
    ) -> Interval:
        """Return the mean of a measure (by default the first) over the replications, with its confidence interval."""
        return interval(self.values(experiment, x, variant, measure, jittered=jittered))

    def above(
        self, experiment: str, x: float, variant: str, rival: str, measure: str = "", *, jittered: bool = True
    ) -> Ratio:
        """Return the difference variant - rival in percent of the rival's mean, paired by seed."""
        pair = (self.values(experiment, x, one, measure, jittered=jittered) for one in (variant, rival))
        return percent_above(*pair)

    def ahead(self, experiment: str, x: float, winner: str, *rivals: str, measure: str = "") -> list[Test]:
        """Return the tests that the winner is above each rival at a point, in percent of the rival's mean."""
        return [
            positive(
                self.point(experiment, x),
                f"{self.names[winner]} - {self.names[rival]}",
                self.above(experiment, x, winner, rival, measure),
                once=self.above(experiment, x, winner, rival, measure, jittered=False).mean,
            )
            for rival in rivals
        ]

    def holds(
        self,
        experiment: str,
        x: float,
        variant: str,
        measure: str = "",
        *,
        above: float = -math.inf,
        below: float = math.inf,
    ) -> Test:
        """Return the test that a measure of one variant at a point is between `above` and `below`, both exclusive."""
        at, named = (experiment, x, variant, measure), self.measures[measure or self.first]
        what, once = f"{named.name} of {self.names[variant]}", self.mean(*at, jittered=False)
        return level(self.point(experiment, x), what, self.values(*at), above, below, named.unit, once)

    def published(self, experiment: str, measure: str = "") -> list[Number]:
        """Return a test for each value that the paper states for a measure in an experiment."""
        named = self.measures[measure or self.first]
        stated = self.by_key[experiment].published.get(named.key, {})
        return [
            Number(
                self.point(experiment, x),
                f"{named.name} of {self.names[variant]}",
                self.values(experiment, x, variant, measure),
                published=value,
                alternatives=tuple(other for (_, at), other in stated.items() if at == x),
                unit=named.unit,
                once=self.mean(experiment, x, variant, measure, jittered=False),
            )
            for (variant, x), value in stated.items()
            if x in self.xs(experiment)
        ]

    def compared(
        self, theirs: Mapping[Point, Interval], within: Callable[[str], float], rounding: float = 0.0
    ) -> list[Comparison]:
        """Compare the means without jitter at all points with another simulator's values.

        Args:
            theirs: The other simulator's means of the first measure, by point.
            within: Function that returns, for an experiment, the greatest difference that counts as agreement, as a
                fraction of the other simulator's mean.
            rounding: Unit of the last digit of the other simulator's values.
        """
        points = ((e, x, v) for e in self.experiments() for x in self.xs(e) for v in self.variants)
        return [
            compare(
                at,
                self.interval(*at, jittered=False),
                theirs[at],
                within(at[0]),
                rounding,
                altered=bool(self.runs.altered(*at)),
            )
            for at in points
            if at in theirs
        ]


@dataclass(frozen=True)
class Sweeps(Plan):
    """The choice of runs for one call of a study that consists of sweeps.

    Attributes:
        experiments: The experiments, with the chosen points.
        replications: Number of replications with jittered starts, in addition to the run without jitter.
    """

    experiments: tuple[Experiment, ...]
    replications: int


SweepClaim: TypeAlias = Claim[Runs, str]

COLUMN: Final = "verdict"
"""Heading of the column of verdicts; there is only one."""


def of_sweeps(
    *,
    name: str,
    summary: str,
    layout: Layout,
    experiments: Sequence[Experiment],
    variants: Mapping[str, str],
    scenario: Callable[[str, float, str], Scenario],
    measures: Sequence[Measure],
    claims: Sequence[SweepClaim],
    findings: Callable[[Runs], Sequence[str]] = lambda _: (),
    replications: int = 10,
    quick_replications: int = 3,
    jitter_s: float = 0.1,
    links: Mapping[str, str] | None = None,
) -> Study[Sweeps]:
    """Return a study whose experiments are sweeps of the same variants and measures.

    Each point is run once with the given start times, which is the paper's procedure, and several times with jittered
    start times, from which intervals and verdicts are computed. All variants use the same seeds.

    Args:
        name: Name on the command line and in the report.
        summary: One line about the study.
        layout: The parts of the report that do not depend on the data.
        experiments: The sweeps and single points.
        variants: Printed name of each variant, by key.
        scenario: Function of an experiment's key, x and a variant that returns the scenario.
        measures: The quantities measured in each run.
        claims: The paper's claims; their tests are functions of `Runs` and the column.
        findings: Function of `Runs` that returns the opening sentences of the report.
        replications: Number of replications with jittered starts.
        quick_replications: Number of replications with jittered starts in the quick form.
        jitter_s: Each start time of a jittered replication is delayed by a random time from U(0, `jitter_s`), s.
        links: Names of links for ``--set``, by their ends; see `Study.links`.
    """
    figures = tuple(dict.fromkeys(figure for one in experiments for figure in one.figures))

    def plan(quick: bool, only: str | None) -> Sweeps:
        chosen = [one for one in experiments if only is None or only in one.figures]
        return Sweeps(
            quick,
            figures if only is None else (only,),
            tuple(one.fewer() if quick else one for one in chosen),
            quick_replications if quick else replications,
        )

    def jobs(chosen: Sweeps) -> Iterator[StudyJob]:
        for one in chosen.experiments:
            for x in one.xs:
                for variant in (*variants, *chosen.changes.added):
                    made = scenario(one.key, x, variant)
                    labels = {"experiment": one.key, "x": float(x), "variant": variant}
                    yield from replicated(made, labels, chosen.replications, jitter_s)

    def rows(_: StudyJob, run: Run) -> pl.DataFrame:
        return measured(run, measures)

    def manifest(chosen: Sweeps, data: StudyData) -> dict[str, Any]:
        return {
            "replications": chosen.replications,
            "jitter_s": jitter_s,
            "settings": layout.settings.plain(),
            "points": {one.key: list(one.xs) for one in chosen.experiments},
            "scenario_hashes": data.scenario_hashes("runs", "{experiment} x={x:g} {variant}"),
        }

    def find(data: StudyData) -> Findings:
        s = Runs(data, experiments, variants, measures)
        there = [s.by_key[key] for key in s.experiments()]
        return Findings(
            columns=(COLUMN,),
            claims=judged(claims, s, (COLUMN,), s.figures),
            compared={},
            findings=tuple(findings(s)),
            sections=[Section(one.title or one.key, _blocks(s, one)) for one in there],
            beside=(),
            summary=[block for one in there for block in numbers(s, one)],
            points=[row for one in there for row in _points(s, one)],
        )

    labels = ("experiment", "x", "variant", "jittered", "seed")
    return Study(
        name=name,
        summary=summary,
        figures=figures,
        plan=plan,
        jobs=jobs,
        tables={"runs": RunTable(labels, rows)},
        scenario=labels[:3],
        manifest=manifest,
        layout=layout,
        find=find,
        variants=tuple(variants),
        links=links or {},
    )


def numbers(s: Runs, experiment: Experiment) -> tuple[Table, ...]:
    """Return tables of all measures at each point of an experiment, with the published values if there are any."""

    def row(x: float, variant: str) -> dict[str, str]:
        cells = {}
        for one in s.measures.values():
            at = (experiment.key, x, variant, one.key)
            cells[one.label] = cell(s.interval(*at), one.digits)
            if stated := experiment.published.get(one.key):
                cells[f"{one.name}, published"] = cell(stated.get((variant, x)), one.digits)
        where = {"point": experiment.point(x)} if experiment.place else {}
        return {**where, "variant": s.names[variant], **cells}

    rows = (row(x, variant) for x in s.xs(experiment.key) for variant in s.variants)
    notes = ("Means of the runs with jittered starts, with 95 % confidence intervals.",)
    return table(experiment.key, experiment.title, rows, notes, text_columns=2 if experiment.place else 1)


def _blocks(s: Runs, experiment: Experiment) -> tuple[Table | Figure, ...]:
    drawn = (_figure(s, experiment),) if experiment.axis else ()
    return (*drawn, *numbers(s, experiment))


def _figure(s: Runs, experiment: Experiment) -> Figure:
    """Return a figure with one panel per measure against x; stars are published values."""
    xs = s.xs(experiment.key)
    shown = [x * experiment.scale for x in xs]

    def panel(one: Measure) -> Panel:
        stated = experiment.published.get(one.key, {})
        series: list[Series] = []
        for hue, variant in enumerate(s.variants):
            values = [s.interval(experiment.key, x, variant, one.key) for x in xs]
            series.append(curves.means(s.names[variant], hue, shown, values))
            stars = [(x * experiment.scale, stated[variant, x]) for x in xs if (variant, x) in stated]
            series += [curves.points("published", hue, stars)] if stars else []
        return Panel(one.label, tuple(series))

    return Figure(
        key=experiment.file or experiment.key,
        title=experiment.title,
        x_label=experiment.axis,
        panels=tuple(map(panel, s.measures.values())),
        notes=tuple(filter(None, (experiment.note,))),
        alt=f"{experiment.title}, for each variant.",
        log_x=experiment.log_x,
        counts=experiment.counts,
    )


def _points(s: Runs, experiment: Experiment) -> Iterator[dict[str, Any]]:
    for x in s.xs(experiment.key):
        for variant in s.variants:
            row: dict[str, Any] = {"experiment": experiment.key, "x": x, "variant": variant}
            for one in s.measures.values():
                found = s.interval(experiment.key, x, variant, one.key)
                row |= {one.key: found.mean, **ends(f"{one.key}_{{}}", found)}
            yield row
