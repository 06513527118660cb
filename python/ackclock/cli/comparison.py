"""A comparison on the screen: results, differences, where the files are."""

from __future__ import annotations

import shlex
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ackclock.report.model import Table
    from ackclock.sweep.comparison import Comparison


def show_comparison(
    found: Comparison, folder: Path, *, json: str | None, quiet: bool, said: Collection[str] = ()
) -> None:
    """Print what was found: the results, the differences, where the files are; remarks to standard error.

    `said` are remarks that were made before anything ran.
    """
    from ackclock.cli.console import note, show, write_json
    from ackclock.files import json_text
    from ackclock.report.comparison import differences, friendliness, summary
    from ackclock.report.console import table

    if json is not None:
        write_json(json, json_text(found.to_json()))
    for text in found.remarks():
        if text not in said:
            note(text, warning=True)
    if quiet or json == "-":
        return
    first = summary(found)
    show(table(_narrow(first)), *first.notes, "")
    if len(found.variants) > 1:
        show(table(_narrow(differences(found))))
    if found.plan.against:
        show(table(_narrow(friendliness(found))))
    for name in ("report.html", "comparison.json", "runs.csv"):
        typer.echo(folder / name)
    typer.echo(f"again: ackclock compare --again {shlex.quote(str(folder))}")


def _narrow(block: Table) -> Table:
    """Set the units of headings on a line of their own, so that the table fits a terminal."""
    return replace(block, columns=tuple(one.replace(" (", "\n(") for one in block.columns))
