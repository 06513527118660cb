"""Tables that every study's report has: its settings, and its agreement with a peer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ackclock.report.model import CROWDED, Section, Table, Text
from ackclock.report.text import number, signed, with_interval
from ackclock.stats.statistics import Interval, interval
from ackclock.study.agreement import AGREES_INTERVAL, AGREES_TOLERANCE, ALTERED, DIFFERS, UNDECIDED, unaltered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ackclock.report.model import Block, Claim
    from ackclock.stats.statistics import Values
    from ackclock.study.agreement import Comparison
    from ackclock.study.layout import Layout
    from ackclock.study.settings import Setting

Cell: TypeAlias = "str | Interval | Values | float | None"
"""The content of a cell of a table: a text, or what `cell` writes."""


def sections(blocks: Mapping[str, Sequence[Block]]) -> list[Section]:
    """Return the sections of a report by heading; those without blocks are left out."""
    return [Section(title, tuple(some)) for title, some in blocks.items() if some]


def table(
    key: str,
    title: str,
    rows: Iterable[Mapping[str, Cell] | Sequence[Cell]],
    notes: tuple[str, ...] = (),
    text_columns: int = 1,
    columns: Sequence[str] = (),
) -> tuple[Table, ...]:
    """Return a table; none without rows. A text stays as it is; `cell` writes any other value.

    Args:
        key: Its short name.
        title: Its heading.
        rows: Rows with their cells by heading, all of them the same headings; or the cells alone, with `columns`.
        notes: Lines under it.
        text_columns: Columns from the left that hold words.
        columns: The headings; those of the rows if empty.
    """
    listed = list(rows)
    if not listed:
        return ()
    cells = (row.values() if isinstance(row, Mapping) else row for row in listed)
    written = tuple(tuple(one if isinstance(one, str) else cell(one) for one in row) for row in cells)
    return (Table(key, title, tuple(columns) or tuple(map(str, listed[0])), written, notes, text_columns),)


def cell(value: Interval | Values | float | None, digits: int | None = None) -> str:
    """Write a mean with its interval, or a number; a dash if there is none.

    Args:
        value: The mean, the number, or the values of replications, whose mean is written.
        digits: Digits after the point; unless given, none of a mean and two of a number.
    """
    if value is None:
        return "-"
    if isinstance(value, int | float):
        return number(value, 2 if digits is None else digits)
    return with_interval(value if isinstance(value, Interval) else interval(value), digits or 0)


def settings(listed: Sequence[Setting]) -> tuple[Table, ...]:
    """Return every setting, with its source and its reason."""
    rows = (
        {
            "what": x.name,
            "value": x.value,
            "stated by": "the paper" if x.source == "paper" else "left open",
            "reason": x.reason,
        }
        for x in listed
    )
    return table("settings", "", rows, text_columns=4)


def known(value: float) -> float | None:
    """Return a number for a table of points; None if it is not a number."""
    return None if math.isnan(value) else value


def ends(name: str, value: Interval | None) -> dict[str, float | None]:
    """Return the ends of an interval for a table of points, as columns whose names hold `low` or `high` in braces."""
    if value is None:
        return {name.format("low"): None, name.format("high"): None}
    return {name.format("low"): known(value.low), name.format("high"): known(value.high)}


def percent(value: Interval | Values) -> str:
    """Write a difference in percent with its interval, also that of the values of replications."""
    value = value if isinstance(value, Interval) else interval(value)
    if not value.known or value.half_width == 0:
        return f"{signed(value.mean)} %"
    return f"{signed(value.mean)} % [{signed(value.low)}, {signed(value.high)}]"


@dataclass(frozen=True)
class Peer:
    """Another simulator that ran the same points, and the words for it in the report.

    Attributes:
        name: Its name.
        sweeps: Short name of each sweep by its key, in their order.
        place: Names a point of a sweep in words; empty if the sweep is one point.
        variants: Short name of each variant by its key, where that is another one.
        causes: The known causes of differences, each with the points that it explains.
        digits: Digits after the point of the means.
        point: Names a point by itself; its sweep and place if None.
    """

    name: str
    sweeps: Mapping[str, str]
    place: Callable[[Comparison], str]
    variants: Mapping[str, str]
    causes: Sequence[tuple[Callable[[Comparison], bool], str]]
    digits: int = 0
    point: Callable[[Comparison], str] | None = None

    def agreement(self, compared: Sequence[Comparison], *, brief: bool = False) -> tuple[Table, ...]:
        """Return the number of points of each sweep that agree; `brief` leaves out the largest difference's place."""
        rows = []
        for key, name in self.sweeps.items():
            of = [c for c in compared if c.experiment == key]
            if not of:
                continue
            outcomes = Counter(c.outcome for c in of)
            if outcomes[ALTERED] == len(of):
                continue
            worst = max(unaltered(of), key=lambda c: abs(c.difference))
            where = self.place(worst)
            row = {
                "sweep": name,
                "points": str(len(unaltered(of))),
                "in its CI": str(outcomes[AGREES_INTERVAL]),
                "in tolerance": str(outcomes[AGREES_TOLERANCE]),
                "CI too wide": str(outcomes[UNDECIDED]),
                "outside": str(outcomes[DIFFERS]),
                "largest gap": f"{signed(100 * worst.difference)} %",
            }
            at = {"at": f"{self._variant(worst)}{', ' + where if where else ''}"}
            rows.append(row if brief else row | at)
        note = self.left_out(compared)
        return table("agreement", f"Agreement with {self.name}", rows, (note,) if note else ())

    def beside(self, compared: Sequence[Comparison], note: str, *first: Block) -> tuple[Block, ...]:
        """Return the blocks under "Beside ...": a note if anything is compared, more blocks, agreement, differences."""
        said = (Text((note,)),) if unaltered(compared) else ()
        return (*said, *first, *self.agreement(compared), *self.outside(compared))

    def left_out(self, compared: Sequence[Comparison]) -> str:
        """Return a sentence on values not compared because a user changed their scenario; empty if none."""
        left = len(compared) - len(unaltered(compared))
        return (
            f"{left} of {len(compared)} values are left out: {self.name} did not run the changed scenario."
            if left
            else ""
        )

    def outside(self, compared: Sequence[Comparison]) -> tuple[Table | Text, ...]:
        """Return each point that does not agree, and the known causes."""
        out = [c for c in compared if c.outcome == DIFFERS]
        if not unaltered(compared):
            return ()
        if not out:
            return (Text((f"No point lies outside {self.name}'s interval and the tolerance.",)),)
        point = self.point or (lambda c: f"{self.sweeps[c.experiment]}, {self.place(c)}")
        rows = (
            {
                "point": point(c),
                "variant": self._variant(c),
                "ours": with_interval(c.ours, self.digits),
                self.name: with_interval(c.theirs, self.digits),
                "difference": percent(c.percent),
                "chance (Welch's p)": "-" if c.p is None else f"{c.p:.2g}",
            }
            for c in out
        )
        title = f"Points outside {self.name}'s interval and the tolerance"
        causes = tuple(cause for concerns, cause in self.causes if any(map(concerns, out)))
        return (*table("outside", title, rows, text_columns=2), *((Text(causes),) if causes else ()))

    def _variant(self, c: Comparison) -> str:
        return self.variants.get(c.variant, c.variant)


def sensitivity(layout: Layout, columns: Sequence[str], claims: Sequence[Claim]) -> tuple[Table | Text, ...]:
    """Return every setting that the paper leaves open, with the values tried and their effect on the verdicts."""
    rows = (
        {"what": x.name, "taken": x.value, "tried beside it": layout.tried.get(x.name, "nothing else")}
        for x in layout.settings.rows
        if x.source != "paper"
    )
    listed = table("sensitivity", "Settings that the paper leaves open", rows, text_columns=3)
    judged = [claim for claim in claims if sum(j is not None for j in claim.judgements) > 1]
    if len(columns) < 2 or not judged:
        return listed
    moved = [claim for claim in judged if len({j.verdict for j in claim.judgements if j is not None}) > 1]
    said = f"{len(judged) - len(moved)} of {len(judged)} claims get the same verdict in every column that judges them"
    if len(columns) > CROWDED:
        # A second table as wide as the first would only repeat it.
        others = "; “Verdicts on the paper's claims” shows where the others differ" if moved else ""
        return (*listed, Text((f"{said}{others}.",)))
    title = "Claims whose verdict hangs on the column"
    return (
        *listed,
        Text((f"{said}{'; the others are listed' if moved else ''}.",)),
        *verdicts("moved", title, columns, moved),
    )


def verdicts(
    key: str, title: str, columns: Sequence[str], claims: Sequence[Claim], notes: tuple[str, ...] = ()
) -> tuple[Table, ...]:
    """Return the verdict on each claim under each column."""
    rows = (
        {
            "claim": f"{claim.figure}: {claim.text}",
            **{
                column: "-" if judgement is None else judgement.verdict.value
                for column, judgement in zip(columns, claim.judgements, strict=True)
            },
        }
        for claim in claims
    )
    return table(key, title, rows, notes, text_columns=1 + len(columns))
