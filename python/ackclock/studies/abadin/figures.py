"""The study's figures; they show our means with intervals, ns-2's as hollow marks, published numbers as stars."""

from __future__ import annotations

from itertools import accumulate, pairwise

import ackclock.study as st
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.experiments import EXPERIMENTS
from ackclock.studies.abadin.results import Results, ns2_series


def figures(s: Results) -> tuple[st.Figure, ...]:
    """Return the requested figures."""
    sweeps = [e for e in EXPERIMENTS if e.file and s.figures & set(e.figures)]
    by_time = [_figure2(s), _windows(s)] if "fig2" in s.figures else []
    return (*by_time, *(_sweep(s, e) for e in sweeps))


def _windows(s: Results) -> st.Figure:
    """Return the figure of the first flow's window with a panel for each variant, which shows Tahoe's slow starts."""

    def steps(variant: str) -> st.Series:
        times, values = (s.window.of(name, variant) for name in ("time_s", "value"))
        return st.Series(
            "", s.palette.hue(variant), (*times, float(k.SHOWN_S)), (*values, values[-1]), kind="step"
        )

    panels = tuple(
        st.Panel(f"{k.SHORT[variant]} (segments)", (steps(variant),), height=0.7)
        for variant in (*k.LOSS_BASED, "vegas")
    )
    return k.TEXT.figure("fig2_cwnd", panels)


def _figure2(s: Results) -> st.Figure:
    since: list[st.Series] = []
    each: list[st.Series] = []
    for variant in s.variants:
        times, lengths = (s.bins.runs(column, variant, True)[0] for column in ("time_s", "bin_s"))
        # A shorter last bin is left out, since one packet more or less would show as a jump.
        full = [i for i, length in enumerate(lengths) if length == k.SAMPLE_S]
        *runs, alike = *s.bins.runs("new_bytes", variant, True), s.bins.runs("new_bytes", variant, False)[0]
        averages = [
            [total / t for total, t in zip(accumulate(run), times, strict=True)] for run in (*runs, alike)
        ]
        rates = [[run[i] / k.SAMPLE_S for i in full] for run in (*runs, alike)]
        for series, at, of in ((since, times, averages), (each, [times[i] for i in full], rates)):
            means = [st.interval(values) for values in zip(*of[:-1], strict=True)]
            series.append(s.palette.curve(variant, at, means))
            series.append(s.palette.points("alike", variant, zip(at, of[-1], strict=True)))
    for variant, samples in ns2_series().items():
        if not s.bins.altered(variant):
            steps = pairwise([(0.0, 0), *samples])
            rates_of = [(t, (later - sooner) / k.SAMPLE_S) for (_, sooner), (t, later) in steps]
            since.append(s.palette.points("peer", variant, [(t, b / t) for t, b in samples]))
            each.append(s.palette.points("peer", variant, rates_of))
    since += [
        s.palette.points("published", variant, [(float(k.DURATION_S), value)])
        for variant, value in k.TABLE1_BPS.items()
    ]
    return k.TEXT.figure(
        "fig2",
        (
            st.Panel("average since 0 s\n(bytes/s)", tuple(since), from_zero=False),
            st.Panel("each 10 s\n(bytes/s)", tuple(each), from_zero=False),
        ),
        published="fig2",
        runs=len(s.bins.runs("time_s", "tahoe", True)),
    )


def _sweep(s: Results, e: st.Experiment) -> st.Figure:
    xs = s.xs(e.key)
    shown = [x * e.scale for x in xs]
    absolute: list[st.Series] = []
    relative: list[st.Series] = []
    for variant in s.variants:
        theirs = [st.curves.mean_of(s.ns2(e.key, x, variant)) for x in xs]
        alike = [s.mean(e.key, x, variant, jittered=False) for x in xs]
        absolute += [
            s.palette.curve(variant, shown, [s.interval(e.key, x, variant) for x in xs]),
            s.palette.points("peer", variant, zip(shown, theirs, strict=True)),
            s.palette.points("alike", variant, zip(shown, alike, strict=True)),
        ]
        if variant != "newreno":
            above = [st.interval(s.above(e.key, x, variant, "newreno")) for x in xs]
            relative.append(s.palette.curve(variant, shown, above))
    return k.TEXT.figure(
        "sweep",
        (
            st.Panel("throughput (bytes/s)", tuple(absolute)),
            st.Panel("difference from NewReno (%)", tuple(relative), zero=True, height=0.75),
        ),
        key=e.file,
        drawn={"title": e.title, "x_label": e.axis, "log_x": e.log_x, "counts": e.counts},
        published=e.figures[0],
        title=e.title,
        fixed=e.note,
        runs=len(s.values(e.key, xs[0], "tahoe")),
    )
