"""``ackclock match``: search of the settings and definitions that give a paper's numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ackclock.cli import completion
from ackclock.cli.options import (
    AllowCode,
    Output,
    ScenarioFile,
    Settings,
    Workers,
    grouped,
    opened,
    option,
    out_option,
)
from ackclock.cli.readings import PublishedFile, entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.readings.published import Published
    from ackclock.readings.ranking import Found
    from ackclock.readings.runner import Plan
    from ackclock.readings.space import Space

EXAMPLES = """\
ackclock match abadin-fig2 published.csv --vary 'flow.*.tcp.min_rto=0.2s,1s'
ackclock match mine.toml published.csv --vary link.0.rate=1Mbps,2Mbps,5Mbps \\
         --vary 'flow.*.tcp.segment=536B,1000B,1460B' --hold 2
ackclock match mine.toml published.csv --vary link.0.delay=1ms,10ms --definitions flowmonitor
"""


@dataclass(frozen=True)
class Asked:
    """Options for the search."""

    vary: Annotated[
        list[str] | None,
        option(
            "PATH=V1,V2",
            "Values of a setting that the paper leaves open; several --vary are combined.",
            autocompletion=completion.settings,
        ),
    ] = None
    settings: Settings = None
    allow_code: AllowCode = False
    reps: Annotated[
        int,
        typer.Option(
            "--reps",
            metavar="N",
            min=1,
            help="Replications of the best readings; the first has the scenario's seed, each other one the next seed.",
        ),
    ] = 3
    start_jitter: Annotated[
        str,
        typer.Option(
            "--start-jitter",
            metavar="TIME",
            help="From the second replication on, each flow starts later by a random time up to this.",
        ),
    ] = "0s"
    hold: Annotated[
        int,
        typer.Option(
            "--hold",
            metavar="N",
            min=0,
            help="Keep N published numbers from the search, and tell if they came out.",
        ),
    ] = 0
    definitions: Annotated[
        str | None,
        option(
            "TOOL",
            "Definitions of a tool: flowmonitor, ns2-awk, evalvid or iperf [all definitions are tried].",
        ),
    ] = None
    traced: Annotated[
        bool,
        typer.Option(
            "--traced",
            help="Try definitions that need the packets of each run, too, such as jitter by RFC 3550; "
            "runs take longer.",
        ),
    ] = False
    out: Annotated[
        Path | None,
        out_option("Folder of finished runs and results, in which a search continues [results/FILE-match]."),
    ] = None


@grouped
def match(
    file: ScenarioFile,
    published: PublishedFile,
    *,
    asked: Asked,
    workers: Workers,
    output: Output,
) -> None:
    """Find settings and definitions that give the numbers of a paper, and tell how likely chance does as well.

    A reading is one combination of the varied values. All readings are run if they are few; many are run from coarse
    to fine. Interrupt it whenever you like: the same command runs what is missing. See docs/howto/match-a-paper.md.
    """
    from ackclock.cli.console import check_json, tables_as
    from ackclock.readings import read
    from ackclock.readings.runner import Plan
    from ackclock.readings.space import Space
    from ackclock.sweeps.axes import Axis
    from ackclock.sweeps.quantities import seconds

    tables_as(output.table)
    check_json(output.json)
    numbers = read(published)
    scenario = opened(file, asked.settings, allow_code=asked.allow_code)
    space = Space.of(scenario, [Axis.parse(text) for text in asked.vary or []], numbers.numbers)
    jitter_s = seconds(asked.start_jitter, "--start-jitter")
    plan = Plan(asked.reps, jitter_s, asked.hold, asked.definitions, asked.traced)
    folder = asked.out or Path("results") / f"{file.stem}-match"
    carry_out(space, numbers, plan, folder, name=file.name, workers=workers, output=output)


def carry_out(
    space: Space,
    numbers: Published,
    plan: Plan,
    folder: Path,
    *,
    name: str,
    workers: Workers,
    output: Output,
    beside: Mapping[str, str] | None = None,
) -> None:
    """Search a space, store the outcome in `folder`, and print it; `beside` has further files for the folder."""
    from ackclock._io.files import atomic_folder, json_text
    from ackclock._io.versions import SCHEMA_VERSION
    from ackclock.cli.console import meter, note, place, write_json
    from ackclock.executors import named
    from ackclock.readings.report import plain
    from ackclock.readings.searching import search
    from ackclock.sweeps.store import Store

    silent = output.quiet or output.json == "-"
    before: list[dict[str, str]] = []

    def told(setting: dict[str, str], distance: float) -> None:
        if before[-1:] != [setting]:
            before.append(setting)
            values = ", ".join(f"{path}={value}" for path, value in setting.items())
            note(f"best so far: {values} ({distance:.3g} bits per number)")

    with meter(name, quiet=silent) as progress, Store(folder) as store:
        found = search(
            space,
            numbers,
            plan,
            store=store,
            threads=workers.jobs,
            executor=named(workers.executor),
            progress=progress.jobs,
            told=None if silent else told,
        )
    text = json_text({"schema_version": SCHEMA_VERSION, **plain(found)})
    with atomic_folder(folder) as draft:
        for file, content in {**(beside or {}), "match.json": text}.items():
            (draft / file).write_text(content, encoding="utf-8")
    if output.json is not None:
        write_json(output.json, text)
    if not silent:
        _show(found, output)
        place(folder / "match.json")


def _show(found: Found, output: Output) -> None:
    """Print tables and verdict; stated and found values are in separate columns."""
    from ackclock.cli.console import show, table
    from ackclock.readings import report

    paths = [axis.path for axis in found.space.axes]
    rows = [
        (*found.space.setting(one).values(), f"{found.distance(one):.4g}")
        for one in found.order[: report.SHOWN]
    ]
    show(
        table("Readings, best first", (*paths, "bits per number"), rows, left=len(paths)),
        "",
        wide=output.wide,
    )
    chosen = report.stated_and_found(found)
    show(
        table("Settings", ("setting", "stated in the file", "found after the fact"), chosen, left=3),
        "",
        wide=output.wide,
    )
    numbers = [
        (number.name, str(number), f"{mean:.6g}", f"{scale:.2g}", f"{bits:.1f}")
        for number, mean, scale, bits in found.rows(found.order[0])
    ]
    heads: tuple[str, ...] = ("number", "printed", "found", "spread", "bits")
    show(table("Numbers of the first reading", heads, numbers, left=1), "", wide=output.wide)
    definitions = [
        (name, text, str(len(report.alike(found, found.order[0])[name]) - 1))
        for name, text in found.definitions(found.order[0]).items()
    ]
    heads = ("quantity", "definition", "others that fit")
    show(table("Definitions of the first reading", heads, definitions, left=2), "", wide=output.wide)
    around = [(path, value, other, f"{bits:.3g}") for path, value, other, bits in report.sensitivity(found)]
    if around:
        heads = ("setting", "best", "next best", "further bits per number")
        show(table("Sensitivity around the first reading", heads, around, left=3), "", wide=output.wide)
    for sentence in report.verdict(found):
        typer.echo(entry(sentence), err=output.table is not None)
