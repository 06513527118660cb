"""`ackclock.sweep`: a sweep in one call, for scripts and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ackclock._io.options import takes
from ackclock._io.progress import bar
from ackclock.errors import UserError
from ackclock.errors.suggestions import named_arguments
from ackclock.lint.running import warn_of
from ackclock.scenario.scenario import Scenario, load
from ackclock.scenario.toml import value_text
from ackclock.stats.measures import measure_of, measures_of
from ackclock.sweeps.axes import Axis
from ackclock.sweeps.options import FolderOptions, SweepOptions
from ackclock.sweeps.sweep import Sweep

if TYPE_CHECKING:
    from ackclock.executors import ExecutorLike
    from ackclock.sweeps.jobs import Progress
    from ackclock.sweeps.keywords import SweepKeywords
    from ackclock.sweeps.results import SweepResult


@named_arguments
@takes(SweepOptions, FolderOptions)
def sweep(
    scenario: Scenario | str | Path,
    vary: Mapping[str, Iterable[object]] | None = None,
    *,
    out: str | Path | None = None,
    allow_code: bool = False,
    threads: int = 0,
    executor: ExecutorLike = None,
    progress: Progress | bool | None = None,
    **options: Unpack[SweepKeywords],
) -> SweepResult:
    """Run a scenario at every point of a grid of settings, with replications, like ``ackclock sweep``.

    ::

        found = ac.sweep("dumbbell", {"link.bottleneck.queue.packets": [5, 20, 50]}, reps=5)
        found.points.to_polars()                # 3 rows, one per value
        found.runs.to_polars()                  # 15 rows, one per run
        found.intervals("goodput_bps:vegas")    # 3 pairs of point and interval

    Without `vary`, only the scenario itself is replicated. Findings of ``ackclock check`` become Python warnings
    (`ackclock.errors.ExperimentWarning`).

    Args:
        scenario: Scenario to vary, or its file.
        vary: Values of each varied setting, by path; every combination is run.
        options: Declared options; their texts replace this line.
        out: Folder for tables and finished runs. A repeated call continues an interrupted sweep in it. Without a folder
            nothing is written.
        allow_code: Run the Python files of congestion controls that a scenario file names.
        threads: Number of runs at the same time; 0 for one per core.
        executor: Executor of the runs: ``"processes"``, ``"dask:local"``, ``"dask:ADDRESS"``, or any
            `concurrent.futures.Executor`. By default runs use threads of this process.
        progress: Function called with the number of finished runs and of all runs; False for no progress bar in a
            notebook.

    Returns:
        The sweep's results. Table ``points`` has a row for each combination of values and for each measure its mean,
        half width (``_ci``) and number of values (``_n``); ``runs`` has a row for each run, ``flows`` one for each flow
        of each run.

    """
    asked, folder = SweepOptions.of_given(options), FolderOptions.of_given(options)
    made = scenario if isinstance(scenario, Scenario) else load(scenario, allow_code=allow_code)
    axes = tuple(
        Axis(path, tuple(value_text(value) for value in ([values] if isinstance(values, str) else values)))
        for path, values in (vary or {}).items()
    )
    measure_of(asked.by, "by")
    measures_of(asked.measure)
    if folder.by_point and out is None:
        raise UserError("by_point: say where the files go\n  for example out='results/large'")
    found = Sweep(made, axes, **asked.values())
    randomness = found.randomness
    warn_of({"": randomness.on(made)}, reps=found.reps, jitter_s=randomness.jitter_s(made), stacklevel=3)
    with bar("sweeping", wanted=None if progress is None else bool(progress)) as shown:
        tell = progress if callable(progress) else shown
        if out is None:
            return found.run_here(threads=threads, progress=tell, executor=executor)
        return found.run(out, threads=threads, progress=tell, executor=executor, **folder.values())
