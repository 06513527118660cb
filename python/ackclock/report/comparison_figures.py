"""Makes the figures of a comparison."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ackclock.comparisons.trace_stats import LEVELS
from ackclock.plot.ellipses import contour
from ackclock.report.model import Figure, Panel, Series
from ackclock.stats.measures import measure_of
from ackclock.stats.statistics import mean

if TYPE_CHECKING:
    from ackclock.comparisons.comparison import Comparison
    from ackclock.comparisons.trace_stats import Timeline

LABEL: Final = 16
"""Maximum length of an axis label, characters."""


def figures(found: Comparison) -> tuple[Figure, ...]:
    """Return the figures for which the runs have data."""
    made = [throughput_delay(found), flow_goodput(found)]
    if found.delays:
        made.append(packet_delay(found))
    return tuple(one for one in made if one.panels[0].series)


def throughput_delay(found: Comparison) -> Figure:
    """Draw goodput against delay, with one point per run and each variant's 1-sigma contour."""
    goodput, rtt = measure_of("goodput_bps"), measure_of("packet_rtt_mean_s")
    series: list[Series] = []
    for i, variant in enumerate(found.variants):
        both = zip(found.values(variant, rtt.name), found.values(variant, goodput.name), strict=True)
        points = [(x * rtt.scale, y * goodput.scale) for x, y in both if not math.isnan(x)]
        if not points:
            continue
        x, y = tuple(one for one, _ in points), tuple(one for _, one in points)
        series += [
            Series("", i, x, y, kind="dots"),
            Series(variant, i, (mean(x),), (mean(y),), kind="centre"),
        ]
        around = contour(x, y)
        if around is not None:
            across, up = tuple(one for one, _ in around), tuple(one for _, one in around)
            series.append(Series("", i, across, up, kind="outline"))
    return Figure(
        key="throughput-delay",
        title="Goodput against delay",
        x_label="mean round trip of packets (ms); less is to the right",
        panels=(Panel("goodput (Mb/s)", tuple(series), from_zero=False, height=1.5),),
        notes=(
            "Better is up and to the right. A dot is a run, a large marker the mean of a variant's runs. A "
            "contour is one standard deviation of the two-dimensional Gaussian that fits them (maximum likelihood). It "
            "is wide for a variant whose outcome depends on chance. Fewer than three runs, or runs that all lie on a "
            "line, have none.",
        ),
        alt="Goodput against the mean round trip of packets for each variant, with contours of one standard deviation.",
        reverse_x=True,
    )


def flow_goodput(found: Comparison) -> Figure:
    """Draw the distribution of the flows' goodput, with one curve per variant."""
    scale = measure_of("goodput_bps").scale
    series = []
    for i, variant in enumerate(found.variants):
        x = sorted(value * scale for value in found.flow_values(variant, "goodput_bps"))
        steps = (x[0], *x), tuple(k / len(x) for k in range(len(x) + 1))
        series.append(Series(variant, i, *steps, kind="step"))
    flows = len(found.plan.own)
    return Figure(
        key="flow-goodput",
        title="Goodput of single flows",
        x_label="goodput of a flow (Mb/s)",
        panels=(Panel("share of flows at or below", tuple(series), y_max=1.0),),
        notes=(
            f"{flows} flow{'s' if flows > 1 else ''} under test in each of {found.reps} runs. A steep curve: every "
            "flow gets about the same; a flat one: some starve.",
        ),
        alt="Cumulative distribution of the goodput of single flows, a curve for each variant.",
    )


def packet_delay(found: Comparison) -> Figure:
    """Draw the distribution of one-way packet delays, with one curve per variant."""
    series = []
    for i, variant in enumerate(found.variants):
        runs = [one for one in found.delays[variant] if not math.isnan(one[0])]
        if runs:
            x = tuple(1e3 * mean([one[k] for one in runs]) for k in range(len(LEVELS)))
            series.append(Series(variant, i, x, LEVELS, kind="line"))
    return Figure(
        key="packet-delay",
        title="Delay of single packets",
        x_label="one-way delay of a data packet (ms)",
        panels=(Panel("share of packets at or below", tuple(series), y_max=1.0),),
        notes=(
            f"Each quantile is the mean over {found.reps} runs of that quantile of the packets of the flows under "
            "test; a retransmission is a packet of its own.",
        ),
        alt="Cumulative distribution of the one-way delay of packets, a curve for each variant.",
    )


def windows(found: Comparison) -> Figure:
    """Draw the congestion windows of the first runs, all variants together and each in a panel of its own."""
    timelines = [found.timelines[variant] for variant in found.variants]
    over = tuple(
        Series(variant, i, *one.cwnd, kind="step")
        for i, (variant, one) in enumerate(zip(found.variants, timelines, strict=True))
    )
    alone = [
        _window(variant, i, one)
        for i, (variant, one) in enumerate(zip(found.variants, timelines, strict=True))
    ]
    goodput = tuple(
        Series("", i, _middles(one), tuple(y * 1e-6 for y in one.goodput), kind="line")
        for i, one in enumerate(timelines)
    )
    both = len(found.plan.own) > 1
    return Figure(
        key="windows",
        title=f"Windows of {timelines[0].flow}",
        x_label="time (s)",
        panels=(
            Panel("cwnd (segments)", over, height=1.1),
            *alone,
            Panel("goodput (Mb/s)", goodput, height=0.7),
        ),
        notes=(
            "The first replication, without start jitter: an example, which no conclusion should rest on. "
            "Shaded: the flow recovers from loss; dashed: its slow-start threshold, where it is below twice the "
            f"largest window. Goodput: {'all flows under test together' if both else 'the flow'}, in bins of "
            f"{timelines[0].bin_s:g} s.",
        ),
        alt="Congestion windows over time: all variants over each other, then one panel for each.",
        x_range=(0.0, timelines[0].end_s),
    )


def _window(variant: str, index: int, one: Timeline) -> Panel:
    top = 2 * max(one.cwnd[1], default=0.0)
    limit = tuple(y if y <= top else math.nan for y in one.ssthresh[1])
    shown = variant if len(variant) <= LABEL else f"{variant[: LABEL - 1]}…"
    return Panel(
        shown,
        (
            Series("", index, *one.cwnd, kind="step"),
            Series("ssthresh", index, one.ssthresh[0], limit, kind="limit"),
        ),
        height=0.5,
        spans=one.recovery,
        spans_label="loss recovery",
    )


def _middles(one: Timeline) -> tuple[float, ...]:
    return tuple(one.bin_s * (k + 0.5) for k in range(len(one.goodput)))
