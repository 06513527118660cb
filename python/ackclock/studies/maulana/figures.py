"""The study's figures, from the data: ours with intervals, what the paper states as stars and dashed lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ackclock.report.model import Figure, Panel, Series
from ackclock.studies.curves import means
from ackclock.studies.maulana import published
from ackclock.studies.maulana import settings as k
from ackclock.studies.maulana.cases import BY_KEY, COLUMNS
from ackclock.sweep.statistics import interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.studies.maulana.samples import Samples
    from ackclock.sweep.statistics import Interval

_HUE: Final = {"newreno": 3, "vegas": 0, "vegas40": 0, "cubic": 7, "westwood+": 1, "bbr": 6}

_CLASSES: Final = 20
"""Classes of the histogram in each decade of delay."""


def figures(s: Samples) -> tuple[Figure, ...]:
    """Draw every figure asked for."""
    wanted = set(s.data.figures)
    out: list[Figure] = []
    if "fig3" in wanted:
        out += [_throughput(s, length) for length in k.LENGTHS_S]
    if "fig5" in wanted:
        out.append(_rtts(s))
    if "fig7" in wanted:
        out += [_delays(s, length) for length in k.LENGTHS_S]
    return tuple(out)


def _throughput(s: Samples, length: int) -> Figure:
    panels = []
    for column in COLUMNS:
        series = [
            _curve(variant, *s.sent_kbps(column.case, length, variant), bars=False) for variant in k.VARIANTS
        ]
        panels.append(Panel(f"kb/s, {column.label}", tuple(series)))
    return Figure(
        key=f"fig3_{length}s",
        title=f"Figures 3 and 4: throughput of bits sent against time, {length} s",
        x_label="time, s",
        panels=tuple(panels),
        claim=published.CLAIMS["fig3"],
        notes=(
            f"{_set_ups()} Payload sent by both flows in each {k.BIN_S:g} s, retransmissions included: mean of "
            f"{_count(s)} replications with jittered starts. The paper draws NewReno and Vegas in a figure each.",
        ),
        alt=f"Throughput of bits sent against time over {length} s, for each variant in each reading.",
    )


def _rtts(s: Samples) -> Figure:
    sizes = s.sizes()
    ends = (float(sizes[0]), float(sizes[-1]))
    panels = []
    for column in COLUMNS:
        series = [
            _curve(
                variant,
                sizes,
                [
                    interval([1e3 * x for x in s.rtts_s(column.case, size, variant)], k.LEVEL)
                    for size in sizes
                ],
            )
            for variant in k.VARIANTS
        ]
        series += [
            Series("", _HUE[variant], ends, (1e3 * limit, 1e3 * limit), kind="limit")
            for variant, limit in published.RTT_BELOW_S.items()
        ]
        panels.append(Panel(f"RTT, ms, {column.label}", tuple(series), log_y=True))
    return Figure(
        key="fig5",
        title="Figures 5 and 6: round-trip time against packet size",
        x_label="packet size, bytes of payload",
        panels=tuple(panels),
        claim=published.CLAIMS["fig5"],
        notes=(
            f"{_set_ups()} Mean of the round-trip times that the senders measured over {k.SIZES_LENGTH_S} s, bars "
            "95 % confidence intervals over replications with jittered starts. Dashed: the published limits, 600 ms "
            "(NewReno) and 200 ms (Vegas). Both axes are logarithmic.",
        ),
        alt="Round-trip time against packet size, for each variant in each reading.",
        log_x=True,
    )


def _delays(s: Samples, length: int) -> Figure:
    panels = []
    for column in COLUMNS:
        series = []
        for variant in k.VARIANTS:
            places, counts = _classes(s.histogram(column.case, length, variant))
            series.append(
                Series(
                    k.LABELS[variant], _HUE[variant], places, counts, kind="line", dashed=variant == "vegas40"
                )
            )
        star = Series(
            "", _HUE["newreno"], (1e3,), (float(published.PACKETS_AT_1S["newreno"]),), kind="published"
        )
        panels.append(Panel(f"packets, {column.label}", (*series, star), log_y=True))
    return Figure(
        key=f"fig7_{length}s",
        title=f"Figures 7 and 8: frequency distribution of the one-way delay, {length} s",
        x_label="one-way delay, ms",
        panels=tuple(panels),
        claim=published.CLAIMS["fig7"],
        notes=(
            f"{_set_ups()} Packets of both flows by delay in the run with the paper's starts, in {_CLASSES} classes "
            "a decade; classes without a packet are left out. Star: the published count of NewReno at 1 s (whose "
            "class the text does not state; Vegas's 0 has no place here). Both axes are logarithmic.",
        ),
        alt=f"Histogram of the one-way delay over {length} s, for each variant in each reading.",
        log_x=True,
    )


def _classes(histogram: Mapping[int, int]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Middles of the classes, ms, and the packets in each."""
    counts: dict[int, int] = {}
    for start, packets in histogram.items():
        # A bin goes to the class of its middle.
        at = math.floor(_CLASSES * math.log10(start + k.DELAY_BIN_MS / 2))
        counts[at] = counts.get(at, 0) + packets
    places = tuple(10 ** ((at + 0.5) / _CLASSES) for at in counts)
    return places, tuple(float(packets) for packets in counts.values())


def _set_ups() -> str:
    return "; ".join(f"{column.label}: {BY_KEY[column.case].label}" for column in COLUMNS) + "."


def _count(s: Samples) -> int:
    return len(s.falls(COLUMNS[0].case, k.LENGTHS_S[0], "newreno"))


def _curve(variant: str, x: Sequence[float], values: Sequence[Interval], *, bars: bool = True) -> Series:
    return means(k.LABELS[variant], _HUE[variant], x, values, dashed=variant == "vegas40", bars=bars)
