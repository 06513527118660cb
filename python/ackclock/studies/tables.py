"""Tables that every study's report has: its settings, and how far it agrees with a peer."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.report.model import Table, Text
from ackclock.report.text import signed, with_interval
from ackclock.studies.agreement import AGREES_INTERVAL, AGREES_TOLERANCE, DIFFERS, UNDECIDED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ackclock.report.model import Claim
    from ackclock.studies.agreement import Comparison
    from ackclock.studies.layout import Layout
    from ackclock.studies.settings import Setting
    from ackclock.sweep.statistics import Interval


def settings(listed: Sequence[Setting]) -> Table:
    """Every setting, who stated it, and why it is what it is."""
    return Table(
        key="settings",
        title="",
        columns=("what", "value", "stated by", "reason"),
        rows=tuple(
            (x.name, x.value, "the paper" if x.source == "paper" else "left open", x.reason) for x in listed
        ),
        text_columns=4,
    )


def known(value: float) -> float | None:
    """A number for a table of points; nothing where there is none."""
    return None if math.isnan(value) else value


def ends(name: str, value: Interval | None) -> dict[str, float | None]:
    """The ends of an interval for a table of points, as columns whose names hold `low` or `high` in braces."""
    if value is None:
        return {name.format("low"): None, name.format("high"): None}
    return {name.format("low"): known(value.low), name.format("high"): known(value.high)}


def percent(value: Interval) -> str:
    """Write a difference in percent with its interval."""
    if math.isnan(value.half_width) or value.half_width == 0:
        return f"{signed(value.mean)} %"
    return f"{signed(value.mean)} % [{signed(value.low)}, {signed(value.high)}]"


@dataclass(frozen=True)
class Peer:
    """Another simulator that ran the same points, and how the report names what was held against it.

    Attributes:
        name: Its name.
        sweeps: Short name of each sweep by its key, in their order.
        place: Names a point of a sweep in words; empty where the sweep is one point.
        variants: Short name of each variant by its key, where that is another one.
        causes: What is known of the causes of differences, each with the points that it is said of.
        digits: Digits after the point of the means.
        point: Names a point by itself; its sweep and place where None.
    """

    name: str
    sweeps: Mapping[str, str]
    place: Callable[[Comparison], str]
    variants: Mapping[str, str]
    causes: Sequence[tuple[Callable[[Comparison], bool], str]]
    digits: int = 0
    point: Callable[[Comparison], str] | None = None

    def agreement(self, compared: Sequence[Comparison], *, brief: bool = False) -> Table:
        """How many points of each sweep agree; `brief` leaves out where the largest difference is."""
        rows = []
        for key, name in self.sweeps.items():
            of = [c for c in compared if c.experiment == key]
            if not of:
                continue
            outcomes = Counter(c.outcome for c in of)
            worst = max(of, key=lambda c: abs(c.difference))
            where = self.place(worst)
            row = (
                name,
                str(len(of)),
                str(outcomes[AGREES_INTERVAL]),
                str(outcomes[AGREES_TOLERANCE]),
                str(outcomes[UNDECIDED]),
                str(outcomes[DIFFERS]),
                f"{signed(100 * worst.difference)} %",
                f"{self._variant(worst)}{', ' + where if where else ''}",
            )
            rows.append(row[:-1] if brief else row)
        columns = (
            "sweep",
            "points",
            "in its CI",
            "in tolerance",
            "CI too wide",
            "outside",
            "largest gap",
            "at",
        )
        title = f"Agreement with {self.name}"
        return Table("agreement", title, columns[:-1] if brief else columns, tuple(rows))

    def outside(self, compared: Sequence[Comparison]) -> tuple[Table | Text, ...]:
        """Each point that does not agree, and the causes known."""
        out = [c for c in compared if c.outcome == DIFFERS]
        if not out:
            return (Text((f"No point lies outside {self.name}'s interval and the tolerance.",)),)
        point = self.point or (lambda c: f"{self.sweeps[c.experiment]}, {self.place(c)}")
        rows = [
            (
                point(c),
                self._variant(c),
                with_interval(c.ours, self.digits),
                with_interval(c.theirs, self.digits),
                f"{signed(100 * c.difference)} %",
                "-" if c.p is None else f"{c.p:.2g}",
            )
            for c in out
        ]
        table = Table(
            key="outside",
            title=f"Points outside {self.name}'s interval and the tolerance",
            columns=("point", "variant", "ours", self.name, "difference", "chance (Welch's p)"),
            rows=tuple(rows),
            text_columns=2,
        )
        causes = tuple(cause for concerns, cause in self.causes if any(map(concerns, out)))
        return (table, Text(causes)) if causes else (table,)

    def _variant(self, c: Comparison) -> str:
        return self.variants.get(c.variant, c.variant)


def sensitivity(layout: Layout, columns: Sequence[str], claims: Sequence[Claim]) -> tuple[Table | Text, ...]:
    """Every setting that the paper leaves open, what else was run of it, and whether verdicts hang on the columns."""
    rows = [
        (x.name, x.value, layout.tried.get(x.name, "nothing else"))
        for x in layout.settings.rows
        if x.source != "paper"
    ]
    listed = Table(
        key="sensitivity",
        title="Settings that the paper leaves open",
        columns=("what", "taken", "tried beside it"),
        rows=tuple(rows),
        text_columns=3,
    )
    judged = [claim for claim in claims if sum(j is not None for j in claim.judgements) > 1]
    if len(columns) < 2 or not judged:
        return (listed,)
    moved = [claim for claim in judged if len({j.verdict for j in claim.judgements if j is not None}) > 1]
    said = f"{len(judged) - len(moved)} of {len(judged)} claims get the same verdict in every column that judges them"
    table = Table(
        key="moved",
        title="Claims whose verdict hangs on the column",
        columns=("claim", *columns),
        rows=tuple(
            (
                f"{claim.figure}: {claim.text}",
                *("-" if j is None else j.verdict.value for j in claim.judgements),
            )
            for claim in moved
        ),
        text_columns=1 + len(columns),
    )
    return (
        listed,
        Text((f"{said}{'; the others are listed' if moved else ''}.",)),
        *((table,) if moved else ()),
    )
