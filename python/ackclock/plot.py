"""Figures of one run, fit for paper and notebook, and the style that all figures of the product share.

Colours are Okabe and Ito's, which people with any kind of colour blindness can tell apart. Figures are plain
matplotlib figures: change, save or combine them as usual.
"""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ackclock.errors import UserError
from ackclock.files import atomic_write
from ackclock.traces import changes, recoveries

if TYPE_CHECKING:
    import polars

    from ackclock.run import Run

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31")
"""Line colours in order of use."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
"""Point markers in order of use, so that lines differ in print without colour too."""

DROP = "#B00020"
"""Colour of drop marks."""

_STYLE: Any = {
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": "medium",
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "figure.dpi": 110,
    "figure.facecolor": "white",
    "font.size": 10,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "savefig.dpi": 160,
    "svg.fonttype": "none",
    "svg.hashsalt": "ackclock",
}


class Picture(Figure):
    """A matplotlib figure that a notebook shows by itself, without pyplot's global state."""

    def _repr_png_(self) -> bytes:
        return _rendered(self, "png")


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Draw in the product's style inside this context; other figures keep theirs."""
    with rc_context(_STYLE):
        yield


def colour(index: int) -> str:
    """Return the colour of line number `index`; they repeat after eight."""
    return PALETTE[index % len(PALETTE)]


def marker(index: int) -> str:
    """Return the marker of line number `index`; they repeat after eight."""
    return MARKERS[index % len(MARKERS)]


def new(
    rows: int = 1, columns: int = 1, *, width: float = 8.0, height: float = 4.0, **kwargs: Any
) -> tuple[Picture, list[Axes]]:
    """Return a figure of this size in inches and its axes, row by row. Call it inside `style`."""
    figure = Picture(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **kwargs)
    return figure, [axis for row in axes for axis in row]


def legend(axis: Axes) -> None:
    """Put the legend right of the data, where there is more than nothing to tell."""
    if axis.get_legend_handles_labels()[0]:
        axis.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def save(figure: Figure, stem: str | Path) -> list[Path]:
    """Write a figure as ``stem.png`` and ``stem.svg``, the same bytes each time, and return both paths."""
    return [atomic_write(f"{stem}.{form}", _rendered(figure, form)) for form in ("png", "svg")]


def scaled(highest: float) -> tuple[float, str]:
    """Return factor and unit that suit rates up to `highest` bit/s."""
    for size, unit in ((1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s")):
        if highest >= size:
            return 1 / size, unit
    return 1.0, "bit/s"


class Plots:
    """The figures of a run. Traces that a figure needs and the run lacks are recorded by running it again."""

    KINDS = ("cwnd", "throughput", "sequence", "queue", "rtt")
    """Names of the figures."""

    def __init__(self, run: Run) -> None:
        """Draw from this run."""
        self._run = run

    def cwnd(self, flows: Sequence[int] | None = None) -> Figure:
        """Draw each flow's congestion window (solid), slow-start threshold (dotted) and drops (crosses).

        For a single flow, times in loss recovery are shaded.
        """
        self._run.observe("cwnd", "drops", "state")
        windows, drops, state = (self._run.trace(name).to_polars() for name in ("cwnd", "drops", "state"))
        chosen = self._chosen(flows)
        with self._axis("window (segments)", "Congestion window") as (figure, axis):
            for flow in chosen:
                hue = colour(flow)
                time, value = self._steps(windows, flow, "cwnd")
                axis.step(time, value, where="post", color=hue, label=self._name(flow))
                top = max((x for x in value if math.isfinite(x)), default=1.0)
                at, limit = self._steps(windows, flow, "ssthresh")
                shown = [x if x <= 2 * top else math.nan for x in limit]
                axis.step(at, shown, where="post", color=hue, linestyle=":", linewidth=1.0)
                lost = drops.filter(drops["flow"] == flow)["time_s"].to_list()
                axis.plot(lost, [0.0] * len(lost), "x", color=hue, markersize=5, clip_on=False)
            if len(chosen) == 1:
                shade: Any = {"color": "#999999", "alpha": 0.2, "linewidth": 0}
                axis.axvspan(0, 0, label="loss recovery", **shade)
                for since, until in recoveries(state, chosen[0], self._duration()):
                    axis.axvspan(since, until, **shade)
            axis.plot([], [], ":", color="#555555", label="ssthresh")
            axis.plot([], [], "x", color="#555555", label="packet lost")
        return figure

    def throughput(self, flows: Sequence[int] | None = None, *, goodput: bool = False) -> Figure:
        """Draw each flow's throughput (or goodput) in bins; `bin_s` of `Scenario.run` sets their width."""
        table = self._run.trace("throughput").to_polars()
        what = "goodput" if goodput else "throughput"
        column = f"{what}_bps"
        factor, unit = scaled(max(table[column].to_list(), default=0.0))
        with self._axis(f"{what} ({unit})", what.capitalize()) as (figure, axis):
            for flow in self._chosen(flows):
                mine = table.filter(table["flow"] == flow).sort("time_s")
                middle, rate = mine["time_s"] + mine["bin_s"] / 2, mine[column] * factor
                axis.plot(middle.to_list(), rate.to_list(), color=colour(flow), label=self._name(flow))
        return figure

    def sequence(self, flow: int = 0, *, start_s: float = 0.0, end_s: float | None = None) -> Figure:
        """Draw a flow's time-sequence diagram: data sent, drops, acknowledgments as they reach the sender."""
        self._run.observe("segments")
        table = self._run.trace("segments").to_polars()
        end = self._duration() if end_s is None else end_s
        mine = table.filter((table["flow"] == flow) & table["time_s"].is_between(start_s, end))
        sender = str(self._run.summary["flows"][flow]["from"])
        title = f"Time and sequence: {self._name(flow)}"
        with self._axis("sequence number", title, (start_s, end), height=5.0) as (figure, axis):
            shapes = {"send": (".", colour(0), "sent", 3.0), "drop": ("x", DROP, "dropped", 6.0)}
            for event, (shape, hue, label, size) in shapes.items():
                some = mine.filter(mine["event"] == event)
                time, seq = some["time_s"].to_list(), some["seq"].to_list()
                axis.plot(time, seq, shape, color=hue, markersize=size, label=label)
            acks = mine.filter((mine["event"] == "ack") & (mine["place"] == sender))
            time, seq = acks["time_s"].to_list(), acks["seq"].to_list()
            axis.step(time, seq, where="post", color=colour(2), linewidth=1.0, label="acknowledged")
        return figure

    def queue(self, links: Sequence[str] | None = None) -> Figure:
        """Draw queue lengths in packets, with the drops at each queue marked.

        Args:
            links: directions by name (``"r0>r1"``); where None, the one whose queue was longest on average.

        """
        self._run.observe("queue", "drops")
        table, drops = self._run.trace("queue").to_polars(), self._run.trace("drops").to_polars()
        chosen = [self._busiest()] if links is None else list(links)
        with self._axis("queue (packets)", "Queue length") as (figure, axis):
            for i, link in enumerate(chosen):
                mine = table.filter(table["link"] == link)
                time, length = mine["time_s"].to_list(), mine["packets"].to_list()
                axis.step(time, length, where="post", color=colour(i), linewidth=0.8, label=link)
                lost = drops.filter(drops["place"] == link)["time_s"].to_list()
                axis.plot(lost, [max(length, default=0) + 0.5] * len(lost), "x", color=DROP, markersize=4)
            axis.plot([], [], "x", color=DROP, label="packet lost")
        return figure

    def rtt(self, flows: Sequence[int] | None = None) -> Figure:
        """Draw measured round-trip times (dots) and their smoothed estimate (line) in milliseconds."""
        table = self._run.trace("state").to_polars()
        with self._axis("round-trip time (ms)", "Round-trip time") as (figure, axis):
            for flow in self._chosen(flows):
                time, value = changes(table, flow, "rtt")
                axis.plot(time, [1e3 * x for x in value], ".", color=colour(flow), markersize=2, alpha=0.4)
                time, value = self._steps(table, flow, "srtt")
                smooth = [1e3 * x for x in value]
                axis.step(time, smooth, where="post", color=colour(flow), label=self._name(flow))
        return figure

    @contextlib.contextmanager
    def _axis(
        self, quantity: str, title: str, span_s: tuple[float, float] | None = None, *, height: float = 4.0
    ) -> Iterator[tuple[Picture, Axes]]:
        """Give a figure with one axis over time, and finish it: from zero, unless it shows a part of the run."""
        with style():
            figure, (axis,) = new(height=height)
            yield figure, axis
            axis.set(xlabel="time (s)", ylabel=quantity, title=title)
            if span_s is None:
                axis.set_ylim(0, None)
            axis.set_xlim(*(span_s or (0, self._duration())))
            legend(axis)

    def _duration(self) -> float:
        return float(self._run.manifest["duration_s"])

    def _chosen(self, flows: Sequence[int] | None) -> list[int]:
        return list(range(len(self._run.summary["flows"]))) if flows is None else list(flows)

    def _name(self, flow: int) -> str:
        record = self._run.summary["flows"][flow]
        return f"{record['name']}: {record['variant'] or 'udp'}"

    def _busiest(self) -> str:
        links = self._run.summary["links"]
        if not links:
            raise UserError("there are no links, and so no queues of links to draw")
        return str(max(links, key=lambda link: (link["queue_mean_packets"], link["utilisation"]))["name"])

    def _steps(self, table: polars.DataFrame, flow: int, variable: str) -> tuple[list[float], list[float]]:
        """Return times and values of one variable of one flow, carried on to the end of the run."""
        time, value = changes(table, flow, variable)
        return ([*time, self._duration()], [*value, value[-1]]) if value else (time, value)


def _rendered(figure: Figure, form: str) -> bytes:
    target = io.BytesIO()
    dateless = {"Date": None} if form == "svg" else {"Software": None}
    with style():
        figure.savefig(target, format=form, metadata=dateless)
    return target.getvalue()
