"""``ackclock compare``: variants side by side, with intervals."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ackclock.cli.options import Jobs, Json, Level, Quiet, Reps, Seed, Settings

if TYPE_CHECKING:
    from ackclock.scenario import Scenario
    from ackclock.sweep.comparison import Plan
    from ackclock.sweep.surroundings import Surroundings
    from ackclock.sweep.variants import Variant


EXAMPLES = """\
ackclock compare tahoe reno newreno sack vegas
ackclock compare sack vegas --rate 2Mbps --delay 50ms --queue 20 --loss 0.01 --until 1
ackclock compare reno gentle=reno:decrease=0.7 --topology parking_lot --hops 3
ackclock compare sack vegas --against reno                 friendliness: each beside reno
ackclock compare newreno sack --scenario scenario.toml --flows-under-test 0
ackclock compare --again results/compare-sack-vegas        the same bytes?
"""

UNSAID = ("out", "jobs", "json", "quiet", "again")
"""Options that do not change what a comparison gives."""

LONGEST = 80
"""Characters of a folder's name."""


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
    topology: Annotated[
        str, typer.Option("--topology", metavar="NAME", help="dumbbell, parking_lot or chain.")
    ] = "dumbbell",
    rate: Annotated[
        str | None,
        typer.Option("--rate", metavar="RATE", help="Rate of each bottleneck [10Mbps].", show_default=False),
    ] = None,
    delay: Annotated[
        str | None,
        typer.Option(
            "--delay",
            metavar="TIME",
            help="Its one-way delay [20ms; parking lot, chain: 10ms].",
            show_default=False,
        ),
    ] = None,
    queue: Annotated[
        str | None,
        typer.Option(
            "--queue",
            metavar="QUEUE",
            help="Its queue: packets (50), bytes (64KiB), or bandwidth-delay products of flow 0's path [1bdp]; "
            "of another kind: codel, red:2bdp.",
            show_default=False,
        ),
    ] = None,
    hops: Annotated[
        int | None,
        typer.Option(
            "--hops",
            metavar="N",
            min=1,
            help="Links in a row: parking lot [3], chain [2].",
            show_default=False,
        ),
    ] = None,
    access_rate: Annotated[
        str | None,
        typer.Option(
            "--access-rate", metavar="RATE", help="Rate of the access links [100Mbps].", show_default=False
        ),
    ] = None,
    access_delay: Annotated[
        str | None,
        typer.Option(
            "--access-delay",
            metavar="TIME",
            help="One-way delay of each access link [1ms].",
            show_default=False,
        ),
    ] = None,
    flows: Annotated[
        int | None,
        typer.Option(
            "--flows", metavar="N", min=1, help="Flows of a dumbbell or a chain [2].", show_default=False
        ),
    ] = None,
    stagger: Annotated[
        str | None,
        typer.Option(
            "--stagger",
            metavar="TIME",
            help="Time from one flow's start to the next one's: dumbbell [0s].",
            show_default=False,
        ),
    ] = None,
    loss: Annotated[
        float | None,
        typer.Option(
            "--loss",
            metavar="P",
            help="Probability, 0 to 1, that the bottleneck loses a data packet: dumbbell, chain [0].",
            show_default=False,
        ),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option("--duration", metavar="TIME", help="Length of each run [60s].", show_default=False),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile", metavar="NAME", help="Endpoint profile: rfc, linux, ns2 [rfc].", show_default=False
        ),
    ] = None,
    scenario: Annotated[
        Path | None,
        typer.Option(
            "--scenario",
            metavar="FILE",
            help="A scenario file as surroundings, in place of a topology and its options.",
            show_default=False,
        ),
    ] = None,
    flows_under_test: Annotated[
        str | None,
        typer.Option(
            "--flows-under-test",
            metavar="A,B",
            help="Flows of the scenario file that take the variant, by number or name [all TCP flows].",
            show_default=False,
        ),
    ] = None,
    settings: Settings = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="VARIANT",
            help="A mix: each variant shares the path with flows of this one (friendliness).",
            show_default=False,
        ),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            "--by", metavar="MEASURE", help="What to rank by; table runs of: ackclock list metrics."
        ),
    ] = "goodput_bps",
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="LABEL",
            help="The variant that the screen shows differences to [the best].",
            show_default=False,
        ),
    ] = None,
    reps: Reps = 10,
    until: Annotated[
        float | None,
        typer.Option(
            "--until",
            metavar="PERCENT",
            min=0.01,
            help="Add replications until half of each interval is at most so many per cent of its mean "
            "(200 at most).",
            show_default=False,
        ),
    ] = None,
    jitter: Annotated[
        str,
        typer.Option(
            "--jitter",
            metavar="TIME",
            help="Each flow starts later by a random time up to this, from the second replication on.",
        ),
    ] = "1s",
    level: Level = 0.95,
    seed: Seed = None,
    packets: Annotated[
        bool,
        typer.Option(
            "--packets/--no-packets",
            help="Watch packets and windows: delay percentiles, distributions, windows; twice the time.",
        ),
    ] = True,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Where report and data go; results/compare-VARIANTS where not given.",
            show_default=False,
        ),
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option(
            "--again",
            metavar="DIR",
            help="Make the comparison in this folder again and say whether the bytes are the same.",
            show_default=False,
        ),
    ] = None,
    jobs: Jobs = 0,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Compare variants in the same surroundings: replicated on the same seeds, with intervals.

    Replication r of every variant meets the same random draws, so that their differences are told by pairs. A
    rank such as 1-3 says what the runs leave open: more replications (--reps) may tell those variants apart.
    """
    from ackclock.errors import UserError

    given = _given(context)
    if again is not None:
        others = [name for name in given if name not in UNSAID]
        if others:
            raise UserError(
                f"--again {again}: the folder says what is compared; leave out {_spelt(others[0])}"
            )
        from ackclock.cli.again import make_again

        make_again(again, out=out, threads=jobs, quiet=quiet or json == "-", json=json)
        return
    from ackclock.cli.comparison import show_comparison
    from ackclock.cli.console import meter
    from ackclock.report.folder import save
    from ackclock.sweep.compare import carry_out
    from ackclock.sweep.comparison import Plan
    from ackclock.sweep.quantities import seconds

    chosen, base = _variants(variants or [], against)
    options = {
        "rate": rate,
        "delay": delay,
        "queue": queue,
        "hops": hops,
        "access_rate": access_rate,
        "access_delay": access_delay,
        "flows": flows,
        "stagger": stagger,
        "loss": loss,
        "duration": duration,
        "profile": profile,
    }
    around = _surroundings(
        topology, options, scenario, flows_under_test, settings or [], given, mix=base is not None
    )
    plan = Plan(
        scenarios={one.label: around.of(one, base) for one in chosen},
        own=around.own,
        other=around.other,
        against=None if base is None else base.label,
        by=by,
        reference=reference,
        parameters={one.label: one.own for one in chosen},
        where=f"topology {topology}" if scenario is None else f"scenario file {scenario.name}",
        reps=reps,
        until=None if until is None else until / 100,
        seed=seed,
        jitter_s=seconds(jitter, "--jitter"),
        level=level,
        watch=packets,
    )
    with meter("comparing", quiet=quiet or json == "-") as progress:
        found = carry_out(plan, threads=jobs, progress=progress.jobs)
    command = _command(given)
    saved = save(found, out if out is not None else _folder(plan, command), command)
    show_comparison(found, saved.folder, json=json, quiet=quiet)


def _variants(texts: list[str], against: str | None) -> tuple[list[Variant], Variant | None]:
    """Read the variants; that of --against is compared, too, as the base line."""
    from ackclock.errors import UserError
    from ackclock.sweep.variants import FORM, Variant

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


def _surroundings(
    topology: str,
    options: Mapping[str, Any],
    file: Path | None,
    chosen: str | None,
    settings: list[str],
    given: Mapping[str, Any],
    *,
    mix: bool,
) -> Surroundings:
    from ackclock.errors import UserError
    from ackclock.scenario import load
    from ackclock.sweep.surroundings import of_scenario, of_topology

    if file is None:
        if chosen is not None:
            raise UserError("--flows-under-test goes with --scenario FILE")
        return of_topology(topology, options, settings, mix=mix)
    for name in ("topology", *options):
        if name in given:
            raise UserError(
                f"{_spelt(name)}: with --scenario the file says it\n  change a value of it by --set PATH=VALUE"
            )
    made: Scenario = load(file, settings)
    return of_scenario(made, chosen, mix=mix)


def _given(context: typer.Context) -> dict[str, Any]:
    """Return the options and arguments that stand on the command line."""
    return {
        name: value
        for name, value in context.params.items()
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE"
    }


def _command(given: Mapping[str, Any]) -> str:
    """Return the command with everything that decides the result, and nothing else."""
    words = ["ackclock", "compare", *given.get("variants", [])]
    for name, value in given.items():
        if name in UNSAID or name == "variants":
            continue
        if isinstance(value, bool):
            words.append(f"--{'' if value else 'no-'}{name}")
            continue
        for one in value if isinstance(value, list | tuple) else [value]:
            words += [_spelt(name), str(one)]
    return shlex.join(words)


def _spelt(name: str) -> str:
    named = {"settings": "--set", "variants": "VARIANT..."}
    return named.get(name, f"--{name.replace('_', '-')}")


def _folder(plan: Plan, command: str) -> Path:
    from ackclock.sweep.variants import stems

    names = list(plan.scenarios)
    if plan.against:
        names = [*(one for one in names if one != plan.against), "against", plan.against]
    name = f"compare-{'-'.join(stems(names))}"
    if len(name) > LONGEST:
        name = f"{name[: LONGEST - 9]}-{hashlib.sha256(command.encode()).hexdigest()[:8]}"
    return Path("results") / name
