"""Printing of a comparison: results, differences and paths of files."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.cli.fit import Table as Fitting
    from ackclock.cli.options import Style
    from ackclock.comparisons.comparison import Comparison
    from ackclock.report.model import Table
    from ackclock.runs.stored import StoredRun


def show_comparison(
    found: Comparison,
    folder: Path,
    *,
    json: str | None,
    quiet: bool,
    wide: bool = False,
    said: Collection[str] = (),
) -> None:
    """Print a comparison: results, differences and paths of files; remarks go to standard error.

    `said` are remarks that were already printed before the runs.
    """
    from ackclock._io.files import json_text
    from ackclock.cli.console import note, place, show, write_json
    from ackclock.report.comparison import differences, friendliness, summary

    if json is not None:
        write_json(json, json_text(found.to_json()))
    for text in found.remarks():
        if text not in said:
            note(text, warning=True)
    if quiet or json == "-":
        return
    first = summary(found)
    show(fitting(first, kept=3), *first.notes, wide=wide)
    if found.bottleneck is not None:
        show(
            f"Bottleneck: {found.bottleneck.label}, busy for {found.bottleneck.share:.1%} of the first run.",
            wide=wide,
        )
    show("")
    if len(found.variants) > 1:
        show(fitting(differences(found), kept=3), wide=wide)
    _show_draws(found, wide=wide)
    if found.plan.against:
        show(fitting(friendliness(found)), wide=wide)
    for name in ("report.html", "comparison.json", "runs.csv"):
        place(folder / name)
    place(f"again: ackclock compare --again {shlex.quote(str(folder))}")


def _show_draws(found: Comparison, *, wide: bool) -> None:
    """Print the spread of results on slightly perturbed links, if the comparison was run with ties."""
    from ackclock.cli.console import show
    from ackclock.report.spreads import difference_spreads, spreads

    for made in (spreads(found, (found.plan.by,)), difference_spreads(found)):
        if made is not None:
            show(fitting(made, kept=len(made.columns)), wide=wide)


def show_beside(
    found: Comparison,
    folder: Path,
    measured: Mapping[str, StoredRun],
    *,
    style: Style,
    quiet: bool,
    wide: bool,
) -> None:
    """Write and print measured runs beside a comparison: table, figures, and what cannot be compared."""
    from ackclock.cli.console import place, show
    from ackclock.cli.options import Style
    from ackclock.plot.drawing import paper, save
    from ackclock.report import beside
    from ackclock.sweeps.tables import write_rows

    block = beside.table(found, measured)
    write_rows(folder, "measured", beside.rows(found, measured))
    wanted = beside.traces(measured)
    first = {variant: found.jobs[variant][0] for variant in found.variants}
    simulated = {
        variant: job.scenario.run(seed=job.seed, jitter_s=job.jitter_s, traces=wanted)
        for variant, job in first.items()
    }
    with paper(style is Style.paper):
        drawn = beside.figures(measured, simulated)
        paths = [path for name, figure in drawn for path in save(figure, folder / "plots" / name)]
    if not quiet:
        show(fitting(block, kept=2), *block.notes, wide=wide)
        for path in (folder / "measured.csv", *paths):
            place(path)


def fitting(block: Table, kept: int = 2) -> Fitting:
    """Return a report's table for the terminal; units of headings are put on a second line."""
    from ackclock.cli.fit import Table as Fitting
    from ackclock.stats.contrast import NO_DIFFERENCE

    # No-break spaces keep the words of the long verdict together, so that it breaks only in its middle.
    unbroken = NO_DIFFERENCE.replace("no ", "no\u00a0").replace("that ", "that\u00a0")
    heads = tuple(_head(one) for one in block.columns)
    rows = tuple(tuple(unbroken if cell == NO_DIFFERENCE else cell for cell in row) for row in block.rows)
    return Fitting(block.title, heads, rows, left=block.text_columns, kept=kept)


def _head(text: str) -> str:
    """Return a heading with a line break before its unit, or before the last two parts of a path."""
    parts = text.split(".")
    if len(parts) > 2 and " " not in text:
        return f"{'.'.join(parts[:-2])}\n.{'.'.join(parts[-2:])}"
    return text.replace(" (", "\n(")
