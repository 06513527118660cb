"""Sweeping in one call, for scripts and notebooks: `ackclock.sweep`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock._io.progress import bar
from ackclock.errors import UserError, choices
from ackclock.errors.suggestions import named_arguments
from ackclock.scenario.scenario import Scenario, load
from ackclock.scenario.toml import value_text
from ackclock.stats.measures import BY_NAME
from ackclock.sweeps.quantities import optional_seconds
from ackclock.sweeps.sweep import Axis, Sweep, SweepResult

if TYPE_CHECKING:
    from ackclock.executors import ExecutorLike
    from ackclock.sweeps.jobs import Progress


@named_arguments
def sweep(
    scenario: Scenario | str | Path,
    vary: Mapping[str, Iterable[object]],
    *,
    reps: int = 10,
    until: float | None = None,
    by: str = Sweep.by,
    seed: int | None = None,
    start_jitter: str | None = None,
    send_overhead: str | None = None,
    level: float = 0.95,
    bottleneck: str | None = None,
    ties: bool = False,
    out: str | Path | None = None,
    replace: bool = False,
    by_point: bool = False,
    allow_code: bool = False,
    threads: int = 0,
    executor: ExecutorLike = None,
    progress: Progress | bool | None = None,
) -> SweepResult:
    """Run a scenario over a grid of settings, each point replicated: ``ackclock sweep`` in Python.

    ``ac.sweep("dumbbell.toml", {"link.bottleneck.queue.packets": [5, 20, 50]}, reps=5)``.

    Args:
        scenario: what varies, a scenario or a file.
        vary: values of each setting, by path; every combination is run.
        reps: replications of each point.
        until: replicate each point until half its interval is at most so many per cent of its mean.
        by: the measure whose intervals `until` is about.
        seed: the first replication's seed; the scenario's own if not given.
        start_jitter: each flow starts later by a random time up to this; ten round trips of the longest path if not
            given.
        send_overhead: each sender takes a random time up to this to send what its window lets go; ``"0s"``: none; the
            time of a packet at the bottleneck if not given.
        level: confidence of the intervals.
        bottleneck: what utilisation and queue are of; at each point the busiest if not given.
        ties: make all runs again on links that differ by up to 1e-6 (ties) and 1e-3 (phase), ten draws each, and say
            how far the results of each point go; takes 20 times the time.
        out: a folder for tables and finished runs, so that an interrupted sweep goes on where it was; nothing is
            written if not given.
        replace: replace the tables of another sweep in that folder.
        by_point: for results that do not fit in memory: the folder gets a Parquet file for each point.
        allow_code: run the Python files of congestion controls that a scenario file names.
        threads: runs at a time; 0: as many as there are cores.
        executor: who carries the runs out: ``"processes"``, ``"dask:local"``, ``"dask:ADDRESS"``, or any
            `concurrent.futures.Executor`; threads of this process if not given.
        progress: told of runs done and of all runs; False: no bar in a notebook either.

    """
    made = scenario if isinstance(scenario, Scenario) else load(scenario, allow_code=allow_code)
    axes = tuple(
        Axis(path, tuple(value_text(value) for value in ([values] if isinstance(values, str) else values)))
        for path, values in vary.items()
    )
    if by not in BY_NAME:
        raise UserError(f"by: there is no measure {by!r}{choices(by, BY_NAME)}")
    if by_point and out is None:
        raise UserError("by_point: say where the files go\n  for example out='results/large'")
    jitter_s = optional_seconds(start_jitter, "start_jitter")
    overhead_s = optional_seconds(send_overhead, "send_overhead")
    share = None if until is None else until / 100
    sweep = Sweep(
        made,
        axes,
        reps,
        seed,
        jitter_s,
        level,
        bottleneck,
        until=share,
        by=by,
        ties=ties,
        overhead_s=overhead_s,
    )
    with bar("sweeping", wanted=None if progress is None else bool(progress)) as shown:
        told = progress if callable(progress) else shown
        if out is not None:
            return sweep.run(
                out, threads=threads, progress=told, replace=replace, executor=executor, by_point=by_point
            )
        return sweep.run_here(threads=threads, progress=told, executor=executor)
