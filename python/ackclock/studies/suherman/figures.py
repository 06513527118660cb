"""The study's figures: ours with intervals, ns-2's hollow, published numbers as stars; and the paper's formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ackclock.report.model import Figure, Panel, Series
from ackclock.studies.curves import means
from ackclock.studies.judge import percent_above
from ackclock.studies.suherman import peer, published
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.claims import rates
from ackclock.studies.suherman.samples import delay_ms, jitter_ms
from ackclock.studies.suherman.setups import BY_KEY
from ackclock.sweep.statistics import interval, mean

if TYPE_CHECKING:
    from ackclock.studies.suherman.claims import Metric
    from ackclock.studies.suherman.samples import Samples

_METRICS: Final = {"delay": (delay_ms, "delay_ms"), "jitter": (jitter_ms, "jitter_ms")}

_WINDOW: Final = 20.0
"""Window before the losses of Figure 5, segments: ns-2's default."""


def figures(s: Samples) -> tuple[Figure, ...]:
    """Draw every figure asked for."""
    wanted, out = set(s.data.figures), []
    runs = bool(rates(s))
    every = bool(wanted & set(BY_KEY))
    for figure, name, make in (
        ("fig2", "delay", _by_nodes),
        ("fig3", "delay", _by_k),
        ("fig6", "jitter", _by_nodes),
        ("fig7", "jitter", _by_k),
    ):
        if runs and (every or figure in wanted):
            out.append(make(s, figure, name))
    if runs and (every or "fig2" in wanted):
        out.append(_effect(s))
    if "fig4" in wanted:
        out.append(_response())
    if "fig5" in wanted:
        out.append(_windows())
    return tuple(sorted(out, key=lambda figure: figure.key))


def _hue(factor: float) -> int:
    return round(10 * factor) - 1


def _by_nodes(s: Samples, figure: str, name: str) -> Figure:
    what, quantity = _METRICS[name]
    panels = []
    for rate in rates(s):
        nodes = s.nodes(rate)
        series = []
        for factor in s.ks(rate):
            values = [s.interval(what, rate, n, factor) for n in nodes]
            dashed = factor > 0.5
            series.append(means(f"k = {factor:g}", _hue(factor), nodes, values, dashed=dashed, bars=False))
            theirs = [(n, peer.points().get((rate, n, factor, quantity))) for n in nodes]
            there = [(float(n), value.mean) for n, value in theirs if value is not None]
            places, levels = tuple(x for x, _ in there), tuple(y for _, y in there)
            series.append(Series("", _hue(factor), places, levels, kind="peer"))
        panels.append(Panel(f"{name}, ms, {BY_KEY[rate].label}", tuple(series)))
    return Figure(
        key=figure,
        title=f"Figure {figure[3:]}: {name} against the number of nodes",
        x_label="nodes",
        panels=tuple(panels),
        claim=published.CLAIMS[figure],
        notes=(
            f"Means of {_count(s)} runs; k is what a loss multiplies the window with (under the other label, read "
            "1 - k). Hollow: ns-2, 2 to 5 runs. Intervals stand in the tables.",
        ),
        alt=f"Mean {name} against the number of nodes for each k, at each rate.",
    )


def _by_k(s: Samples, figure: str, name: str) -> Figure:
    what, _ = _METRICS[name]
    reduction = published.DELAY_REDUCTION if name == "delay" else published.JITTER_REDUCTION
    absolute, relative = [], []
    for i, rate in enumerate(rates(s)):
        ks = s.ks(rate)
        averaged = {factor: s.averaged(what, rate, factor) for factor in ks}
        absolute.append(means(BY_KEY[rate].label, i, ks, [interval(averaged[x], k.LEVEL) for x in ks]))
        base = averaged[max(ks)]
        against = [interval(percent_above(averaged[x], base), k.LEVEL) for x in ks]
        relative.append(means(BY_KEY[rate].label, i, ks, against))
    star = Series("", 4, (0.1,), (-reduction,), kind="published")
    return Figure(
        key=figure,
        title=f"Figure {figure[3:]}: {name} averaged over the numbers of nodes, against k",
        x_label="k (a loss makes the window k W)",
        panels=(
            Panel(f"{name}, ms", tuple(absolute), log_y=True),
            Panel("against k = 0.9, %", (*relative, star), zero=True, height=0.8),
        ),
        claim=published.CLAIMS[figure],
        notes=(
            f"Mean of {_count(s)} runs, bars 95 % confidence intervals; below, the difference from k = 0.9, paired "
            "by seed. Star: the published reduction. Under the other label read 1 - k: left is right.",
        ),
        alt=f"Mean {name} over all numbers of nodes against k, at each rate.",
    )


def _effect(s: Samples) -> Figure:
    def panel(name: str, what: Metric, quantity: str) -> Panel:
        series = []
        for i, rate in enumerate(rates(s)):
            nodes = s.nodes(rate)
            values = [
                interval(percent_above(s.values(what, rate, n, 0.1), s.values(what, rate, n, 0.9)), k.LEVEL)
                for n in nodes
            ]
            series.append(means(BY_KEY[rate].label, i, nodes, values))
            theirs = [(float(n), peer.effect(rate, n, quantity)) for n in nodes]
            there = [(n, value) for n, value in theirs if value is not None]
            places, levels = tuple(x for x, _ in there), tuple(y for _, y in there)
            series.append(Series("", i, places, levels, kind="peer"))
        return Panel(f"{name}: k = 0.1 over 0.9, %", tuple(series), zero=True)

    return Figure(
        key="fig2_effect",
        title="Where k matters: k = 0.1 against 0.9, by the number of nodes",
        x_label="nodes",
        panels=tuple(panel(name, *metric) for name, metric in _METRICS.items()),
        notes=(
            f"Difference in percent, paired by seed, mean of {_count(s)} runs with 95 % confidence intervals. "
            "Below 0: a loss that leaves a tenth of the window makes for shorter delays than one that leaves nine "
            "tenths. Hollow: ns-2, from its means.",
        ),
        alt="Difference of delay and jitter between k = 0.1 and 0.9 against the number of nodes, at each rate.",
    )


def _response() -> Figure:
    ks = tuple(i / 20 for i in range(21))
    losses = tuple(i / 20 for i in range(20))
    return Figure(
        key="fig4",
        title="Figure 4: the paper's expected response time",
        x_label="k, or the probability of loss p",
        panels=(
            Panel(
                "B s",
                (
                    Series("l rto 2^k", 0, ks, tuple(map(published.response_time, ks)), kind="line"),
                    Series(
                        "l rto / (1 - p)",
                        1,
                        losses,
                        tuple(map(published.response_time_lossy, losses)),
                        kind="line",
                        dashed=True,
                    ),
                ),
                y_max=400.0,
            ),
        ),
        claim=published.CLAIMS["fig4"],
        notes=(
            f"Formulas, no simulation: l = {published.FLOW_B} B, rto = {1e3 * published.RTO_S:g} ms. Bytes times "
            "seconds are no time: the paper does not say what divides them.",
        ),
        alt="Expected response time against k and against the probability of loss, by the paper's formulas.",
    )


def _windows() -> Figure:
    losses = tuple(float(n) for n in range(6))

    def panel(label: str, *, swapped: bool) -> Panel:
        return Panel(
            label,
            tuple(
                Series(
                    f"k = {factor:g}",
                    _hue(factor),
                    losses,
                    tuple(_WINDOW * (1 - factor if swapped else factor) ** n for n in losses),
                    dashed=factor > 0.5,
                )
                for factor in k.KS
            ),
        )

    return Figure(
        key="fig5",
        title="Figure 5: the window after losses, by k",
        x_label="losses, with no growth between them",
        panels=(
            panel("segments: the window becomes k W", swapped=False),
            panel("segments: the window shrinks by k W", swapped=True),
        ),
        claim=published.CLAIMS["fig5"],
        notes=(
            f"Formulas, no simulation: a window of {_WINDOW:g} segments. “Small k causes significant window "
            "reduction” holds in the upper panel only.",
        ),
        alt="Window after each of five losses for each k, under both readings of k.",
    )


def _count(s: Samples) -> int:
    return round(mean([len({row.seed for row in s.data.runs if row.setup == rate}) for rate in rates(s)]))
