"""The study's figures: our means with intervals, ns-2's as hollow marks, published numbers as stars, and formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import ackclock.study as st
from ackclock.studies.suherman import published
from ackclock.studies.suherman import settings as k
from ackclock.studies.suherman.results import QUANTITIES, Results
from ackclock.studies.suherman.setups import BY_KEY, FOUND, RATES, WINDOW

_SHOWN: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
"""The values of k in Figure 5; the tables have all values."""

_CURVES: Final = (0.1, 0.5, 0.9)
"""The values of k whose curves are drawn against the number of nodes. With more curves the reader would not see that
curves coincide if k has no effect."""

_TIMEOUTS: Final = " (ns-2's timeouts)"
"""Suffix of the names of the networks that ns-2 ran; the note under their figure explains it."""


def figures(s: Results) -> tuple[st.Figure, ...]:
    """Return the requested figures; if a rate is requested, all figures that its runs allow."""
    out = []
    every = bool(s.figures & set(BY_KEY))
    for figure, quantity, make in (
        ("fig2", "delay_ms", _by_nodes),
        ("fig3", "delay_ms", _by_k),
        ("fig6", "jitter_ms", _by_nodes),
        ("fig7", "jitter_ms", _by_k),
    ):
        if s.rates and (every or figure in s.figures):
            out.append(make(s, figure, quantity))
    if s.rates and (every or "fig2" in s.figures):
        out.append(_effect(s))
    if "fig4" in s.figures:
        out.append(_response())
    if "fig5" in s.figures:
        out.append(_windows(s))
    if "beside" in s.figures or every:
        out += _beside_ns2(s)
    return tuple(sorted(out, key=lambda figure: figure.key))


def _by_nodes(s: Results, figure: str, quantity: str) -> st.Figure:
    name = QUANTITIES[quantity]
    drawn = [rate for rate in s.rates if not BY_KEY[rate].every]
    added = list(dict.fromkeys(point[2] for point in s.without_k))

    def panel(rate: str) -> st.Panel:
        series = _against_nodes(s, rate, quantity)
        for hue, variant in enumerate(added, len(_SHOWN)):
            values = [s.beside(quantity, rate, n, variant) for n in s.nodes(rate)]
            series.append(st.curves.means(st.written(variant), hue, s.nodes(rate), values, bars=False))
        return st.Panel(f"{name} (ms)\n{BY_KEY[rate].label}", tuple(series))

    return k.TEXT.figure(
        "by_nodes",
        map(panel, drawn),
        key=figure,
        drawn={"counts": True},
        published=figure,
        figure=figure[3:],
        name=name,
        counts=_counts(s, drawn),
    )


def _against_nodes(s: Results, setup: str, quantity: str) -> list[st.Series]:
    """Return curves of a quantity against the number of nodes, one for each k that is drawn."""
    nodes = s.nodes(setup)
    series = []
    for factor in (factor for factor in s.ks(setup) if factor in _CURVES):
        ours = [s.interval(quantity, setup, n, factor) for n in nodes]
        theirs = [(n, st.curves.mean_of(s.peer(setup, n, factor, quantity))) for n in nodes]
        hue = _SHOWN.index(factor)
        series.append(st.curves.means(f"k = {factor:g}", hue, nodes, ours))
        if BY_KEY[setup].peer is not None:
            series.append(st.curves.points("peer", hue, theirs))
    return series


def _beside_ns2(s: Results) -> list[st.Figure]:
    """Return figures of delay and jitter against the number of nodes, for networks that ns-2 ran with several sizes."""
    setups = [setup for setup in s.setups if BY_KEY[setup].peer is not None and len(s.nodes(setup)) > 1]

    def panel(setup: str, quantity: str) -> st.Panel:
        where = BY_KEY[setup].label.removesuffix(_TIMEOUTS)
        return st.Panel(f"{QUANTITIES[quantity]} (ms)\n{where}", tuple(_against_nodes(s, setup, quantity)))

    return [
        k.TEXT.figure(
            "beside_ns2",
            [panel(setup, quantity) for setup in setups],
            key=f"ns2_{name}",
            drawn={"counts": True},
            name=name,
        )
        for quantity, name in QUANTITIES.items()
        if setups
    ]


def _by_k(s: Results, figure: str, quantity: str) -> st.Figure:
    name = QUANTITIES[quantity]
    reduction = published.DELAY_REDUCTION if name == "delay" else published.JITTER_REDUCTION
    absolute: dict[str, list[st.Series]] = {}
    relative = []
    for column in s.columns:
        setup, ks = BY_KEY[column], s.ks(column)
        averaged = [s.averaged(quantity, column, factor) for factor in ks]
        against = [st.interval(st.percent_above(values, averaged[-1])) for values in averaged]
        relative.append(_column(column, ks, against))
        if not setup.found:
            absolute.setdefault(place(column), []).append(_column(column, ks, [*map(st.interval, averaged)]))
    star = st.curves.points("published", len(_COLOURS), [(0.1, -reduction)])
    panels = [
        st.Panel(f"{name} (ms)\n{label}", tuple(some), from_zero=False, height=0.6)
        for label, some in absolute.items()
    ]
    return k.TEXT.figure(
        "by_k",
        (*panels, st.Panel("difference\nfrom k = 0.9 (%)", (*relative, star), zero=True, height=1.2)),
        key=figure,
        published=figure,
        figure=figure[3:],
        name=name,
        counts=_counts(s, s.columns),
    )


_COLOURS: Final = tuple(dict.fromkeys(setup.rate for setup in (*RATES, *FOUND)))
"""The rates; a rate's position is the number of its colour."""


def _column(column: str, x: Sequence[float], values: Sequence[st.Interval]) -> st.Series:
    """Return the curve of one network in the colour of its rate; the rate's second network has a dashed curve."""
    setup = BY_KEY[column]
    dashed = setup.pairs or (setup.every and not setup.found)
    return st.curves.means(setup.label, _COLOURS.index(setup.rate), x, values, dashed=dashed)


def place(column: str) -> str:
    """Return a network's name for a sentence: its label without the part in brackets."""
    return BY_KEY[column].label.partition(" (")[0]


def _effect(s: Results) -> st.Figure:
    def panel(quantity: str, name: str) -> st.Panel:
        series = []
        for column in s.columns:
            nodes = s.nodes(column)
            series.append(_column(column, nodes, [st.interval(s.effect(quantity, column, n)) for n in nodes]))
        return st.Panel(f"{name}: k = 0.1\nminus k = 0.9 (%)", tuple(series), zero=True)

    return k.TEXT.figure(
        "fig2_effect",
        tuple(panel(*quantity) for quantity in QUANTITIES.items()),
        drawn={"counts": True},
        counts=_counts(s, s.columns),
    )


def _response() -> st.Figure:
    ks, losses = (tuple(i / 20 for i in range(n)) for n in (21, 16))
    of_k, of_loss = map(published.response_time, ks), map(published.response_time_lossy, losses)
    lines = (
        st.Series("l rto 2^k", 0, ks, tuple(of_k), kind="line"),
        st.Series("l rto / (1 - p)", 1, losses, tuple(of_loss), kind="line", dashed=True),
    )
    return k.TEXT.figure(
        "fig4",
        (st.Panel("B s", lines),),
        published="fig4",
        flow_b=published.FLOW_B,
        rto_s=1000.0 * published.RTO_S,
    )


def _windows(s: Results) -> st.Figure:
    losses = tuple(float(n) for n in range(k.LOSSES + 1))

    def formula(label: str, left: Callable[[float], float]) -> st.Panel:
        curves = (
            st.Series(f"k = {x:g}", hue, losses, tuple(k.WINDOW * left(x) ** n for n in losses))
            for hue, x in enumerate(_SHOWN)
        )
        return st.Panel(label, tuple(curves))

    simulated = []
    for hue, x in enumerate(_SHOWN):
        after = [s.windows.interval("window", *point) for point in s.windows if point[0] == x]
        if len(after) == len(losses):
            simulated.append(st.curves.means(f"k = {x:g}", hue, losses, after))
    panels = [formula("segments, k W", lambda x: x)]
    if simulated:
        panels.append(st.Panel("segments, simulated", tuple(simulated)))
    return k.TEXT.figure(
        "fig5",
        (*panels, formula("segments, (1 - k) W", lambda x: 1 - x)),
        drawn={"counts": True},
        published="fig5",
        label=WINDOW.label,
    )


def _counts(s: Results, columns: Sequence[str]) -> str:
    """Return the number of runs per point as text: "20 runs", or "20 (54 Mb/s) and 10 runs (54 Mb/s (every cut))"."""
    found = s.counts(columns)
    if len(found) == 1:
        return f"{next(iter(found))} runs"
    few, many = min(found), max(found)
    every = all(BY_KEY[column].every for column in found[few])
    return f"{many} runs ({few} {'if k scales every cut' if every else 'in some columns'})"
