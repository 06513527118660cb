"""Observations that an agent can get, by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ackclock.errors import UserError, choices
from ackclock.gym.interval import Interval


@dataclass(frozen=True)
class Observation:
    """Definition of an observation: the numbers that describe an interval, and how many intervals the agent sees."""

    names: tuple[str, ...]
    """Name of each number of an interval."""
    bounds: tuple[tuple[float, float], ...]
    """Minimum and maximum of each number; values outside are clipped."""
    values: Callable[[Interval], Sequence[float]]
    """Function that computes the numbers from an interval."""
    history: int = 1
    """Number of most recent intervals that the agent sees, oldest first."""
    source: str = ""
    """Source of the definition."""

    @property
    def blank(self) -> list[float]:
        """Numbers that fill the place of an interval before the episode's first: 0, clipped to the bounds."""
        return [min(max(0.0, low), high) for low, high in self.bounds]

    def of(self, interval: Interval) -> list[float]:
        """Return the numbers of an interval, clipped to their bounds."""
        found = zip(self.values(interval), self.bounds, strict=True)
        return [low if value < low else high if value > high else value for value, (low, high) in found]


def _ratio(part: float, whole: float, otherwise: float) -> float:
    return part / whole if whole > 0 else otherwise


def plain(interval: Interval) -> tuple[float, float, float, float]:
    """Return the numbers of observation ``"plain"``; `PolicyControl` can compute all of them."""
    return (
        math.log2(max(interval.cwnd, 1.0)),
        _ratio(interval.rtt_mean_s, interval.rtt_min_s, 1.0) - 1.0,
        _ratio(interval.throughput_pps, interval.best_pps, 0.0),
        1.0 if interval.reactions else 0.0,
    )


def _aurora(interval: Interval) -> tuple[float, float, float]:
    slope = (
        (interval.rtt_mean_s - interval.rtt_before_s) / interval.duration_s
        if interval.duration_s > 0
        else 0.0
    )
    return (
        slope,
        _ratio(interval.rtt_mean_s, interval.rtt_min_s, 1.0),
        _ratio(interval.sent_packets, interval.acked_packets, 1.0 + interval.sent_packets),
    )


def _orca(interval: Interval) -> tuple[float, ...]:
    return (
        _ratio(interval.throughput_pps, interval.best_pps, 0.0),
        _ratio(interval.retransmitted_packets / max(interval.duration_s, 1e-9), interval.best_pps, 0.0),
        _ratio(interval.rtt_min_s, interval.rtt_mean_s, 1.0),
        _ratio(interval.acked_packets, interval.cwnd, 0.0),
        _ratio(interval.duration_s, interval.rtt_min_s, 0.0),
        math.log2(max(interval.cwnd, 1.0)),
    )


OBSERVATIONS: dict[str, Observation] = {
    "plain": Observation(
        names=(
            "log2 of cwnd",
            "mean over least RTT, minus 1",
            "throughput over the highest so far",
            "a loss was answered",
        ),
        bounds=((0.0, 30.0), (0.0, 100.0), (0.0, 1.0), (0.0, 1.0)),
        values=plain,
        source="ours",
    ),
    "aurora": Observation(
        names=("latency gradient", "latency ratio", "sending ratio"),
        bounds=((-10.0, 10.0), (1.0, 1e3), (0.0, 1e3)),
        values=_aurora,
        history=10,
        source="Jay et al., A Deep Reinforcement Learning Perspective on Internet Congestion Control, ICML 2019",
    ),
    "orca": Observation(
        names=(
            "throughput over the highest so far",
            "retransmissions over the highest throughput so far",
            "least over mean RTT",
            "acknowledgments over cwnd",
            "length of the interval in least RTTs",
            "log2 of cwnd",
        ),
        bounds=((0.0, 1.0), (0.0, 100.0), (0.0, 1.0), (0.0, 100.0), (0.0, 1e4), (0.0, 30.0)),
        values=_orca,
        source="after Abbasloo, Yen and Chao, Classic Meets Modern, SIGCOMM 2020: what it measures, in our scales",
    ),
}
"""All observations, by name."""


def observation(chosen: str | Observation) -> Observation:
    """Return an observation, given itself or its name."""
    if isinstance(chosen, Observation):
        return chosen
    if chosen not in OBSERVATIONS:
        raise UserError(f"there is no observation {chosen!r}{choices(str(chosen), OBSERVATIONS)}")
    return OBSERVATIONS[chosen]
