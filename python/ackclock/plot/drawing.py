"""Style and shared parts of the figures of runs.

Colours are Okabe and Ito's, which people with any kind of colour blindness can distinguish. Figures are ordinary
matplotlib figures: change, save or combine them as usual. Names from scenarios are drawn literally, so a dollar sign
does not start a formula.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Collection, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context, rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ackclock._io.files import atomic_write
from ackclock.plot.palette import HUES, hue
from ackclock.plot.style import PAPER, PAPER_IN, STYLE

DASHES: Any = ("-", (0, (4, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1, 1.5)))
"""Line styles in order of use: after all colours have been used, they repeat with the next line style."""

DROP = "#B00020"
"""Colour of drop marks."""

INK = "#23272e"
"""Colour of lines that do not belong to one group."""

MUTED = "#555555"
"""Colour of marks that belong to several lines."""

SHADE: Any = {"color": "#999999", "alpha": 0.2, "linewidth": 0}
"""matplotlib settings of a shaded time interval."""

BINS = 500
"""Number of intervals into which a time axis is divided."""

LANE = 0.06
"""Height of a lane of marks relative to the height of the data."""

PANEL_LANE = 0.11
"""Height of a lane in a small panel, relative to the height of the data."""

LEGEND_CHARACTERS = 66
"""Characters in a row of a legend above a figure one column wide, the marks included (six for each entry)."""

LEGEND_ROW_IN = 0.15
"""Height of a row of a legend above a figure, inches."""

_EXACT: Any = {"svg.fonttype": "none", "svg.hashsalt": "ackclock", "text.parse_math": False}
"""Settings of matplotlib for reproducible bytes and literal names."""


class Picture(Figure):
    """A matplotlib figure that notebooks display without pyplot, and whose PDFs have TrueType fonts."""

    def savefig(self, fname: Any, **kwargs: Any) -> None:
        """Save the figure as matplotlib does, but with TrueType fonts, which IEEE and ACM require."""
        with rc_context({key: STYLE[key] for key in ("pdf.fonttype", "ps.fonttype")}):
            super().savefig(fname, **kwargs)

    def _repr_png_(self) -> bytes:
        return _rendered(self, "png")


_FOR_PAPER: ContextVar[bool] = ContextVar("_FOR_PAPER", default=False)


@contextlib.contextmanager
def paper(wanted: bool = True) -> Iterator[None]:
    """Draw figures for a paper inside this context: one column wide, 8 pt, without titles.

    ``with ac.plot.paper(): run.plot.cwnd().savefig("cwnd.pdf")``
    """
    before = _FOR_PAPER.set(wanted)
    try:
        yield
    finally:
        _FOR_PAPER.reset(before)


def for_paper() -> bool:
    """Return true if figures are drawn for a paper.

    That is the case in the context of `paper`, and after ``plt.style.use([ac.plot.STYLE, ac.plot.PAPER])``.
    """
    return _FOR_PAPER.get() or all(_plain(rcParams[key]) == _plain(value) for key, value in PAPER.items())


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple | list) else value


_MADE: ContextVar[list[Figure]] = ContextVar("_MADE")
"""Figures made inside the context `style`."""


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Draw figures in ackclock's style inside this context; other figures are not affected."""
    wanted = for_paper()
    before = _MADE.set([])
    try:
        with rc_context({**STYLE, **_EXACT, **(PAPER if wanted else {})}):
            yield
        if wanted:
            for figure in _MADE.get():
                _untitle(figure)
    finally:
        _MADE.reset(before)


def _untitle(figure: Figure) -> None:
    """Remove the title of a figure with a single title: a paper has it in the caption.

    Titles that distinguish several panels are kept.
    """
    figure.suptitle("")
    titled = [axis for axis in figure.axes if axis.get_title("left") or axis.get_title("center")]
    if len(titled) == 1:
        titled[0].set_title("", loc="left")
        titled[0].set_title("", loc="center")


def colour(index: int) -> str:
    """Return the colour of line number `index`; colours repeat after eight."""
    return hue(index).light


def dashes(index: int) -> Any:
    """Return the line style of line number `index`; line style and colour together distinguish 32 lines."""
    return DASHES[index // len(HUES) % len(DASHES)]


def marker(index: int) -> str:
    """Return the marker of line number `index`; markers repeat after eight."""
    return hue(index).marker


def label(text: str) -> str:
    """Return `text` such that a legend shows it; matplotlib leaves out labels that begin with an underscore."""
    return f" {text}" if text.startswith("_") else text


def new(
    rows: int = 1, columns: int = 1, *, width: float = 8.0, height: float = 4.0, **kwargs: Any
) -> tuple[Picture, list[Axes]]:
    """Return a figure and its axes, row by row; call it in the context of `style`.

    `width` and `height` are in inches; a figure for a paper has the width `PAPER_IN`.
    """
    if for_paper():
        width, height = PAPER_IN, max(height * PAPER_IN / width, 0.6 * PAPER_IN)
    figure = Picture(figsize=(width, height), layout="constrained")
    _MADE.get([]).append(figure)
    axes = figure.subplots(rows, columns, squeeze=False, **kwargs)
    return figure, [axis for row in axes for axis in row]


def legend(axis: Axes) -> None:
    """Add a legend beside the data (for a paper: above), if any curve has a label."""
    if not axis.get_legend_handles_labels()[0]:
        return
    if for_paper():
        names = axis.get_legend_handles_labels()[1]
        columns = max(1, min(3, LEGEND_CHARACTERS // (max(map(len, names)) + 6)))
        figure = axis.figure
        assert isinstance(figure, Figure)
        # Rows beyond the first would take their height from the axes.
        figure.set_figheight(figure.get_figheight() + LEGEND_ROW_IN * (-(-len(names) // columns) - 1))
        axis.legend(
            loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns, columnspacing=1.0, handlelength=1.6
        )
    else:
        axis.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def save(figure: Figure, stem: str | Path) -> list[Path]:
    """Write a figure as ``stem.png``, ``.svg`` and ``.pdf``, with reproducible bytes, and return the paths."""
    return [atomic_write(f"{stem}.{form}", _rendered(figure, form)) for form in ("png", "svg", "pdf")]


def scaled(highest: float) -> tuple[float, str]:
    """Return factor and unit suitable for rates up to `highest` bit/s."""
    for size, unit in ((1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s")):
        if highest >= size:
            return 1 / size, unit
    return 1.0, "bit/s"


@dataclass(frozen=True)
class Lane:
    """Events of one kind, drawn as marks in a lane below the data.

    Attributes:
        times: Times of the events, seconds.
        colour: Colour of the marks.
        label: Name in the legend; empty for no entry.
    """

    times: Sequence[float]
    colour: str
    label: str = ""


def lanes(axis: Axes, rows: Sequence[Lane], span_s: tuple[float, float], *, height: float = LANE) -> None:
    """Draw events below zero, one lane per kind, and set the limits of the axis.

    Time is divided into `BINS` intervals. One mark stands for all events in an interval; its height grows with their
    number. So marks cover neither the data nor each other.
    """
    top = 1.05 * (axis.dataLim.ymax if np.isfinite(axis.dataLim.ymax) and axis.dataLim.ymax > 0 else 1.0)
    height *= top
    shown = [row for row in rows if len(row.times)]
    for row in rows:
        if row.label:
            look: Any = {"linestyle": "none", "marker": "|", "markersize": 7, "markeredgewidth": 1.4}
            axis.plot([], [], color=row.colour, label=label(row.label), **look)
    start, end = span_s
    width = (end - start) / BINS or 1.0
    for i, row in enumerate(shown):
        # An event at the very end belongs to the last interval.
        stretch = np.minimum(np.floor((np.asarray(row.times, dtype=float) - start) / width), BINS - 1)
        bins, counts = np.unique(stretch, return_counts=True)
        tall = 0.35 + 0.5 * counts / counts.max()
        foot = -height * (i + 1)
        at = start + (bins + 0.5) * width
        axis.vlines(at, foot, foot + height * tall, color=row.colour, linewidth=1.0)
    axis.set_ylim(-height * (len(shown) + 0.15) if shown else 0.0, top)
    if shown:
        axis.axhline(0, color=MUTED, linewidth=0.8)
        axis.set_yticks([tick for tick in axis.get_yticks() if 0 <= tick <= top])


def length(axis: Axes, times: Sequence[float], values: Sequence[float], **look: Any) -> None:
    """Draw a step function; if its changes are too close to distinguish, draw their mean and shade their range."""
    if len(times) <= 4 * BINS:
        axis.step(times, values, where="post", linewidth=0.9, **look)
        return
    at, level = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    edges = np.linspace(at[0], at[-1], BINS + 1)
    # Insert the current value at each edge as a change, so that each interval is complete.
    held = level[np.searchsorted(at, edges[:-1], side="right") - 1]
    order = np.argsort(np.concatenate([edges[:-1], at]), kind="stable")
    at, level = np.concatenate([edges[:-1], at])[order], np.concatenate([held, level])[order]
    first = np.searchsorted(at, edges[:-1], side="left")
    lasting = np.diff(at, append=at[-1])
    spent = np.add.reduceat(lasting, first)
    average = np.add.reduceat(lasting * level, first) / np.where(spent > 0, spent, 1.0)
    middle = (edges[:-1] + edges[1:]) / 2
    low, high = np.minimum.reduceat(level, first), np.maximum.reduceat(level, first)
    axis.fill_between(
        middle, low, high, step="mid", color=look.get("color", hue(0).light), alpha=0.25, linewidth=0
    )
    axis.plot(middle, average, linewidth=1.0, **look)


def legend_below(figure: Figure, axes: Sequence[Axes], without: Collection[str] = ()) -> None:
    """Add one legend for all axes, below them; it leaves out the labels in `without`."""
    named: dict[str, Any] = {}
    for axis in axes:
        for handle, text in zip(*axis.get_legend_handles_labels(), strict=True):
            named.setdefault(text, handle)
    kept = {text: handle for text, handle in named.items() if text not in without}
    if kept:
        figure.legend(kept.values(), kept.keys(), loc="outside lower center", ncols=min(4, len(kept)))


def _rendered(figure: Figure, form: str) -> bytes:
    target = io.BytesIO()
    dateless = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form, {"Software": None})
    with style():
        figure.savefig(target, format=form, metadata=dateless)
    return target.getvalue()
