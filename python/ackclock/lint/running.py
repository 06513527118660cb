"""`ackclock.run`: runs a scenario in one call, with the warnings of ``ackclock check``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.errors import ExperimentWarning
from ackclock.lint.rule import check_all
from ackclock.scenario.scenario import Scenario, load

if TYPE_CHECKING:
    from ackclock.runs.run import Run


def run(
    scenario: Scenario | str | Path,
    settings: Iterable[str] = (),
    *,
    duration: str | None = None,
    seed: int | None = None,
    jitter_s: float = 0.0,
    traces: Iterable[str] = (),
    bin_s: float = 1.0,
    progress: Callable[[float, int], None] | None = None,
    confirm: bool = False,
    allow_code: bool = False,
    ties: bool = False,
) -> Run:
    """Run a scenario, a file or an example with ``PATH=VALUE`` settings, as ``ackclock run`` does.

    ::

        run = ac.run("dumbbell", ["link.bottleneck.rate=2Mbps"], seed=7, traces=["cwnd"])
        run.flows                   # table with one row per flow
        run.trace("cwnd")           # table with one row per change: time_s, flow, variable, value

    Findings of ``ackclock check`` become Python warnings (`ackclock.errors.ExperimentWarning`). `Scenario.run` gives
    none; use it in loops.

    Args:
        scenario: A scenario, its file (TOML or JSON), or the name of an example.
        settings: Settings as ``--set`` takes them.
        duration: Length of the run with a unit (``"132s"``), in place of the scenario's own.
        seed: Seed of all random draws, in place of the scenario's own.
        jitter_s: Upper bound of a random delay of each flow's start, seconds.
        traces: Names of traces to record (``ackclock list traces``).
        bin_s: Width of the bins of the throughput trace, seconds.
        progress: Function called at most ten times per second with the simulated fraction (0 to 1) and the number
            of events so far.
        confirm: Run even if the traces are estimated not to fit.
        allow_code: Run the Python files of congestion controls that a scenario file names.
        ties: Make 20 further runs on slightly perturbed links. Their spread is `Run.spreads`, and is also in the run's
            JSON and files.

    Returns:
        The results: `Run.flows` with one row per flow, `Run.links` with one row per direction of a link, `Run.trace`
        with the traces, `Run.plot` with figures.

    Raises:
        ScenarioError: If the scenario is not valid; the error names the field.
        FileError: If the file cannot be read.
        UserError: If the scenario names a Python file that may not be run.
        InsufficientSpaceError: Before the run, if its traces are estimated not to fit.
    """
    found = (
        scenario.apply(list(settings))
        if isinstance(scenario, Scenario)
        else load(scenario, settings, allow_code=allow_code)
    )
    warn_of({"": found}, reps=None, jitter_s=jitter_s)
    made = found.run(
        duration,
        seed=seed,
        jitter_s=jitter_s,
        traces=traces,
        bin_s=bin_s,
        progress=progress,
        confirm=confirm,
    )
    if ties:
        made.spreads()
    return made


def warn_of(
    scenarios: Mapping[str, Scenario], *, reps: int | None, jitter_s: float, stacklevel: int = 2
) -> None:
    """Give a Python warning for each finding in the scenarios; `stacklevel` is that of `warnings.warn`."""
    for one in check_all(scenarios, reps=reps, jitter_s=jitter_s):
        warnings.warn(f"{one.short} ({one.where})", ExperimentWarning, stacklevel=stacklevel + 1)
