"""Settings of matplotlib for ackclock's figures, which users can also apply to their own."""

from __future__ import annotations

from typing import Any, Final

from ackclock.plot.palette import HUES

STYLE: Final[dict[Any, Any]] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.prop_cycle": f"cycler('color', {[hue.light for hue in HUES]})",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": "medium",
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "figure.dpi": 110,
    "figure.facecolor": "white",
    "figure.titlesize": "medium",
    "figure.titleweight": "bold",
    "font.size": 10,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    # Use TrueType: IEEE and ACM refuse PDFs with matplotlib's default, Type 3.
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "savefig.dpi": 160,
}
"""Style of ackclock's figures, for a user's own figures: ``plt.style.use(ac.plot.STYLE)``."""

PAPER_IN: Final = 3.5
"""Width of a column of a paper, inches."""

PAPER: Final[dict[Any, Any]] = {
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.titlesize": 8,
    "figure.figsize": (PAPER_IN, 0.7 * PAPER_IN),
    "font.size": 8,
    "legend.fontsize": 7,
    "lines.linewidth": 1.0,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
}
"""Style for one column of a paper, 8 pt: ``plt.style.use([ac.plot.STYLE, ac.plot.PAPER])``. After this call the style
also applies to ``run.plot``."""
