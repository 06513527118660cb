"""``ackclock evaluate``: a dossier on a control by the criteria of RFC 9743."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ackclock.cli import completion
from ackclock.cli.options import (
    FigureStyle,
    Output,
    Replace,
    Style,
    Workers,
    grouped,
    option,
    out_option,
)

if TYPE_CHECKING:
    from ackclock.evaluate.dossier import Dossier
    from ackclock.evaluate.plan import Plan
    from ackclock.evaluate.running import Cost

EXAMPLES = """\
ackclock evaluate vegas --quick
ackclock evaluate bbr3 --baseline cubic,reno
ackclock evaluate ./mine.py:Mine --only mixed --only short-flows
ackclock evaluate --list
"""


@grouped
def evaluate(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A variant with its parameters, as compare takes it: FILE.py:Class, or a transport stack, too.",
            show_default=False,
            autocompletion=completion.variants,
        ),
    ] = None,
    *,
    baseline: Annotated[
        str | None, option("A,B", "Variants to compare with [cubic,reno,bbr3, without NAME itself].")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer cases, replications and draws: a few minutes.")
    ] = False,
    only: Annotated[
        list[str] | None,
        option(
            "CRITERION",
            "Evaluate this criterion only; may be given several times.",
            autocompletion=completion.criteria,
        ),
    ] = None,
    seed: Annotated[int, option("N", "Seed of the first replication [1].", min=0)] = 1,
    out: Annotated[
        Path | None, out_option("Where report and finished runs go [results/evaluate-NAME].")
    ] = None,
    replace: Replace = False,
    style: FigureStyle = Style.page,
    list_criteria: Annotated[
        bool, typer.Option("--list", help="List the criteria, and run nothing.")
    ] = False,
    workers: Workers,
    output: Output,
) -> None:
    """Compare a congestion control with baselines by the criteria of RFC 9743, and write a dossier.

    The report opens with what was found. Each verdict has an interval and its spread on slightly changed links; none
    says that a control complies. Interrupt it whenever you like: the same command makes the runs that are missing.
    """
    from ackclock.cli.console import check_json, meter, place, show, tables_as, write_json
    from ackclock.errors import UserError

    tables_as(output.table)
    if list_criteria:
        _list()
        return
    if not name:
        raise UserError("name the control to evaluate\n  for example: ackclock evaluate vegas --quick")
    from ackclock._io.files import json_text, refuse_foreign
    from ackclock.comparisons.variants import stems
    from ackclock.evaluate.api import carry_out, save
    from ackclock.evaluate.plan import Plan
    from ackclock.evaluate.results import to_json
    from ackclock.executors import named

    check_json(output.json)
    executor = named(workers.executor)
    quiet = output.quiet or output.json == "-"
    plan = Plan.of(name, baseline, quick=quick, only=tuple(only or ()), seed=seed)
    folder = out or Path("results") / f"evaluate-{stems([plan.subject.label])[0]}{'-quick' if quick else ''}"
    if not replace:
        refuse_foreign(folder, ("evaluation.json",))
    with meter("evaluating", quiet=quiet) as progress:
        found = carry_out(
            plan,
            folder,
            threads=workers.jobs,
            progress=progress.jobs,
            executor=executor,
            told=None if quiet else lambda cost: _say_cost(cost, workers.jobs),
        )
    save(found, folder, _command(plan, name, baseline), style.value)
    if output.json is not None:
        write_json(output.json, json_text(to_json(found)))
    if quiet:
        return
    _show(found, wide=output.wide)
    for one in ("report.html", "report.md", "evaluation.json"):
        place(folder / one)
    show("")


def _list() -> None:
    from ackclock.evaluate.criteria import CRITERIA
    from ackclock.evaluate.declared import Level

    for one in CRITERIA.values():
        level = "" if one.level == Level.NONE else f", {one.level}"
        where = f"RFC 9743, section {one.section}{level}" if one.section else "added here"
        cases = len(one.cases())
        said = f"{cases} cases" if cases else "a template" if not one.unavailable else "not available"
        typer.echo(f"{one.key}: {one.title} ({where}; {said})")


def _say_cost(cost: Cost, jobs: int) -> None:
    """Print beforehand how long the missing runs will take."""
    from ackclock.cli.console import note
    from ackclock.executors.pool import cores

    workers = jobs or cores()
    stored = cost.runs - cost.missing
    there = f", {stored:,} are there already" if stored else ""
    if not cost.missing:
        note(f"{cost.runs:,} runs{there}")
        return
    note(
        f"{cost.runs:,} runs{there}; the rest takes about {_time(cost.cpu_s)} of processor time, "
        f"{_time(cost.cpu_s / workers)} on {workers} free core{'s' if workers > 1 else ''}"
    )


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _show(found: Dossier, *, wide: bool) -> None:
    from ackclock.cli.comparison import fitting
    from ackclock.cli.console import show
    from ackclock.evaluate.findings import findings
    from ackclock.evaluate.report import overview

    table = overview(found)
    show(*findings(found), "", fitting(table, kept=len(table.columns) - 1), *table.notes, "", wide=wide)


def _command(plan: Plan, name: str, baseline: str | None) -> str:
    """Return the command line with all options that affect the results."""
    words = ["ackclock", "evaluate", name]
    words += ["--baseline", baseline] if baseline is not None else []
    words += ["--quick"] if plan.quick else []
    everything = _all_criteria()
    words += (
        [] if len(plan.criteria) == everything else [w for one in plan.criteria for w in ("--only", one.key)]
    )
    words += ["--seed", str(plan.seed)] if plan.seed != 1 else []
    return shlex.join(words)


def _all_criteria() -> int:
    from ackclock.evaluate.criteria import CRITERIA

    return len(CRITERIA)
