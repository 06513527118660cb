"""The study's figures; they show our means with intervals, ns-2's as hollow marks, published numbers as stars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import ackclock.study as st
from ackclock.studies.huang import peer
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.experiments import BY_KEY, EXPERIMENTS, Experiment
from ackclock.studies.huang.results import Results

_RTTC: Final = ("tcpw-i-round", "tcpw-i-smoothed")
"""Keys of TCPW-I with definitions of RTTc other than the paper's."""

_ESTIMATING: Final = ("westwood", "tcpw-i", *_RTTC, "tcp-linux-westwood", "tcp-linux-tcpw-i")
"""Keys of the curves without a gateway whose control estimates the bandwidth."""

_GATEWAYS: Final = ("gateway", "gateway-window")
"""Keys of the curves of TCPW-I with a gateway."""

_OTHERS: Final = ("reno", "newreno", "sack", "cubic", "westwood", "tcpw-i")
"""Keys of the curves in the panels of further variants; TCPW and TCPW-I are among them for comparison."""


def figures(s: Results) -> tuple[st.Figure, ...]:
    """Return the requested figures."""
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


def _stars(s: Results, x: float) -> list[st.Series]:
    """Return the throughputs that the paper states as stars at `x`."""
    return [s.palette.points("published", curve, [(x, level)]) for curve, level in k.LEVEL_KBPS.items()]


def _over_time(
    s: Results, curve: str, experiment: str, of: str, flow: int = 0, *, bars: bool = False
) -> st.Series:
    """Return throughput against time of a flow, from the runs of curve `of` and in the style of `curve`."""
    return s.palette.curve(curve, *s.bins.over_time("kbps", experiment, of, False, flow), bars=bars)


def _instant(s: Results, figure: str, experiments: Sequence[Experiment], set_up: str) -> st.Figure:
    stars = _stars(s, float(k.START_S + k.LENGTH_S)) if figure == "fig6" else []

    def panels(e: Experiment) -> tuple[st.Panel, st.Panel]:
        # The first run of each of the paper's two variants is drawn behind the means.
        firsts = []
        for curve in ("westwood", "tcpw-i"):
            times, kbps = (tuple(s.bins.runs(of, e.key, curve, False, 0)[0]) for of in ("time_s", "kbps"))
            firsts.append(st.Series("", s.palette.hue(curve), times, kbps, kind="run"))
        own = [_over_time(s, c, e.key, c, bars=c not in _RTTC) for c in (*_ESTIMATING, *s.added)]
        gateways = [_over_time(s, c, e.key, c, bars=True) for c in _GATEWAYS]
        return (
            st.Panel(f"throughput (kb/s)\n{e.place}", (*firsts, *own, *stars)),
            st.Panel("gateway\n(kb/s)", tuple(gateways), height=0.5),
        )

    return k.TEXT.figure(
        "instant",
        [panel for e in experiments for panel in panels(e)],
        key=figure,
        published=figure,
        number=figure.removeprefix("fig"),
        set_up=set_up,
        runs=len(s.kbps(experiments[0].key, k.FIGURE_ERROR, "westwood")),
        stars=" Stars: the levels that the text states." if stars else "",
    )


def _sweep(s: Results, figure: str, experiment: Experiment, set_up: str) -> st.Figure:
    e = experiment.key
    xs = s.xs(e)
    shown = [100 * x for x in xs]
    stars = _stars(s, 100 * k.FIGURE_ERROR) if figure == "fig7" and k.FIGURE_ERROR in xs else []

    def panel(curves: Sequence[str], label: str, stars: Sequence[st.Series] = ()) -> st.Panel:
        series = [
            one
            for curve in (*curves, *s.added)
            for one in (
                s.palette.curve(curve, shown, [s.interval(e, x, curve) for x in xs]),
                *_peers(s, e, xs, curve),
            )
        ]
        return st.Panel(label, (*series, *stars), log_y=True)

    def relative(curves: Sequence[str], label: str, height: float) -> st.Panel:
        series = (
            s.palette.curve(curve, shown, [st.interval(s.above(e, x, curve, k.westwood(curve))) for x in xs])
            for curve in curves
        )
        return st.Panel(label, tuple(series), zero=True, height=height)

    return k.TEXT.figure(
        "sweep",
        (
            panel((*_ESTIMATING, *_GATEWAYS), "Westwood and TCPW-I, kb/s", stars),
            panel(_OTHERS, "beside the others, kb/s"),
            relative(("tcpw-i", *_RTTC, "tcp-linux-tcpw-i"), "difference from TCPW (%)", 0.8),
            relative(_GATEWAYS, "with gateway (%)", 0.6),
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
    """Return ns-2's means of a curve, and our means of the corresponding runs, as series."""
    theirs = [(100 * x, st.curves.mean_of(s.peer(experiment, x, curve, "goodput_kbps"))) for x in xs]
    hollow = s.palette.points("peer", curve, theirs)
    if not hollow.x:
        return []
    stamps = peer.timestamps(experiment, curve)
    alike = [(100 * x, st.mean(s.of("goodput_kbps", experiment, x, curve, timestamps=stamps))) for x in xs]
    return [hollow, s.palette.points("alike", curve, alike)]


def _spans(experiment: str) -> tuple[tuple[float, float], ...]:
    """Return the time spans in which UDP is sent, each as (start, end) in s."""
    out: list[tuple[float, float]] = []
    for start, stop, half in BY_KEY[experiment].udp:
        if half is None:
            out.append((start, stop))
        else:
            starts = [start + 2 * half * i for i in range(int((stop - start) / half / 2))]
            out += [(at, at + half) for at in starts]
    return tuple(out)


def _beside_udp(
    s: Results,
    text: str,
    key: str,
    title: str,
    figure: str,
    experiment: str,
    panels: Sequence[tuple[str, Sequence[st.Series]]],
) -> st.Figure:
    """Return a figure with one labelled panel per entry of `panels`; the time spans with UDP are shaded."""
    shaded: dict[str, Any] = {"height": 0.75, "spans": _spans(experiment), "spans_label": "UDP, 1 Mb/s"}
    drawn = [st.Panel(label, tuple(series), **shaded) for label, series in panels]
    runs = len(s.kbps(experiment, 0.0, "westwood"))
    return k.TEXT.figure(text, drawn, key=key, drawn={"title": title}, published=figure, runs=runs)


def _hybrid(s: Results, figure: str, experiment: str, title: str) -> st.Figure:
    both = ("westwood", "tcpw-i", *_RTTC, *s.added), ("tcp-linux-westwood", "tcp-linux-tcpw-i")
    panels = [("kb/s", [_over_time(s, curve, experiment, curve) for curve in curves]) for curves in both]
    return _beside_udp(s, "hybrid", figure, title, figure, experiment, panels)


def _estimates(s: Results, figure: str, experiment: str, title: str) -> st.Figure:
    def estimated(column: str, curves: Sequence[str]) -> list[st.Series]:
        return [s.palette.curve(c, *s.estimates.over_time(column, experiment, c), bars=False) for c in curves]

    times = tuple(s.estimates.runs("time_s", experiment, "westwood")[0])
    left = tuple(st.mean(at) for at in zip(*s.left(experiment, "westwood"), strict=True))
    limit = st.Series("what UDP leaves", 4, times, left, kind="limit")
    queued = [c for c in _ESTIMATING if s.estimates.of("backlog", experiment, c)[-1] is not None]
    panels = (
        ("estimate BE, kb/s", [*estimated("bandwidth_kbps", _ESTIMATING), limit]),
        ("backlog N, segments", estimated("backlog", queued)),
    )
    return _beside_udp(s, "estimates", f"{figure}_estimates", title, figure, experiment, panels)


def _friendliness(s: Results) -> st.Figure:
    panels = []
    for curve in (*_ESTIMATING, *s.added):
        flows = tuple(enumerate((curve, k.competitor(curve))))
        theirs = {} if s.bins.altered("friendliness", curve) else peer.series()
        series = [
            *(_over_time(s, who, "friendliness", curve, flow) for flow, who in flows),
            *(
                s.palette.points("peer", who, _rates(theirs[curve, flow]))
                for flow, who in flows
                if (curve, flow) in theirs
            ),
        ]
        panels.append(st.Panel(f"{k.SHORT[curve]}\n(kb/s)", tuple(series), height=0.75))
    return k.TEXT.figure(
        "fig10", panels, published="fig10", runs=len(s.kbps("friendliness", 0.0, "westwood"))
    )


def _rates(samples: Sequence[tuple[float, int]]) -> list[tuple[float, float]]:
    """Return (time in s, rate in kb/s) between successive samples of the packets acknowledged since the start."""
    return [
        (time, (packets - before) * 8 * k.SEGMENT_B / 1e3 / (time - since))
        for (since, before), (time, packets) in pairwise([(0.0, 0), *samples])
    ]


def _fairness(s: Results) -> st.Figure:
    def rates(run: Sequence[float]) -> list[float]:
        return [bps / 1e3 for bps in run]

    streams = tuple(float(i) for i in range(1, k.SENDERS + 1))
    together, ranked = [], []
    for curve in ("reno", *_ESTIMATING, *s.added):
        once = tuple(rates(s.streams("fairness", curve, together=True)[0]))
        # The flows' rates are separate points without a line; hollow points mark a variant whose curve is dashed.
        kind = "open" if k.CURVES[curve].dashed else "estimate"
        together.append(st.Series("", s.palette.hue(curve), streams, once, kind=kind))
        runs = [sorted(rates(run)) for run in s.streams("fairness", curve)]
        ranked.append(s.palette.curve(curve, streams, [st.interval(at) for at in zip(*runs, strict=True)]))
    return k.TEXT.figure(
        "fig11",
        (
            st.Panel("starts together\n(kb/s)", tuple(together)),
            st.Panel("starts jittered\n(kb/s)", tuple(ranked)),
        ),
        drawn={"counts": True},
        published="fig11",
        runs=len(s.kbps("fairness", 0.0, "reno")),
    )
