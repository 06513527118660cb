"""The parts of a report before it is drawn: every study fills them, every output reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from ackclock._io.tabular import to_csv, to_latex
from ackclock.stats import contrast

if TYPE_CHECKING:
    from ackclock.stats.statistics import Interval


SAME: Final = "the same"
"""Text of a column whose verdict on a claim is that of the first column."""


class Verdict(StrEnum):
    """Our verdict on a published claim."""

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
    """One test of a claim.

    Attributes:
        where: The point, in words; empty if there is only one.
        what: The quantity.
        interval: Its mean over the replications, with its confidence interval, in `unit`.
        unit: Unit as printed.
        verdict: The verdict of this test alone.
        once: The number in the paper's own procedure, where it was run.
        difference: True if the number is a difference, and so printed with its sign.
        statement: The claim's statement that it belongs to; empty if the claim makes one.
        margin: The margin on either side of the end of its range, or the tolerance of a published number.
        published: The published number that it is held against; None if it is held against a range.
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
    """A verdict with its tests.

    Attributes:
        verdict: The verdict.
        decisive: The test that decides it.
        parts: Every test.
        held_once: In how many tests the paper's own procedure meets the claim; None if it was not run.
        exception: The test that is farthest from supporting it or reproducing its number; None if all do.
        altered: The settings of a user's that changed the runs it rests on.
    """

    verdict: Verdict
    decisive: Part
    parts: tuple[Part, ...]
    held_once: int | None = None
    exception: Part | None = None
    altered: frozenset[str] = frozenset()

    @property
    def supported(self) -> int:
        """Number of tests that support the claim, or reproduce its number, by themselves."""
        return sum(part.holds for part in self.parts)


@dataclass(frozen=True)
class Claim:
    """A published claim and our verdicts.

    Attributes:
        key: Its short name.
        figure: The published figure or table ("Figure 3").
        text: The claim, in our words.
        reading: Its translation into numbers, if the text leaves that open.
        judgements: One per column of `Claims.columns`; None if a column says nothing of it.
        blank: The text of a column that does not judge it.
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
        label: Name in the legend; empty to leave it out.
        hue: Index of colour and marker in `palette.HUES`, which repeat after the last.
        x: Positions.
        y: Values, as many.
        low: Lower ends of the intervals, or empty.
        high: Upper ends, or empty.
        kind: By source: "curve" (ours), "peer" (another simulator's, hollow), "alike" (ours, run as the peer's, a dot),
            "published" (from the text, a star). Lines: "line" (no markers), "run" (a single run's line, faint), "step"
            (each value holds until the next), "limit" (a step in the colour of secondary text, dashed). Markers: "dots"
            (single runs, faint), "centre" (a large marker), "open" (hollow markers), "outline" (a closed contour,
            faintly filled), "estimate" (markers with intervals, no line).
        dashed: True for a dashed curve; a curve whose hue has been used by another has a pattern of its own, too.
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
    """A map: a value for each pair of an x and a y.

    Attributes:
        x: Names of the columns, from the left.
        y: Names of the rows, from the bottom.
        values: A row for each `y`, each with a value for each `x`; NaN for none.
        label: The quantity and its unit.
    """

    x: tuple[str, ...]
    y: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    label: str


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Attributes:
        y_label: Label of the y axis, with its unit.
        series: The curves or bars.
        zero: True to draw a line at 0 (differences) instead of beginning the axis there.
        from_zero: True if the y axis begins at 0.
        height: Height relative to the other panels.
        spans: Stretches of the x axis to shade.
        spans_label: Their name in the legend.
        y_max: End of the y axis; that of the data if None.
        log_y: True for a logarithmic y axis; it does not begin at 0 then.
        heat: A map instead of series.
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
    """A figure: panels over one x axis, with the lines under it.

    Attributes:
        key: File name without its ending.
        title: Heading.
        x_label: Label of the shared x axis, with its unit.
        panels: From top to bottom.
        claim: The published claim in words; empty if there is none.
        notes: Further lines under it.
        alt: Its content in a sentence, for readers who cannot see it.
        log_x: True for a logarithmic x axis.
        reverse_x: True if the x axis falls to the right, so that right is better if less is.
        x_range: Ends of the x axis; where the data ends if None.
        peer: The other simulator whose points are drawn hollow.
        x_names: Names at 0, 1, 2, ... of an x axis without numbers; empty otherwise.
        counts: True if the x axis counts something, and has ticks at whole numbers alone.
        to_scale: True if a unit is as long on the y axis as on the x axis: a map.
        hollow: The end of the last note: what the peer's hollow points are. It is said if any are drawn.
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
        """True if any point of the peer's is drawn."""
        return any(series.kind == "peer" and series.x for panel in self.panels for series in panel.series)

    @property
    def caption(self) -> tuple[str, ...]:
        """The notes, with the meaning of the hollow points."""
        if not (self.hollow and self.beside_peer):
            return self.notes
        return (*self.notes[:-1], " ".join([*self.notes[-1:], self.hollow]))


@dataclass(frozen=True)
class Table:
    """A table of text; columns after the first `text_columns` are numbers, and set to the right.

    Attributes:
        key: Its short name.
        title: Heading; empty for none.
        columns: Headings of the columns.
        rows: The cells, as they are to be printed.
        notes: Lines under it.
        text_columns: Number of columns, from the left, that hold words.
        folded: True if a page shows its title alone until the reader opens it, since it repeats others.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    text_columns: int = 1
    folded: bool = False

    def to_latex(self) -> str:
        """Return it for LaTeX with booktabs and siunitx: one number with its interval where a cell has one."""
        return to_latex(self.columns, self.rows, self.text_columns, caption=self.title, notes=self.notes)

    def to_csv(self) -> str:
        """Return it as CSV: an interval is columns ``low`` and ``high``."""
        return to_csv(self.columns, self.rows, self.text_columns)


CROWDED: Final = 4
"""Most columns of verdicts at which a table with one line per claim has room for the deciding test in each cell."""


@dataclass(frozen=True)
class Claims:
    """The verdicts: a line each, or each with all of its tests.

    Attributes:
        columns: The assumption of each judgement of a claim.
        claims: The claims.
        notes: Lines under it.
        once: The paper's own procedure, in words.
        detailed: True if each test is shown.
    """

    columns: tuple[str, ...]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()
    once: str = ""
    detailed: bool = True

    @property
    def crowded(self) -> bool:
        """True if a line has so many columns that each only has room for a verdict and its number."""
        return len(self.columns) > CROWDED


@dataclass(frozen=True)
class Text:
    """Paragraphs; words between backquotes are set as code."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """Lines to type or to read as they are."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Links:
    """Files of the report's folder, each with a description."""

    files: tuple[tuple[str, str], ...]


Block: TypeAlias = Figure | Table | Claims | Text | Code | Links


@dataclass(frozen=True)
class Section:
    """A heading with its content."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Report:
    """A whole report.

    Attributes:
        study: Name of the study, as on the command line.
        title: Heading.
        subtitle: The line under it.
        lead: The message for a reader who reads nothing else.
        sections: The rest.
        footer: Version, seeds, hash: where it came from.
    """

    study: str
    title: str
    subtitle: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]
    footer: str = field(default="")

    def figures(self) -> list[Figure]:
        """Return every figure, in order."""
        return [block for section in self.sections for block in section.blocks if isinstance(block, Figure)]

    def claims(self) -> list[Claim]:
        """Return every claim, in order."""
        blocks = [block for section in self.sections for block in section.blocks if isinstance(block, Claims)]
        return [claim for block in blocks if block.detailed for claim in block.claims]
