"""The study's figures; they show our means with intervals, and the paper's numbers as stars and dashed lines."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import ackclock.study as st
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import BY_KEY, COLUMNS
from ackclock.studies.maulana.results import Results

_POINTS: Final = 30
"""Greatest number of points of a curve of throughput against time."""

_CLASSES: Final = 20
"""Number of histogram classes per decade of delay."""


def figures(s: Results) -> tuple[st.Figure, ...]:
    """Return the requested figures."""
    out: list[st.Figure] = []
    if "fig3" in s.figures:
        out += [_throughput(s, length) for length in k.LENGTHS_S]
    if "fig5" in s.figures:
        out.append(_rtts(s))
    if "fig7" in s.figures:
        out += [_delays(s, length) for length in k.LENGTHS_S]
    return tuple(out)


def _throughput(s: Results, length: int) -> st.Figure:
    wide_s = max(k.BIN_S, length / _POINTS)
    each = round(wide_s / k.BIN_S)

    def sent(case: str, variant: str) -> st.Series:
        """Return the sending rate in bins of `wide_s`, each the mean of several bins of the data, by the bin's end."""
        at = (case, length, variant, True)
        ends, runs = s.bins.runs("time_s", *at)[0][each - 1 :: each], s.bins.runs("kbps", *at)
        wide = [[st.mean(run[i * each : (i + 1) * each]) for run in runs] for i in range(len(ends))]
        return s.palette.curve(variant, ends, [*map(st.interval, wide)], bars=variant in k.PUBLISHED)

    return k.TEXT.figure(
        "throughput",
        [
            st.Panel(f"throughput (kb/s)\n{label}", tuple(sent(case, v) for v in s.variants))
            for case, label in _drawn(s, length).items()
        ],
        key=f"fig3_{length}s",
        published="fig3",
        length=length,
        set_ups=_set_ups(),
        wide_s=wide_s,
        count=len(s.falls(next(iter(COLUMNS)), k.LENGTHS_S[0], "newreno")),
    )


def _rtts(s: Results) -> st.Figure:
    sizes = s.sizes()
    limits = [
        s.palette.points("limit", v, [(float(size), 1e3 * limit) for size in (sizes[0], sizes[-1])])
        for v, limit in k.RTT_BELOW_S.items()
    ]

    def curve(case: str, variant: str) -> st.Series:
        return s.palette.curve(variant, sizes, [st.interval(s.rtts_ms(case, n, variant)) for n in sizes])

    panels = [
        st.Panel(f"RTT (ms)\n{label}", (*(curve(case, v) for v in s.variants), *limits), log_y=True)
        for case, label in COLUMNS.items()
    ]
    return k.TEXT.figure("fig5", panels, drawn={"log_x": True}, published="fig5", set_ups=_set_ups())


def _delays(s: Results, length: int) -> st.Figure:
    variants = (*k.PUBLISHED, *s.added)
    panels = []
    for case, label in _drawn(s, length).items():
        # For each variant, count packets by the start of their delay bin, ms, in the run with the paper's start times.
        found = {
            v: dict(
                zip(*(s.delays.of(name, case, length, v) for name in ("from_ms", "packets")), strict=True)
            )
            for v in variants
        }
        series = [
            st.Series(k.VARIANTS[v].label, s.palette.hue(v), *_classes(histogram), dashed=v == "vegas")
            for v, histogram in found.items()
        ]
        if max(max(histogram, default=0) for histogram in found.values()) >= 1e3 * _NEAR_1S:
            series.append(
                s.palette.points("published", "newreno", [(1e3, float(k.PACKETS_AT_1S["newreno"]))])
            )
        panels.append(st.Panel(f"packets\n{label}", tuple(series), log_y=True, height=0.8))
    return k.TEXT.figure(
        "delays",
        panels,
        key=f"fig7_{length}s",
        drawn={"log_x": True},
        published="fig7",
        length=length,
        set_ups=_set_ups(),
        classes=_CLASSES,
    )


_NEAR_1S: Final = 0.5
"""Delay in s that a run has to reach for the published count at 1 s to be drawn."""


def _drawn(s: Results, length: int) -> dict[str, str]:
    """Return the label of each verdict column, by case, for the cases that were run for `length` seconds."""
    return {case: label for case, label in COLUMNS.items() if length in s.lengths(case)}


def _classes(histogram: Mapping[int, int]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the middles of the histogram's classes, ms, and the packets in each class; NaN for an empty class."""
    counts: dict[int, int] = {}
    for start, packets in histogram.items():
        # A bin's packets are counted in the class that contains the bin's middle.
        at = math.floor(_CLASSES * math.log10(start + k.DELAY_BIN_MS / 2))
        counts[at] = counts.get(at, 0) + packets
    every = range(min(counts), max(counts) + 1) if counts else range(0)
    return tuple(10 ** ((at + 0.5) / _CLASSES) for at in every), tuple(
        counts.get(at, math.nan) for at in every
    )


def _set_ups() -> str:
    return "; ".join(f"{label}: {BY_KEY[case].label}" for case, label in COLUMNS.items()) + "."
