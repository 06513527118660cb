"""``ackclock search``: finds the scenarios of a family in which a control or a stack does worst."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ackclock.cli import completion
from ackclock.cli.options import Json, Page, Quiet, Workers, grouped, option, out_option

if TYPE_CHECKING:
    from ackclock.search.families import Family
    from ackclock.search.report import Report
    from ackclock.search.searching import Plan

EXAMPLES = """\
ackclock search vegas --against goodput --family routes
ackclock search reno:profile=rfc --against goodput --family bursts --budget 5000
ackclock search ./mine.py:Mine --against delay --budget 10min
ackclock search quinn-bbr --against loss --fail-if-found
ackclock list families
"""


@dataclass(frozen=True)
class Asked:
    """Options for the search."""

    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="MEASURE",
            help="The harm to look for: goodput, delay, starvation or loss.",
            autocompletion=completion.harms,
        ),
        Page("See [searching for failures](../howto/search-for-failures.md)."),
    ] = "goodput"
    family: Annotated[
        list[str] | None,
        option(
            "NAME",
            "Family of scenarios; may be given several times [all that suit the measure]. See ackclock list families.",
            autocompletion=completion.families,
        ),
    ] = None
    budget: Annotated[
        str,
        typer.Option(
            "--budget",
            metavar="N|TIME",
            help="Runs of the whole search, or a time such as 10min. With a time the result depends on the machine.",
        ),
    ] = "4000"
    engine: Annotated[
        list[str] | None,
        option("NAME", "Way of searching: cma or coverage; may be given twice [both]."),
    ] = None
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Seed of the search and of the runs.")
    ] = 1
    duration: Annotated[str | None, option("TIME", "Length of a run [as the family has it].")] = None
    fail_if_found: Annotated[
        bool, typer.Option("--fail-if-found", help="Exit with status 3 if something is found.")
    ] = False


@dataclass(frozen=True)
class Target:
    """Options for the results."""

    out: Annotated[
        Path | None,
        out_option(
            "Folder of scenarios and finished runs, in which a search continues [results/NAME-search]."
        ),
    ] = None
    json: Json = None
    quiet: Quiet = False


@grouped
def search(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A variant such as vegas or reno:profile=rfc, FILE.py:Class, or a stack.",
            show_default=False,
            autocompletion=completion.variants,
        ),
    ],
    *,
    asked: Asked,
    workers: Workers,
    target: Target,
) -> None:
    """Search for the paths and the cross traffic with which a control or a stack does worst.

    What is found is made as small as possible and written as a scenario for `ackclock run`, with a sentence of what
    happens. Interrupt it whenever you like: the same command runs what is missing.
    """
    from ackclock._io.files import json_text
    from ackclock.cli.assertions import FAILED
    from ackclock.cli.console import check_json, place, write_json
    from ackclock.comparisons.variants import Variant, stems
    from ackclock.executors import named

    check_json(target.json)
    plan = _plan(asked)
    subject = Variant.parse(name)
    executor = named(workers.executor)
    folder = target.out or Path("results") / f"{stems([subject.label])[0]}-search"
    silent = target.quiet or target.json == "-"
    report = _carried_out(subject, plan, folder, (workers.jobs, executor), silent=silent)
    document = report.to_json(_manifest(name, asked, plan))
    files = _written(report, document, folder)
    if target.json is not None:
        write_json(target.json, json_text(document))
    if not silent:
        typer.echo(report.text())
        for file in files:
            place(file)
    if asked.fail_if_found and report.any:
        raise typer.Exit(FAILED)


def _plan(asked: Asked) -> Plan:
    from ackclock.search.engines import ENGINES, known
    from ackclock.search.families import family_of
    from ackclock.search.measures import measure_of
    from ackclock.search.searching import Budget, Plan
    from ackclock.sweeps.quantities import seconds

    duration_s = None if asked.duration is None else seconds(asked.duration, "--duration")
    return Plan(
        measure=measure_of(asked.against),
        families=tuple(family_of(name) for name in dict.fromkeys(asked.family or [])),
        budget=Budget.parse(asked.budget),
        engines=known(asked.engine or list(ENGINES)),
        seed=asked.seed,
        duration_s=duration_s,
    )


def _carried_out(subject: Any, plan: Plan, folder: Path, workers: tuple[int, str], *, silent: bool) -> Report:
    from ackclock._io.files import refuse_foreign
    from ackclock.cli.console import meter, note
    from ackclock.search.searching import search as searched
    from ackclock.sweeps.store import Store

    refuse_foreign(folder)
    best: dict[str, float] = {}
    with Store(folder) as store, meter("searching", quiet=silent) as progress:

        def told(family: Family, done: int, total: int, harm: float) -> None:
            progress.jobs(done, total)
            if not silent and harm > best.get(family.name, 0.0) + 0.02:
                best[family.name] = harm
                note(f"{family.name}: harm {harm:.2f} after {done} runs")

        return searched(subject, plan, store=store, threads=workers[0], executor=workers[1], told=told)


def _manifest(name: str, asked: Asked, plan: Plan) -> dict[str, Any]:
    """Return all inputs of a search."""
    from ackclock import _core

    words = ["ackclock", "search", name, "--against", asked.against]
    for family in asked.family or []:
        words += ["--family", family]
    for engine in asked.engine or []:
        words += ["--engine", engine]
    words += ["--budget", asked.budget, "--seed", str(asked.seed)]
    words += ["--duration", asked.duration] if asked.duration is not None else []
    return {
        "version": _core.__version__,
        "command": shlex.join(words),
        "plan": {
            "subject": name,
            "against": plan.measure.name,
            "families": [one.name for one in plan.chosen],
            "budget": asked.budget,
            "engines": list(plan.engines),
            "seed": plan.seed,
            "duration_s": plan.duration_s,
        },
    }


def _written(report: Report, document: dict[str, Any], folder: Path) -> list[Path]:
    """Write the scenarios, ``search.json`` and the manifest; return the paths of the scenarios and of the JSON file."""
    from ackclock._io.files import atomic_folder, json_text

    with atomic_folder(folder) as draft:
        names = []
        for one in report.found:
            for name, text in one.files(report.subject, report.measure).items():
                (draft / name).write_text(text, encoding="utf-8")
                names.append(name)
        (draft / "search.json").write_text(json_text(document), encoding="utf-8")
        names.append("search.json")
        manifest = {**document["manifest"], "files": list(dict.fromkeys(names))}
        (draft / "manifest.json").write_text(json_text(manifest), encoding="utf-8")
    return [folder / name for name in dict.fromkeys(names) if not name.endswith(".py")]
