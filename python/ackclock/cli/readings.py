"""``ackclock digits``: arithmetic on the digits of a paper's numbers, before any run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ackclock.cli.options import Json, Quiet

DIGITS_EXAMPLES = """\
ackclock digits published.csv
ackclock digits published.csv --json -
"""

PublishedFile = Annotated[
    Path,
    typer.Argument(
        metavar="PUBLISHED.csv",
        help="Published numbers: columns quantity, value, unit, flow, and paths of the scenario.",
        show_default=False,
    ),
]


def digits(file: PublishedFile, json: Json = None, quiet: Quiet = False) -> None:
    """Tell what the printed digits of a paper's numbers say by themselves: packet sizes, counts, contradictions.

    Nothing is run. Each finding says how many such findings random digits would give. See docs/howto/match-a-paper.md.
    """
    from ackclock._io.files import json_text
    from ackclock._io.versions import SCHEMA_VERSION
    from ackclock.cli.console import check_json, write_json
    from ackclock.readings import digits as told
    from ackclock.readings import read

    check_json(json)
    found = told(read(file))
    if json is not None:
        rows = [
            {"kind": one.kind, "text": one.text, "chance": one.chance, "values": dict(one.values)}
            for one in found
        ]
        write_json(json, json_text({"schema_version": SCHEMA_VERSION, "findings": rows}))
    if quiet or json == "-":
        return
    for one in found:
        typer.echo(entry(one.text))
    if not found:
        typer.echo("The digits of these numbers tell nothing by themselves.")


def entry(text: str) -> str:
    """Return a sentence as an entry of a list, wrapped to the terminal."""
    import sys

    from ackclock.cli.fit import width, wrapped

    return wrapped(f"- {text}", width(sys.stdout) or 100).replace("\n    ", "\n  ")
