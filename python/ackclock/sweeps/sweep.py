"""Sweeps: a scenario is run with replications at every point of a grid of settings, and the results are stored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ackclock import _core, executors
from ackclock._io.files import atomic_folder, json_text, read_json, refuse_foreign
from ackclock.errors import FileError, UserError
from ackclock.scenario.scenario import Scenario
from ackclock.stats.groups import described_flows
from ackclock.stats.measures import measure_of, measures_of
from ackclock.stats.statistics import Values, replications_needed
from ackclock.sweeps.axes import Axis, points
from ackclock.sweeps.drawn import Drawing, Taken, draw
from ackclock.sweeps.jobs import (
    Job,
    MemoryStore,
    Progress,
    Registry,
    finish_jobs,
    summaries_of,
)
from ackclock.sweeps.options import MOST_REPS, SweepOptions
from ackclock.sweeps.partitioned import stored, write_points
from ackclock.sweeps.randomness import Randomness
from ackclock.sweeps.results import SweepResult
from ackclock.sweeps.store import Store
from ackclock.sweeps.tables import write_rows, write_table

__all__ = ["Axis", "Sweep", "SweepResult"]


@dataclass(frozen=True)
class Sweep(SweepOptions):
    """A sweep: scenario, axes of the grid, and the options of `SweepOptions`.

    ``Sweep(scenario, (Axis.parse("link.bottleneck.queue.packets=5,20,50"),), reps=5).run("out")``
    """

    scenario: Scenario
    axes: tuple[Axis, ...] = ()
    _points: dict[tuple[tuple[str, str], ...], Scenario] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Cache of the scenarios of points."""

    def jobs(self, reps: Sequence[int] | None = None) -> list[Job]:
        """Return the jobs of all runs, point by point.

        `reps` has the number of replications of each point; if it is None, all points have the sweep's own number.

        Raises:
            ScenarioError: If a point's scenario is not valid; the error names the field.
        """
        self.check()
        found: list[Job] = []
        grid = points(self.axes)
        self._check_groups(grid)
        for i, point in enumerate(grid):
            scenario = self._scenario(tuple(point.items()))
            some = self.least if reps is None else reps[i]
            found += self.randomness.replications(scenario, some, seed=self.seed, labels=point)
        return found

    def _check_groups(self, grid: Sequence[Mapping[str, str]]) -> None:
        """Raise `UserError` for an unknown measure, or for one of a group of flows that has no flow at any point."""
        asked = (measure_of(self.by, "by"), *measures_of(self.measure))
        groups = [group for one in asked for group in (one.group, one.base) if group is not None]
        if groups:
            scenarios = [self._scenario(tuple(point.items())) for point in grid]
            flows = [described_flows(one.described) for one in scenarios]
            for group in groups:
                group.check(flows, "measure")

    @property
    def randomness(self) -> Randomness:
        """Settings of the randomness between replications."""
        return Randomness(self.jitter_s, self.overhead_s)

    @property
    def least(self) -> int:
        """Number of replications of each point before its interval is checked for the first time."""
        return self.reps if self.until is None else max(self.reps, 3)

    def _scenario(self, point: tuple[tuple[str, str], ...]) -> Scenario:
        if point not in self._points:
            self._points[point] = self.scenario.apply(f"{path}={value}" for path, value in point)
        return self._points[point]

    def manifest(self) -> dict[str, Any]:
        """Return all inputs needed to repeat the sweep: version, scenario, grid, replications, seeds."""
        return {
            "version": _core.__version__,
            "vary": {axis.path: list(axis.values) for axis in self.axes},
            **self.entries(),
            "seed": self.scenario.seed if self.seed is None else self.seed,
            "scenario": self.scenario.document(),
            **self._template(),
        }

    def _template(self) -> dict[str, Any]:
        """Return a manifest entry with the scenario before expansion of its counts; empty unless a ``count`` varies."""
        if not any(axis.path.endswith(".count") for axis in self.axes):
            return {}
        one = self.scenario.template
        return {"template": {"scenario": one.document, "set": list(one.settings)}}

    @classmethod
    def of_manifest(cls, data: Mapping[str, Any]) -> Sweep:
        """Return the sweep that a manifest describes; raise KeyError, TypeError or ValueError for other data."""
        for path, values in data["vary"].items():
            if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
                raise TypeError(f"vary.{path}: {values!r} is no list of texts")
        template = data.get("template")
        whole = Scenario(data["scenario"])
        return cls(
            scenario=whole if template is None else Scenario(template["scenario"]).apply(template["set"]),
            axes=tuple(Axis(path, tuple(values)) for path, values in data["vary"].items()),
            **cls.of_entries(data),
        )

    def run(
        self,
        out: str | Path,
        *,
        threads: int = 0,
        progress: Progress | None = None,
        replace: bool = False,
        executor: executors.ExecutorLike = None,
        by_point: bool = False,
    ) -> SweepResult:
        """Make the runs that are missing in the folder `out`, write the results into it, and return them.

        Files: ``results.csv`` and ``.parquet`` (one row per flow and run), ``runs.csv`` and ``.parquet`` (one row per
        run), ``points.csv`` and ``.parquet`` (one row per point, with intervals), ``manifest.json``,
        ``scenario.toml`` and ``finished.sqlite`` (finished runs).

        Args:
            out: Folder of the sweep.
            threads: Number of runs at the same time; 0 for one per core or per worker of the executor.
            progress: Progress callback; runs found in the folder are counted first.
            replace: Replace the tables of another sweep in the folder; finished runs are kept.
            executor: Executor of the runs: ``"processes"``, ``"dask:local"``, ``"dask:ADDRESS"``, or any
                `concurrent.futures.Executor`; threads of this process if None. Results do not depend on it.
            by_point: True for sweeps that exceed memory. Instead of ``results`` and ``runs``, write the folders
                ``flows`` and ``runs`` with one Parquet file per point; summaries are read from the store on access.

        Raises:
            UserError: If the folder contains a sweep of other settings or of another scenario, and `replace` is false.

        """
        self.jobs()
        if not replace:
            self.refuse_other(Path(out))
        with executors.opened(executor, threads) as pool, Store(out) as store:
            result = self._carried_out(store, pool, progress, Path(out) if by_point else None)
        self.write(result, out, by_point=by_point)
        return result

    def write(self, result: SweepResult, out: str | Path, *, by_point: bool = False) -> None:
        """Write the tables and the manifest of a result into the folder `out`."""
        if by_point:
            write_points(result, Path(out))
        with atomic_folder(out) as draft:
            if not by_point:
                write_table(draft, "results", result.flow_columns())
                write_rows(draft, "runs", result.run_rows())
            write_rows(draft, "points", result.point_rows())
            (draft / "manifest.json").write_text(json_text(self.manifest()), encoding="utf-8")
            (draft / "scenario.toml").write_text(self.scenario.to_toml(), encoding="utf-8")

    def run_here(
        self, *, threads: int = 0, progress: Progress | None = None, executor: executors.ExecutorLike = None
    ) -> SweepResult:
        """Run all jobs and return the results without writing files."""
        self.jobs()
        with executors.opened(executor, threads) as pool:
            return self._carried_out(MemoryStore(), pool, progress)

    def _carried_out(
        self,
        store: Registry,
        pool: executors.WorkerPool,
        progress: Progress | None,
        folder: Path | None = None,
    ) -> SweepResult:
        """Make the missing runs; with ``until``, add replications while intervals are too wide.

        If `folder` is given, summaries are not held in memory but read from the folder's store on access.
        """
        reps: list[int] | None = None
        while True:
            jobs = self.jobs(reps)
            finish_jobs(jobs, store, progress=progress, executor=pool)
            summaries = stored(folder, jobs) if folder else summaries_of(jobs, store)
            result = SweepResult(self, jobs, summaries)
            if self.until is None:
                return self._perturbed(result, store, pool, progress)
            both = zip(result.values(self.by), result.independent(self.by), strict=True)
            reps = [self._wanted(len(values), some, self.until) for (_, values), (_, some) in both]
            if len(jobs) == sum(reps):
                return self._perturbed(result, store, pool, progress)

    def _perturbed(
        self, result: SweepResult, store: Registry, pool: executors.WorkerPool, progress: Progress | None
    ) -> SweepResult:
        """Return the result with runs on perturbed links added, if the sweep has ``ties``."""
        if not self.ties:
            return result
        before = len(result.jobs)
        what: dict[str | int, Drawing] = {}
        for job, one in zip(result.jobs, result.bottlenecks, strict=True):
            if job.replication == 0:
                reps = 0
                taken = Taken(link=one.name if one else None, groups=result.grouped)
            reps += 1
            what[len(what) - bool(job.replication)] = Drawing(job.scenario, reps, taken, job.jitter_s)
        drawn = draw(
            what,
            seed=result.jobs[0].seed,
            pool=pool,
            store=store,
            progress=None
            if progress is None
            else lambda done, total: progress(before + done, before + total),
        )
        return replace(result, drawn=drawn)

    def _wanted(self, reps: int, independent: Values, until: float) -> int:
        """Return the number of replications needed for a half width of `until` times the mean.

        It is at most twice the current number `reps`, and at most `MOST_REPS`. `independent` has the independent values
        of the current replications.
        """
        needed = replications_needed(independent, until, self.level)
        return reps if needed is None else max(reps, min(MOST_REPS, 2 * reps, needed))

    def refuse_other(self, out: Path) -> None:
        """Raise an error if the folder contains the tables of another sweep, or files that ackclock did not write."""
        path = out / "manifest.json"
        if not path.exists():
            refuse_foreign(out)
            return
        try:
            known = read_json(path)
            vary, scenario = list(known["vary"]), known["scenario"]
        except (FileError, KeyError, TypeError):
            raise UserError(f"{out} holds something else than a sweep\n  another folder: --out DIR") from None
        mine = [axis.path for axis in self.axes]
        if vary != mine:
            what = f"a sweep over {_listed(vary)}, and this is one over {_listed(mine)}"
        elif scenario != json.loads(json.dumps(self.scenario.document())):
            what = "a sweep of another scenario (the file has changed, or --set differs)"
        else:
            return
        raise UserError(
            f"{out} holds {what}\n  keep both: --out DIR\n  replace its tables: --replace (finished runs are kept)"
        )


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(paths) or "nothing"
