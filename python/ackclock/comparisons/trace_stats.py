"""Statistics that comparisons extract from traces: quantiles of packet delays, and the timeline of a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.runs.run import Run
from ackclock.runs.traces import changes, recoveries
from ackclock.stats.statistics import mean, quantiles

if TYPE_CHECKING:
    import polars

LEVELS = (*(i / 200 for i in range(200)), 0.999, 1.0)
"""Probabilities for which delay quantiles are stored, the points of a CDF: 0 to 0.995 in steps of 0.005, 0.999 and 1.
"""

BINS = 100
"""Number of bins of a run's goodput over time."""

DRAWN = 500
"""Number of intervals into which time is divided to thin a curve."""

TIMELINE_TRACES = ("cwnd", "state", "throughput")
"""Names of the traces needed for a timeline."""

Steps = tuple[tuple[float, ...], tuple[float, ...]]
"""A step function as two sequences: times in seconds, and the value from each time on."""


@dataclass(frozen=True)
class Timeline:
    """Timeline of one run: window of the first flow under test, and total goodput of all flows under test."""

    flow: str
    """Name of the first flow under test."""
    end_s: float
    """Length of the run, seconds."""
    cwnd: Steps
    """Congestion window, segments."""
    ssthresh: Steps
    """Slow-start threshold, segments, from the first finite value on."""
    recovery: tuple[tuple[float, float], ...]
    """Begin and end of each loss recovery, seconds."""
    bin_s: float
    """Width of the bins of `goodput`, seconds."""
    goodput: tuple[float, ...]
    """Total goodput of the flows under test in each bin, bit/s."""

    @property
    def ramp_up(self) -> float:
        """Relative amount by which goodput in the first quarter of the run is below the rest; negative if above.

        The result is 0 if the first quarter differs from the rest by no more than the other quarters differ from each
        other.
        """
        size = len(self.goodput) // 4
        if size == 0:
            return 0.0
        first, *others = (mean(self.goodput[i * size : (i + 1) * size]) for i in range(4))
        rest = mean(self.goodput[size:])
        if rest <= 0 or abs(first - rest) <= max(others) - min(others):
            return 0.0
        return 1 - first / rest


def delays(run: Run, flows: Sequence[int]) -> tuple[float, ...]:
    """Return the quantiles at `LEVELS` of the one-way delays of the flows' packets, seconds."""
    table = run.trace("delay").to_polars()
    return tuple(quantiles(table.filter(table["flow"].is_in(list(flows)))["delay_s"].to_numpy(), LEVELS))


def timeline(run: Run, flows: Sequence[int]) -> Timeline:
    """Return the timeline of a run that recorded `TIMELINE_TRACES` in `BINS` bins."""
    # Not from the summary, which is long for many flows.
    end = _core.seconds(str(run.scenario.view["duration"]))
    first = flows[0]
    windows = run.trace("cwnd").to_polars()
    bins = run.trace("throughput").to_polars()
    mine = bins.filter(bins["flow"].is_in(list(flows)))
    summed: dict[float, float] = {}
    for time, goodput in zip(mine["time_s"].to_list(), mine["goodput_bps"].to_list(), strict=True):
        summed[time] = summed.get(time, 0.0) + goodput
    return Timeline(
        flow=str(run.flows.to_polars()["name"][first]),
        end_s=end,
        cwnd=_steps(windows, first, "cwnd", end),
        ssthresh=_steps(windows, first, "ssthresh", end),
        recovery=tuple(recoveries(run.trace("state").to_polars(), first, end)),
        bin_s=float(mine["bin_s"][0]) if len(mine) else end,
        goodput=tuple(summed[time] for time in sorted(summed)),
    )


def thinned(time: Sequence[float], value: Sequence[float], end_s: float, most: int = DRAWN) -> Steps:
    """Return a step function with only the first, least, greatest and last value in each of `most` time intervals.

    A function with at most four points per interval is returned unchanged. All extremes are kept, so the curve looks
    the same at the width of a page.
    """
    if len(time) <= 4 * most:
        return tuple(time), tuple(value)
    kept: list[int] = []
    start = 0
    for i in range(1, len(time) + 1):
        if i == len(time) or int(time[i] / end_s * most) != int(time[start] / end_s * most):
            inside = range(start, i)
            kept += sorted(
                {start, min(inside, key=value.__getitem__), max(inside, key=value.__getitem__), i - 1}
            )
            start = i
    return tuple(time[i] for i in kept), tuple(value[i] for i in kept)


def _steps(table: polars.DataFrame, flow: int, variable: str, end: float) -> Steps:
    known = [(at, x) for at, x in zip(*changes(table, flow, variable), strict=True) if math.isfinite(x)]
    if known:
        known.append((end, known[-1][1]))
    return thinned([at for at, _ in known], [x for _, x in known], end)
