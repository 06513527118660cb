"""``ackclock sweep --refine``, a map of the boundary between the regions in which each of two variants is better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.cli.options import Output, Style
    from ackclock.sweeps.boundary import Boundary
    from ackclock.sweeps.sweep import Sweep


def find_boundary(
    sweep: Sweep,
    levels: int,
    folder: Path,
    command: str,
    style: Style,
    workers: tuple[int, str],
    output: Output,
    *,
    replace: bool,
) -> None:
    """Compute the map, write its report, and print its points."""
    from ackclock._io.files import atomic_folder, json_text
    from ackclock.cli.comparison import fitting
    from ackclock.cli.console import meter, place, show, write_json
    from ackclock.report.boundary import lead, points, report
    from ackclock.report.writer import write
    from ackclock.sweeps.refine import refine

    with meter("refining", quiet=output.quiet or output.json == "-") as progress:
        found = refine(
            sweep,
            levels,
            folder,
            threads=workers[0],
            progress=progress.jobs,
            replace_other=replace,
            executor=workers[1],
        )
    with atomic_folder(folder) as draft:
        write(report(found, command), draft, style.value)
    if output.json is not None:
        write_json(output.json, json_text(_plain(found)))
    if output.quiet or output.json == "-":
        return
    table = points(found)
    show(fitting(table, kept=table.text_columns + 1), *lead(found), *table.notes, "", wide=output.wide)
    # Without a boundary there is no such table; `lead` reports that there is none.
    tables = ("map.csv", "boundary.csv") if found.lines() else ("map.csv",)
    for name in ("report.html", "plots/boundary.svg", *tables):
        place(folder / name)


def _plain(found: Boundary) -> dict[str, Any]:
    return {
        "points": [
            {
                found.x.axis.path: found.x.text(i),
                found.y.axis.path: found.y.text(j),
                "difference": found.differences[i, j].mean,
                "half_width": found.differences[i, j].interval.half_width,
            }
            for i, j in found.points
        ],
        "boundary": [[[found.x.number(a), found.y.number(b)] for a, b in line] for line in found.lines()],
    }
