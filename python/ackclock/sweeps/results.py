"""Results of a sweep: measures of runs and of points, with intervals, and the rows of result files."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from ackclock import _core
from ackclock.errors import UserError
from ackclock.errors.suggestions import Named
from ackclock.runs.bottleneck import RULE, Bottleneck, bottleneck
from ackclock.runs.table import Table
from ackclock.stats.groups import BY_VARIANT
from ackclock.stats.independence import (
    drop_digest,
    drop_sequence,
    has_random_times,
    has_ties,
    repeats,
    tied_remark,
)
from ackclock.stats.measures import (
    GOODPUT_SHARE,
    MEASURES,
    MIXED,
    Measure,
    group_value,
    independent_values,
    measure_of,
    measures,
    measures_of,
)
from ackclock.stats.statistics import Interval, Values, interval, zero_variance_warning
from ackclock.sweeps.axes import points as grid_points
from ackclock.sweeps.jobs import Job
from ackclock.sweeps.randomness import said
from ackclock.sweeps.tables import Columns, columns_of, flow_columns, frame_of

if TYPE_CHECKING:
    from ackclock.sweeps.drawn import Drawn
    from ackclock.sweeps.sweep import Sweep


Value = TypeVar("Value")

DATAGRAMS: Final = "udp"
"""Variant of flows without congestion control."""

MOST_SHARES: Final = 6
"""Maximum number of variants in a run for which shares of goodput are shown although the user did not ask for them."""


class RunTables(Named):
    """Base class of results with one row per run and one row per flow."""

    def run_rows(self) -> list[dict[str, Any]]:
        """Return one row per run: varied values, and all measures."""
        raise NotImplementedError

    def flow_columns(self) -> Columns:
        """Return the columns of a table with one row per flow and run."""
        raise NotImplementedError

    def flow_rows(self) -> list[dict[str, Any]]:
        """Return one row per flow and run."""
        found = self.flow_columns()
        return [dict(zip(found, values, strict=True)) for values in zip(*found.values(), strict=True)]

    @property
    def runs(self) -> Table:
        """Table with one row per run: varied values, and all measures."""
        return table(self.run_rows())

    @property
    def flows(self) -> Table:
        """Table with one row per flow of each run."""
        return Table(frame_of(self.flow_columns()))


@dataclass(frozen=True, repr=False)
class SweepResult(RunTables):
    """The results of a sweep.

    ::

        found = ac.sweep("dumbbell", {"link.bottleneck.queue.packets": [5, 20, 50]}, reps=5)
        found.points.to_polars()                       # means and confidence intervals of each point
        found.intervals("goodput_bps")

    """

    ELSEWHERE: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("table", "results", "rows", "data", "df", "summary"), "points"),
        **dict.fromkeys(("to_polars", "to_pandas", "head", "columns"), "points.{}"),
        **dict.fromkeys(("plot", "figures", "draw"), "ackclock.figures(sweep)"),
        **dict.fromkeys(("report", "save", "write"), 'ackclock.write_report(sweep, "folder")'),
    }

    sweep: Sweep
    jobs: list[Job]
    summaries: Sequence[dict[str, Any]]
    """Summaries of the runs in the order of the jobs; with ``by_point`` each is read from the store on access."""
    drawn: Drawn | None = None
    """Measures on perturbed links, by number of the point; None unless the sweep was run with ``ties``."""

    @property
    def campaign(self) -> Sweep:
        """Former name of `sweep`."""
        warnings.warn("SweepResult.campaign is now .sweep", DeprecationWarning, stacklevel=2)
        return self.sweep

    def facts(self) -> list[tuple[str, str]]:
        """Return a description of the sweep's method, for reports, as pairs of heading and text."""
        sweep, first = self.sweep, self.jobs[0].seed
        seeds = f"seeds {first} to {max(job.seed for job in self.jobs)}, the same at every point"
        if sweep.until is not None:
            seeds += f"; added until half the interval of {sweep.by} is at most {sweep.until:.3g} of its mean"
        return [
            *((axis.path, ", ".join(axis.values)) for axis in sweep.axes),
            ("replications", f"{self.replications}, {seeds}"),
            ("random between replications", self._randomness()),
            ("length of a run", str(sweep.scenario.document()["duration"])),
            ("bottleneck", sweep.bottleneck or f"{RULE} of each point's first run"),
            ("scenario", "`scenario.toml` beside this page"),
            ("simulator", f"ackclock {_core.__version__}"),
        ]

    def _randomness(self) -> str:
        """Return a text on the randomness between replications; if it differs, at the first and the last point."""
        firsts = [job for job in self.jobs if job.replication == 0]
        first, last = said(firsts[0]), said(firsts[-1])
        return first if first == last else f"at the first point {first}; at the last one {last}"

    @property
    def replications(self) -> str:
        """Number of replications per point, as text: ``10``, or ``3 to 40``."""
        last = [
            job.replication
            for job, after in zip(self.jobs, [*self.jobs[1:], None], strict=True)
            if _ends(after)
        ]
        least, most = min(last) + 1, max(last) + 1
        return str(least) if least == most else f"{least} to {most}"

    @property
    def points(self) -> Table:
        """Table with one row per point: mean, half width (``_ci``) and number of values (``_n``) of each measure."""
        return table(self.point_rows())

    def flow_columns(self) -> Columns:
        """Return one row per flow and run: varied values, replication, seed, and the flow's results."""
        return flow_columns(
            (_head(job), summary["flows"]) for job, summary in zip(self.jobs, self.summaries, strict=True)
        )

    def run_rows(self) -> list[dict[str, Any]]:
        """Return one row per run: varied values, replication, seed, and all measures."""
        every = [one.name for one in (*MEASURES, *self.grouped)]
        return [
            {
                **_head(job),
                "bottleneck": one.bottleneck.label if one.bottleneck else "",
                **{name: one.values.get(name, math.nan) for name in every},
                "drop_digest": one.drops,
            }
            for job, one in zip(self.jobs, self._read, strict=True)
        ]

    @property
    def bottlenecks(self) -> list[Bottleneck | None]:
        """For each run, the resource whose utilisation is measured: the bottleneck of its point's first run."""
        return [one.bottleneck for one in self._read]

    @property
    def measured(self) -> list[dict[str, float]]:
        """All measures of each run, in the order of the jobs."""
        return [one.values for one in self._read]

    @cached_property
    def drop_sequences(self) -> list[list[str]]:
        """Keys of the replications' drop sequences, by point; equal keys mean equal drops in equal order."""
        return [[one.sequence for one in some] for some in self._by_point(self._read)]

    @cached_property
    def _read(self) -> list[_Read]:
        """Values extracted from each run's summary, which is then freed."""
        found: list[_Read] = []
        asked = self.asked
        one: Bottleneck | None = None
        timed = False
        for job, summary in zip(self.jobs, self.summaries, strict=True):
            if job.replication == 0:
                one = bottleneck(summary, self.sweep.bottleneck)
                timed = has_random_times(job.scenario)
            values = measures(summary, None, one.name if one else None)
            values |= {measure.name: group_value(measure, summary) for measure in (*asked, *_shares(summary))}
            sequence = drop_sequence(summary, timed=timed)
            found.append(_Read(one, values, drop_digest(summary), sequence, has_ties(summary)))
        return found

    def _by_point(self, values: Sequence[Value]) -> list[list[Value]]:
        """Return the values of runs in lists, one for each point of the grid."""
        found: list[list[Value]] = []
        for job, value in zip(self.jobs, values, strict=True):
            if job.replication == 0:
                found.append([])
            found[-1].append(value)
        return found

    @cached_property
    def asked(self) -> tuple[Measure, ...]:
        """Measures of groups of flows that the user asks for."""
        listed = (*measures_of(self.sweep.measure), measure_of(self.sweep.by))
        return tuple(dict.fromkeys(one for one in listed if one.group is not None))

    @cached_property
    def shares(self) -> tuple[Measure, ...]:
        """Shares of goodput by variant, if flows of several variants compete in any run."""
        found = [
            name for one in self._read for name in one.values if name.startswith(f"{GOODPUT_SHARE.name}:")
        ]
        asked = {one.name for one in self.asked}
        return tuple(measure_of(name) for name in dict.fromkeys(found) if name not in asked)

    @property
    def grouped(self) -> tuple[Measure, ...]:
        """Measures of groups of flows that all tables have: those that the user asks for, and shares of variants."""
        return (*self.asked, *self.shares)

    def values(self, measure: str) -> list[tuple[dict[str, str], list[float]]]:
        """Return each point of the grid with the values of a measure, one per replication; NaN if a run has no value.

        The measure may be one of a group of flows, even if the sweep does not ask for it: ``goodput_bps:bbr/*``.
        """
        points = (dict(job.labels) for job in self.jobs if job.replication == 0)
        return list(zip(points, self._by_point(self._values(measure)), strict=True))

    def _values(self, measure: str) -> list[float]:
        """Return the value of a measure in each run."""
        of = measure_of(measure)
        if of in MIXED:
            raise UserError(f"{measure}: only a mix of ackclock.compare has this measure")
        if of.group is None or of in self.grouped:
            return [one.get(of.name, math.nan) for one in self.measured]
        return [group_value(of, summary) for summary in self.summaries]

    def intervals(self, measure: str) -> list[tuple[dict[str, str], Interval]]:
        """Return each point with the confidence interval of a measure; runs without a value are left out."""
        level = self.sweep.level
        return [(point, interval(values, level)) for point, values in self.independent(measure)]

    def independent(self, measure: str) -> list[tuple[dict[str, str], Values]]:
        """Return each point with the independent values from which the interval of a measure is computed.

        Replications that repeat each other give one value; runs without a value are left out. For a ratio of groups of
        flows, the values are a `Ratio`.
        """
        of = measure_of(measure)
        found: list[tuple[dict[str, str], Values]] = []
        done = 0
        for (point, values), keys in zip(self.values(measure), self.drop_sequences, strict=True):
            summaries = self.summaries[done : done + len(values)] if of.is_ratio else ()
            done += len(values)
            found.append((point, independent_values(of, keys, summaries, values)))
        return found

    def point_rows(self) -> list[dict[str, Any]]:
        """Return one row per point: mean, half width (``_ci``) and number of values (``_n``) of each measure."""
        level = self.sweep.level
        firsts = (one for job, one in zip(self.jobs, self.bottlenecks, strict=True) if job.replication == 0)
        rows: list[dict[str, Any]] = [
            {**point, "level": level, "bottleneck": one.label if one else ""}
            for point, one in zip(grid_points(self.sweep.axes), firsts, strict=True)
        ]
        every = (*MEASURES, *self.grouped)
        for measure in every:
            for row, (_, found) in zip(rows, self.intervals(measure.name), strict=True):
                row |= {
                    measure.name: found.mean,
                    f"{measure.name}_ci": found.half_width,
                    f"{measure.name}_n": found.n,
                }
        for row, keys in zip(rows, self.drop_sequences, strict=True):
            row["drop_sequences"] = len(set(keys))
        if self.drawn is not None:
            for i, row in enumerate(rows):
                for measure in every:
                    row |= self.drawn.spread(i, measure.name).columns(measure.name)
        return rows

    def __repr__(self) -> str:
        """Show the size of the grid."""
        from ackclock.sweeps.repr import sweep_text

        return sweep_text(self)

    def _repr_html_(self) -> str:
        from ackclock.sweeps.repr import sweep_html

        return sweep_html(self)

    def warnings(self, measure: str = "goodput_bps") -> list[str]:
        """Return remarks on the reliability of the intervals of `measure`, such as repeated replications."""
        found: list[str] = []
        keys: dict[str, list[str]] = {}
        for (point, values), some in zip(self.values(measure), self.drop_sequences, strict=True):
            text = zero_variance_warning(values, measure)
            label = ", ".join(f"{path}={value}" for path, value in point.items())
            if text is not None:
                found.append(f"{label}: {text}" if label else text)
            else:
                keys[label] = some
        text = repeats(keys)
        found += [] if text is None else [text]
        return found if self.drawn is not None else [*found, *tied_remark([one.tied for one in self._read])]


def table(rows: list[dict[str, Any]]) -> Table:
    """Return rows as a table; missing values become null."""
    return Table(frame_of(columns_of(rows)))


def _shares(summary: Mapping[str, Any]) -> Iterator[Measure]:
    """Yield the share of goodput of each variant, if 2 to `MOST_SHARES` TCP or QUIC variants are in a run."""
    flows = summary["flows"]
    variants = list(dict.fromkeys(flow["variant"] for flow in flows if flow["variant"] != DATAGRAMS))
    if 1 < len(variants) <= MOST_SHARES:
        for variant in variants:
            named = [i for i, flow in enumerate(flows) if flow["name"] == variant]
            of = [i for i, flow in enumerate(flows) if flow["variant"] == variant]
            prefix = BY_VARIANT if named and named != of else ""
            yield measure_of(f"{GOODPUT_SHARE.name}:{prefix}{variant}")


@dataclass(frozen=True, slots=True)
class _Read:
    """Values extracted from the summary of one run."""

    bottleneck: Bottleneck | None
    values: dict[str, float]
    """All measures."""
    drops: str
    """Digest of the drop sequence."""
    sequence: str
    """Key of the drop sequence; see `independence.drop_sequence`."""
    tied: bool
    """True if a packet arrived at a full queue at the instant of another event."""


def _ends(after: Job | None) -> bool:
    """Return true if the next job `after` is the first job of a point, or None because there is no next job."""
    return after is None or after.replication == 0


def _head(job: Job) -> dict[str, Any]:
    return {**job.labels, "replication": job.replication, "seed": job.seed, "jitter_bound_s": job.jitter_s}
