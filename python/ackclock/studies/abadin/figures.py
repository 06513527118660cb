"""The study's figures, from the data: ours with intervals, ns-2's hollow, published numbers as stars."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ackclock.report.model import Figure, Panel, Series
from ackclock.studies.abadin import peer, published
from ackclock.studies.abadin import settings as k
from ackclock.studies.abadin.experiments import EXPERIMENTS
from ackclock.studies.curves import means
from ackclock.studies.judge import percent_above
from ackclock.sweep.statistics import interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.studies.abadin.data import SampleRow
    from ackclock.studies.abadin.samples import Samples
    from ackclock.sweep.statistics import Interval

SWEEPS: Final[dict[str, tuple[str, str, str]]] = {
    "error": ("fig3", "Figure 3: throughput against error rate", "1 Mb/s, 20 ms, queue of 20"),
    "bandwidth": ("fig4", "Figure 4: throughput against bandwidth", "20 ms, queue of 20"),
    "sources_q20": ("fig6_q20", "Figure 6: throughput against sources, queue of 20", "5 Mb/s, 10 ms"),
    "sources_q50": ("fig6_q50", "Figure 6: throughput against sources, queue of 50", "5 Mb/s, 10 ms"),
    "delay": ("fig7", "Figure 7: throughput against delay", "1 Mb/s, queue of 20"),
    "buffer": ("fig8", "Figure 8: throughput against buffer size", "2 Mb/s, 10 ms"),
}
"""By sweep: file name, heading, what stays fixed."""

_HUE: Final = {variant: i for i, variant in enumerate(k.VARIANTS)}

_LEGEND: Final = {**k.LABELS, "vegas": "Vegas, as in ns-2", "vegas40": "Vegas, 40 B header"}


def figures(s: Samples) -> tuple[Figure, ...]:
    """Draw every figure asked for."""
    wanted = set(s.data.figures)
    out = [_figure2(s)] if "fig2" in wanted else []
    for experiment in EXPERIMENTS:
        if experiment.key in SWEEPS and s.has(experiment.key) and wanted & set(experiment.figures):
            out.append(_sweep(s, experiment.key, experiment.axis, experiment.figures[0]))
    return tuple(out)


def _figure2(s: Samples) -> Figure:
    since: list[Series] = []
    each: list[Series] = []
    for variant in k.VARIANTS:
        seeds = s.seeds_of_samples(variant, jittered=True)
        runs = [s.bins(variant, seed, jittered=True) for seed in seeds]
        times = tuple(b.time_s for b in runs[0])
        averages = [_since_start(run) for run in runs]
        since.append(_curve(variant, times, [interval(at, k.LEVEL) for at in zip(*averages, strict=True)]))
        # The last bin is shorter than the others: a packet more or less would show in it as a jump.
        full = [i for i, b in enumerate(runs[0]) if b.bin_s == k.SAMPLE_S]
        rates = [[run[i].new_bytes / run[i].bin_s for run in runs] for i in full]
        each.append(_curve(variant, tuple(times[i] for i in full), [interval(v, k.LEVEL) for v in rates]))
        alike = s.bins(variant, k.BASE_SEED, jittered=False)
        since.append(Series("", _HUE[variant], times, tuple(_since_start(alike)), kind="alike"))
        rate = tuple(alike[i].new_bytes / alike[i].bin_s for i in full)
        each.append(Series("", _HUE[variant], tuple(times[i] for i in full), rate, kind="alike"))
    for variant, samples in peer.series().items():
        times = tuple(t for t, _ in samples)
        totals = [0, *(total for _, total in samples)]
        steps = tuple((later - sooner) / k.SAMPLE_S for sooner, later in pairwise(totals))
        since.append(Series("", _HUE[variant], times, tuple(b / t for t, b in samples), kind="peer"))
        each.append(Series("", _HUE[variant], times, steps, kind="peer"))
    since += [
        Series("", _HUE[variant], (float(k.DURATION_S),), (value,), kind="published")
        for variant, value in published.TABLE1_BPS.items()
    ]
    return Figure(
        key="fig2",
        title="Figure 2: throughput against time",
        x_label="time, s",
        panels=(
            Panel("average since 0 s, bytes/s", tuple(since), from_zero=False),
            Panel("each 10 s, bytes/s", tuple(each), from_zero=False),
        ),
        claim=published.CLAIMS["fig2"],
        notes=(
            "0.3 Mb/s, 20 ms, queue of 5. The paper samples throughput every 10 s and does not say over "
            "what. Above: everything sent since the start, whose last value is Table 1 (stars). Below: "
            "each 10 s by itself.",
            f"Curves: mean of {len(s.seeds_of_samples('tahoe', jittered=True))} replications with jittered "
            "starts, bars 95 % confidence intervals. "
            "Hollow: ns-2, one run with identical starts; dots: ours.",
        ),
        alt="Throughput of each variant against time, as the average since the start and in each 10 s.",
    )


def _since_start(bins: Sequence[SampleRow]) -> list[float]:
    total, out = 0, []
    for b in bins:
        total += b.new_bytes
        out.append(total / b.time_s)
    return out


def _sweep(s: Samples, experiment: str, axis: str, figure: str) -> Figure:
    key, title, fixed = SWEEPS[experiment]
    percent = experiment == "error"
    scale = 100.0 if percent else 1.0
    xs = s.xs(experiment)
    shown = tuple(x * scale for x in xs)
    absolute: list[Series] = []
    relative: list[Series] = []
    for variant in k.VARIANTS:
        absolute.append(_curve(variant, shown, [s.interval(experiment, x, variant) for x in xs]))
        theirs = {x: peer.points().get((experiment, x, variant)) for x in xs}
        there = [(x * scale, value.mean) for x, value in theirs.items() if value is not None]
        places, means = tuple(x for x, _ in there), tuple(y for _, y in there)
        absolute.append(Series("", _HUE[variant], places, means, kind="peer"))
        alike = tuple(s.mean(experiment, x, variant, jittered=False) for x in xs)
        absolute.append(Series("", _HUE[variant], shown, alike, kind="alike"))
        if variant != "newreno":
            relative.append(_curve(variant, shown, [over(s, experiment, x, variant, "newreno") for x in xs]))
    return Figure(
        key=key,
        title=title,
        x_label=axis + (", %" if percent else ""),
        panels=(
            Panel("throughput, bytes/s", tuple(absolute)),
            Panel("over NewReno, %", tuple(relative), zero=True, height=0.75),
        ),
        claim=published.CLAIMS[figure],
        notes=(
            f"{fixed}. Curves: mean of {len(s.values(experiment, xs[0], 'tahoe'))} replications with "
            "jittered starts, bars 95 % confidence intervals; below, the difference from NewReno, paired "
            "by seed. Hollow: ns-2, identical starts; dots: ours.",
        ),
        alt=f"{title} for each variant, and the difference from NewReno in percent.",
        log_x=experiment in ("delay", "buffer"),
    )


def over(s: Samples, experiment: str, x: float, variant: str, rival: str) -> Interval:
    """How far one variant lies above another with jittered starts, percent of the rival's mean, paired."""
    return interval(percent_above(s.values(experiment, x, variant), s.values(experiment, x, rival)), k.LEVEL)


def _curve(variant: str, x: tuple[float, ...], intervals: Sequence[Interval]) -> Series:
    return means(_LEGEND[variant], _HUE[variant], x, intervals, dashed=variant == "vegas40")
