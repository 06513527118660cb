"""``ackclock sweep``: a grid of settings, replicated and resumable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ackclock.cli.options import Jitter, Jobs, Json, Level, Quiet, Reps, ScenarioFile, Seed, Settings, option

if TYPE_CHECKING:
    from rich.table import Table

    from ackclock.sweep.grid import CampaignResult


EXAMPLES = """\
ackclock sweep scenario.toml --vary link.0.rate=1Mbps,2Mbps,5Mbps --reps 10
ackclock sweep scenario.toml --vary flow.*.tcp.variant=reno,vegas --vary link.0.queue.packets=5,20,50
"""


def sweep(
    file: ScenarioFile,
    vary: Annotated[
        list[str] | None, option("PATH=V1,V2", "Values of one setting; several --vary make a grid.")
    ] = None,
    reps: Reps = 10,
    jitter: Jitter = "100ms",
    level: Level = 0.95,
    seed: Seed = None,
    settings: Settings = None,
    out: Annotated[Path | None, option("DIR", "Campaign folder; results/FILE-sweep where not given.")] = None,
    jobs: Jobs = 0,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Run a scenario over a grid of settings, each point replicated, and print means with intervals.

    Finished runs are kept in the campaign folder. Interrupt it whenever you like: the same command runs what
    is missing and nothing else.
    """
    from ackclock.cli.console import meter, note, show, write_json
    from ackclock.files import json_text
    from ackclock.scenario import load
    from ackclock.sweep.grid import Axis, Campaign
    from ackclock.sweep.quantities import seconds

    axes = tuple(Axis.parse(text) for text in vary or [])
    campaign = Campaign(load(file, settings or []), axes, reps, seed, seconds(jitter, "--jitter"), level)
    folder = out if out is not None else Path("results") / f"{file.stem}-sweep"
    with meter(file.name, quiet=quiet or json == "-") as progress:
        found = campaign.run(folder, threads=jobs, progress=progress.jobs)
    if json is not None:
        write_json(
            json,
            json_text(
                {"points": found.point_rows(), "runs": found.run_rows(), "manifest": campaign.manifest()}
            ),
        )
    for text in found.warnings():
        note(text, warning=True)
    if quiet or json == "-":
        return
    show(points_table(found))
    for name in ("points.csv", "runs.csv", "results.csv", "manifest.json"):
        typer.echo(folder / name)


def points_table(found: CampaignResult) -> Table:
    """Return the table of the grid's points with an interval for each measure."""
    from ackclock.cli.console import table
    from ackclock.report.text import estimate
    from ackclock.sweep.measures import BY_NAME, SHOWN

    paths = [axis.path for axis in found.campaign.axes]
    shown = [BY_NAME[name] for name in SHOWN]
    columns = [found.intervals(one.name) for one in shown]
    rows = [
        [
            *(point[path] for path in paths),
            *(estimate(column[i][1], one.scale) for column, one in zip(columns, shown, strict=True)),
        ]
        for i, (point, _) in enumerate(columns[0])
    ]
    heads = [*paths, *("\n".join(filter(None, (one.title, one.unit))) for one in shown)]
    percent = f"{found.campaign.level * 100:g} %"
    title = f"{found.campaign.reps} replications: mean ±half the {percent} interval"
    return table(title, heads, rows, left=len(paths))
