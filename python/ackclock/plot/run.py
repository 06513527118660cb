"""Figures of one run, for papers and notebooks: ``run.plot.cwnd()`` and the others in `ackclock.runs.run.FIGURES`."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ackclock.errors import UserError
from ackclock.errors.suggestions import Named
from ackclock.plot.distributions import FIGURES as DISTRIBUTIONS
from ackclock.plot.distributions import KINDS, QUANTITIES
from ackclock.plot.drawing import (
    DROP,
    LANE,
    MUTED,
    PANEL_LANE,
    SHADE,
    Lane,
    colour,
    dashes,
    label,
    lanes,
    legend,
    legend_below,
    new,
    scaled,
    style,
)
from ackclock.plot.ellipses import FIGURES as ELLIPSES
from ackclock.runs.traces import changes, recoveries

if TYPE_CHECKING:
    import polars

    from ackclock.runs.run import Run

Chosen: TypeAlias = Sequence[int | str] | int | str | None
"""Flows by name or number; None for all."""

TOGETHER = 4
"""Maximum number of flows that share one pair of axes by default; more flows get a small panel each."""

MOST_PANELS = 30
"""Maximum number of small panels in a figure."""

WINDOWS = ("cwnd", "drops", "state")
"""Names of the traces that the figure of congestion windows needs."""

WINDOWLESS = ("udp", "icmp", "ip", "none")
"""Variants of flows without a congestion window: datagrams, and packets of outside programs other than TCP's."""


def traces_of(figure: str) -> tuple[str, ...]:
    """Return the names of the traces that the figure called `figure` needs."""
    from ackclock.plot import queues

    if figure in DISTRIBUTIONS or figure in ELLIPSES:
        return QUANTITIES[figure.rpartition("-")[0]].traces
    return {
        "cwnd": WINDOWS,
        "throughput": ("throughput",),
        "sequence": ("segments",),
        "queue": tuple(queues.TRACES),
        "rtt": ("state",),
    }.get(figure, ())


class Plots(Named):
    """The figures of a run, available as ``run.plot``.

    If the run lacks traces that a figure needs, it is repeated to record them.

    Flows are chosen by name or number: ``run.plot.cwnd(flows=["voice", 3])``. Up to four flows share one pair of axes;
    with more flows each has a small panel with its own vertical axis. ``panels=True`` or ``panels=False`` overrides
    that. Flows whose measurement does not tell what a figure shows are left out.
    """

    ELSEWHERE: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("tcp", "window", "ssthresh", "drops", "losses"), "cwnd"),
        **dict.fromkeys(("goodput", "rate"), "throughput"),
        **dict.fromkeys(("delay", "latency", "srtt"), "rtt"),
        **dict.fromkeys(("buffer", "buffers", "red", "codel", "marks"), "queue"),
        **dict.fromkeys(("tcptrace", "segments"), "sequence"),
        **dict.fromkeys(("mathis", "pftk", "bianchi"), "theory"),
        **dict.fromkeys(("ellipses", "plane", "remy", "sprout"), "ellipse"),
        **dict.fromkeys((*KINDS, "ecdf", "boxplot", "histogram", "hist"), "distribution"),
    }

    def __init__(self, run: Run) -> None:
        """Prepare the figures of `run`."""
        self._run = run

    def named(
        self,
        name: str,
        *,
        flows: Chosen = None,
        queues: Sequence[str] | None = None,
        models: Sequence[str] = (),
    ) -> Figure:
        """Draw the figure called `name`, for these flows, queues or models; unused arguments are ignored."""
        if name == "theory":
            return self.theory(flows, models=models)
        if name == "queue":
            return self.queue(queues)
        if name in DISTRIBUTIONS:
            of, _, kind = name.rpartition("-")
            return self.distribution(of, kind, flows=flows)
        if name in ELLIPSES:
            return self.ellipse(name.rpartition("-")[0], flows=flows)
        if name == "sequence":
            return self.sequence(0 if flows is None else flows)
        figures: dict[str, Callable[[Chosen], Figure]] = {
            "cwnd": self.cwnd,
            "throughput": self.throughput,
            "rtt": self.rtt,
        }
        return figures[name](flows)

    def cwnd(self, flows: Chosen = None, *, panels: bool | None = None) -> Figure:
        """Draw congestion windows (solid), slow-start thresholds (dotted), and losses (marks in lanes below).

        UDP flows, which have no window, are left out. For a single flow, and in panels, loss recovery is shaded.
        """
        self._run.observe(*WINDOWS)
        windows, drops, state = (self._run.trace(name).to_polars() for name in WINDOWS)
        shown = _with_data(self._windowed(flows), windows["flow"])
        with self._axes(shown, "window (segments)", "Congestion window", panels) as axes:
            for axis, mine in axes:
                for flow in mine:
                    self._window(axis, windows, flow, dashed=len(mine) > 1)
                if len(mine) == 1:
                    axis.axvspan(0, 0, label="loss recovery", **SHADE)
                    for since, until in recoveries(state, mine[0], self._duration()):
                        axis.axvspan(since, until, **SHADE)
                axis.plot([], [], ":", color=MUTED, label="ssthresh")
                lost = [drops.filter(drops["flow"] == flow)["time_s"].to_list() for flow in mine]
                hues = [DROP] if len(mine) == 1 else [colour(flow) for flow in mine]
                rows = [Lane(times, hue) for times, hue in zip(lost, hues, strict=True)]
                if any(lost):
                    rows.append(Lane((), DROP if len(mine) == 1 else MUTED, "packets lost"))
                lanes(axis, rows, (0.0, self._duration()), height=PANEL_LANE if len(axes) > 1 else LANE)
        return _figure(axes)

    def throughput(
        self, flows: Chosen = None, *, goodput: bool = False, panels: bool | None = None
    ) -> Figure:
        """Draw each flow's throughput (or goodput) in bins; `bin_s` of `Scenario.run` sets their width.

        If a measurement does not tell the throughput of a flow, goodputs are drawn.
        """
        table = self._run.trace("throughput").to_polars()
        chosen = self._chosen(flows)
        without = set(chosen) - set(table.drop_nulls("throughput_bps")["flow"])
        goodput = goodput or not without.isdisjoint(table.drop_nulls("goodput_bps")["flow"])
        what = "goodput" if goodput else "throughput"
        column = f"{what}_bps"
        shown = _with_data(chosen, table.drop_nulls(column)["flow"])
        factor, unit = scaled(max(table[column].drop_nulls().to_list(), default=0.0))
        with self._axes(shown, f"{what} ({unit})", what.capitalize(), panels) as axes:
            for axis, flow in _each(axes):
                mine = table.filter(table["flow"] == flow).sort("time_s")
                middle, rate = mine["time_s"] + mine["bin_s"] / 2, mine[column] * factor
                axis.plot(middle.to_list(), rate.to_list(), **self._line(flow, dashed=len(axes) == 1))
            _from_zero(axes)
        return _figure(axes)

    def theory(self, flows: Chosen = None, *, models: Sequence[str] = ()) -> Figure:
        """Draw each flow's goodput and the rates that models predict; below, the ratio of measured to predicted.

        `models` are names from ``ackclock.theory.NAMES``; all models if empty.
        """
        from ackclock.plot.overlay import draw

        return draw(self._run, self._chosen(flows), models)

    def rtt(self, flows: Chosen = None, *, panels: bool | None = None) -> Figure:
        """Draw the senders' RTT samples (dots) and the smoothed RTT (line), in milliseconds.

        UDP flows, which have no RTT, are left out.
        """
        table = self._run.trace("state").to_polars()
        known = table.filter(table["variable"].is_in(["rtt", "srtt"]))["flow"]
        shown = _with_data(self._windowed(flows), known)
        with self._axes(shown, "round-trip time (ms)", "Round-trip time", panels) as axes:
            for axis, flow in _each(axes):
                time, value = changes(table, flow, "rtt")
                axis.plot(time, [1e3 * x for x in value], ".", color=colour(flow), markersize=2, alpha=0.4)
                time, value = self._steps(table, flow, "srtt")
                axis.step(
                    time, [1e3 * x for x in value], where="post", **self._line(flow, dashed=len(axes) == 1)
                )
            _from_zero(axes)
        return _figure(axes)

    def sequence(self, flows: Chosen = 0, *, start_s: float = 0.0, end_s: float | None = None) -> Figure:
        """Draw time-sequence diagrams, a panel per flow: data sent, drops, and acknowledgments received by the sender.

        For a run that was captured at the receiver, draw data and acknowledgments as the receiver gets and sends them.
        """
        self._run.observe("segments")
        chosen = self._chosen(flows)[:MOST_PANELS]
        table = self._run.trace("segments").to_polars()
        end = self._duration() if end_s is None else end_s
        table = table.filter(table["time_s"].is_between(start_s, end))
        with style():
            figure, axes = new(
                len(chosen), height=5.0 if len(chosen) == 1 else 3.0 * len(chosen), sharex=True
            )
            for axis, flow in zip(axes, chosen, strict=True):
                self._sequence(axis, table.filter(table["flow"] == flow), flow)
            axes[-1].set_xlabel("time (s)")
            axes[-1].set_xlim(start_s, end)
        return figure

    def _sequence(self, axis: Axes, mine: polars.DataFrame, flow: int) -> None:
        """Draw the time-sequence diagram of one flow, whose rows of trace ``segments`` are `mine`."""
        record = self._run.summary["flows"][flow]
        sent = mine.filter(mine["event"] == "send")
        acks = mine.filter((mine["event"] == "ack") & (mine["place"] == str(record["from"])))
        words = ("sent", "acknowledged")
        if sent.is_empty():
            sent = mine.filter(mine["event"] == "recv")
            acks = mine.filter((mine["event"] == "acksent") & (mine["place"] == str(record["to"])))
            words = ("received", "acknowledgment sent")
        drops = mine.filter(mine["event"] == "drop")
        axis.plot(*_points(sent), ".", color=colour(0), markersize=3.0, label=words[0])
        axis.plot(*_points(drops), "x", color=DROP, markersize=6.0, label="dropped")
        axis.step(*_points(acks), where="post", color=colour(2), linewidth=1.0, label=words[1])
        axis.set(ylabel="sequence number", title=f"Time and sequence: {self._name(flow)}")
        legend(axis)

    def queue(self, queues: Sequence[str] | str | None = None) -> Figure:
        """Draw queue lengths, one panel per queue, with the queue's drops (by cause) and ECN marks below.

        Packets lost by a loss model are not drawn, since the queue did not drop them.

        Args:
            queues: Queues by name (``"r0>r1"``); if None, the queue that was longest on average.
        """
        from ackclock.plot.queues import draw

        return draw(self._run, [queues] if isinstance(queues, str) else queues)

    def distribution(
        self,
        of: str = "rtt",
        kind: str = "cdf",
        *,
        flows: Chosen = None,
        link: str | None = None,
        log_x: bool = False,
    ) -> Figure:
        """Draw the distribution of RTTs, delays, queueing delays or completion times, with one curve per flow.

        ``run.plot.distribution("queue-delay", "ccdf")``. `of` is ``"rtt"``, ``"delay"``, ``"queue-delay"`` or
        ``"completion"``; `kind` is ``"cdf"``, ``"ccdf"``, ``"box"`` or ``"violin"``. `ackclock.plot.distribution`,
        which draws several runs, describes all arguments.
        """
        from ackclock.plot.distributions import distribution

        return distribution(self._run, of, kind, flows=flows, link=link, log_x=log_x)

    def ellipse(
        self,
        of: str = "queue-delay",
        *,
        flows: Chosen = None,
        link: str | None = None,
        percentile: float | None = None,
    ) -> Figure:
        """Draw goodput against delay, a dot per flow, with a 1-sigma ellipse for each variant of three flows or more.

        ``run.plot.ellipse("rtt")``. `of` is ``"queue-delay"``, ``"rtt"`` or ``"delay"``. `ackclock.plot.ellipse`, which
        draws several runs, describes all arguments.
        """
        from ackclock.plot.ellipses import ellipse

        return ellipse(self._run, of, flows=flows, link=link, percentile=percentile)

    @contextlib.contextmanager
    def _axes(
        self, flows: list[int], quantity: str, title: str, panels: bool | None
    ) -> Iterator[list[tuple[Axes, list[int]]]]:
        """Yield axes over time, each with its flows, and complete labels and legends when the context ends."""
        apart = len(flows) > TOGETHER if panels is None else panels
        with style():
            if not apart:
                _, (axis,) = new()
                yield [(axis, flows)]
                axis.set(xlabel="time (s)", ylabel=quantity, title=title)
                axis.set_xlim(0, self._duration())
                legend(axis)
                return
            shown = flows[:MOST_PANELS]
            columns = min(2 if len(shown) <= 8 else 3, len(shown))
            rows = -(-len(shown) // columns)
            figure, axes = new(rows, columns, height=0.9 + 1.45 * rows, sharex=True)
            yield [(axis, [flow]) for axis, flow in zip(axes, shown, strict=False)]
            if len(shown) < len(flows):
                title = f"{title}: the first {len(shown)} of {len(flows)} flows"
            figure.suptitle(f"{title}; each panel has a scale of its own", x=0.01, ha="left")
            figure.supylabel(quantity, size="medium")
            for axis, flow in zip(axes, shown, strict=False):
                axis.set_title(self._name(flow), size="small", weight="normal", pad=3)
                axis.set_xlim(0, self._duration())
            for axis in axes[len(shown) :]:
                axis.set_axis_off()
            for axis in axes[max(0, len(shown) - columns) : len(shown)]:
                axis.set_xlabel("time (s)")
                axis.tick_params(labelbottom=True)
            legend_below(figure, axes[: len(shown)], {self._label(flow) for flow in shown})

    def _window(self, axis: Axes, windows: polars.DataFrame, flow: int, *, dashed: bool) -> None:
        """Draw the window and ssthresh of a flow; ssthresh is left out where it exceeds twice the largest window."""
        time, value = self._steps(windows, flow, "cwnd")
        axis.step(time, value, where="post", **self._line(flow, dashed=dashed))
        top = max((x for x in value if math.isfinite(x)), default=1.0)
        at, limit = self._steps(windows, flow, "ssthresh")
        shown = [x if x <= 2 * top else math.nan for x in limit]
        axis.step(at, shown, where="post", color=colour(flow), linestyle=":", linewidth=1.0)

    def _line(self, flow: int, *, dashed: bool) -> dict[str, Any]:
        """Return matplotlib's settings for a flow's line; with `dashed` the line style also identifies the flow."""
        kind = {"linestyle": dashes(flow)} if dashed else {"linewidth": 1.0}
        return {"color": colour(flow), "label": self._label(flow), **kind}

    def _duration(self) -> float:
        return float(self._run.manifest["duration_s"])

    def _chosen(self, flows: Chosen) -> list[int]:
        """Return the numbers of the chosen flows, in the order given."""
        if flows is None:
            return list(range(len(self._run.summary["flows"])))
        chosen = [flows] if isinstance(flows, int | str | Integral) else flows
        return [self._run.flow_number(flow) for flow in chosen]

    def _windowed(self, flows: Chosen) -> list[int]:
        """Return the numbers of those chosen flows that have a congestion window; raise `UserError` if none has."""
        every = self._run.summary["flows"]
        found = [flow for flow in self._chosen(flows) if every[flow]["variant"] not in WINDOWLESS]
        if not found:
            raise UserError(
                "none of these flows is TCP's, so there is no window and no round-trip time to draw"
            )
        return found

    def _name(self, flow: int) -> str:
        record = self._run.summary["flows"][flow]
        return f"{record['name']}: {record['variant']}"

    def _label(self, flow: int) -> str:
        return label(self._name(flow))

    def _steps(self, table: polars.DataFrame, flow: int, variable: str) -> tuple[list[float], list[float]]:
        """Return times, seconds, and values of one variable of a flow, extended to the end of the run."""
        time, value = changes(table, flow, variable)
        return ([*time, self._duration()], [*value, value[-1]]) if value else (time, value)


def _with_data(flows: list[int], known: Iterable[int]) -> list[int]:
    """Return those flows that are in `known`, which have data to draw; all flows if none has any."""
    with_data = set(known)
    return [flow for flow in flows if flow in with_data] or flows


def _each(axes: list[tuple[Axes, list[int]]]) -> Iterator[tuple[Axes, int]]:
    return ((axis, flow) for axis, mine in axes for flow in mine)


def _points(rows: polars.DataFrame) -> tuple[list[float], list[float]]:
    """Return times and sequence numbers of rows of trace ``segments``."""
    return rows["time_s"].to_list(), rows["seq"].to_list()


def _from_zero(axes: list[tuple[Axes, list[int]]]) -> None:
    """Begin vertical axes at zero; call it after all drawing, since it fixes the upper limit."""
    for axis, _ in axes:
        axis.set_ylim(0, None)


def _figure(axes: list[tuple[Axes, list[int]]]) -> Figure:
    """Return the figure of these axes."""
    figure = axes[0][0].figure
    assert isinstance(figure, Figure)
    return figure
