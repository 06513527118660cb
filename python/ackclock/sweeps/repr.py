"""Representation of sweeps at a prompt and in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ackclock._io.markup import html_table
from ackclock.stats.measures import SHOWN, measure_of
from ackclock.stats.text import estimate

if TYPE_CHECKING:
    from ackclock.sweeps.sweep import SweepResult

MOST_ROWS = 40
"""Maximum number of points that a notebook shows."""


def sweep_text(found: SweepResult) -> str:
    """Return one line with the size of a sweep."""
    axes = [f"{axis.path}: {len(axis.values)} values" for axis in found.sweep.axes]
    return f"SweepResult({', '.join(axes) or 'one point'}; {found.replications} replications, {len(found.jobs)} runs)"


def sweep_html(found: SweepResult) -> str:
    """Return an HTML table of the points with an interval for each of the usual measures."""
    paths = [axis.path for axis in found.sweep.axes]
    first, *rest = SHOWN
    shown = [measure_of(first), *found.grouped, *(measure_of(name) for name in rest)]
    columns = [found.intervals(one.name) for one in shown]
    rows: list[Sequence[str]] = [
        [
            *(str(point[path]) for path in paths),
            *(estimate(column[i][1], one.scale) for column, one in zip(columns, shown, strict=True)),
        ]
        for i, (point, _) in enumerate(columns[0])
    ]
    below = f"{found.replications} replications: mean \u00b1 half the {found.sweep.level:.0%} interval."
    if len(rows) > MOST_ROWS:
        below += f" The first {MOST_ROWS} of {len(rows)} points; .point_rows() has all."
    return html_table([*paths, *(one.heading for one in shown)], rows[:MOST_ROWS], below)
