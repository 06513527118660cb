"""Tables of a study's report: settings, agreement with another simulator, and verdicts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ackclock.report.model import CROWDED, Section, Table, Text
from ackclock.report.text import number, signed, with_interval
from ackclock.stats.statistics import Interval, interval
from ackclock.study.agreement import AGREES, ALTERED, DIFFERS, UNDECIDED, unaltered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ackclock.report.model import Block, Claim
    from ackclock.stats.statistics import Values
    from ackclock.study.agreement import Comparison
    from ackclock.study.layout import Layout
    from ackclock.study.settings import Setting

Cell: TypeAlias = "str | Interval | Values | float | None"
"""Content of a table's cell: a text, or a value that `cell` formats."""


def sections(blocks: Mapping[str, Sequence[Block]]) -> list[Section]:
    """Return the sections of a report from a mapping of headings to blocks; sections without blocks are left out."""
    return [Section(title, tuple(some)) for title, some in blocks.items() if some]


def table(
    key: str,
    title: str,
    rows: Iterable[Mapping[str, Cell] | Sequence[Cell]],
    notes: tuple[str, ...] = (),
    text_columns: int = 1,
    columns: Sequence[str] = (),
) -> tuple[Table, ...]:
    """Return one table, or none if there are no rows. Texts are shown as they are; `cell` formats other values.

    Args:
        key: Short name of the table.
        title: Heading of the table.
        rows: Rows as mappings from heading to cell, all with the same headings; or as lists of cells if `columns` is
            given.
        notes: Lines under the table.
        text_columns: Number of columns from the left that contain text.
        columns: Headings of the columns; by default the keys of the rows.
    """
    listed = list(rows)
    if not listed:
        return ()
    cells = (row.values() if isinstance(row, Mapping) else row for row in listed)
    written = tuple(tuple(one if isinstance(one, str) else cell(one) for one in row) for row in cells)
    return (Table(key, title, tuple(columns) or tuple(map(str, listed[0])), written, notes, text_columns),)


def cell(value: Interval | Values | float | None, digits: int | None = None) -> str:
    """Return text for a table's cell: a mean with its interval, a number, or a dash for None.

    Args:
        value: An interval, a number, or the values of replications, of which the mean with its interval is shown.
        digits: Number of decimals; by default 0 for a mean and 2 for a number.
    """
    if value is None:
        return "-"
    if isinstance(value, int | float):
        return number(value, 2 if digits is None else digits)
    return with_interval(value if isinstance(value, Interval) else interval(value), digits or 0)


def settings(listed: Sequence[Setting]) -> tuple[Table, ...]:
    """Return the table of all settings with source and reason."""
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
    """Return the value for a column of a table of points; None for NaN."""
    return None if math.isnan(value) else value


def ends(name: str, value: Interval | None) -> dict[str, float | None]:
    """Return the ends of an interval as two columns of a table of points.

    `name` contains braces, in which the columns have `low` and `high`.
    """
    if value is None:
        return {name.format("low"): None, name.format("high"): None}
    return {name.format("low"): known(value.low), name.format("high"): known(value.high)}


def percent(value: Interval | Values) -> str:
    """Return a difference in percent with its interval as text; for values of replications, their mean."""
    value = value if isinstance(value, Interval) else interval(value)
    if not value.known or value.half_width == 0:
        return f"{signed(value.mean)} %"
    return f"{signed(value.mean)} % [{signed(value.low)}, {signed(value.high)}]"


@dataclass(frozen=True)
class Peer:
    """Another simulator that ran the same points, and the texts about it in the report.

    Attributes:
        name: Name of the simulator.
        sweeps: Short name of each sweep by its key, in order.
        place: Function that describes a comparison's point within its sweep; it returns an empty text for a sweep of
            one point.
        variants: Short names of variants by key, where they differ from the key.
        causes: Known causes of differences, each with a function that returns true for the points that the cause
            explains.
        digits: Number of decimals of the means.
        point: Function that describes a comparison's point in full; by default sweep and place.
    """

    name: str
    sweeps: Mapping[str, str]
    place: Callable[[Comparison], str]
    variants: Mapping[str, str]
    causes: Sequence[tuple[Callable[[Comparison], bool], str]]
    digits: int = 0
    point: Callable[[Comparison], str] | None = None

    def agreement(self, compared: Sequence[Comparison], *, brief: bool = False) -> tuple[Table, ...]:
        """Return a table of the agreeing points by sweep; `brief` leaves out the place of the largest difference."""
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
                "agree": str(outcomes[AGREES]),
                "cannot decide": str(outcomes[UNDECIDED]),
                "differ": str(outcomes[DIFFERS]),
                "largest gap": f"{signed(100 * worst.difference)} %",
            }
            at = {"at": f"{self._variant(worst)}{', ' + where if where else ''}"}
            rows.append(row if brief else row | at)
        note = self.left_out(compared)
        return table("agreement", f"Agreement with {self.name}", rows, (note,) if note else ())

    def beside(self, compared: Sequence[Comparison], note: str, *first: Block) -> tuple[Block, ...]:
        """Return the blocks of the section on this peer.

        These are `note` if any values were compared, then `first`, the table of agreement, and the differences.
        """
        said = (Text((note,)),) if unaltered(compared) else ()
        return (*said, *first, *self.agreement(compared), *self.outside(compared))

    def left_out(self, compared: Sequence[Comparison]) -> str:
        """Return a sentence on values not compared because a user changed their scenario; empty if there are none."""
        left = len(compared) - len(unaltered(compared))
        return (
            f"{left} of {len(compared)} values are left out: {self.name} did not run the changed scenario."
            if left
            else ""
        )

    def outside(self, compared: Sequence[Comparison]) -> tuple[Table | Text, ...]:
        """Return a table of the points that differ and a text with the known causes; empty if nothing was compared."""
        out = [c for c in compared if c.outcome == DIFFERS]
        if not unaltered(compared):
            return ()
        if not out:
            return (Text((f"No point differs from {self.name} by more than the tolerance.",)),)
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
        title = f"Points that differ from {self.name} by more than the tolerance"
        causes = tuple(cause for concerns, cause in self.causes if any(map(concerns, out)))
        return (*table("outside", title, rows, text_columns=2), *((Text(causes),) if causes else ()))

    def _variant(self, c: Comparison) -> str:
        return self.variants.get(c.variant, c.variant)


def sensitivity(layout: Layout, columns: Sequence[str], claims: Sequence[Claim]) -> tuple[Table | Text, ...]:
    """Return a table of the settings left open by the paper, with values tried and their effect on the verdicts."""
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
        # A second table would be as wide as the table of verdicts and only repeat it.
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
    """Return the table of verdicts, with a row per claim and a column per assumption."""
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
