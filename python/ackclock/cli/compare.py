"""``ackclock compare``: variants side by side, with intervals."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ackclock.cli.options import Jitter, Jobs, Json, Level, Quiet, Reps, Seed, Settings

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ackclock.scenario import Scenario
    from ackclock.sweep.compare import Comparison


EXAMPLES = """\
ackclock compare tahoe reno newreno sack vegas
ackclock compare sack vegas --rate 2Mbps --delay 50ms --queue 20 --loss 0.01
ackclock compare newreno sack --flows 5 --profile ns2 --until 1
"""


def compare(
    variants: Annotated[
        list[str], typer.Argument(metavar="VARIANT...", help="Presets or pairs such as sack+reno.")
    ],
    rate: Annotated[str, typer.Option("--rate", help="Rate of the bottleneck.")] = "10Mbps",
    delay: Annotated[str, typer.Option("--delay", help="One-way delay of the bottleneck.")] = "20ms",
    queue: Annotated[
        str,
        typer.Option(
            "--queue",
            help="Bottleneck's queue: packets (50), bytes (64KiB), or bandwidth-delay products (1bdp).",
        ),
    ] = "1bdp",
    access_rate: Annotated[str, typer.Option("--access-rate", help="Rate of the access links.")] = "100Mbps",
    access_delay: Annotated[
        str, typer.Option("--access-delay", help="One-way delay of each access link.")
    ] = "1ms",
    flows: Annotated[int, typer.Option("--flows", min=1, help="Flows, all of the variant at hand.")] = 2,
    duration: Annotated[str, typer.Option("--duration", help="Length of each run.")] = "60s",
    loss: Annotated[
        float | None,
        typer.Option(
            "--loss",
            metavar="P",
            help="Probability, 0 to 1, that the bottleneck loses a data packet.",
            show_default=False,
        ),
    ] = None,
    profile: Annotated[str, typer.Option("--profile", help="Endpoint profile: rfc, linux or ns2.")] = "rfc",
    reps: Reps = 10,
    until: Annotated[
        float | None,
        typer.Option(
            "--until",
            metavar="PERCENT",
            min=0.01,
            help="Add replications until each goodput is known to this many percent (200 at most).",
            show_default=False,
        ),
    ] = None,
    jitter: Jitter = "100ms",
    level: Level = 0.95,
    seed: Seed = None,
    settings: Settings = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Where plot and data go; results/compare-VARIANTS where not given.",
            show_default=False,
        ),
    ] = None,
    jobs: Jobs = 0,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Compare variants on a dumbbell: each by itself, replicated on the same seeds, with intervals.

    Replication r of every variant meets the same random draws, so that their differences are told by pairs.
    Variants whose difference could be chance are called tied: more replications (--reps) may tell them apart.
    """
    from ackclock.cli.console import meter, note, show, write_json
    from ackclock.errors import UserError
    from ackclock.files import json_text
    from ackclock.scenario import dumbbell
    from ackclock.sweep.compare import compare as run_comparison
    from ackclock.sweep.quantities import queue_of, seconds

    repeated = next((one for i, one in enumerate(variants) if one in variants[:i]), None)
    if repeated is not None:
        raise UserError(f"{repeated} is listed twice: each variant is compared once")

    def surroundings(variant: str) -> Scenario:
        made = dumbbell(
            [variant],
            rate=rate,
            delay=delay,
            access_rate=access_rate,
            access_delay=access_delay,
            flows=flows,
            profile=profile,
            loss=loss,
            duration=duration,
        )
        return made.with_({"link.0.queue": queue_of(queue, made)}).apply(settings or [])

    scenarios = {variant: surroundings(variant) for variant in variants}
    with meter("comparing", quiet=quiet or json == "-") as progress:
        found = run_comparison(
            scenarios,
            reps=reps,
            until=None if until is None else until / 100,
            seed=seed,
            jitter_s=seconds(jitter, "--jitter"),
            level=level,
            threads=jobs,
            progress=progress.jobs,
        )
    written = found.save(out if out is not None else Path("results") / f"compare-{'-'.join(variants)}")
    if json is not None:
        write_json(json, json_text(found.to_json()))
    for text in found.warnings():
        note(text, warning=True)
    if quiet or json == "-":
        return
    show(*tables(found))
    for path in written:
        if path.suffix in (".png", ".svg", ".csv"):
            typer.echo(path)


def tables(found: Comparison) -> list[RenderableType]:
    """Return the table of results with intervals and places, and that of differences to the best."""
    from rich.text import Text

    from ackclock.cli.console import estimate, number, table
    from ackclock.sweep.compare import SHOWN
    from ackclock.sweep.measures import BY_NAME

    places, best, p_values = found.places(), found.best(), found.adjusted_p()
    shown = [BY_NAME[name] for name in SHOWN]
    heads = ["variant", "place", *("\n".join(filter(None, (one.title, one.unit))) for one in shown)]
    ordered = sorted(found.variants, key=lambda variant: -found.interval(variant, "goodput_bps").mean)
    rows = []
    for variant in ordered:
        place = places[variant]
        standing = f"{place.place}=" if place.tied else str(place.place)
        rows.append(
            [variant, standing, *(estimate(found.interval(variant, one.name), one.scale) for one in shown)]
        )
    reps = len(found.jobs[best])
    percent = f"{found.level * 100:g} %"
    made: list[RenderableType] = [
        table(
            f"{reps} replications: mean ±half the {percent} interval; place by goodput", heads, rows, left=2
        )
    ]
    pairs = itertools.combinations(ordered, 2)
    ties = [f"{one} and {other}" for one, other in pairs if other in places[one].tied]
    if ties:
        made.append(Text(f"tied, as far as these runs can tell: {', '.join(ties)}\n"))
    if reps > 1 and len(ordered) > 1:
        differences = []
        for variant in ordered:
            if variant != best:
                gap, p = found.difference(variant, best), p_values[variant, best]
                verdict = "less" if p < 1 - found.level else "tied"
                differences.append([variant, verdict, estimate(gap.interval, 1e-6), number(p, digits=2)])
        title = f"goodput less {best}'s, Mb/s, paired by seed"
        made.append(table(title, ["variant", "verdict", "difference", "p (Holm)"], differences, left=2))
    return made
