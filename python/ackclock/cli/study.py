"""``ackclock study``: a published study, carried out in full."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ackclock.cli.options import Jobs, Json, Quiet, option

EXAMPLES = """\
ackclock study abadin --quick
ackclock study abadin --only figure-3
ackclock study all --out results/all
"""


def study(
    name: Annotated[str, typer.Argument(metavar="NAME|all", help="The study; see: ackclock list studies.")],
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer points and replications: under half a minute.")
    ] = False,
    only: Annotated[str | None, option("FIGURE", "One figure or table of it.")] = None,
    out: Annotated[Path | None, option("DIR", "Where the report goes; results/NAME where not given.")] = None,
    jobs: Jobs = 0,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Carry out a published study: its figures and tables, published numbers beside ours, verdicts."""
    from ackclock.cli.console import meter, show, write_json
    from ackclock.files import json_text
    from ackclock.studies import registry

    names = registry.names() if name == "all" else [name]
    chosen = {each: registry.get(each) for each in names}
    results: dict[str, Any] = {}
    for each, one in chosen.items():
        folder = Path("results") / each if out is None else (out / each if name == "all" else out)
        with meter(each, quiet=quiet or json == "-") as progress:
            result = one.run(quick=quick, only=only, out=folder, jobs=jobs, progress=progress.jobs)
        results[each] = result.to_json()
        if quiet or json == "-":
            continue
        show(result.table())
        for path in result.plots:
            typer.echo(path)
        typer.echo(result.report)
    if json is not None:
        write_json(json, json_text(results if name == "all" else results[name]))
