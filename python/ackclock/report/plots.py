"""Draws report figures as SVG, PNG and PDF, and as SVG for pages with a dark mode."""

from __future__ import annotations

import io
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from ackclock.plot.drawing import label
from ackclock.plot.palette import ALL, FAINT, HUES, INK, MUTED, hue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from matplotlib.figure import Figure as Canvas

    from ackclock.report.model import Figure, Heat, Panel, Series

WIDTH_IN: Final = 6.0
"""Width of a figure, inches; small, so that text stays readable on a phone."""

PANEL_IN: Final = 2.9
"""Height of a panel whose relative height is 1, inches."""

PNG_DPI: Final = 160

_STYLE: Final[dict[Any, Any]] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10.5,
    "axes.labelsize": 10.5,
    "axes.facecolor": "none",
    "axes.edgecolor": MUTED.light,
    "axes.labelcolor": INK.light,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "xtick.color": MUTED.light,
    "ytick.color": MUTED.light,
    "xtick.labelcolor": INK.light,
    "ytick.labelcolor": INK.light,
    "grid.color": FAINT.light,
    "grid.linewidth": 0.8,
    "text.color": INK.light,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "figure.facecolor": "#ffffff",
    "savefig.facecolor": "#ffffff",
    "lines.linewidth": 1.5,
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "ackclock",
    "text.parse_math": False,
}


@dataclass(frozen=True)
class Drawn:
    """A figure drawn in all formats.

    Attributes:
        svg: SVG text with a white background.
        png: PNG bytes.
        pdf: PDF bytes.
        inline: SVG for an HTML page, without background, with colours as CSS variables of `palette`.
    """

    svg: str
    png: bytes
    pdf: bytes
    inline: Markup


@dataclass(frozen=True)
class Look:
    """Sizes and settings of a figure style.

    Attributes:
        width_in: Width, inches.
        panel_in: Height of a panel of height 1, inches.
        style: Settings of matplotlib that differ from those of pages.
    """

    width_in: float = WIDTH_IN
    panel_in: float = PANEL_IN
    style: tuple[tuple[Any, Any], ...] = ()


LOOKS: Final = {
    "page": Look(),
    "paper": Look(
        3.5,
        1.9,
        (
            ("font.size", 8),
            ("axes.labelsize", 8),
            ("xtick.labelsize", 7),
            ("ytick.labelsize", 7),
            ("legend.fontsize", 7),
            ("lines.linewidth", 1.1),
            ("axes.linewidth", 0.6),
        ),
    ),
}
"""Figure styles: for a page, or for one column of a paper."""


def draw(figure: Figure, style: str = "page") -> Drawn:
    """Draw a figure in one of `LOOKS`; equal figures give equal bytes with the same version of matplotlib."""
    with _look(style):
        canvas = on_canvas(figure, style)
        text = io.StringIO()
        canvas.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        pixels = io.BytesIO()
        canvas.savefig(pixels, format="png", dpi=PNG_DPI, metadata={"Software": None})
        page = io.BytesIO()
        canvas.savefig(page, format="pdf", metadata={"CreationDate": None, "Creator": None, "Producer": None})
    svg = text.getvalue()
    return Drawn(svg, pixels.getvalue(), page.getvalue(), inline(svg, figure))


def on_canvas(figure: Figure, style: str = "page") -> Canvas:
    """Draw a figure in one of `LOOKS`; return the matplotlib figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    look = LOOKS[style]
    heights = [panel.height for panel in figure.panels]
    with _look(style):
        canvas = Canvas(figsize=(look.width_in, look.panel_in * sum(heights) + 0.95), layout="constrained")
        FigureCanvasAgg(canvas)
        grid = canvas.subplots(
            len(heights), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights}
        )
        axes = [row[0] for row in grid]
        for ax, panel in zip(axes, figure.panels, strict=True):
            _draw_panel(ax, panel)
        if figure.log_x:
            _log_axis(axes[-1], figure)
        if figure.counts:
            _count_axis(axes[-1], figure)
        if figure.x_names:
            axes[-1].set_xticks(range(len(figure.x_names)), figure.x_names)
        if figure.x_range is not None:
            axes[-1].set_xlim(*figure.x_range)
        if figure.to_scale:
            for ax in axes:
                ax.set_aspect("equal")
        if figure.reverse_x:
            axes[-1].xaxis.set_inverted(True)
        axes[-1].set_xlabel(figure.x_label)
        _legend(canvas, axes, figure)
        # Compute the layout once; with a layout engine, even "none", each format would draw the figure once more.
        canvas.draw_without_rendering()
        canvas.set_layout_engine(None)
        _align_labels(axes)
    return canvas


def _look(style: str) -> AbstractContextManager[None]:
    """Return a context in which matplotlib has the settings of one of `LOOKS`."""
    import matplotlib as mpl

    return mpl.rc_context({**_STYLE, **dict(LOOKS[style].style)})


def _align_labels(axes: Sequence[Any]) -> None:
    """Align the y-axis labels once; matplotlib's own method compares all pairs of labels at every draw."""
    left = min(ax.yaxis.label.get_position()[0] for ax in axes)
    for ax in axes:
        ax.yaxis.set_label_coords(float(ax.transAxes.inverted().transform((left, 0.0))[0]), 0.5)


def save(figure: Figure, drawn: Drawn, folder: Path) -> list[Path]:
    """Write ``KEY.svg``, ``KEY.png`` and ``KEY.pdf`` into the folder; return their paths."""
    svg, png, pdf = (folder / f"{figure.key}.{form}" for form in ("svg", "png", "pdf"))
    svg.write_text(drawn.svg, encoding="utf-8")
    png.write_bytes(drawn.png)
    pdf.write_bytes(drawn.pdf)
    return [svg, png, pdf]


def inline(svg: str, figure: Figure) -> Markup:
    """Return SVG for an HTML page: no background, unique ids, and the page's colours."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'<g id="patch_1">.*?</g>', "", body, count=1, flags=re.DOTALL)
    body = re.sub(r'<svg ([^>]*?)width="[^"]*"', r"<svg \1", body, count=1)
    body = re.sub(r'<svg ([^>]*?)height="[^"]*"', r"<svg \1", body, count=1)
    prefix = f"{figure.key}-"
    body = re.sub(r'\bid="', f'id="{prefix}', body)
    body = body.replace('href="#', f'href="#{prefix}').replace("url(#", f"url(#{prefix}")
    for colour in ALL:
        body = body.replace(colour.light, f"var(--{colour.name})")
    body = re.sub(r"font(-family)?: ?([^;\"]*?)'DejaVu Sans'[^;\"]*", _page_font, body)
    body = body.replace("<svg ", f'<svg role="img" aria-label="{_attribute(figure.alt or figure.title)}" ', 1)
    return Markup(body.strip())


_ORDER: Final = (
    "peer",
    "outline",
    "run",
    "dots",
    "limit",
    "line",
    "step",
    "curve",
    "estimate",
    "open",
    "alike",
    "centre",
    "published",
)
"""Kinds of series in drawing order, from back to front."""


def _draw_panel(ax: Any, panel: Panel) -> None:
    for i, (start, end) in enumerate(panel.spans):
        name = panel.spans_label if i == 0 and panel.spans_label else "_nolegend_"
        ax.axvspan(start, end, color=FAINT.light, linewidth=0, zorder=0.5, label=name)
    if panel.heat is not None:
        _draw_heat(ax, panel.heat)
        ax.set_ylabel(panel.y_label)
        return
    floor = _floor(panel)
    for series in sorted(panel.series, key=lambda s: _ORDER.index(s.kind)):
        _draw_series(ax, series, floor)
    ax.set_ylabel(panel.y_label)
    ax.grid(visible=True)
    if panel.log_y:
        _log_values(ax)
        if floor is not None:
            ax.set_ylim(bottom=floor)
    elif panel.zero:
        ax.axhline(0, color=MUTED.light, linewidth=1, zorder=1)
    elif panel.from_zero:
        # Leave space above a flat curve, and show the whole of intervals that reach below zero.
        # A panel without any value has no limits: a stack need not show its window.
        low, high = ax.get_ylim()
        if math.isfinite(ax.dataLim.ymax):
            ax.set_ylim(low if ax.dataLim.ymin < 0 else 0, max(high, 1.05 * ax.dataLim.ymax))
    if panel.y_max is not None:
        ax.set_ylim(top=panel.y_max)
    ax.yaxis.set_major_formatter(lambda value, _: _number(value))


def _floor(panel: Panel) -> float | None:
    """Return the lower end of a logarithmic axis if an interval reaches zero, which the axis cannot show; else None."""
    lows = [low for series in panel.series for low in series.low]
    if not panel.log_y or not any(low <= 0 for low in lows):
        return None
    every = [value for series in panel.series for value in (*series.y, *series.low, *series.high)]
    return min((value for value in every if value > 0), default=1.0) / 2


def _draw_heat(ax: Any, heat: Heat) -> None:
    """Draw a heat map with each value in its field; darker fields have lower values."""
    import numpy as np

    values = np.array(heat.values)
    drawn = ax.pcolormesh(values, cmap="cividis", edgecolors="#ffffff", linewidth=0.8)
    low, high = drawn.get_clim()
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            ink = "#ffffff" if high == low or (value - low) / (high - low) < 0.6 else "#000000"
            ax.text(
                column + 0.5, row + 0.5, _number(float(f"{value:.3g}")), ha="center", va="center", color=ink
            )
    ax.set_xticks([i + 0.5 for i in range(len(heat.x))], heat.x)
    ax.set_yticks([i + 0.5 for i in range(len(heat.y))], heat.y)
    ax.tick_params(length=0)
    ax.figure.colorbar(drawn, ax=ax, label=heat.label)


def _log_values(ax: Any) -> None:
    """Make the y axis logarithmic, with ticks at 1, 2 and 5 of each decade."""
    from matplotlib.ticker import LogLocator

    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.minorticks_off()


_MOST_TICKS: Final = 16
"""Maximum number of points for which each point gets a tick."""


def _log_axis(ax: Any, figure: Figure) -> None:
    """Make the x axis logarithmic, with ticks at the points, or at 1, 2 and 5 of each decade if there are too many."""
    from matplotlib.ticker import LogLocator

    ax.set_xscale("log")
    places = sorted({x for panel in figure.panels for series in panel.series for x in series.x})
    if len(places) > _MOST_TICKS:
        low, high = places[0], places[-1]
        ticks = LogLocator(subs=(1.0, 2.0, 5.0)).tick_values(low, high)
        places = [float(x) for x in ticks if low <= x <= high]
    ax.set_xticks(places, [f"{x:g}" for x in places])
    ax.set_xticks([], minor=True)


def _count_axis(ax: Any, figure: Figure) -> None:
    """Put ticks on the x axis at the whole numbers nearest to the points; fewer ticks if there are too many."""
    counts = sorted({round(x) for panel in figure.panels for series in panel.series for x in series.x})
    if len(counts) <= _MOST_TICKS:
        ax.set_xticks(counts)
    else:
        ax.xaxis.get_major_locator().set_params(integer=True)


_PATTERNS: Final[tuple[Any, ...]] = (
    "-",
    (0, (4, 2)),
    (0, (1.2, 1.2)),
    (0, (6, 1.5, 1, 1.5)),
    (0, (9, 2)),
    (0, (1.2, 3)),
)
"""Pairs of line styles (plain, dashed). If all hues are in use, they are used again with the next pair."""


def _draw_series(ax: Any, series: Series, floor: float | None) -> None:
    look = hue(series.hue)
    common = {"color": look.light, "label": label(series.label) if series.label else "_nolegend_"}
    again = series.hue // len(HUES)
    dashes = _PATTERNS[(2 * again + series.dashed) % len(_PATTERNS)]
    face = "none" if again % 2 else look.light
    x, y = series.x, series.y
    match series.kind:
        case "peer":
            hollow = {"markersize": 8.5, "markerfacecolor": "none", "markeredgewidth": 1.0}
            ax.plot(x, y, linestyle="none", marker=look.marker, zorder=2, **hollow, **common)
        case "open":
            ax.plot(x, y, linestyle="none", marker=look.marker, markerfacecolor="none", zorder=3, **common)
        case "alike":
            ax.plot(x, y, linestyle="none", marker=".", markersize=5, zorder=4, **common)
        case "published":
            ax.plot(x, y, linestyle="none", marker="*", markersize=10, zorder=5, clip_on=False, **common)
        case "line":
            ax.plot(x, y, linestyle=dashes, zorder=3, **common)
        case "step":
            ax.step(x, y, where="post", linestyle=dashes, linewidth=1.1, zorder=3, **common)
        case "limit":
            faint = {**common, "color": MUTED.light, "linestyle": (0, (2, 2)), "linewidth": 0.9}
            ax.step(x, y, where="post", zorder=2.5, **faint)
        case "run":
            ax.plot(x, y, linestyle=dashes, linewidth=0.9, alpha=0.45, zorder=2.4, **common)
        case "dots":
            ax.plot(x, y, linestyle="none", marker=".", markersize=4.5, alpha=0.55, zorder=2.4, **common)
        case "centre":
            edge = {"markersize": 8, "markerfacecolor": face, "markeredgewidth": 0.8}
            edge["markeredgecolor"] = look.light if again % 2 else "#ffffff"
            ax.plot(x, y, linestyle="none", marker=look.marker, zorder=4, **edge, **common)
        case "outline":
            ax.fill(x, y, color=look.light, alpha=0.12, linewidth=0, zorder=2.1)
            ax.plot(x, y, linestyle=dashes, linewidth=1.1, zorder=2.2, **common)
        case "estimate":
            own = {"linestyle": "none", "marker": look.marker, "markersize": 5.0, "markerfacecolor": face}
            _draw_curve(ax, series, floor, {**own, **common})
        case _:
            _draw_curve(
                ax, series, floor, {"linestyle": dashes, "marker": look.marker, "markersize": 3.8, **common}
            )


def _draw_curve(ax: Any, series: Series, floor: float | None, style: dict[str, Any]) -> None:
    """Draw means with error bars, cut off at `floor` if they reach below it."""
    if not series.low:
        ax.plot(series.x, series.y, zorder=3, **style)
        return
    lows = series.low if floor is None else [max(low, floor) for low in series.low]
    below = [max(0.0, y - low) for y, low in zip(series.y, lows, strict=True)]
    above = [max(0.0, high - y) for y, high in zip(series.y, series.high, strict=True)]
    ax.errorbar(series.x, series.y, yerr=[below, above], capsize=2.5, elinewidth=1.0, zorder=3, **style)


def _legend(canvas: Any, axes: list[Any], figure: Figure) -> None:
    from matplotlib.lines import Line2D

    named: dict[str, Any] = {}
    for handle, name in _handles(axes):
        named.setdefault(name, handle)
    drawn = {series.kind for panel in figure.panels for series in panel.series if series.x}
    if "peer" in drawn:
        named[f"hollow: {figure.peer}"] = Line2D(
            [], [], linestyle="none", marker="o", markersize=8.5, markerfacecolor="none", color=MUTED.light
        )
    if "alike" in drawn:
        named[f"dot: ours, run as {figure.peer}'s"] = Line2D(
            [], [], linestyle="none", marker=".", markersize=5, color=MUTED.light
        )
    if "published" in drawn:
        named["star: published"] = Line2D(
            [], [], linestyle="none", marker="*", markersize=10, color=MUTED.light
        )
    if not named:
        return
    canvas.legend(
        named.values(),
        named.keys(),
        loc="outside lower center",
        ncols=2,
        handlelength=2.4,
        columnspacing=1.4,
        borderaxespad=0.2,
    )


def _handles(axes: list[Any]) -> Iterator[tuple[Any, str]]:
    for ax in axes:
        yield from zip(*ax.get_legend_handles_labels(), strict=True)


def _number(value: float) -> str:
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
    return text.replace("-", "\N{MINUS SIGN}")


def _page_font(found: re.Match[str]) -> str:
    # matplotlib writes `font: 10.5px 'DejaVu Sans'` or `font-family: 'DejaVu Sans'`.
    return f"font{found.group(1) or ''}: {found.group(2)}system-ui, sans-serif"


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
