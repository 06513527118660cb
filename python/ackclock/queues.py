"""The figure of queues: how long they were, and what they dropped and marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ackclock.drawing import Lane, Picture, colour, lanes, legend, length, new, style
from ackclock.errors import UserError, choices

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes

    from ackclock.run import Run

CAUSES: Final = {"queue": "#B00020", "aqm": "#D55E00"}
"""Causes of drops that are a queue's doing, in order of lanes, and their colours."""

MARK: Final = "#009E73"
"""Colour of marks."""


def draw(run: Run, names: Sequence[str] | None = None) -> Picture:
    """Draw the queues called `names`, a panel each; the one that was longest on average where None."""
    run.observe("queue", "drops", "marks")
    chosen = _chosen(run, names)
    tables = {name: run.trace(name).to_polars() for name in ("queue", "drops", "marks")}
    end = float(run.manifest["duration_s"])
    with style():
        figure, axes = new(
            len(chosen), height=0.8 + (3.2 if len(chosen) == 1 else 2.2) * len(chosen), sharex=True
        )
        for axis, name in zip(axes, chosen, strict=True):
            _panel(axis, name, tables, end)
        axes[-1].set_xlabel("time (s)")
        axes[0].set_xlim(0, end)
    return figure


def _panel(axis: Axes, name: str, tables: dict[str, polars.DataFrame], end: float) -> None:
    """Draw one queue."""
    lengths = tables["queue"].filter(tables["queue"]["link"] == name)
    time, packets = lengths["time_s"].to_list(), lengths["packets"].to_list()
    if time:
        time, packets = [*time, end], [*packets, packets[-1]]
    length(axis, time, packets, color=colour(0), label="queue")
    drops = tables["drops"].filter(tables["drops"]["place"] == name)
    rows = []
    for cause, hue in CAUSES.items():
        lost = drops.filter(drops["cause"] == cause)["time_s"].to_list()
        if lost:
            rows.append(Lane(lost, hue, f"dropped: {cause} ({len(lost):,})"))
    marks = tables["marks"].filter(tables["marks"]["place"] == name)["time_s"].to_list()
    if marks:
        rows.append(Lane(marks, MARK, f"marked ({len(marks):,})"))
    lanes(axis, rows, (0.0, end))
    axis.set(ylabel="queue (packets)", title=f"Queue {name}")
    legend(axis)


def _chosen(run: Run, names: Sequence[str] | None) -> list[str]:
    links = run.summary["links"]
    if not links:
        raise UserError("there are no links, and so no queues of links to draw")
    if names is None:
        busiest = max(links, key=lambda link: (link["queue_mean_packets"], link["utilisation"]))
        return [str(busiest["name"])]
    known = [str(link["name"]) for link in links]
    for name in names:
        if name not in known:
            raise UserError(f"there is no queue {name!r}{choices(name, known)}")
    if not names:
        raise UserError(f"name a queue to draw{choices('', known)}")
    return list(names)
