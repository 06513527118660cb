"""The study's tables, from the data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from ackclock.report.model import Table, Text
from ackclock.report.text import number, signed, with_interval
from ackclock.studies import tables
from ackclock.studies.agreement import DIFFERS
from ackclock.studies.judge import percent_above
from ackclock.studies.suherman import peer, published
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.claims import LABELS, fall, rates
from ackclock.studies.suherman.samples import (
    cuts,
    delay_ms,
    delivered_percent,
    jitter_ms,
    loss_percent,
    timeouts,
    write_delay_ms,
)
from ackclock.studies.suherman.setups import BY_KEY, RATES
from ackclock.studies.tables import known, percent
from ackclock.sweep.statistics import interval, mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.agreement import Comparison
    from ackclock.studies.suherman.claims import Metric
    from ackclock.studies.suherman.samples import Samples

_QUANTITIES: Final[dict[str, Metric]] = {"delay_ms": delay_ms, "jitter_ms": jitter_ms}
"""What is held against ns-2, and how we measure it."""

_NAMES: Final = {"delay_ms": "delay", "jitter_ms": "jitter"}


def reductions(s: Samples) -> Table:
    """The published reductions beside ours, under both labels of k."""
    rows = []
    for name, what, paper in (
        ("delay", delay_ms, published.DELAY_REDUCTION),
        ("jitter", jitter_ms, published.JITTER_REDUCTION),
    ):
        for label in LABELS:
            cells = [percent(interval(fall(s, what, rate, label), k.LEVEL)) for rate in rates(s)]
            rows.append((name, label.words, f"{signed(paper)} %", *cells))
    return Table(
        key="reductions",
        title="Reduction from k = 0.9 to 0.1, averaged over the numbers of nodes",
        columns=("", "k means", "published", *(BY_KEY[rate].label for rate in rates(s))),
        rows=tuple(rows),
        notes=(
            "Percent of the mean at k = 0.9, paired by seed, with 95 % intervals; above 0: less at k = 0.1.",
        ),
        text_columns=2,
    )


def effect(s: Samples, setup: str) -> Table:
    """Where k matters at one rate: by the number of nodes, with the load."""
    ks = s.ks(setup)
    rows = []
    for n in s.nodes(setup):
        low, high = (s.values(delay_ms, setup, n, factor) for factor in (ks[0], ks[-1]))
        rows.append(
            (
                str(n),
                *(with_interval(s.interval(delay_ms, setup, n, factor), 1) for factor in _shown(ks)),
                percent(interval(percent_above(low, high), k.LEVEL)),
                percent(
                    interval(
                        percent_above(
                            s.values(jitter_ms, setup, n, ks[0]), s.values(jitter_ms, setup, n, ks[-1])
                        ),
                        k.LEVEL,
                    )
                ),
                *(
                    number(mean([mean(s.values(what, setup, n, factor)) for factor in ks]), digits)
                    for what, digits in (
                        (write_delay_ms, 0),
                        (loss_percent, 2),
                        (delivered_percent, 1),
                        (cuts, 1),
                        (timeouts, 1),
                    )
                ),
            )
        )
    return Table(
        key=f"effect-{setup}",
        title=f"By the number of nodes: {BY_KEY[setup].label}",
        columns=(
            "nodes",
            *(f"delay, ms, k = {factor:g}" for factor in _shown(ks)),
            f"delay: k = {ks[0]:g} over {ks[-1]:g}",
            f"jitter: k = {ks[0]:g} over {ks[-1]:g}",
            "from the write, ms",
            "loss, %",
            "delivered, %",
            "fast retransmits",
            "timeouts",
        ),
        rows=tuple(rows),
        notes=(
            "Means with 95 % intervals; differences paired by seed. The last five columns are means over all k: "
            "the time from the write to the delivery in order, segments that never arrived, what was delivered of "
            "what was written, and cuts for each flow (k scales those after a fast retransmit).",
        ),
    )


def _shown(ks: Sequence[float]) -> tuple[float, ...]:
    return (ks[0], ks[len(ks) // 2], ks[-1])


def beside(s: Samples) -> tuple[Table, ...]:
    """What else the text leaves open, at 11 Mb/s."""
    rows = []
    for setup in s.setups():
        if setup in (rate.key for rate in RATES):
            continue
        for n in s.nodes(setup):
            low, high = (s.values(delay_ms, setup, n, factor) for factor in (0.1, 0.9))
            jitters = [s.values(jitter_ms, setup, n, factor) for factor in (0.1, 0.9)]
            rows.append(
                (
                    BY_KEY[setup].label,
                    str(n),
                    with_interval(interval(low, k.LEVEL), 1),
                    with_interval(interval(high, k.LEVEL), 1),
                    percent(interval(percent_above(low, high), k.LEVEL)),
                    percent(interval(percent_above(jitters[0], jitters[1]), k.LEVEL)),
                    number(mean(s.values(loss_percent, setup, n, 0.9)), 2),
                )
            )
    if not rows:
        return ()
    return (
        Table(
            key="beside",
            title="Other readings at 11 Mb/s",
            columns=(
                "network",
                "nodes",
                "delay, ms, k = 0.1",
                "delay, ms, k = 0.9",
                "delay: k = 0.1 over 0.9",
                "jitter: k = 0.1 over 0.9",
                "loss, %, k = 0.9",
            ),
            rows=tuple(rows),
            notes=("Means with 95 % intervals; differences paired by seed.",),
        ),
    )


def contradictions() -> Table:
    """What contradicts itself in the published text."""
    factor = published.response_time(0.9) / published.response_time(0.1)
    least = published.FLOW_B * published.RTO_S
    packets = 11e6 / 8 / (k.SEGMENT_B + 40)
    rows = (
        (
            "r' = l rto 2^k “confirms the simulation results”",
            f"from k = 0.9 to 0.1 the formula falls by {100 * (1 - 1 / factor):.1f} %, the simulation by "
            f"{published.DELAY_REDUCTION:g} %",
        ),
        (
            "r' for a loss with decrement rate k",
            f"at k = 0 it is l rto ({least:g} B s), the response time without loss; p of the first formula is gone",
        ),
        (
            "k reduces the window to 0.1 ... 0.9 of it; a “decrement rate” of 0.1 ... 0.9",
            "the same words name the factor that stays and the share that goes; only the first fits “small k causes "
            "significant window reduction”",
        ),
        (
            "k >= log2(sum(1/rto) / C)",
            f"20 flows with rto = 100 ms send 200 of the {packets:.0f} packets a second that 11 Mb/s could carry: "
            f"the bound is {math.log2(200 / packets):.1f}, and binds nothing",
        ),
        (
            "every station hears every other, with a range of 1000 m in a square of 1000 m",
            "its diagonal is 1414 m",
        ),
        ("64-QAM, and delays that differ with k", "at 54 Mb/s 20 flows of 300 kb/s load the channel little"),
    )
    return Table(
        key="contradictions",
        title="",
        columns=("published", "what is the matter"),
        rows=rows,
        text_columns=2,
    )


def comparisons(s: Samples) -> list[Comparison]:
    """Hold every delay and jitter that ns-2 measured against ours."""
    found = [
        peer.compare(setup, n, factor, quantity, s.interval(what, setup, n, factor))
        for setup in s.setups()
        for n in s.nodes(setup)
        for factor in s.ks(setup)
        for quantity, what in _QUANTITIES.items()
    ]
    return [c for c in found if c is not None]


def agreement(s: Samples, compared: Sequence[Comparison], *, brief: bool = False) -> Table:
    """How many values agree with ns-2; `brief` leaves out where the largest difference is."""
    sweeps = {
        f"{setup} {quantity}": f"{BY_KEY[setup].label}: {name}"
        for setup in s.setups()
        for quantity, name in _NAMES.items()
    }
    ks = {c.variant: c.variant for c in compared}
    return tables.agreement(compared, sweeps, lambda _, x: f"{x:g} nodes", ks, brief=brief)


def outside(compared: Sequence[Comparison]) -> tuple[Table | Text, ...]:
    """Each value that does not agree with ns-2, and the causes known."""
    setups = {c.experiment for c in compared if c.outcome == DIFFERS}
    causes = [cause for key, cause in peer.CAUSES.items() if any(key in one for one in setups)]
    ks = {c.variant: c.variant for c in compared}
    return tables.outside(compared, _name, ks, causes, 1)


def _name(c: Comparison) -> str:
    setup, quantity = c.experiment.split()
    return f"{BY_KEY[setup].label}, {c.x:g} nodes: {_NAMES[quantity]}"


def signs(s: Samples) -> tuple[Table, ...]:
    """The sign of the effect of k beside ns-2's."""
    rows = []
    for setup in s.setups():
        for n in s.nodes(setup):
            theirs = peer.effect(setup, n, "delay_ms")
            if theirs is None or n < 10:
                continue
            values = percent_above(s.values(delay_ms, setup, n, 0.1), s.values(delay_ms, setup, n, 0.9))
            rows.append(
                (
                    f"{BY_KEY[setup].label}, {n} nodes",
                    percent(interval(values, k.LEVEL)),
                    f"{signed(theirs)} %",
                    "same" if mean(values) * theirs > 0 else "other",
                )
            )
    if not rows:
        return ()
    return (
        Table(
            key="signs",
            title="Delay at k = 0.1 over 0.9",
            columns=("where", "ours", "ns-2", "sign"),
            rows=tuple(rows),
            notes=("ns-2's are differences of its means over 2 to 5 seeds.",),
        ),
    )


def points(s: Samples) -> list[dict[str, Any]]:
    """One row per network, number of nodes and k."""
    rows = []
    for setup in s.setups():
        for n in s.nodes(setup):
            for factor in s.ks(setup):
                row: dict[str, Any] = {"setup": setup, "nodes": n, "k": factor}
                for quantity, what in (*_QUANTITIES.items(), ("write_delay_ms", write_delay_ms)):
                    ours = s.interval(what, setup, n, factor)
                    theirs = peer.points().get((setup, n, factor, quantity))
                    row |= {
                        quantity: known(ours.mean),
                        f"{quantity}_low": known(ours.low),
                        f"{quantity}_high": known(ours.high),
                        f"{quantity}_n": ours.n,
                        f"{quantity}_ns2": theirs.mean if theirs is not None else None,
                    }
                for name, other in (("loss_percent", loss_percent), ("delivered_percent", delivered_percent)):
                    row[name] = mean(s.values(other, setup, n, factor))
                rows.append(row)
    return rows


def lead(s: Samples) -> tuple[str, ...]:
    """The published reductions beside ours, in a sentence."""
    said = []
    for rate in rates(s):
        delays, jitters = (
            percent(interval(fall(s, what, rate, LABELS[0]), k.LEVEL)) for what in (delay_ms, jitter_ms)
        )
        said.append(f"{BY_KEY[rate].label}, delay {delays} and jitter {jitters}")
    if not said:
        return ()
    return (
        "Reduction from k = 0.9 to 0.1 where the window becomes k W (published: delay "
        f"{published.DELAY_REDUCTION:g} %, jitter {published.JITTER_REDUCTION:g} %): {'; '.join(said)}. Under the "
        "other label the signs are the opposite.",
    )
