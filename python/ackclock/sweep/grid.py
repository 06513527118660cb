"""Grids: every combination of varied values, replicated; and the campaign that runs and stores them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ackclock import _core
from ackclock.errors import UserError
from ackclock.files import atomic_folder, json_text
from ackclock.scenario import Scenario
from ackclock.sweep.jobs import JITTER_S, Job, Progress, replications, run_jobs
from ackclock.sweep.measures import MEASURES, measures
from ackclock.sweep.statistics import Interval, interval, zero_variance_warning
from ackclock.sweep.store import Store, write_rows


@dataclass(frozen=True, slots=True)
class Axis:
    """One varied setting."""

    path: str
    """Where the value stands in the scenario; ``*`` for every entry of a list."""
    values: tuple[str, ...]
    """Its values as they would stand after ``--set PATH=``."""

    @classmethod
    def parse(cls, text: str) -> Axis:
        """Read ``PATH=V1,V2,...``. Commas inside brackets, braces or quotes do not separate."""
        path, equals, listed = text.partition("=")
        values = tuple(part.strip() for part in split_values(listed))
        if not equals or not path.strip() or not all(values):
            raise UserError(
                f"cannot read --vary {text!r}\n  wanted: PATH=V1,V2,...   for example link.0.rate=1Mbps,2Mbps"
            )
        repeated = next((value for i, value in enumerate(values) if value in values[:i]), None)
        if repeated is not None:
            raise UserError(f"--vary {path}: {repeated} is listed twice")
        return cls(path.strip(), values)


def split_values(text: str) -> list[str]:
    """Split at commas that stand outside brackets, braces and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for i, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def points(axes: Sequence[Axis]) -> list[dict[str, str]]:
    """Return every combination of the axes' values, the last axis fastest; one empty point without axes."""
    names = [axis.path for axis in axes]
    doubled = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if doubled is not None:
        raise UserError(f"--vary {doubled} is given twice: list all its values in one")
    return [
        dict(zip(names, values, strict=True)) for values in itertools.product(*(axis.values for axis in axes))
    ]


@dataclass(frozen=True)
class Campaign:
    """A scenario, a grid over it, and how often each point is repeated."""

    scenario: Scenario
    axes: tuple[Axis, ...] = ()
    reps: int = 10
    seed: int | None = None
    """First replication's seed; the scenario's own where None."""
    jitter_s: float = JITTER_S
    """Start jitter from the second replication on, seconds."""
    level: float = 0.95
    """Confidence of the intervals."""

    def jobs(self) -> list[Job]:
        """Return every run, point by point; `ScenarioError` names the field where a point makes no sense."""
        found: list[Job] = []
        for point in points(self.axes):
            scenario = self.scenario.apply(f"{path}={value}" for path, value in point.items())
            found += replications(scenario, self.reps, seed=self.seed, jitter_s=self.jitter_s, labels=point)
        return found

    def manifest(self) -> dict[str, Any]:
        """Return what re-runs the campaign: version, scenario, grid, replications, seeds."""
        return {
            "version": _core.__version__,
            "vary": {axis.path: list(axis.values) for axis in self.axes},
            "reps": self.reps,
            "seed": int(self.scenario.document().get("seed", 1)) if self.seed is None else self.seed,
            "jitter_s": self.jitter_s,
            "level": self.level,
            "scenario": self.scenario.document(),
        }

    def run(self, out: str | Path, *, threads: int = 0, progress: Progress | None = None) -> CampaignResult:
        """Run what is missing in the folder `out` and write the results there.

        Files: ``results.csv`` and ``.parquet`` (one row per flow and run), ``runs.csv`` and ``.parquet`` (one
        row per run), ``points.csv`` and ``.parquet`` (one row per point, with intervals), ``manifest.json``,
        ``scenario.toml``, ``campaign.sqlite`` (finished runs).
        """
        jobs = self.jobs()
        with Store(out) as store:
            summaries = run_jobs(jobs, store=store, threads=threads, progress=progress)
        result = CampaignResult(self, jobs, summaries)
        with atomic_folder(out) as draft:
            write_rows(draft, "results", result.flow_rows())
            write_rows(draft, "runs", result.run_rows())
            write_rows(draft, "points", result.point_rows())
            (draft / "manifest.json").write_text(json_text(self.manifest()), encoding="utf-8")
            (draft / "scenario.toml").write_text(self.scenario.to_toml(), encoding="utf-8")
        return result

    def run_here(self, *, threads: int = 0, progress: Progress | None = None) -> CampaignResult:
        """Run every point in memory and write nothing."""
        jobs = self.jobs()
        return CampaignResult(self, jobs, run_jobs(jobs, threads=threads, progress=progress))


@dataclass(frozen=True, repr=False)
class CampaignResult:
    """What came out of a campaign: summaries in the order of its jobs."""

    campaign: Campaign
    jobs: list[Job]
    summaries: list[dict[str, Any]]

    def flow_rows(self) -> list[dict[str, Any]]:
        """Return one row per flow of each run: varied values, replication, seed, and the flow's results."""
        rows: list[dict[str, Any]] = []
        for job, summary in zip(self.jobs, self.summaries, strict=True):
            for index, flow in enumerate(summary["flows"]):
                rows.append({**_head(job), "flow": index, **flatten(flow)})
        return rows

    def run_rows(self) -> list[dict[str, Any]]:
        """Return one row per run: varied values, replication, seed, measures."""
        return [
            {**_head(job), **measures(summary)}
            for job, summary in zip(self.jobs, self.summaries, strict=True)
        ]

    def values(self, measure: str) -> list[tuple[dict[str, str], list[float]]]:
        """Return each point of the grid with one measure's value in each replication."""
        found: list[tuple[dict[str, str], list[float]]] = []
        for job, summary in zip(self.jobs, self.summaries, strict=True):
            if job.replication == 0:
                found.append((dict(job.labels), []))
            found[-1][1].append(measures(summary)[measure])
        return found

    def intervals(self, measure: str) -> list[tuple[dict[str, str], Interval]]:
        """Return each point with the interval of one measure; runs without a value are left out."""
        level = self.campaign.level
        return [
            (point, interval([x for x in values if not math.isnan(x)], level))
            for point, values in self.values(measure)
        ]

    def point_rows(self) -> list[dict[str, Any]]:
        """Return one row per point: each measure's mean, half width (``_ci``), number of values (``_n``)."""
        rows: list[dict[str, Any]] = [
            {**point, "level": self.campaign.level} for point in points(self.campaign.axes)
        ]
        for measure in MEASURES:
            for row, (_, found) in zip(rows, self.intervals(measure.name), strict=True):
                row |= {
                    measure.name: found.mean,
                    f"{measure.name}_ci": found.half_width,
                    f"{measure.name}_n": found.n,
                }
        return rows

    def __repr__(self) -> str:
        """Say how large the grid is."""
        from ackclock.sweep.shown import sweep_text

        return sweep_text(self)

    def _repr_html_(self) -> str:
        from ackclock.sweep.shown import sweep_html

        return sweep_html(self)

    def warnings(self, measure: str = "goodput_bps") -> list[str]:
        """Return what should be known before the intervals of `measure` are believed."""
        found: list[str] = []
        for point, values in self.values(measure):
            text = zero_variance_warning(values, measure)
            if text is not None:
                label = ", ".join(f"{path}={value}" for path, value in point.items())
                found.append(f"{label}: {text}" if label else text)
        return found


def flatten(record: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return a record without nesting: ``{"lost": {"queue": 3}}`` becomes ``{"lost.queue": 3}``.

    Lists, which are tables of their own, are left out.
    """
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{key}.")
        elif not isinstance(value, list):
            flat[f"{prefix}{key}"] = value
    return flat


def _head(job: Job) -> dict[str, Any]:
    return {**job.labels, "replication": job.replication, "seed": job.seed, "jitter_bound_s": job.jitter_s}
