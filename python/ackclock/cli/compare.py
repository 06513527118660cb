"""``ackclock compare``: compares variants, with confidence intervals."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ackclock.cli import completion
from ackclock.cli.options import (
    AllowCode,
    FigureStyle,
    Output,
    Replace,
    Settings,
    Style,
    Workers,
    given,
    grouped,
    opened,
    option,
    out_option,
    say_left_out,
    spelt,
)
from ackclock.comparisons.options import ComparisonOptions, TopologyOptions

if TYPE_CHECKING:
    from ackclock.comparisons.base_scenario import BaseScenario
    from ackclock.comparisons.plan import Plan
    from ackclock.comparisons.variants import Variant
    from ackclock.runs.stored import StoredRun


EXAMPLES = """\
ackclock compare tahoe reno newreno sack vegas
ackclock compare sack vegas --rate 2Mbps --delay 50ms --loss 0.01 --until 1
ackclock compare reno gentle=reno:decrease=0.7 --topology parking_lot
ackclock compare sack vegas --against reno           is each fair to reno?
ackclock compare newreno sack --scenario mine.toml --flows-under-test 0
ackclock compare --again results/compare-sack-vegas  the same bytes?
ackclock compare cubic bbr --measured results/mine   beside a capture
"""

LONGEST = 80
"""Maximum length of a folder's name, characters."""


@dataclass(frozen=True)
class File:
    """Options for a scenario file, which replaces a topology, and for its settings."""

    scenario: Annotated[
        Path | None,
        option(
            "FILE",
            "A scenario file, in place of a topology and its options.",
            autocompletion=completion.scenario_files,
        ),
    ] = None
    flows_under_test: Annotated[
        str | None,
        option(
            "A,B",
            "Flows of the scenario file that take the variant, by number or name [all TCP flows].",
        ),
    ] = None
    settings: Settings = None
    allow_code: AllowCode = False


@dataclass(frozen=True)
class Written:
    """Options for folder and style of the report."""

    out: Annotated[
        Path | None,
        out_option("Where report and data go [results/compare-VARIANTS]."),
    ] = None
    replace: Replace = False
    again: Annotated[
        Path | None,
        option(
            "DIR",
            "Make the comparison in this folder again and say whether the bytes are the same.",
            autocompletion=completion.folders,
        ),
    ] = None
    style: FigureStyle = Style.page
    measured: Annotated[
        list[str] | None,
        option(
            "[LABEL=]FOLDER",
            "Draw a measured run beside the variants: a folder of ackclock import. May be repeated.",
            autocompletion=completion.folders,
        ),
    ] = None


IDLE = frozenset(one.name for group in (Written, Workers, Output) for one in fields(group))
"""Options that do not affect the results of a comparison."""


@grouped
def compare(
    context: typer.Context,
    variants: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="VARIANT",
            help="[LABEL=]VARIANT[:PARAMETER=VALUE,...]: a preset or a pair such as sack+reno, with "
            "parameters of its own: reno:decrease=0.7,min_rto=1s.",
            show_default=False,
            autocompletion=completion.variants,
        ),
    ] = None,
    *,
    topology: TopologyOptions,
    file: File,
    asked: ComparisonOptions,
    written: Written,
    workers: Workers,
    output: Output,
) -> None:
    """Compare variants on the same network and the same seeds, with confidence intervals.

    All variants use the same seeds, so they meet the same random events, and differences are paired by seed. A
    rank such as 1-3 is a range: the runs cannot separate those variants. More replications (--reps) may.
    """
    from ackclock.cli.again import make_again
    from ackclock.cli.console import tables_as
    from ackclock.control.loading import trusting
    from ackclock.errors import UserError

    tables_as(output.table)
    typed = given(context)
    quiet = output.quiet or output.json == "-"
    if written.again is not None:
        others = [name for name in typed if name not in IDLE and name != "allow_code"]
        if others:
            raise UserError(
                f"--again {written.again}: the folder has its settings; leave out {_spelt(others[0])}"
            )
        with trusting("all" if file.allow_code else "none"):
            both = (workers.jobs, workers.executor)
            make_again(written.again, out=written.out, workers=both, quiet=quiet, json=output.json)
        return
    from ackclock._io.files import refuse_foreign
    from ackclock.cli.comparison import show_beside, show_comparison
    from ackclock.cli.console import check_json, meter
    from ackclock.cli.rules import warn
    from ackclock.comparisons.compare import run_plan
    from ackclock.executors import named
    from ackclock.report.folder import save

    check_json(output.json)
    executor = named(workers.executor)
    measured = _measured(written.measured)
    plan = _plan(variants or [], topology, file, asked, typed)
    command = _command(typed)
    folder = written.out if written.out is not None else _folder(plan, command)
    if not written.replace:
        refuse_foreign(folder)
    made = {label: plan.randomness.on(scenario) for label, scenario in plan.scenarios.items()}
    said = warn(made, reps=plan.reps, jitter_s=plan.randomness.jitter_s(next(iter(made.values()))))
    with meter("comparing", quiet=quiet) as progress:
        found = run_plan(plan, threads=workers.jobs, progress=progress.jobs, executor=executor)
    saved = save(found, folder, command, style=written.style.value)
    show_comparison(found, saved.folder, json=output.json, quiet=output.quiet, wide=output.wide, said=said)
    if measured:
        show_beside(found, saved.folder, measured, style=written.style, quiet=quiet, wide=output.wide)


def _measured(folders: list[str] | None) -> dict[str, StoredRun]:
    """Return the measured runs by label."""
    from ackclock.cli.measured import labelled

    return labelled(folders) if folders else {}


def _plan(
    texts: list[str],
    topology: TopologyOptions,
    file: File,
    asked: ComparisonOptions,
    given: Mapping[str, Any],
) -> Plan:
    from ackclock.comparisons.plan import Plan

    chosen, base = _variants(texts, asked.against)
    base_scenario = _base_scenario(topology, file, given, mix=base is not None)
    against = None if base is None else base.label
    return Plan(
        scenarios={one.label: base_scenario.of(one, base) for one in chosen},
        own=base_scenario.own,
        other=base_scenario.other,
        parameters={one.label: one.own for one in chosen},
        where=f"scenario file {file.scenario.name}" if file.scenario else f"topology {topology.topology}",
        **{**asked.values(), "against": against},
    )


def _variants(texts: list[str], against: str | None) -> tuple[list[Variant], Variant | None]:
    """Parse the variants; a variant given with ``--against`` is also compared, as the baseline."""
    from ackclock.comparisons.variants import FORM, Variant
    from ackclock.errors import UserError

    if not texts:
        raise UserError(
            f"name the variants to compare\n  wanted: {FORM}\n  there are: ackclock list variants"
        )
    found = [Variant.parse(text) for text in texts]
    labels = [one.label for one in found]
    repeated = next((one for i, one in enumerate(labels) if one in labels[:i]), None)
    if repeated is not None:
        raise UserError(
            f"{repeated} is listed twice: each variant is compared once, or under labels of its own"
        )
    if against is None:
        return found, None
    base = next((one for one in found if one.label == against), None)
    if base is None:
        base = Variant.parse(against)
        if base.label in labels:
            raise UserError(f"--against: another variant has the label {base.label} already")
        found.append(base)
    return found, base


def _base_scenario(
    topology: TopologyOptions, file: File, given: Mapping[str, Any], *, mix: bool
) -> BaseScenario:
    from ackclock.comparisons.base_scenario import of_scenario, of_topology
    from ackclock.errors import UserError
    from ackclock.sweeps.quantities import probability

    options = topology.values()
    if topology.loss is not None:
        options["loss"] = probability(topology.loss, "--loss")
    if file.scenario is None:
        if file.flows_under_test is not None:
            raise UserError("--flows-under-test goes with --scenario FILE")
        made = of_topology(options.pop("topology"), options, file.settings or [], mix=mix)
        say_left_out(made.scenario, file.settings or [])
        return made
    for name in options:
        if name in given:
            raise UserError(
                f"{_spelt(name)}: with --scenario the file says it\n  change a value of it by --set PATH=VALUE"
            )
    scenario = opened(file.scenario, file.settings, allow_code=file.allow_code)
    return of_scenario(scenario, file.flows_under_test, mix=mix)


def _command(given: Mapping[str, Any]) -> str:
    """Return the command line without the options that do not affect the results."""
    words = ["ackclock", "compare", *given.get("variants", [])]
    for name, value in given.items():
        if name == "variants" or name in IDLE:
            continue
        if isinstance(value, bool):
            words.append(f"--{'' if value else 'no-'}{name.replace('_', '-')}")
            continue
        for one in value if isinstance(value, list | tuple) else [value]:
            words += [_spelt(name), str(one)]
    return shlex.join(words)


def _spelt(name: str) -> str:
    named = {"settings": "--set", "variants": "VARIANT..."}
    return named.get(name, spelt(name))


def _folder(plan: Plan, command: str) -> Path:
    from ackclock.comparisons.variants import stems

    names = list(plan.scenarios)
    if plan.against:
        names = [*(one for one in names if one != plan.against), "against", plan.against]
    name = f"compare-{'-'.join(stems(names))}"
    if len(name) > LONGEST:
        name = f"{name[: LONGEST - 9]}-{hashlib.sha256(command.encode()).hexdigest()[:8]}"
    return Path("results") / name
