"""Tables that every study's report has: its settings, and how far it agrees with a peer."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from ackclock.report.model import Table, Text
from ackclock.report.text import signed, with_interval
from ackclock.studies.agreement import AGREES_INTERVAL, AGREES_TOLERANCE, DIFFERS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ackclock.studies.agreement import Comparison
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


def percent(value: Interval) -> str:
    """Write a difference in percent with its interval."""
    if math.isnan(value.half_width) or value.half_width == 0:
        return f"{signed(value.mean)} %"
    return f"{signed(value.mean)} % [{signed(value.low)}, {signed(value.high)}]"


def agreement(
    compared: Sequence[Comparison],
    sweeps: Mapping[str, str],
    place: Callable[[str, float], str],
    short: Mapping[str, str],
    *,
    brief: bool = False,
    peer: str = "ns-2",
) -> Table:
    """How many points of each sweep agree with the peer.

    Args:
        compared: The points.
        sweeps: Short name of each sweep by its key, in their order.
        place: Names a point in words.
        short: Short name of each variant by its key.
        brief: Leave out where the largest difference is.
        peer: The simulator that they are held against.
    """
    rows = []
    for key, name in sweeps.items():
        of = [c for c in compared if c.experiment == key]
        if not of:
            continue
        outcomes = Counter(c.outcome for c in of)
        worst = max(of, key=lambda c: abs(c.difference))
        where = place(worst.experiment, worst.x)
        row = (
            name,
            str(len(of)),
            str(outcomes[AGREES_INTERVAL]),
            str(outcomes[AGREES_TOLERANCE]),
            str(outcomes[DIFFERS]),
            f"{signed(100 * worst.difference)} %",
            f"{short[worst.variant]}{', ' + where if where else ''}",
        )
        rows.append(row[:-1] if brief else row)
    columns = ("sweep", "points", "in its CI", "in tolerance", "outside", "largest gap", "at")
    return Table(
        key="agreement",
        title=f"Agreement with {peer}",
        columns=columns[:-1] if brief else columns,
        rows=tuple(rows),
    )


def outside(
    compared: Sequence[Comparison],
    name: Callable[[Comparison], str],
    short: Mapping[str, str],
    causes: Sequence[str],
    digits: int = 0,
    peer: str = "ns-2",
) -> tuple[Table | Text, ...]:
    """Each point that does not agree with the peer, and the causes known.

    Args:
        compared: The points.
        name: Names a point in words.
        short: Short name of each variant by its key.
        causes: What is known of the causes, for these points.
        digits: Digits after the point of the means.
        peer: The simulator that they are held against.
    """
    out = [c for c in compared if c.outcome == DIFFERS]
    if not out:
        return (Text((f"No point lies outside {peer}'s interval and the tolerance.",)),)
    return (
        Table(
            key="outside",
            title=f"Points outside {peer}'s interval and the tolerance",
            columns=("point", "variant", "ours", peer, "difference", "chance (Welch's p)"),
            rows=tuple(
                (
                    name(c),
                    short[c.variant],
                    with_interval(c.ours, digits),
                    with_interval(c.theirs, digits),
                    f"{signed(100 * c.difference)} %",
                    "-" if c.p is None else f"{c.p:.2g}",
                )
                for c in out
            ),
            text_columns=2,
        ),
        *((Text(tuple(causes)),) if causes else ()),
    )
