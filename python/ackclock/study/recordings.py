"""Recordings of whole runs in addition to a study's data: FlowMonitor's XML, and pages that animate a run."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.sweeps.jobs import Traced, watch_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.runs.run import Run
    from ackclock.scenario.scenario import Scenario
    from ackclock.study.runs import StudyJob


def flowmonitor(jobs: Sequence[StudyJob], to: Callable[[StudyJob], Path], threads: int = 0) -> None:
    """Run the jobs and write FlowMonitor's XML of each to `to(job)`; `threads` jobs run at a time (0: one per core)."""

    def keep(job: StudyJob, run: Run) -> None:
        with tempfile.TemporaryDirectory() as aside:
            run.save(aside, traces=("flowmonitor",))
            shutil.move(Path(aside) / "flowmonitor.xml", to(job))

    watch_jobs(jobs, Traced(("flowmonitor",)), keep, threads=threads)


def animate(scenario: Scenario, seed: int, page: Path, title: str) -> None:
    """Run a scenario with a seed and write an HTML page that animates the run."""
    from ackclock.plot.animation import RADIO_TRACES, TRACES

    scenario.run(seed=seed, traces=(*TRACES, *RADIO_TRACES)).animate(page, title=title)
