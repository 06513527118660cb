"""The study's tables, from the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ackclock.report.model import Table
from ackclock.report.text import number, signed, with_interval
from ackclock.studies import tables
from ackclock.studies.abadin import peer, published
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.claims import place
from ackclock.studies.abadin.figures import over
from ackclock.studies.agreement import DIFFERS
from ackclock.studies.tables import known, percent
from ackclock.sweep.statistics import mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.report.model import Text
    from ackclock.studies.abadin.samples import Samples
    from ackclock.studies.agreement import Comparison


_NAME: Final = {
    "table1": "Table 1",
    "error": "3: error rate",
    "bandwidth": "4: bandwidth",
    "sources_q20": "6: sources, q 20",
    "sources_q50": "6: sources, q 50",
    "delay": "7: delay",
    "buffer": "8: buffer",
}
"""Short names of the sweeps, by the figure's number."""


def table1(s: Samples) -> Table:
    """Table 1: published, ours and ns-2's."""
    rows = []
    for variant in k.VARIANTS:
        same = s.interval("table1", 0, variant, jittered=False)
        theirs = peer.points()["table1", 0.0, variant]
        paper = published.TABLE1_BPS.get(variant)
        rows.append(
            (
                k.LABELS[variant],
                number(paper) if paper is not None else "-",
                with_interval(same, 2),
                number(theirs.mean),
                f"{signed(100 * (same.mean / paper - 1), 3)} %" if paper is not None else "-",
                f"{signed(100 * (same.mean / theirs.mean - 1), 3)} %",
                with_interval(s.interval("table1", 0, variant)),
            )
        )
    return Table(
        key="table1",
        title="Average throughput of both flows, bytes/s",
        columns=(
            "variant",
            "published",
            "ours",
            "ns-2",
            "ours to published",
            "ours to ns-2",
            "ours, jittered (95 % CI)",
        ),
        rows=tuple(rows),
        notes=(
            "“ours” and “ns-2” start at the same instants and have no random loss: every seed gives one "
            f"value, and there is no interval. “Jittered” moves each start by up to {k.JITTER_S:g} s, and "
            "shows how far a published value depends on the instant at which a flow happens to start.",
        ),
    )


def table1_short(s: Samples) -> Table:
    """Table 1 in 80 columns."""
    rows = []
    for variant in k.VARIANTS:
        ours = s.mean("table1", 0, variant, jittered=False)
        theirs = peer.points()["table1", 0.0, variant].mean
        paper = published.TABLE1_BPS.get(variant)
        rows.append(
            (
                k.SHORT[variant],
                number(paper) if paper is not None else "-",
                number(ours),
                number(theirs),
                f"{signed(100 * (ours / paper - 1))} %" if paper is not None else "-",
                f"{signed(100 * (ours / theirs - 1))} %",
            )
        )
    return Table(
        key="table1",
        title="Table 1: average throughput, bytes/s, identical starts",
        columns=("variant", "published", "ours", "ns-2", "to published", "to ns-2"),
        rows=tuple(rows),
    )


def header(s: Samples) -> Table:
    """How much of Vegas's lead in Table 1 is the header that ns-2's Vegas leaves out."""
    return Table(
        key="header",
        title="How far Vegas leads, and how much of it is the missing header",
        columns=("", *(f"over {k.SHORT[rival]}" for rival in k.LOSS_BASED)),
        rows=tuple(
            (k.LABELS[form], *(percent(over(s, "table1", 0, form, rival)) for rival in k.LOSS_BASED))
            for form in ("vegas", "vegas40")
        ),
        notes=(
            "Jittered starts, paired by seed, 95 % intervals. "
            "A missing header alone is worth 4 % on a full link (1040 / 1000).",
        ),
    )


def agreement(compared: Sequence[Comparison], *, brief: bool = False) -> Table:
    """How many points of each sweep agree with ns-2; `brief` leaves out where the largest difference is."""
    return tables.agreement(compared, _NAME, place, k.SHORT, brief=brief)


def outside(compared: Sequence[Comparison]) -> tuple[Table | Text, ...]:
    """Each point that does not agree with ns-2, and the causes known."""
    sweeps = {c.experiment for c in compared if c.outcome == DIFFERS}
    causes = [cause for sweep, cause in peer.CAUSES.items() if sweep in sweeps]
    return tables.outside(compared, lambda c: place(c.experiment, c.x) or "Table 1", k.SHORT, causes)


def points(s: Samples, compared: Sequence[Comparison]) -> list[dict[str, Any]]:
    """One row per point and variant: ours both ways, ns-2's, published."""
    against = {(c.experiment, c.x, c.variant): c for c in compared}
    timeouts: dict[tuple[str, float, str], list[float]] = {}
    for run in s.data.runs:
        if not run.jittered:
            timeouts.setdefault((run.experiment, run.x, run.variant), []).append(float(run.timeouts))
    rows = []
    for at in timeouts:
        jittered, same, other = s.interval(*at), s.interval(*at, jittered=False), against.get(at)
        rows.append(
            {
                "experiment": at[0],
                "x": at[1],
                "variant": at[2],
                "jittered_Bps": jittered.mean,
                "jittered_low_Bps": known(jittered.low),
                "jittered_high_Bps": known(jittered.high),
                "jittered_n": jittered.n,
                "identical_starts_Bps": same.mean,
                "identical_starts_low_Bps": known(same.low),
                "identical_starts_high_Bps": known(same.high),
                "identical_starts_n": same.n,
                "identical_starts_timeouts": mean(timeouts[at]),
                "ns2_Bps": other.theirs.mean if other else None,
                "ns2_low_Bps": other.theirs.low if other else None,
                "ns2_high_Bps": other.theirs.high if other else None,
                "difference_from_ns2": other.difference if other else None,
                "agreement": other.outcome if other else None,
                "published_Bps": published.TABLE1_BPS.get(at[2]) if at[0] == "table1" else None,
            }
        )
    return rows
