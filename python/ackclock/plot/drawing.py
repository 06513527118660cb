"""The style and the parts that all figures of runs share.

Colours are Okabe and Ito's, which people with any kind of colour blindness can tell apart. Figures are plain
matplotlib figures: change, save or combine them as usual. Names from scenarios are drawn as they are: a dollar sign
begins no formula.
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
"""Line styles in order of use: the next one once all colours have been used."""

DROP = "#B00020"
"""Colour of drop marks."""

INK = "#23272e"
"""Colour of lines that belong to no single group."""

MUTED = "#555555"
"""Colour of marks that belong to no single line."""

SHADE: Any = {"color": "#999999", "alpha": 0.2, "linewidth": 0}
"""Look of a shaded span of time."""

BINS = 500
"""Stretches of a time axis that can be told apart."""

LANE = 0.06
"""Height of a lane of marks, of the height of the data."""

PANEL_LANE = 0.11
"""The height in a small panel."""

_EXACT: Any = {"svg.fonttype": "none", "svg.hashsalt": "ackclock", "text.parse_math": False}
"""Settings by which our figures have the same bytes each time, and show names as they are."""


class Picture(Figure):
    """A matplotlib figure that a notebook shows by itself, without pyplot's state; its PDFs have TrueType fonts."""

    def savefig(self, fname: Any, **kwargs: Any) -> None:
        """Save it as matplotlib does, with fonts that IEEE and ACM take."""
        with rc_context({key: STYLE[key] for key in ("pdf.fonttype", "ps.fonttype")}):
            super().savefig(fname, **kwargs)

    def _repr_png_(self) -> bytes:
        return _rendered(self, "png")


_FOR_PAPER: ContextVar[bool] = ContextVar("_FOR_PAPER", default=False)


@contextlib.contextmanager
def paper(wanted: bool = True) -> Iterator[None]:
    """Draw figures for a paper inside this context: one column wide, 8 pt, without titles."""
    before = _FOR_PAPER.set(wanted)
    try:
        yield
    finally:
        _FOR_PAPER.reset(before)


def for_paper() -> bool:
    """Tell whether figures are drawn for a paper.

    They are inside `paper`, and after ``plt.style.use([ac.plot.STYLE, ac.plot.PAPER])``.
    """
    return _FOR_PAPER.get() or all(_plain(rcParams[key]) == _plain(value) for key, value in PAPER.items())


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple | list) else value


_MADE: ContextVar[list[Figure]] = ContextVar("_MADE")
"""Figures made inside `style`."""


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Draw in the product's style inside this context; other figures keep theirs."""
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
    """Take the title away, which a paper has in its caption. Titles that tell panels apart stay."""
    figure.suptitle("")
    titled = [axis for axis in figure.axes if axis.get_title("left") or axis.get_title("center")]
    if len(titled) == 1:
        titled[0].set_title("", loc="left")
        titled[0].set_title("", loc="center")


def colour(index: int) -> str:
    """Return the colour of line number `index`; they repeat after eight."""
    return hue(index).light


def dashes(index: int) -> Any:
    """Return the line style of line number `index`; together with the colour it is unique among 32 lines."""
    return DASHES[index // len(HUES) % len(DASHES)]


def marker(index: int) -> str:
    """Return the marker of line number `index`; they repeat after eight."""
    return hue(index).marker


def label(text: str) -> str:
    """Return a label that a legend shows: matplotlib leaves out those that begin with an underscore."""
    return f" {text}" if text.startswith("_") else text


def new(
    rows: int = 1, columns: int = 1, *, width: float = 8.0, height: float = 4.0, **kwargs: Any
) -> tuple[Picture, list[Axes]]:
    """Return a figure and its axes, row by row. Call it inside `style`.

    `width` and `height` are in inches; a figure for a paper has the width `PAPER_IN`.
    """
    if for_paper():
        width, height = PAPER_IN, max(height * PAPER_IN / width, 0.6 * PAPER_IN)
    figure = Picture(figsize=(width, height), layout="constrained")
    _MADE.get([]).append(figure)
    axes = figure.subplots(rows, columns, squeeze=False, **kwargs)
    return figure, [axis for row in axes for axis in row]


def legend(axis: Axes) -> None:
    """Put the legend right of the data, if there is anything in it."""
    if not axis.get_legend_handles_labels()[0]:
        return
    if for_paper():
        axis.legend(
            loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, columnspacing=1.0, handlelength=1.6
        )
    else:
        axis.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def save(figure: Figure, stem: str | Path) -> list[Path]:
    """Write a figure as ``stem.png``, ``.svg`` and ``.pdf``, the same bytes each time, and return the paths."""
    return [atomic_write(f"{stem}.{form}", _rendered(figure, form)) for form in ("png", "svg", "pdf")]


def scaled(highest: float) -> tuple[float, str]:
    """Return factor and unit that suit rates up to `highest` bit/s."""
    for size, unit in ((1e9, "Gb/s"), (1e6, "Mb/s"), (1e3, "kb/s")):
        if highest >= size:
            return 1 / size, unit
    return 1.0, "bit/s"


@dataclass(frozen=True)
class Lane:
    """Events of one kind, drawn in a lane of their own below the data.

    Attributes:
        times: When they happened, seconds.
        colour: Colour of the marks.
        label: Name in the legend; empty to leave it out.
    """

    times: Sequence[float]
    colour: str
    label: str = ""


def lanes(axis: Axes, rows: Sequence[Lane], span_s: tuple[float, float], *, height: float = LANE) -> None:
    """Draw events below zero, a lane for each kind, and set the limits of the axis.

    A mark stands for the events of one of `BINS` stretches of time; the more they are, the taller it is. So marks never
    cover the data, nor each other.
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
        # An event at the very end belongs to the last stretch.
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
    """Draw a value that holds until it changes; if changes lie too close, their mean and, shaded, their range."""
    if len(times) <= 4 * BINS:
        axis.step(times, values, where="post", linewidth=0.9, **look)
        return
    at, level = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    edges = np.linspace(at[0], at[-1], BINS + 1)
    # The value at each edge is a change there, so that each stretch is complete.
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
    """Put one legend of all axes below them, `without` these labels."""
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
