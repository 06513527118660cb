"""Whole runs beside the data: FlowMonitor's XML of each sweep's first runs with most nodes, and pages that play two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ackclock.studies.heriyanto import settings as k
from ackclock.studies.heriyanto.experiments import FIGURES, document, document_json, first_seed, jobs

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.studies.heriyanto.experiments import Job, Plan

ANIMATED: Final = ("s2-near", "s2-mesh-uniform")
"""Sweeps whose first run with most nodes, of the first variant, is played by a page."""


def leave(chosen: Plan, folder: Path, threads: int = 0) -> None:
    """Write `recordings` into the study's folder, where all figures were asked for.

    Args:
        chosen: What the study ran.
        folder: Its folder.
        threads: How many runs at a time; all cores where 0.
    """
    from ackclock import _core
    from ackclock.animation import RADIO_TRACES, TRACES
    from ackclock.scenario import Scenario

    if chosen.figures != FIGURES:
        return
    recordings = folder / "recordings"
    recordings.mkdir()
    first = [job for e in chosen.experiments for job in jobs(e, chosen) if _is_first(job)]
    asked = [(document_json(job), job.seed, job.jitter_s) for job in first]
    for job, result in zip(
        first, _core.run_many(asked, threads=threads, traces=["flowmonitor"]), strict=True
    ):
        name = f"{job.experiment.key}-{job.nodes}"
        result.write_flowmonitor(recordings / f"{name}-{job.variant}.xml")
        if job.experiment.key in ANIMATED and job.variant == next(iter(k.VARIANTS)):
            e = job.experiment
            scenario = Scenario(document(e.scenario, e.network, job.nodes, job.variant))
            run = scenario.run(seed=job.seed, traces=(*TRACES, *RADIO_TRACES))
            run.animate(recordings / f"{name}.html", title=f"heriyanto: {name}, {k.LABELS[job.variant]}")


def _is_first(job: Job) -> bool:
    return job.nodes == job.experiment.nodes[-1] and job.seed == first_seed(job.nodes)
