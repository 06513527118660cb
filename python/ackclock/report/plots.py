"""A figure to SVG and PNG, and to SVG for a page that may be light or dark."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ackclock.report.palette import ALL, FAINT, INK, MUTED, hue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ackclock.report.model import Figure, Panel, Series

WIDTH_IN: Final = 6.0
"""Width of a figure, inches: narrow, so that its text stays readable on a phone."""

PANEL_IN: Final = 2.9
"""Height of a panel of height 1, inches."""

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
    "svg.fonttype": "none",
    "svg.hashsalt": "ackclock",
}


@dataclass(frozen=True)
class Drawn:
    """A figure as text and bytes.

    Attributes:
        svg: On white, for papers.
        png: The same as pixels.
        inline: For a page: no background, colours as CSS variables of `palette`.
    """

    svg: str
    png: bytes
    inline: str


def draw(figure: Figure) -> Drawn:
    """Draw a figure. The same figure gives the same SVG, byte for byte, with the same matplotlib."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    heights = [panel.height for panel in figure.panels]
    with mpl.rc_context(_STYLE):
        canvas = Canvas(figsize=(WIDTH_IN, PANEL_IN * sum(heights) + 0.95), layout="constrained")
        FigureCanvasAgg(canvas)
        grid = canvas.subplots(
            len(heights), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights}
        )
        axes = [row[0] for row in grid]
        for ax, panel in zip(axes, figure.panels, strict=True):
            _draw_panel(ax, panel)
        if figure.log_x:
            _log_axis(axes[-1], figure)
        axes[-1].set_xlabel(figure.x_label)
        canvas.align_ylabels(axes)
        _legend(canvas, axes)
        # The layout is worked out once: left on, it would be again for each format.
        canvas.draw_without_rendering()
        canvas.set_layout_engine("none")
        text = io.StringIO()
        canvas.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        pixels = io.BytesIO()
        canvas.savefig(pixels, format="png", dpi=PNG_DPI, metadata={"Software": None})
    svg = text.getvalue()
    return Drawn(svg, pixels.getvalue(), inline(svg, figure))


def save(figure: Figure, drawn: Drawn, folder: Path) -> list[Path]:
    """Write `KEY.svg` and `KEY.png` into the folder."""
    svg, png = folder / f"{figure.key}.svg", folder / f"{figure.key}.png"
    svg.write_text(drawn.svg, encoding="utf-8")
    png.write_bytes(drawn.png)
    return [svg, png]


def inline(svg: str, figure: Figure) -> str:
    """Make an SVG fit for a page: no background, ids of its own, colours that follow the page."""
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
    return body.strip()


def _draw_panel(ax: Any, panel: Panel) -> None:
    for series in sorted(panel.series, key=lambda s: ("peer", "curve", "alike", "published").index(s.kind)):
        _draw_series(ax, series)
    ax.set_ylabel(panel.y_label)
    ax.grid(visible=True)
    if panel.zero:
        ax.axhline(0, color=MUTED.light, linewidth=1, zorder=1)
    elif panel.from_zero:
        ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(lambda value, _: _number(value))


def _log_axis(ax: Any, figure: Figure) -> None:
    """Set a logarithmic x axis whose ticks are the points drawn, in plain figures."""
    ax.set_xscale("log")
    places = sorted({x for panel in figure.panels for series in panel.series for x in series.x})
    ax.set_xticks(places, [f"{x:g}" for x in places])
    ax.set_xticks([], minor=True)


def _draw_series(ax: Any, series: Series) -> None:
    look = hue(series.hue)
    common = {"color": look.light, "label": series.label or "_nolegend_"}
    if series.kind == "peer":
        ax.plot(
            series.x,
            series.y,
            linestyle="none",
            marker=look.marker,
            markersize=8.5,
            markerfacecolor="none",
            markeredgewidth=1.0,
            zorder=2,
            **common,
        )
        return
    if series.kind == "alike":
        ax.plot(series.x, series.y, linestyle="none", marker=".", markersize=5, zorder=4, **common)
        return
    if series.kind == "published":
        ax.plot(
            series.x, series.y, linestyle="none", marker="*", markersize=10, zorder=5, clip_on=False, **common
        )
        return
    style = {"linestyle": (0, (4, 2)) if series.dashed else "-", "marker": look.marker, "markersize": 3.8}
    if series.low:
        below = [max(0.0, y - low) for y, low in zip(series.y, series.low, strict=True)]
        above = [max(0.0, high - y) for y, high in zip(series.y, series.high, strict=True)]
        ax.errorbar(
            series.x, series.y, yerr=[below, above], capsize=2.5, elinewidth=1.0, zorder=3, **style, **common
        )
    else:
        ax.plot(series.x, series.y, zorder=3, **style, **common)


def _legend(canvas: Any, axes: list[Any]) -> None:
    from matplotlib.lines import Line2D

    named: dict[str, Any] = {}
    for handle, label in _handles(axes):
        named.setdefault(label, handle)
    drawn = {kind for ax in axes for kind in _kinds(ax)}
    if "peer" in drawn:
        named["hollow: ns-2"] = Line2D(
            [], [], linestyle="none", marker="o", markersize=8.5, markerfacecolor="none", color=MUTED.light
        )
    if "alike" in drawn:
        named["dot: ours, run as ns-2's"] = Line2D(
            [], [], linestyle="none", marker=".", markersize=5, color=MUTED.light
        )
    if "published" in drawn:
        named["star: published"] = Line2D(
            [], [], linestyle="none", marker="*", markersize=10, color=MUTED.light
        )
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


def _kinds(ax: Any) -> Iterator[str]:
    for line in ax.get_lines():
        if line.get_marker() == "*":
            yield "published"
        elif line.get_markerfacecolor() == "none":
            yield "peer"
        elif line.get_marker() == ".":
            yield "alike"


def _number(value: float) -> str:
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
    return text.replace("-", "\N{MINUS SIGN}")


def _page_font(found: re.Match[str]) -> str:
    # Matplotlib writes either `font: 10.5px 'DejaVu Sans', ...` or `font-family: 'DejaVu Sans', ...`.
    return f"font{found.group(1) or ''}: {found.group(2)}system-ui, sans-serif"


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
