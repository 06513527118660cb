"""Data model of reports: studies, comparisons and sweeps fill it, and all output formats are made from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from ackclock._io.tabular import to_csv, to_latex
from ackclock.stats import contrast

if TYPE_CHECKING:
    from ackclock.stats.statistics import Interval


SAME: Final = "the same"
"""Text for a column whose verdict on a claim equals the first column's."""


class Verdict(StrEnum):
    """Verdict on a published claim."""

    SUPPORTED = "supported"
    PARTLY = "supported in part"
    CONTRADICTED = "contradicted"
    EQUIVALENT = contrast.NO_DIFFERENCE
    REPRODUCED = "reproduced"
    SIMILAR = "same direction and order of magnitude"
    NOT_REPRODUCED = "not reproduced"
    UNDECIDED = contrast.UNDECIDED
    APART = "does not apply"


@dataclass(frozen=True)
class Part:
    """A test of a claim, as a report shows it.

    Attributes:
        where: Description of the point; empty if there is only one.
        what: Name of the quantity.
        interval: Mean of the quantity over the replications, with its confidence interval, in `unit`.
        unit: Unit as printed.
        verdict: Verdict of this test alone.
        once: Value of the quantity by the paper's own procedure; None if that was not run.
        difference: True if the quantity is a difference, which is printed with its sign.
        statement: The claim's statement that the test belongs to; empty if the claim has only one.
        margin: Margin at the end of the claimed range, or tolerance of a published number.
        published: Published number to compare with; None if the test compares with a range.
    """

    where: str
    what: str
    interval: Interval
    unit: str
    verdict: Verdict
    once: float | None = None
    difference: bool = True
    statement: str = ""
    margin: float = 0.0
    published: float | None = None

    @property
    def holds(self) -> bool:
        """True if this test alone supports the claim."""
        return self.verdict in (Verdict.SUPPORTED, Verdict.REPRODUCED)


@dataclass(frozen=True)
class Judgement:
    """A verdict on a claim, with its tests.

    Attributes:
        verdict: The verdict.
        decisive: The test that decides the verdict.
        parts: All tests.
        held_once: Number of tests in which the paper's own procedure meets the claim; None if it was not run.
        exception: The test that is farthest from supporting the claim; None if all tests support it.
        altered: The user's settings that changed the runs of the tests.
    """

    verdict: Verdict
    decisive: Part
    parts: tuple[Part, ...]
    held_once: int | None = None
    exception: Part | None = None
    altered: frozenset[str] = frozenset()

    @property
    def supported(self) -> int:
        """Number of tests that support the claim or reproduce its number."""
        return sum(part.holds for part in self.parts)


@dataclass(frozen=True)
class Claim:
    """A published claim and its verdicts.

    Attributes:
        key: Short name of the claim.
        figure: Published figure or table ("Figure 3").
        text: The claim, paraphrased.
        reading: Interpretation of the claim in numbers, if the paper leaves it open.
        judgements: One per column of `Claims.columns`; None if a column does not judge the claim.
        blank: Text in a column that does not judge the claim.
    """

    key: str
    figure: str
    text: str
    reading: str
    judgements: tuple[Judgement | None, ...]
    blank: str = SAME


@dataclass(frozen=True)
class Series:
    """Points of one kind in a panel.

    Attributes:
        label: Name in the legend; empty for no entry.
        hue: Index of colour and marker in `palette.HUES`, which repeat after the last.
        x: Positions.
        y: Values, one per position.
        low: Lower ends of the intervals; empty for no intervals.
        high: Upper ends of the intervals; empty for no intervals.
        kind: Source or look. Sources: "curve" (ackclock), "peer" (another simulator, hollow), "alike" (ackclock with
            the peer's settings, a dot), "published" (from the paper's text, a star). Lines: "line" (no markers), "run"
            (a single run, faint), "step" (piecewise constant), "limit" (dashed step in the colour of secondary text).
            Markers: "dots" (single runs, faint), "centre" (a large marker), "open" (hollow), "outline" (a closed
            contour, faintly filled), "estimate" (with intervals, no line).
        dashed: True for a dashed curve. Curves that reuse a hue are also distinguished by their line pattern.
    """

    label: str
    hue: int
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    kind: str = "curve"
    dashed: bool = False


@dataclass(frozen=True)
class Heat:
    """A heat map: one value for each pair of x and y.

    Attributes:
        x: Names of the columns, from left to right.
        y: Names of the rows, from bottom to top.
        values: One row for each `y` with one value for each `x`; NaN for a missing value.
        label: Quantity and unit.
    """

    x: tuple[str, ...]
    y: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    label: str


@dataclass(frozen=True)
class Panel:
    """A panel of a figure: a pair of axes with their series.

    Attributes:
        y_label: Label of the y axis, with the unit.
        series: Curves or markers.
        zero: True to draw a line at 0 (for differences) rather than to begin the axis at 0.
        from_zero: True if the y axis begins at 0.
        height: Height relative to the other panels.
        spans: Intervals of the x axis to shade.
        spans_label: Name of the shaded intervals in the legend.
        y_max: End of the y axis; None for the end of the data.
        log_y: True for a logarithmic y axis, which does not begin at 0.
        heat: Heat map, in place of series.
    """

    y_label: str
    series: tuple[Series, ...]
    zero: bool = False
    from_zero: bool = True
    height: float = 1.0
    spans: tuple[tuple[float, float], ...] = ()
    spans_label: str = ""
    y_max: float | None = None
    log_y: bool = False
    heat: Heat | None = None


@dataclass(frozen=True)
class Figure:
    """A figure: panels over one x axis, with notes below.

    Attributes:
        key: File name without suffix.
        title: Heading.
        x_label: Label of the shared x axis, with the unit.
        panels: Panels from top to bottom.
        claim: The published claim in words; empty if there is none.
        notes: Lines below the figure.
        alt: Description in one sentence, for readers who cannot see the figure.
        log_x: True for a logarithmic x axis.
        reverse_x: True if the x axis decreases to the right, so that right is better if less is better.
        x_range: Ends of the x axis; None for the ends of the data.
        peer: Name of the other simulator, whose points are drawn hollow.
        x_names: Names at the positions 0, 1, 2 and so on, for an x axis without numbers; else empty.
        counts: True if the x axis is a count, with ticks only at whole numbers.
        to_scale: True if both axes have the same scale, as on a map.
        hollow: Meaning of the hollow points; ends the last note if any hollow points are drawn.
    """

    key: str
    title: str
    x_label: str
    panels: tuple[Panel, ...]
    claim: str = ""
    notes: tuple[str, ...] = ()
    alt: str = ""
    log_x: bool = False
    reverse_x: bool = False
    x_range: tuple[float, float] | None = None
    peer: str = "ns-2"
    x_names: tuple[str, ...] = ()
    counts: bool = False
    to_scale: bool = False
    hollow: str = ""

    @property
    def beside_peer(self) -> bool:
        """True if the figure has points of another simulator."""
        return any(series.kind == "peer" and series.x for panel in self.panels for series in panel.series)

    @property
    def caption(self) -> tuple[str, ...]:
        """The notes; if there are hollow points, the last note ends with their meaning."""
        if not (self.hollow and self.beside_peer):
            return self.notes
        return (*self.notes[:-1], " ".join([*self.notes[-1:], self.hollow]))


@dataclass(frozen=True)
class Table:
    """A table of text; the columns after the first `text_columns` are numbers and right-aligned.

    Attributes:
        key: Short name of the table.
        title: Heading; empty for none.
        columns: Headings of the columns.
        rows: Cells as printed.
        notes: Lines below the table.
        text_columns: Number of columns of words, from the left.
        folded: True if a page shows only the title until the reader unfolds the table.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    text_columns: int = 1
    folded: bool = False

    def to_latex(self) -> str:
        """Return the table as LaTeX for booktabs and siunitx; an estimate becomes one number with its interval."""
        return to_latex(self.columns, self.rows, self.text_columns, caption=self.title, notes=self.notes)

    def to_csv(self) -> str:
        """Return the table as CSV text; an interval becomes two additional columns, ``low`` and ``high``."""
        return to_csv(self.columns, self.rows, self.text_columns)


CROWDED: Final = 4
"""Maximum number of verdict columns for which cells have room for the deciding test."""


@dataclass(frozen=True)
class Claims:
    """The table of verdicts, with either one line per claim or all tests of each claim.

    Attributes:
        columns: Assumption of each judgement of a claim.
        claims: The claims.
        notes: Lines below the table.
        once: Description of the paper's own procedure.
        detailed: True to show all tests.
    """

    columns: tuple[str, ...]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()
    once: str = ""
    detailed: bool = True

    @property
    def crowded(self) -> bool:
        """True if there are so many columns that a cell has room for only a verdict and its number."""
        return len(self.columns) > CROWDED


@dataclass(frozen=True)
class Text:
    """Paragraphs of text, in which words in backquotes are set as code."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """Lines of code or output, shown as they are."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Links:
    """Links to files in the report's folder, each with a description."""

    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Opened:
    """A run or a figure that the laboratory opens in a browser.

    Attributes:
        title: Name of the run or figure.
        command: Command that opens it, with an installation, from the report's folder.
        fragment: Part of a link to ``lab.html`` after the file's name; empty if it would be too long.
    """

    title: str
    command: str
    fragment: str


@dataclass(frozen=True)
class Laboratory:
    """Runs and figures that a reader can open in the laboratory in a browser."""

    opened: tuple[Opened, ...]


Block: TypeAlias = Figure | Table | Claims | Text | Code | Links | Laboratory


@dataclass(frozen=True)
class Section:
    """Part of a report below the main findings: a heading, and the figures, tables and texts under it in order."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Report:
    """A complete report.

    Attributes:
        study: Name of the study, as on the command line.
        title: Heading.
        subtitle: Line below the heading.
        lead: Main findings, as paragraphs.
        sections: Sections below the lead.
        footer: Origin of the results: version, seeds, hash.
    """

    study: str
    title: str
    subtitle: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]
    footer: str = field(default="")

    def figures(self) -> list[Figure]:
        """Return all figures, in the order of the report."""
        return [block for section in self.sections for block in section.blocks if isinstance(block, Figure)]

    def claims(self) -> list[Claim]:
        """Return all claims, in the order of the report."""
        blocks = [block for section in self.sections for block in section.blocks if isinstance(block, Claims)]
        return [claim for block in blocks if block.detailed for claim in block.claims]
