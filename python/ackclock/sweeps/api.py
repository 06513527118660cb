"""Sweeping in one call, for scripts and notebooks: `ackclock.sweep`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ackclock._io.options import takes
from ackclock._io.progress import bar
from ackclock.errors import UserError, choices
from ackclock.errors.suggestions import named_arguments
from ackclock.scenario.scenario import Scenario, load
from ackclock.scenario.toml import value_text
from ackclock.stats.measures import BY_NAME
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
    vary: Mapping[str, Iterable[object]],
    *,
    out: str | Path | None = None,
    allow_code: bool = False,
    threads: int = 0,
    executor: ExecutorLike = None,
    progress: Progress | bool | None = None,
    **options: Unpack[SweepKeywords],
) -> SweepResult:
    """Run a scenario over a grid of settings, each point replicated: ``ackclock sweep`` in Python.

    ``ac.sweep("dumbbell.toml", {"link.bottleneck.queue.packets": [5, 20, 50]}, reps=5)``.

    Args:
        scenario: the scenario to be varied, or its file.
        vary: values of each setting, by path; every combination is run.
        options: as declared.
        out: a folder for tables and finished runs, so that an interrupted sweep goes on where it was; nothing is
            written if not given.
        allow_code: run the Python files of congestion controls that a scenario file names.
        threads: runs at a time; 0: as many as there are cores.
        executor: the executor of the runs: ``"processes"``, ``"dask:local"``, ``"dask:ADDRESS"``, or any
            `concurrent.futures.Executor`; threads of this process if not given.
        progress: called with the numbers of runs done and of all runs; False: no bar in a notebook either.

    """
    asked, folder = SweepOptions.of_given(options), FolderOptions.of_given(options)
    made = scenario if isinstance(scenario, Scenario) else load(scenario, allow_code=allow_code)
    axes = tuple(
        Axis(path, tuple(value_text(value) for value in ([values] if isinstance(values, str) else values)))
        for path, values in vary.items()
    )
    if asked.by not in BY_NAME:
        raise UserError(f"by: there is no measure {asked.by!r}{choices(asked.by, BY_NAME)}")
    if folder.by_point and out is None:
        raise UserError("by_point: say where the files go\n  for example out='results/large'")
    found = Sweep(made, axes, **asked.values())
    with bar("sweeping", wanted=None if progress is None else bool(progress)) as shown:
        tell = progress if callable(progress) else shown
        if out is None:
            return found.run_here(threads=threads, progress=tell, executor=executor)
        return found.run(out, threads=threads, progress=tell, executor=executor, **folder.values())
