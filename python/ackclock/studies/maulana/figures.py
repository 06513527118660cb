"""The study's figures, from the data: ours with intervals, the paper's numbers as stars and dashed lines."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import ackclock.study as st
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import BY_KEY, COLUMNS
from ackclock.studies.maulana.results import Results

_POINTS: Final = 30
"""Points of throughput against time, at most."""

_CLASSES: Final = 20
"""Classes of the histogram in each decade of delay."""


def figures(s: Results) -> tuple[st.Figure, ...]:
    """Draw every figure asked for."""
    out: list[st.Figure] = []
    if "fig3" in s.figures:
        out += [_throughput(s, length) for length in k.LENGTHS_S]
    if "fig5" in s.figures:
        out.append(_rtts(s))
    if "fig7" in s.figures:
        out += [_delays(s, length) for length in k.LENGTHS_S]
    return tuple(out)


def _throughput(s: Results, length: int) -> st.Figure:
    panels, wide_s = [], max(k.BIN_S, length / _POINTS)
    for case, label in _drawn(s, length).items():
        series = (
            s.palette.curve(v, *s.sent_kbps(case, length, v, wide_s), bars=v in k.PUBLISHED)
            for v in s.variants
        )
        panels.append(st.Panel(f"kb/s, {label}", tuple(series)))
    return k.TEXT.figure(
        "throughput",
        tuple(panels),
        key=f"fig3_{length}s",
        published="fig3",
        length=length,
        set_ups=_set_ups(),
        wide_s=wide_s,
        count=_count(s),
    )


def _rtts(s: Results) -> st.Figure:
    sizes = s.sizes()
    limits = [
        st.curves.points(
            "limit", k.HUES[variant], [(float(size), 1e3 * limit) for size in (sizes[0], sizes[-1])]
        )
        for variant, limit in k.RTT_BELOW_S.items()
    ]
    panels = []
    for case, label in COLUMNS.items():
        series = []
        for variant in s.variants:
            rtts = [st.interval([1e3 * rtt for rtt in s.rtts_s(case, size, variant)]) for size in sizes]
            series.append(s.palette.curve(variant, sizes, rtts))
        panels.append(st.Panel(f"RTT, ms, {label}", (*series, *limits), log_y=True))
    return k.TEXT.figure("fig5", tuple(panels), drawn={"log_x": True}, published="fig5", set_ups=_set_ups())


def _delays(s: Results, length: int) -> st.Figure:
    count = float(k.PACKETS_AT_1S["newreno"])
    variants = (*k.PUBLISHED, *s.variants[len(k.VARIANTS) :])
    panels = []
    for case, label in _drawn(s, length).items():
        found = {v: s.histogram(case, length, v) for v in variants}
        series = [
            st.Series(k.LABELS[v], s.palette.hue(v), *_classes(histogram), dashed=v == "vegas")
            for v, histogram in found.items()
        ]
        if max(max(histogram, default=0) for histogram in found.values()) >= 1e3 * _NEAR_1S:
            series.append(st.curves.points("published", k.HUES["newreno"], [(1e3, count)]))
        panels.append(st.Panel(f"packets, {label}", tuple(series), log_y=True, height=0.8))
    return k.TEXT.figure(
        "delays",
        tuple(panels),
        key=f"fig7_{length}s",
        drawn={"log_x": True},
        published="fig7",
        length=length,
        set_ups=_set_ups(),
        classes=_CLASSES,
    )


_NEAR_1S: Final = 0.5
"""The published count at 1 s is drawn if delays reach this, s."""


def _drawn(s: Results, length: int) -> dict[str, str]:
    """Return the columns that were run for this length."""
    return {case: label for case, label in COLUMNS.items() if length in s.lengths(case)}


def _classes(histogram: Mapping[int, int]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the middles of the classes, ms, and the packets in each; not a number if there are none."""
    counts: dict[int, int] = {}
    for start, packets in histogram.items():
        # A bin goes to the class of its middle.
        at = math.floor(_CLASSES * math.log10(start + k.DELAY_BIN_MS / 2))
        counts[at] = counts.get(at, 0) + packets
    every = range(min(counts), max(counts) + 1) if counts else range(0)
    return tuple(10 ** ((at + 0.5) / _CLASSES) for at in every), tuple(
        counts.get(at, math.nan) for at in every
    )


def _set_ups() -> str:
    return "; ".join(f"{label}: {BY_KEY[case].label}" for case, label in COLUMNS.items()) + "."


def _count(s: Results) -> int:
    return len(s.falls(next(iter(COLUMNS)), k.LENGTHS_S[0], "newreno"))
