"""``ackclock study``: reproduces a published study."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ackclock._io.options import Options
from ackclock.cli import completion
from ackclock.cli.options import (
    AllowCode,
    Output,
    Replace,
    Workers,
    grouped,
    option,
    out_option,
)
from ackclock.cli.study_match import MatchOptions, match_study
from ackclock.errors import UserError
from ackclock.sweeps.options import TIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.study.result import StudyResult
    from ackclock.study.study import Study

EXAMPLES = """\
ackclock study abadin --quick
ackclock study abadin --only figure-3
ackclock study abadin --only figure-6 --add bbr       BBR as a further curve
ackclock study abadin --paths                         what --set can change
ackclock study abadin --only fig4 --set link.bottleneck.delay=40ms
ackclock study abadin --match                         which setting gives the paper's numbers?
ackclock study --again results/abadin                 the same bytes?
ackclock study all --out results/all
ackclock study ./my-paper --quick                     your own: ackclock init study
"""


@dataclass(frozen=True, kw_only=True)
class StudyOptions(Options):
    """Options that a study shares with sweeps and comparisons."""

    ties: bool = replace(TIES, page="Draws each verdict again; see [ties](../howto/see-ties.md).").field()


@grouped
def study(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME|all|./FOLDER",
            help="A study of `ackclock list studies`, or a folder.",
            autocompletion=completion.studies,
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer points and replications: under half a minute.")
    ] = False,
    only: Annotated[
        str | None,
        option(
            "FIGURE",
            "One figure or table; `ackclock list studies` names them.",
            autocompletion=completion.figures_of_study,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        option(
            "PATH=VALUE", "Change one setting; repeatable: link.bottleneck.rate=5Mbps. See --paths.", "--set"
        ),
    ] = None,
    paths: Annotated[
        bool, typer.Option("--paths", help="List the settings of the study's scenarios, and run nothing.")
    ] = False,
    add: Annotated[
        list[str] | None,
        option("VARIANT", "A further variant; repeatable.", "--add", autocompletion=completion.variants),
    ] = None,
    again: Annotated[
        Path | None,
        option(
            "DIR",
            "Run a study's folder again and compare every file.",
            "--again",
            autocompletion=completion.folders,
        ),
    ] = None,
    out: Annotated[Path | None, out_option("Where the report goes [results/NAME].")] = None,
    replace_files: Replace = False,
    allow_code: AllowCode = False,
    *,
    workers: Workers,
    asked: StudyOptions,
    search: MatchOptions,
    output: Output,
) -> None:
    """Carry out a published study: its figures and tables, published numbers beside ours, verdicts."""
    from ackclock.cli.console import tables_as
    from ackclock.executors import named

    tables_as(output.table)
    json, quiet, wide = output.json, output.quiet, output.wide
    jobs, executor = workers.jobs, named(workers.executor)
    if again is not None:
        from ackclock.control.loading import trusting

        _refuse_beside_again(name, quick, only, settings, add, asked.ties, search.match)
        with trusting("all" if allow_code else "none"):
            both = (jobs, executor)
            _again(again, out=out, workers=both, allow_code=allow_code, json=json, quiet=quiet)
        return
    from ackclock._io.files import json_text, refuse_foreign
    from ackclock.cli.console import meter, note, write_json
    from ackclock.study import registry
    from ackclock.study.changes import Changes

    if name is None:
        raise UserError(
            f"name a study\n  allowed: {', '.join(one.address for one in registry.every())}, all, ./FOLDER"
        )
    names = registry.names() if name == "all" else [name]
    chosen = {each: registry.get(each) for each in names}
    search.check({"--quick": quick, "--only": only, "--add": add, "--ties": asked.ties, "--paths": paths})
    if search.match:
        if name == "all":
            raise UserError("--match takes one study, not all")
        match_study(chosen[name], search, settings or (), out, workers=workers, output=output)
        return
    if paths:
        for one in chosen.values():
            _list_paths(one, quick=quick, only=only, json=json, wide=wide)
        return
    changes = Changes(tuple(settings or ()), tuple(add or ()))
    results: dict[str, Any] = {}
    for each, one in chosen.items():
        folder = Path("results") / one.name if out is None else (out / each if name == "all" else out)
        if not replace_files:
            refuse_foreign(folder)
        with meter(one.name, quiet=quiet or json == "-") as progress:
            result = one.run(
                quick=quick,
                only=only,
                changes=changes,
                out=folder,
                jobs=jobs,
                progress=progress.jobs,
                executor=executor,
                ties=asked.ties,
            )
        results[each] = result.to_json()
        if result.repeats:
            note(f"{one.name}: {result.repeats}", warning=True)
        if not quiet and json != "-":
            _show(result, whole=output.table is not None, wide=wide)
    if json is not None:
        write_json(json, json_text(results if name == "all" else results[name]))


def _list_paths(study: Study[Any], *, quick: bool, only: str | None, json: str | None, wide: bool) -> None:
    from ackclock._io.files import json_text
    from ackclock.cli.console import show, write_json
    from ackclock.cli.fit import Table
    from ackclock.study.changes import Changes

    plan = study.plan(quick, study.figure(only))
    found = study.paths(plan)
    places = {one.path: Changes((one.path,)).stated(study.layout.stated).get(one.path, "") for one in found}
    if json is not None:
        entries = [
            {"path": one.path, "values": one.values, "scenarios": one.scenarios, "stated": places[one.path]}
            for one in found
        ]
        write_json(json, json_text(entries))
        if json == "-":
            return
    rows = tuple((one.path, one.shown, places[one.path], str(one.scenarios)) for one in found)
    heads = ("setting", "in the study", "paper", "scenarios")
    title = f"Settings of study {study.name}: --set PATH=VALUE"
    note = (
        "Paper: where it states the setting. An asterisk stands for every entry that has the setting. "
        "Any other setting of a scenario can be given, too: docs/reference/scenario.md."
    )
    show(Table(title, heads, rows, left=3, least=("scenarios",), kept=2), note, wide=wide)


def _show(result: StudyResult, *, whole: bool, wide: bool) -> None:
    from ackclock.cli.comparison import fitting
    from ackclock.cli.console import place, show
    from ackclock.report.console import Verdicts

    if whole:
        show(*map(fitting, result.tables()))
    else:
        # Columns that do not fit are left out and named, since a number must not be cut.
        for table in result.summary_tables:
            show(fitting(table, kept=table.text_columns + 1), wide=wide)
        if result.verdicts.claims:
            show(Verdicts(result.verdicts), wide=wide)
    if result.ties:
        show(result.ties_table())
    if result.changed:
        show("", *result.changed, "")
    for path in result.plots:
        place(path)
    place(result.report)


def _refuse_beside_again(*given: object) -> None:
    options = ("NAME", "--quick", "--only", "--set", "--add", "--ties", "--match")
    beside = [option for option, value in zip(options, given, strict=True) if value]
    if beside:
        raise UserError(
            f"--again takes everything from the folder's manifest: {', '.join(beside)} cannot stand beside it"
        )


def _again(
    folder: Path,
    *,
    out: Path | None,
    workers: tuple[int, str],
    allow_code: bool,
    json: str | None,
    quiet: bool,
) -> None:
    from ackclock._io.files import json_text
    from ackclock.cli.again import read_manifest, verdict
    from ackclock.cli.console import meter, write_json

    manifest = read_manifest(folder, "study", "a study")
    if "study" not in manifest:
        raise UserError(
            f"{folder / 'manifest.json'}: not the manifest of a study\n  wanted: a folder of a study"
        )
    plan = _plan(folder, manifest["plan"])
    chosen = _trusted(folder, manifest, allow_code=allow_code)
    name = chosen.name
    with tempfile.TemporaryDirectory(prefix="ackclock-") as spare:
        made = Path(spare) / "again" if out is None else out
        with meter(f"{name} again", quiet=quiet or json == "-") as progress:
            jobs, executor = workers
            result = chosen.again(plan, out=made, jobs=jobs, progress=progress.jobs, executor=executor)
        said = verdict(folder, made, manifest)
    if json is not None:
        write_json(json, json_text(result.to_json()))
    if not quiet and json != "-":
        typer.echo(said)


def _trusted(folder: Path, manifest: Mapping[str, Any], *, allow_code: bool) -> Study[Any]:
    """Return the study of a manifest.

    Code of a study outside of the package must be permitted, and must be the same as when the manifest was written.
    """
    from ackclock.study import loading, registry

    recorded = manifest.get("origin")
    recorded = recorded if isinstance(recorded, dict) else {}
    here = loading.origin(str(recorded.get("folder") or manifest["study"]))
    if not here.ours and not allow_code:
        raise UserError(
            f"{folder}: study {here.address} does not come with ackclock; its code is not run unless you allow it\n"
            f"  from:    {here.shown}\n  if you trust it: --allow-code"
        )
    if not here.ours and here.digest() != recorded.get("sha256"):
        raise UserError(
            f"{folder}: the files of study {here.address} have changed since it was run\n"
            f"  SHA-256 on record: {recorded.get('sha256')}\n  SHA-256 now:       {here.digest()}"
        )
    return registry.get(here.address)


def _plan(folder: Path, plan: object) -> dict[str, Any]:
    """Return the plan in a study's manifest; raise `UserError` if it has another form than a study writes."""
    from ackclock.cli.again import damaged

    if not isinstance(plan, dict):
        raise damaged(folder, "study", TypeError(f"plan: {plan!r}"))
    texts = [one for name in ("set", "add") for one in _listed(plan.get(name, []))]
    right = isinstance(plan.get("quick"), bool) and isinstance(plan.get("only"), str | None)
    if not right or not all(isinstance(one, str) for one in texts):
        raise damaged(folder, "study", TypeError(f"plan: {plan!r}"))
    return plan


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
