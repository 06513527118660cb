"""The study's figures, from the data: ours with intervals, ns-2's hollow, published numbers as stars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import ackclock.study as st
from ackclock.studies.huang import peer
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.experiments import EXPERIMENTS, Experiment
from ackclock.studies.huang.results import Results

WESTWOODS: Final = (
    "westwood",
    "tcpw-i",
    "tcpw-i-round",
    "tcpw-i-smoothed",
    "tcp-linux-westwood",
    "tcp-linux-tcpw-i",
    "gateway",
    "gateway-window",
)
"""Curves in the panels of Westwood and TCPW-I."""

OTHERS: Final = ("reno", "newreno", "sack", "cubic", "westwood", "tcpw-i")
"""Curves in the panels of the others, with TCPW and TCPW-I for comparison."""

_RTTC: Final = ("tcpw-i-round", "tcpw-i-smoothed")
"""TCPW-I with RTTc other than in the text."""

_TCPWI: Final = ("tcpw-i", *_RTTC, "tcp-linux-tcpw-i")
"""TCPW-I end to end."""

_GATEWAYS: Final = ("gateway", "gateway-window")
"""TCPW-I behind a gateway."""

_ESTIMATING: Final = tuple(curve for curve in WESTWOODS if not k.curve(curve).gateway)
"""Curves with an estimate of bandwidth, end to end."""


_SINGLE_RUNS: Final = ("westwood", "tcpw-i")
"""Curves whose first run is drawn behind the means of Figures 4 and 6."""


def figures(s: Results) -> tuple[st.Figure, ...]:
    """Draw every figure asked for."""
    out: list[st.Figure] = []
    for instant, average, set_up in (
        ("fig4", "fig5", "all links 10 Mb/s, 10 ms"),
        ("fig6", "fig7", "R0-R1 1 Mb/s, 40 ms"),
    ):
        of = [e for e in EXPERIMENTS if instant in e.figures and e.at == "entry"]
        if instant in s.figures:
            out.append(_instant(s, instant, of, set_up))
        if average in s.figures:
            out += [_sweep(s, average, e, set_up) for e in of]
    for figure, experiment, name in (("fig9", "hybrid", "Figure 9"), ("response", "pulse", "On-off test")):
        if figure in s.figures:
            out.append(_hybrid(s, figure, experiment, f"{name}: throughput against time over 802.11"))
            out.append(_estimates(s, figure, experiment, f"{name}: what the senders take the path for"))
    if "fig10" in s.figures:
        out.append(_friendliness(s))
    if "fig11" in s.figures:
        out.append(_fairness(s))
    return tuple(out)


def _stars(x: float) -> list[st.Series]:
    """Return the levels that the text states."""
    return [
        st.curves.points("published", k.HUES[curve], [(x, level)]) for curve, level in k.LEVEL_KBPS.items()
    ]


def _instant(s: Results, figure: str, experiments: Sequence[Experiment], set_up: str) -> st.Figure:
    stars = _stars(float(k.START_S + k.LENGTH_S)) if figure == "fig6" else []

    def drawn(e: Experiment, of: Sequence[str]) -> list[st.Series]:
        return [s.palette.curve(curve, *s.times(e.key, curve), bars=curve not in _RTTC) for curve in of]

    panels = []
    for experiment in experiments:
        single = [
            st.Series("", k.HUES[curve], *s.one_run(experiment.key, curve), kind="run")
            for curve in _SINGLE_RUNS
        ]
        own = (*single, *drawn(experiment, (*_ESTIMATING, *s.added)), *stars)
        gateways = tuple(drawn(experiment, _GATEWAYS))
        panels += [
            st.Panel(f"kb/s, {experiment.place}", own),
            st.Panel("kb/s, gateway", gateways, height=0.5),
        ]
    count = len(s.kbps(experiments[0].key, k.FIGURE_ERROR, "westwood"))
    return k.TEXT.figure(
        "instant",
        panels,
        key=figure,
        published=figure,
        number=figure.removeprefix("fig"),
        set_up=set_up,
        runs=count,
        stars=" Stars: the levels that the text states." if stars else "",
    )


def _sweep(s: Results, figure: str, experiment: Experiment, set_up: str) -> st.Figure:
    e = experiment.key
    xs = s.xs(e)
    shown = [100 * x for x in xs]

    def panel(variants: Sequence[str], label: str, stars: Sequence[st.Series] = ()) -> st.Panel:
        series = []
        for curve in variants:
            series.append(s.palette.curve(curve, shown, [s.interval(e, x, curve) for x in xs]))
            series += _peers(s, e, xs, curve)
        return st.Panel(label, (*series, *stars), log_y=True)

    stars = _stars(100 * k.FIGURE_ERROR) if figure == "fig7" and k.FIGURE_ERROR in xs else []

    def relative(variants: Sequence[str]) -> tuple[st.Series, ...]:
        return tuple(
            s.palette.curve(curve, shown, [st.interval(s.above(e, x, curve, k.westwood(curve))) for x in xs])
            for curve in variants
        )

    return k.TEXT.figure(
        "sweep",
        (
            panel((*WESTWOODS, *s.added), "Westwood and TCPW-I, kb/s", stars),
            panel((*OTHERS, *s.added), "beside the others, kb/s"),
            st.Panel("difference from TCPW (%)", relative(_TCPWI), zero=True, height=0.8),
            st.Panel("with gateway (%)", relative(_GATEWAYS), zero=True, height=0.6),
        ),
        key=f"{figure}_{experiment.errors_to}",
        published=figure,
        number=figure.removeprefix("fig"),
        place=experiment.place,
        set_up=set_up,
        runs=len(s.kbps(e, xs[0], "westwood")),
        stars=" Stars: the levels of Figure 6." if figure == "fig7" else "",
    )


def _peers(s: Results, experiment: str, xs: Sequence[float], curve: str) -> list[st.Series]:
    """Return ns-2's means of a curve, and ours for the same runs."""
    theirs = [(100 * x, st.curves.mean_of(s.peer(experiment, x, curve, "goodput_kbps"))) for x in xs]
    hollow = s.palette.points("peer", curve, theirs)
    if not hollow.x:
        return []
    stamps = peer.timestamps(experiment, curve)
    alike = [(100 * x, st.mean(s.of("goodput_kbps", experiment, x, curve, timestamps=stamps))) for x in xs]
    return [hollow, s.palette.points("alike", curve, alike)]


def _spans(e: Experiment) -> tuple[tuple[float, float], ...]:
    """Return the spans in which UDP flows."""
    out: list[tuple[float, float]] = []
    for start, stop, half in e.udp:
        if half is None:
            out.append((start, stop))
        else:
            starts = [start + 2 * half * i for i in range(int((stop - start) / half / 2))]
            out += [(at, at + half) for at in starts]
    return tuple(out)


def _hybrid(s: Results, figure: str, experiment: str, title: str) -> st.Figure:
    spans = _spans(next(e for e in EXPERIMENTS if e.key == experiment))
    panels = []
    for variants in (
        ("westwood", "tcpw-i", "tcpw-i-round", "tcpw-i-smoothed", *s.added),
        ("tcp-linux-westwood", "tcp-linux-tcpw-i"),
    ):
        series = tuple(s.palette.curve(curve, *s.times(experiment, curve), bars=False) for curve in variants)
        panels.append(st.Panel("kb/s", series, height=0.75, spans=spans, spans_label="UDP, 1 Mb/s"))
    return k.TEXT.figure(
        "hybrid",
        tuple(panels),
        key=figure,
        drawn={"title": title},
        published=figure,
        runs=len(s.kbps(experiment, 0.0, "westwood")),
    )


def _estimates(s: Results, figure: str, experiment: str, title: str) -> st.Figure:
    spans = _spans(next(e for e in EXPERIMENTS if e.key == experiment))

    def panel(label: str, column: str, variants: Sequence[str], extra: Sequence[st.Series] = ()) -> st.Panel:
        series = [
            s.palette.curve(curve, *s.estimated(column, experiment, curve), bars=False) for curve in variants
        ]
        return st.Panel(label, (*series, *extra), height=0.75, spans=spans, spans_label="UDP, 1 Mb/s")

    left = s.left_over(experiment, "westwood")
    limit = st.Series("what UDP leaves", 4, left[0], left[1], kind="limit")
    backlogged = [curve for curve in _ESTIMATING if curve in s.with_backlog(experiment)]
    return k.TEXT.figure(
        "estimates",
        (
            panel("estimate BE, kb/s", "bandwidth_kbps", _ESTIMATING, (limit,)),
            panel("backlog N, segments", "backlog", backlogged),
        ),
        key=f"{figure}_estimates",
        drawn={"title": title},
        published=figure,
        runs=len(s.kbps(experiment, 0.0, "westwood")),
    )


def _friendliness(s: Results) -> st.Figure:
    panels = []
    for curve in (*_ESTIMATING, *s.added):
        flows = tuple(enumerate((curve, k.competitor(curve))))
        series = [
            s.palette.curve(who, *s.times("friendliness", curve, flow), bars=False) for flow, who in flows
        ]
        series += [
            s.palette.points("peer", who, _rates(s.peer_series()[curve, flow]))
            for flow, who in flows
            if (curve, flow) in s.peer_series()
        ]
        panels.append(st.Panel(f"{k.SHORT[curve]}, kb/s", tuple(series), height=0.75))
    return k.TEXT.figure(
        "fig10", tuple(panels), published="fig10", runs=len(s.kbps("friendliness", 0.0, "westwood"))
    )


def _rates(samples: Sequence[tuple[float, int]]) -> list[tuple[float, float]]:
    """Return rates in kb/s between samples of packets acknowledged since the start, by the end of each step."""
    return [
        (time, (packets - before) * 8 * k.SEGMENT_B / 1e3 / (time - since))
        for (since, before), (time, packets) in pairwise([(0.0, 0), *samples])
    ]


_UNJOINED: Final = {False: "estimate", True: "open"}
"""Kind of a series whose points are not joined, by whether its curve is dashed."""


def _fairness(s: Results) -> st.Figure:
    def rates(run: Sequence[float]) -> list[float]:
        return [bps / 1e3 for bps in run]

    streams = tuple(float(i) for i in range(1, k.SENDERS + 1))
    together, ranked = [], []
    for curve in ("reno", *_ESTIMATING, *s.added):
        once = rates(s.streams("fairness", curve, together=True)[0])
        dashed = k.curve(curve).dashed
        together.append(st.Series("", s.palette.hue(curve), streams, tuple(once), kind=_UNJOINED[dashed]))
        runs = [sorted(rates(run)) for run in s.streams("fairness", curve)]
        ranked.append(s.palette.curve(curve, streams, [st.interval(at) for at in zip(*runs, strict=True)]))
    return k.TEXT.figure(
        "fig11",
        (
            st.Panel("starts together, kb/s", tuple(together)),
            st.Panel("starts jittered, kb/s", tuple(ranked)),
        ),
        drawn={"counts": True},
        published="fig11",
        runs=len(s.kbps("fairness", 0.0, "reno")),
    )
