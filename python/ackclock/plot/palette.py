"""Colours and markers of figures, reports and animations, legible on light and dark pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Hue:
    """Colour and marker of one curve.

    Attributes:
        name: Name of the CSS variable.
        light: Colour on a white page.
        dark: Colour on a dark page.
        marker: matplotlib's marker.
    """

    name: str
    light: str
    dark: str
    marker: str


HUES: Final = (
    Hue("hue0", "#0072b2", "#62b8ee", "o"),
    Hue("hue1", "#d55e00", "#ff9a52", "s"),
    Hue("hue2", "#008f68", "#3fd6ab", "^"),
    Hue("hue3", "#a8438b", "#e893cb", "D"),
    Hue("hue4", "#23272e", "#f2f4f7", "v"),
    Hue("hue5", "#9a7400", "#f0cb4d", "P"),
    Hue("hue6", "#5b5bd6", "#a5a5ff", "X"),
    Hue("hue7", "#6b7280", "#a3abb8", "*"),
)
"""Hues of curves, in order of use; the first four are Okabe and Ito's, darkened for contrast."""

INK: Final = Hue("ink", "#1d2129", "#e6e9ee", "")
"""Colour of text and axes."""

FAINT: Final = Hue("faint", "#d9dde4", "#3a414d", "")
"""Colour of grid lines."""

MUTED: Final = Hue("muted", "#5c6470", "#9aa3b0", "")
"""Colour of secondary text."""

ALL: Final = (*HUES, INK, FAINT, MUTED)
"""All colours of the palette; each has one value for light pages and another for dark pages."""


def hue(index: int) -> Hue:
    """Return the hue of curve number `index`; hues repeat after eight."""
    return HUES[index % len(HUES)]
