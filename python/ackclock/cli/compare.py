"""``ackclock compare``: variants side by side, with intervals."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ackclock.cli.options import (
    AllowCode,
    Bottleneck,
    Executor,
    FigureStyle,
    FormerJitter,
    Jobs,
    Json,
    Level,
    Margin,
    Quiet,
    Reps,
    Seed,
    SendOverhead,
    Settings,
    StartJitter,
    Style,
    Tables,
    Ties,
    Until,
    Wide,
    grouped,
    opened,
    option,
    out_option,
    say_left_out,
    seconds_of,
    start_jitter_s,
)

if TYPE_CHECKING:
    from ackclock.comparisons.base_scenario import BaseScenario
    from ackclock.comparisons.plan import Plan
    from ackclock.comparisons.variants import Variant


EXAMPLES = """\
ackclock compare tahoe reno newreno sack vegas
ackclock compare sack vegas --rate 2Mbps --delay 50ms --loss 0.01 --until 1
ackclock compare reno gentle=reno:decrease=0.7 --topology parking_lot
ackclock compare sack vegas --against reno           is each fair to reno?
ackclock compare newreno sack --scenario mine.toml --flows-under-test 0
ackclock compare --again results/compare-sack-vegas  the same bytes?
"""

LONGEST = 80
"""Characters of a folder's name, at most."""


@dataclass(frozen=True)
class Topology:
    """A ready-made topology; an option that is None has the topology's own default."""

    topology: Annotated[str, typer.Option(metavar="NAME", help="dumbbell, parking_lot or chain.")] = (
        "dumbbell"
    )
    rate: Annotated[str | None, option("RATE", "Rate of each bottleneck [10Mbps].")] = None
    delay: Annotated[str | None, option("TIME", "Its one-way delay [20ms; parking lot, chain: 10ms].")] = None
    queue: Annotated[
        str | None,
        option(
            "QUEUE",
            "Its queue: packets (50), bytes (64KiB), or bandwidth-delay products of flow 0's path [1bdp]; "
            "of another kind: codel, red:2bdp.",
        ),
    ] = None
    hops: Annotated[int | None, option("N", "Links in a row: parking lot [3], chain [2].", min=1)] = None
    access_rate: Annotated[str | None, option("RATE", "Rate of the access links [100Mbps].")] = None
    access_delay: Annotated[str | None, option("TIME", "One-way delay of each access link [1ms].")] = None
    flows: Annotated[int | None, option("N", "Flows of a dumbbell or a chain [2].", min=1)] = None
    stagger: Annotated[
        str | None, option("TIME", "Time from one flow's start to the next one's: dumbbell [0s].")
    ] = None
    loss: Annotated[
        str | None,
        option("P", "Probability, 0 to 1, that the bottleneck loses a data packet: dumbbell, chain [0]."),
    ] = None
    duration: Annotated[str | None, option("TIME", "Length of each run [60s].")] = None
    profile: Annotated[str | None, option("NAME", "Endpoint profile [rfc]; see: ackclock list profiles.")] = (
        None
    )


@dataclass(frozen=True)
class File:
    """A scenario file instead of a topology, and changes to either."""

    scenario: Annotated[
        Path | None,
        option("FILE", "A scenario file, in place of a topology and its options."),
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
class Measured:
    """The measure of a comparison, and its runs."""

    against: Annotated[
        str | None,
        option("VARIANT", "A mix: each variant shares the path with flows of this one (friendliness)."),
    ] = None
    by: Annotated[
        str, typer.Option(metavar="MEASURE", help="What to rank by; table runs of: ackclock list metrics.")
    ] = "goodput_bps"
    reference: Annotated[
        str | None, option("LABEL", "The variant that differences are taken from [the best].")
    ] = None
    reps: Reps = 10
    until: Until = None
    start_jitter: StartJitter = None
    send_overhead: SendOverhead = None
    jitter: FormerJitter = None
    level: Level = 0.95
    margin: Margin = 1.0
    seed: Seed = None
    bottleneck: Bottleneck = None
    packets: Annotated[
        bool,
        typer.Option(
            help="Record packets and windows, for distributions of delay and windows over time. Takes twice the time."
        ),
    ] = True
    ties: Ties = False


@dataclass(frozen=True)
class Output:
    """Places and forms of the results. Nothing here changes the results."""

    out: Annotated[
        Path | None,
        out_option("Where report and data go [results/compare-VARIANTS]."),
    ] = None
    again: Annotated[
        Path | None,
        option("DIR", "Make the comparison in this folder again and say whether the bytes are the same."),
    ] = None
    style: FigureStyle = Style.page
    jobs: Jobs = 0
    executor: Executor = "threads"
    json: Json = None
    quiet: Quiet = False
    wide: Wide = False
    table: Tables = None


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
        ),
    ] = None,
    *,
    topology: Topology,
    file: File,
    measured: Measured,
    output: Output,
) -> None:
    """Compare variants on the same network and the same seeds, with confidence intervals.

    All variants use the same seeds, so they meet the same random events, and differences are paired by seed. A
    rank such as 1-3 is a range: the runs cannot separate those variants. More replications (--reps) may.
    """
    from ackclock.cli.console import tables_as

    tables_as(output.table)
    given = _given(context)
    if output.again is not None:
        _make_again(output.again, output, given, allow_code=file.allow_code)
        return
    from ackclock.cli.comparison import show_comparison
    from ackclock.cli.console import check_json, meter
    from ackclock.cli.rules import warn
    from ackclock.comparisons.compare import run_plan
    from ackclock.executors import named
    from ackclock.report.folder import save

    check_json(output.json)
    executor = named(output.executor)
    plan = _plan(variants or [], topology, file, measured, given)
    made = {label: plan.randomness.on(scenario) for label, scenario in plan.scenarios.items()}
    said = warn(made, reps=plan.reps, jitter_s=plan.randomness.jitter_s(next(iter(made.values()))))
    with meter("comparing", quiet=output.quiet or output.json == "-") as progress:
        found = run_plan(plan, threads=output.jobs, progress=progress.jobs, executor=executor)
    command = _command(given)
    folder = output.out if output.out is not None else _folder(plan, command)
    saved = save(found, folder, command, style=output.style.value)
    show_comparison(found, saved.folder, json=output.json, quiet=output.quiet, wide=output.wide, said=said)


def _make_again(folder: Path, output: Output, given: Mapping[str, Any], *, allow_code: bool) -> None:
    from ackclock.cli.again import make_again
    from ackclock.control.loading import trusting
    from ackclock.errors import UserError

    others = [name for name in given if name not in asdict(output) and name != "allow_code"]
    if others:
        raise UserError(f"--again {folder}: the folder has its settings; leave out {_spelt(others[0])}")
    quiet = output.quiet or output.json == "-"
    workers = (output.jobs, output.executor)
    with trusting("all" if allow_code else "none"):
        make_again(folder, out=output.out, workers=workers, quiet=quiet, json=output.json)


def _plan(
    texts: list[str], topology: Topology, file: File, measured: Measured, given: Mapping[str, Any]
) -> Plan:
    from ackclock.comparisons.plan import Plan

    chosen, base = _variants(texts, measured.against)
    base_scenario = _base_scenario(topology, file, given, mix=base is not None)
    return Plan(
        scenarios={one.label: base_scenario.of(one, base) for one in chosen},
        own=base_scenario.own,
        other=base_scenario.other,
        against=None if base is None else base.label,
        by=measured.by,
        reference=measured.reference,
        parameters={one.label: one.own for one in chosen},
        where=f"scenario file {file.scenario.name}" if file.scenario else f"topology {topology.topology}",
        reps=measured.reps,
        until=None if measured.until is None else measured.until / 100,
        seed=measured.seed,
        jitter_s=start_jitter_s(measured.start_jitter, measured.jitter),
        overhead_s=seconds_of(measured.send_overhead, "--send-overhead"),
        level=measured.level,
        margin=measured.margin / 100,
        bottleneck=measured.bottleneck,
        watch=measured.packets,
        ties=measured.ties,
    )


def _variants(texts: list[str], against: str | None) -> tuple[list[Variant], Variant | None]:
    """Read the variants; the one of --against is compared, too, as the base line."""
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


def _base_scenario(topology: Topology, file: File, given: Mapping[str, Any], *, mix: bool) -> BaseScenario:
    from ackclock.comparisons.base_scenario import of_scenario, of_topology
    from ackclock.errors import UserError
    from ackclock.sweeps.quantities import probability

    options = asdict(topology)
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


def _given(context: typer.Context) -> dict[str, Any]:
    """Return the options and arguments on the command line."""
    return {
        name: value
        for name, value in context.params.items()
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE"
    }


def _command(given: Mapping[str, Any]) -> str:
    """Return the command with everything that decides the result, and nothing else."""
    words = ["ackclock", "compare", *given.get("variants", [])]
    for name, value in given.items():
        if name == "variants" or name in asdict(Output()):
            continue
        if isinstance(value, bool):
            words.append(f"--{'' if value else 'no-'}{name.replace('_', '-')}")
            continue
        for one in value if isinstance(value, list | tuple) else [value]:
            words += [_spelt(name), str(one)]
    return shlex.join(words)


def _spelt(name: str) -> str:
    named = {"settings": "--set", "variants": "VARIANT..."}
    return named.get(name, f"--{name.replace('_', '-')}")


def _folder(plan: Plan, command: str) -> Path:
    from ackclock.comparisons.variants import stems

    names = list(plan.scenarios)
    if plan.against:
        names = [*(one for one in names if one != plan.against), "against", plan.against]
    name = f"compare-{'-'.join(stems(names))}"
    if len(name) > LONGEST:
        name = f"{name[: LONGEST - 9]}-{hashlib.sha256(command.encode()).hexdigest()[:8]}"
    return Path("results") / name
