"""Evaluates a control: plan, runs, verdicts, and the folder with the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ackclock._io.files import atomic_folder, digests, json_text
from ackclock.evaluate.declared import Case, Criterion
from ackclock.evaluate.dossier import Dossier
from ackclock.evaluate.judging import judge
from ackclock.evaluate.plan import NOBODY, SUBJECT, Entry, Plan
from ackclock.evaluate.report import report, scenario_name
from ackclock.evaluate.results import to_json
from ackclock.evaluate.running import Cost, estimate, planned, run_plan
from ackclock.executors import ExecutorLike
from ackclock.report.writer import write
from ackclock.sweeps.jobs import MemoryStore, Progress
from ackclock.sweeps.store import Store

__all__ = ["carry_out", "evaluate", "save"]


def evaluate(
    name: str,
    *,
    baseline: str | None = None,
    quick: bool = False,
    only: tuple[str, ...] | list[str] = (),
    seed: int = 1,
    threads: int = 0,
    out: str | Path | None = None,
    progress: Progress | None = None,
    executor: ExecutorLike = None,
) -> Dossier:
    """Compare a congestion control with baselines by the criteria of RFC 9743: ``ac.evaluate.evaluate("vegas")``.

    Args:
        name: A variant, ``FILE.py:Class``, or a transport stack.
        baseline: Variants to compare with, separated by commas; None for cubic, reno and bbr3 without the control.
        quick: True for fewer cases and replications.
        only: Names of criteria; all if empty.
        seed: Seed of the first replication.
        threads: Runs at a time; 0 for as many as there are cores.
        out: Folder for the report and for finished runs, which are not repeated; None writes nothing.
        progress: Function that is called with the number of finished runs and of all.
        executor: Executor of the runs; threads if None.

    Raises:
        UserError: If there is no such variant or criterion.
    """
    plan = Plan.of(name, baseline, quick=quick, only=tuple(only), seed=seed)
    found = carry_out(plan, out, threads=threads, progress=progress, executor=executor)
    if out is not None:
        save(found, out)
    return found


def carry_out(
    plan: Plan,
    out: str | Path | None,
    *,
    threads: int = 0,
    progress: Progress | None = None,
    executor: ExecutorLike = None,
    told: Callable[[Cost], None] | None = None,
) -> Dossier:
    """Make the runs of a plan that are missing, and return the dossier; `told` is called with the cost beforehand."""
    runs = planned(plan)
    store = MemoryStore() if out is None else Store(out)
    try:
        if told is not None:
            told(estimate(plan, runs, store))
        finished = run_plan(runs, store, threads=threads, progress=progress, executor=executor)
    finally:
        if isinstance(store, Store):
            store.close()
    return Dossier(plan, tuple(judge(plan, finished)))


def save(found: Dossier, out: str | Path, command: str = "", style: str = "page") -> Path:
    """Write report, JSON, scenarios and manifest into a folder; return the path of the page."""
    out = Path(out)
    with atomic_folder(out) as draft:
        write(report(found, command), draft, style)
        (draft / "evaluation.json").write_text(json_text(to_json(found)), encoding="utf-8")
        scenarios = draft / "scenarios"
        scenarios.mkdir()
        for criterion in found.plan.criteria:
            for case in found.plan.cases(criterion):
                _write_scenario(found, criterion, case, scenarios)
        manifest = {"command": command, **found.manifest(), "files": digests(draft)}
        (draft / "manifest.json").write_text(json_text(manifest), encoding="utf-8")
    return out / "report.html"


def _write_scenario(found: Dossier, criterion: Criterion, case: Case, folder: Path) -> None:
    """Write the scenario of a case with the control under test; another camp has the first baseline."""
    entry = Entry(criterion.key, case.key, SUBJECT, 1 if case.other else NOBODY)
    if entry in found.plan.refused:
        return
    text = found.plan.scenario(case, entry).to_toml()
    (folder / scenario_name(criterion, case)).write_text(text, encoding="utf-8")
