"""The figure ``queue``: queue lengths, drops and ECN marks, and variables of queue disciplines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from ackclock.errors import UserError, choices
from ackclock.plot.drawing import MUTED, SHADE, Lane, Picture, colour, lanes, legend, length, new, style

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes

    from ackclock.runs.run import Run

CAUSES: Final = {"queue": "#B00020", "aqm": "#D55E00", "rlc-buffer": "#B00020"}
"""Colours of drops by cause, in the order of lanes."""

MARK: Final = "#009E73"
"""Colour of ECN marks."""

TRACES: Final = ("queue", "buffers", "disciplines", "drops", "marks")
"""Traces that the figure needs."""

Tables: TypeAlias = Mapping[str, "polars.DataFrame"]


@dataclass(frozen=True)
class Queue:
    """A queue of a run.

    Attributes:
        place: Name of the link direction or node that has the queue.
        buffer: Name of a node's buffer; empty for the queue of a link.
    """

    place: str
    buffer: str = ""

    @property
    def name(self) -> str:
        """Name of the queue, such as ``r0>r1`` or ``ap mac``."""
        return f"{self.place} {self.buffer}".rstrip()


def draw(run: Run, names: Sequence[str] | None = None) -> Picture:
    """Draw one panel for each queue called `names`; if None, only the queue that was longest on average.

    For CoDel and PIE a further panel shows the controlled delay, and for PIE another one the drop probability.
    """
    run.observe(*TRACES)
    tables = {name: run.trace(name).to_polars() for name in TRACES}
    chosen = _chosen(run, tables, names)
    end = float(run.manifest["duration_s"])
    drawn = [(queue, kind) for queue in chosen for kind in _panels(queue, tables)]
    heights = [1.0 if kind == "length" else 0.5 for _, kind in drawn]
    inches = 0.8 + (3.2 if len(chosen) == 1 else 2.2) * sum(heights)
    with style():
        figure, axes = new(len(drawn), height=inches, sharex=True, gridspec_kw={"height_ratios": heights})
        for axis, (queue, kind) in zip(axes, drawn, strict=True):
            if kind == "length":
                _lengths(axis, run, queue, tables, end)
            else:
                _measure(axis, _variables(queue, tables), kind, end)
            legend(axis)
        axes[-1].set_xlabel("time (s)")
        axes[0].set_xlim(0, end)
    return figure


def _lengths(axis: Axes, run: Run, queue: Queue, tables: Tables, end: float) -> None:
    """Draw the length of a queue, its drops and marks, and RED's average queue or CoDel's dropping state."""
    length(axis, *_steps(_rows(queue, tables), "packets", end), color=colour(0), label="queue")
    known = _variables(queue, tables)
    if "average" in known:
        length(axis, *_steps(known["average"], "value", end), color=colour(4), label="average (RED)")
    for name, dash in (("min", ":"), ("max", "--")):
        if name in known:
            at, value = _steps(known[name], "value", end)
            axis.step(
                at, value, where="post", color=MUTED, linestyle=dash, linewidth=1.0, label=f"{name} (RED)"
            )
    spans = list(_spans(known["dropping"], end)) if "dropping" in known else []
    for i, (since, until) in enumerate(spans):
        axis.axvspan(since, until, label="" if i else "dropping (CoDel)", **SHADE)
    lanes(axis, _events(run, queue, tables), (0.0, end))
    axis.set(ylabel="queue (packets)", title=f"Queue {queue.name}")


def _measure(axis: Axes, known: Tables, kind: str, end: float) -> None:
    """Draw a discipline's controlled delay with its target, or its drop probability."""
    scale = 1e3 if kind == "delay" else 1e2
    for name, look in ((kind, {"color": colour(1)}), ("target", {"color": MUTED, "linestyle": "--"})):
        if name in known and (name == kind or kind == "delay"):
            at, values = _steps(known[name], "value", end)
            length(axis, at, [scale * value for value in values], label=name, **look)
    axis.set_ylim(0, None)
    axis.set_ylabel("delay (ms)" if kind == "delay" else "drops (%)")


def _panels(queue: Queue, tables: Tables) -> list[str]:
    known = _variables(queue, tables)
    return ["length", *(kind for kind in ("delay", "probability") if kind in known)]


def _rows(queue: Queue, tables: Tables) -> polars.DataFrame:
    """Return the changes of a queue's length."""
    if not queue.buffer:
        return tables["queue"].filter(tables["queue"]["place"] == queue.place)
    every = tables["buffers"]
    return every.filter((every["node"] == queue.place) & (every["buffer"] == queue.buffer))


def _variables(queue: Queue, tables: Tables) -> dict[str, polars.DataFrame]:
    """Return the changes of each variable of a queue's discipline, by name."""
    if queue.buffer not in ("", "discipline"):
        return {}
    mine = tables["disciplines"].filter(tables["disciplines"]["place"] == queue.place)
    return {str(name[0]): rows for name, rows in mine.group_by("variable", maintain_order=True)}


def _events(run: Run, queue: Queue, tables: Tables) -> list[Lane]:
    """Return the lanes of a queue: drops by cause, and ECN marks."""
    drops, marks = _own(run, queue, tables)
    rows = []
    for cause, hue in CAUSES.items():
        lost = drops.filter(drops["cause"] == cause)["time_s"].to_list()
        if lost:
            rows.append(Lane(lost, hue, f"dropped: {cause} ({len(lost):,})"))
    if len(marks):
        rows.append(Lane(marks["time_s"].to_list(), MARK, f"marked ({len(marks):,})"))
    return rows


def _own(run: Run, queue: Queue, tables: Tables) -> tuple[polars.DataFrame, polars.DataFrame]:
    """Return the drops and the marks of a queue.

    If a node has several queues, the cause of a drop tells which of them dropped the packet.
    """
    drops, marks = tables["drops"], tables["marks"]
    here, marked = drops.filter(drops["place"] == queue.place), marks.filter(marks["place"] == queue.place)
    if queue.buffer == "rlc-down":
        # These drops are recorded at the eNodeB; the flow identifies the UE whose buffer was full.
        flows = run.summary["flows"]
        mine = [i for i, flow in enumerate(flows) if queue.place in (flow["from"], flow["to"])]
        here = drops.filter((drops["place"] != queue.place) & drops["flow"].is_in(mine))
    if queue.buffer.startswith("rlc"):
        return here.filter(here["cause"] == "rlc-buffer"), marked.clear()
    here = here.filter(here["cause"] != "rlc-buffer")
    above = tables["buffers"].filter(tables["buffers"]["buffer"] == "discipline")["node"]
    if queue.buffer == "mac" and queue.place in set(above.to_list()):
        # If a queue discipline is above the MAC queue, the MAC queue takes packets only while it has space, so drops
        # happen in the discipline.
        return here.clear(), marked.clear()
    return here, marked


def _steps(rows: polars.DataFrame, column: str, end: float) -> tuple[list[float], list[float]]:
    """Return times and values of a step function, extended to the end of the run."""
    time, values = rows["time_s"].to_list(), rows[column].to_list()
    return ([*time, end], [*values, values[-1]]) if time else (time, values)


def _spans(rows: polars.DataFrame, end: float) -> Iterator[tuple[float, float]]:
    """Yield begin and end, seconds, of the intervals in which the value in `rows` is not zero."""
    since = None
    for at, value in zip(rows["time_s"].to_list(), rows["value"].to_list(), strict=True):
        if value and since is None:
            since = at
        elif not value and since is not None:
            yield since, at
            since = None
    if since is not None:
        yield since, end


def _average(rows: polars.DataFrame, end: float) -> float:
    """Return the time average of a queue's length, packets."""
    time, packets = _steps(rows, "packets", end)
    return sum(n * (b - a) for n, a, b in zip(packets, time, time[1:], strict=False)) / end


def _chosen(run: Run, tables: Tables, names: Sequence[str] | None) -> list[Queue]:
    """Return the queues called `names`; a node's name selects all of its queues."""
    pairs = tables["buffers"].select("node", "buffer").unique(maintain_order=True).iter_rows()
    known = [
        *(Queue(str(link["name"])) for link in run.summary["links"]),
        *(Queue(*pair) for pair in sorted(pairs)),
    ]
    if not known:
        raise UserError("nothing has waited in any queue, so there is none to draw")
    end = float(run.manifest["duration_s"])
    if names is None:
        return [max(known, key=lambda queue: _average(_rows(queue, tables), end))]
    found: list[Queue] = []
    for name in names:
        mine = [queue for queue in known if name in (queue.name, queue.place)]
        if not mine:
            raise UserError(f"there is no queue {name!r}{choices(name, [queue.name for queue in known])}")
        found += mine
    if not found:
        raise UserError(f"name a queue to draw{choices('', [queue.name for queue in known])}")
    return found
