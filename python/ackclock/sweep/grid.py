"""Campaigns: a scenario over a grid of settings, each point replicated, run and stored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ackclock import _core
from ackclock.errors import UserError
from ackclock.files import atomic_folder, json_text
from ackclock.scenario import Scenario
from ackclock.sweep.axes import Axis, points
from ackclock.sweep.jobs import START_JITTER_S, Job, Progress, replications, run_jobs
from ackclock.sweep.results import CampaignResult
from ackclock.sweep.store import Store, write_rows

__all__ = ["Axis", "Campaign", "CampaignResult"]


@dataclass(frozen=True)
class Campaign:
    """A scenario, a grid over it, and how often each point is repeated."""

    scenario: Scenario
    axes: tuple[Axis, ...] = ()
    reps: int = 10
    seed: int | None = None
    """First replication's seed; the scenario's own where None."""
    jitter_s: float = START_JITTER_S
    """Start jitter from the second replication on, seconds."""
    level: float = 0.95
    """Confidence of the intervals."""
    bottleneck: str | None = None
    """What utilisation and queue are of; at each point the busiest of its first replication where None."""

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
            "bottleneck": self.bottleneck,
            "scenario": self.scenario.document(),
        }

    def run(
        self, out: str | Path, *, threads: int = 0, progress: Progress | None = None, replace: bool = False
    ) -> CampaignResult:
        """Run what is missing in the folder `out` and write the results there.

        Files: ``results.csv`` and ``.parquet`` (one row per flow and run), ``runs.csv`` and ``.parquet`` (one
        row per run), ``points.csv`` and ``.parquet`` (one row per point, with intervals), ``manifest.json``,
        ``scenario.toml``, ``campaign.sqlite`` (finished runs).

        Raises:
            UserError: if the folder holds another sweep, one of other settings or of another scenario, unless
                `replace` says that its tables may go (finished runs stay in any case).

        """
        jobs = self.jobs()
        if not replace:
            self._refuse_other(Path(out))
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

    def _refuse_other(self, out: Path) -> None:
        """Refuse a folder whose tables are those of another sweep."""
        path = out / "manifest.json"
        if not path.exists():
            return
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            vary, scenario = list(known["vary"]), known["scenario"]
        except (OSError, ValueError, KeyError, TypeError):
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
