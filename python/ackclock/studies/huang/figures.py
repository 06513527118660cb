"""The study's figures, from the data: ours with intervals, ns-2's hollow, published numbers as stars."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ackclock.report.model import Figure, Panel, Series
from ackclock.studies.curves import means
from ackclock.studies.huang import peer, published
from ackclock.studies.huang import settings as k
from ackclock.studies.huang.experiments import EXPERIMENTS, Experiment
from ackclock.studies.huang.samples import goodput_kbps
from ackclock.studies.judge import percent_above
from ackclock.sweep.statistics import interval, mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.huang.data import FlowRow
    from ackclock.studies.huang.samples import Samples
    from ackclock.sweep.statistics import Interval

_HUE: Final = {
    "westwood": 0,
    "linux-westwood": 0,
    "tcpw-i": 1,
    "tcpw-i-round": 1,
    "linux-tcpw-i": 6,
    "gateway": 2,
    "gateway-round": 2,
    "linux-gateway": 6,
    "reno": 4,
    "linux-reno": 4,
    "newreno": 3,
    "sack": 5,
    "cubic": 7,
    "veno": 5,
}
_DASHED: Final = ("tcpw-i-round", "gateway-round", "linux-westwood", "linux-reno", "linux-gateway")

WESTWOODS: Final = ("westwood", "tcpw-i", "tcpw-i-round", "linux-westwood", "linux-tcpw-i", "gateway")
"""What stands in the panels of Westwood and TCPW-I."""

OTHERS: Final = ("reno", "newreno", "sack", "cubic", "westwood", "tcpw-i")
"""What stands in the panels of the others, with TCPW and TCPW-I for comparison."""

_STREAMS: Final = ("reno", "westwood", "tcpw-i", "tcpw-i-round", "linux-westwood", "linux-tcpw-i")

_STARS: Final = {"westwood": published.LEVEL_KBPS["westwood"], "tcpw-i": published.LEVEL_KBPS["tcpw-i"]}


def figures(s: Samples) -> tuple[Figure, ...]:
    """Draw every figure asked for."""
    wanted = set(s.data.figures)
    out: list[Figure] = []
    for instant, average, set_up in (
        ("fig4", "fig5", "all links 10 Mb/s, 10 ms"),
        ("fig6", "fig7", "R0-R1 1 Mb/s, 40 ms"),
    ):
        of = [e for e in EXPERIMENTS if instant in e.figures]
        if instant in wanted:
            out.append(_instant(s, instant, of, set_up))
        if average in wanted:
            out += [_sweep(s, average, e, set_up) for e in of]
    if "fig9" in wanted:
        out.append(_hybrid(s, "fig9", "hybrid", "Figure 9: throughput against time over 802.11"))
    if "response" in wanted:
        out.append(_hybrid(s, "response", "pulse", "On-off test: throughput against time over 802.11"))
    if "fig10" in wanted:
        out.append(_friendliness(s))
    if "fig11" in wanted:
        out.append(_fairness(s))
    return tuple(out)


def _instant(s: Samples, figure: str, experiments: Sequence[Experiment], set_up: str) -> Figure:
    panels = []
    for experiment in experiments:
        series = []
        for curve in WESTWOODS:
            times, values = s.times(experiment.key, curve)
            series.append(_curve(curve, times, values))
        if figure == "fig6":
            series += [
                Series("", _HUE[curve], (float(k.START_S + k.LENGTH_S),), (level,), kind="published")
                for curve, level in _STARS.items()
            ]
        panels.append(Panel(f"kb/s, {experiment.place}", tuple(series)))
    number = figure.removeprefix("fig")
    count = len(s.runs(experiments[0].key, k.FIGURE_ERROR, "westwood"))
    return Figure(
        key=figure,
        title=f"Figure {number}: throughput against time at 10 % error",
        x_label="time, s",
        panels=tuple(panels),
        claim=published.CLAIMS[figure],
        notes=(
            f"{set_up}. Payload that reached D1 in each {k.SAMPLE_S:g} s, copies included: mean of {count} "
            "replications, bars 95 % confidence intervals. The paper draws one run."
            + (" Stars: the levels that the text states." if figure == "fig6" else ""),
        ),
        alt=f"Throughput of Westwood and TCPW-I against time at 10 % error, {set_up}.",
    )


def _sweep(s: Samples, figure: str, experiment: Experiment, set_up: str) -> Figure:
    e = experiment.key
    xs = s.xs(e)
    shown = tuple(100 * x for x in xs)

    def panel(curves: Sequence[str], label: str) -> Panel:
        series = []
        for curve in curves:
            series.append(_curve(curve, shown, [s.interval(e, x, curve) for x in xs]))
            series += _peers(s, e, xs, curve)
        if figure == "fig7" and k.FIGURE_ERROR in xs and "gateway" in curves:
            series += [
                Series("", _HUE[curve], (100 * k.FIGURE_ERROR,), (level,), kind="published")
                for curve, level in _STARS.items()
            ]
        return Panel(label, tuple(series), log_y=True)

    relative = [
        _curve(
            curve,
            shown,
            [interval(percent_above(s.kbps(e, x, curve), s.kbps(e, x, base)), k.LEVEL) for x in xs],
        )
        for curve, base in (
            ("tcpw-i", "westwood"),
            ("tcpw-i-round", "westwood"),
            ("gateway", "westwood"),
            ("linux-tcpw-i", "linux-westwood"),
        )
    ]
    number = figure.removeprefix("fig")
    return Figure(
        key=f"{figure}_{experiment.errors_to}",
        title=f"Figure {number}: throughput against error rate, {experiment.place}",
        x_label="error rate, %",
        panels=(
            panel(WESTWOODS, "Westwood and TCPW-I, kb/s"),
            panel(OTHERS, "beside the others, kb/s"),
            Panel("over TCPW, %", tuple(relative), zero=True, height=0.8),
        ),
        claim=published.CLAIMS[figure],
        notes=(
            f"{set_up}, {experiment.place}. Both axes are logarithmic in the upper panels. Curves: mean of "
            f"{len(s.kbps(e, xs[0], 'westwood'))} replications, bars 95 % confidence intervals; below, the "
            "difference from TCPW of the same endpoint, paired by seed. Hollow: ns-2 "
            "(of TCPW, TCP-Linux's own); dots: ours, run as ns-2's."
            + (" Stars: the levels of Figure 6." if figure == "fig7" else ""),
        ),
        alt=f"Throughput of each variant against the error rate, {set_up}, {experiment.place}.",
        log_x=True,
    )


def _peers(s: Samples, experiment: str, xs: Sequence[float], curve: str) -> list[Series]:
    """ns-2's means of a curve, and ours run as it ran them."""
    theirs = {x: peer.value(experiment, x, curve, "goodput_kbps") for x in xs}
    there = [(100 * x, found.mean) for x, found in theirs.items() if found is not None]
    if not there:
        return []
    hollow = Series("", _HUE[curve], tuple(x for x, _ in there), tuple(y for _, y in there), kind="peer")
    if curve == peer.NOT_JUDGED:
        return [hollow]
    stamps = peer.timestamps(experiment, curve)
    alike = [mean(s.values(goodput_kbps, experiment, x, curve, timestamps=stamps)) for x in xs]
    return [
        hollow,
        Series("", _HUE[curve], tuple(100 * x for x in xs), tuple(alike), kind="alike"),
    ]


def _hybrid(s: Samples, figure: str, experiment: str, title: str) -> Figure:
    panels = []
    for curves in (("westwood", "tcpw-i", "tcpw-i-round"), ("linux-westwood", "linux-tcpw-i")):
        series = [_curve(curve, *s.times(experiment, curve), bars=False) for curve in curves]
        panels.append(Panel("kb/s", tuple(series), height=0.75))
    e = next(e for e in EXPERIMENTS if e.key == experiment)
    spans = tuple(
        span
        for start, stop, half in e.udp
        for span in (
            [(start, stop)]
            if half is None
            else [
                (start + 2 * half * i, start + 2 * half * i + half)
                for i in range(int((stop - start) / half / 2))
            ]
        )
    )
    panels = [replace(panel, spans=spans, spans_label="UDP, 1 Mb/s") for panel in panels]
    return Figure(
        key=figure,
        title=title,
        x_label="time, s",
        panels=tuple(panels),
        claim=published.CLAIMS[figure],
        notes=(
            f"R0-AP 3 Mb/s, 10 ms; D0 behind 802.11b at 11 Mb/s. Each {k.HYBRID_SAMPLE_S:g} s: mean of "
            f"{len(s.runs(experiment, 0.0, 'westwood'))} replications with jittered starts.",
        ),
        alt="Throughput of TCPW and TCPW-I against time while a UDP stream comes and goes.",
    )


def _friendliness(s: Samples) -> Figure:
    panels = []
    for curve in ("westwood", "tcpw-i", "tcpw-i-round", "linux-westwood"):
        rival = k.competitor(curve)
        series = [
            _curve(who, *s.times("friendliness", curve, flow), bars=False)
            for flow, who in enumerate((curve, rival))
        ]
        for flow, who in enumerate((curve, rival)):
            found = peer.series().get((curve, flow))
            if found is not None:
                series.append(Series("", _HUE[who], *_rates(found), kind="peer"))
        panels.append(Panel(f"{k.SHORT[curve]}, kb/s", tuple(series), height=0.75))
    return Figure(
        key="fig10",
        title="Figure 10: throughput against time beside Reno",
        x_label="time, s",
        panels=tuple(panels),
        claim=published.CLAIMS["fig10"],
        notes=(
            f"R0-R1 1 Mb/s, 40 ms; no errors. Each {k.FRIENDLINESS_SAMPLE_S:g} s: mean of "
            f"{len(s.runs('friendliness', 0.0, 'westwood'))} replications with jittered starts. Hollow: ns-2, "
            "one run, starts together, without timestamps (which are worth 1 %).",
        ),
        alt="Throughput of TCPW and TCPW-I against time, and of the Reno flow beside them.",
    )


def _rates(samples: Sequence[tuple[float, int]]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Rates in kb/s between samples of packets acknowledged since the start."""
    times = [0.0, *(time for time, _ in samples)]
    packets = [0, *(count for _, count in samples)]
    rates = [
        (packets[i] - packets[i - 1]) * 8 * k.SEGMENT_B / 1e3 / (times[i] - times[i - 1])
        for i in range(1, len(times))
    ]
    return tuple(times[1:]), tuple(rates)


def _fairness(s: Samples) -> Figure:
    def rates(run: list[FlowRow]) -> list[float]:
        return [row.delivered_bps / 1e3 for row in run]

    streams = tuple(float(i) for i in range(1, k.SENDERS + 1))
    together, ranked = [], []
    for curve in _STREAMS:
        once = rates(s.runs("fairness", 0.0, curve, together=True)[0])
        together.append(_plain(curve, streams, once))
        runs = [sorted(rates(run)) for run in s.runs("fairness", 0.0, curve)]
        ranked.append(_curve(curve, streams, [interval(at, k.LEVEL) for at in zip(*runs, strict=True)]))
    return Figure(
        key="fig11",
        title="Figure 11: throughput of each of ten streams",
        x_label="stream (above: by number; below: by throughput)",
        panels=(
            Panel("starts together, kb/s", tuple(together)),
            Panel("starts jittered, kb/s", tuple(ranked)),
        ),
        claim=published.CLAIMS["fig11"],
        notes=(
            "R0-R1 10 Mb/s, 10 ms, access links 1 ms; no errors. Above: one run, all streams start at 1 s. "
            f"Below: the streams of each of {len(s.runs('fairness', 0.0, 'reno'))} replications in order of "
            "their throughput, so that a fair variant is a flat line; bars 95 % confidence intervals.",
        ),
        alt="Average throughput of each of ten streams, for Reno, Westwood and TCPW-I.",
    )


def _curve(key: str, x: tuple[float, ...], intervals: Sequence[Interval], *, bars: bool = True) -> Series:
    return means(k.CURVES[key].label, _HUE[key], x, intervals, dashed=key in _DASHED, bars=bars)


def _plain(curve: str, x: tuple[float, ...], y: Sequence[float]) -> Series:
    return Series(k.CURVES[curve].label, _HUE[curve], x, tuple(y), dashed=curve in _DASHED)
