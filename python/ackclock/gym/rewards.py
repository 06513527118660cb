"""Rewards of an agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ackclock.errors import UserError, choices
from ackclock.gym.interval import Interval

RewardFunction: TypeAlias = Callable[[Interval], float]


@dataclass(frozen=True)
class Reward:
    """A reward for each interval."""

    value: RewardFunction
    """The reward of an interval."""
    source: str = ""
    """Source of its definition."""


def plain(interval: Interval) -> float:
    """Return goodput over capacity, minus half the queueing delay in least RTTs, minus ten times the loss ratio."""
    delay = interval.rtt_mean_s / interval.rtt_min_s - 1.0 if interval.rtt_min_s > 0 else 0.0
    return interval.goodput_bps / interval.capacity_bps - 0.5 * delay - 10.0 * interval.loss_ratio


def aurora(interval: Interval) -> float:
    """Return 10 throughput (packets per second) - 1000 latency (seconds) - 2000 loss (share)."""
    return 10.0 * interval.throughput_pps - 1000.0 * interval.rtt_mean_s - 2000.0 * interval.loss_ratio


def orca(interval: Interval, *, zeta: float = 5.0, beta: float = 1.25) -> float:
    """Return Orca's share of the best power so far: throughput minus `zeta` times the losses, over the delay.

    A delay of up to `beta` times the least counts as the least. Check the defaults of `zeta` and `beta` against the
    version of Orca that you compare with.
    """
    if interval.best_pps <= 0 or interval.rtt_mean_s <= 0 or interval.duration_s <= 0:
        return 0.0
    delay = interval.rtt_mean_s
    if delay <= beta * interval.rtt_min_s:
        delay = interval.rtt_min_s
    losses = interval.lost_packets / interval.duration_s
    return (interval.throughput_pps - zeta * losses) / interval.best_pps * interval.rtt_min_s / delay


REWARDS: dict[str, Reward] = {
    "plain": Reward(plain, "ours"),
    "aurora": Reward(
        aurora,
        "Jay et al., A Deep Reinforcement Learning Perspective on Internet Congestion Control, ICML 2019",
    ),
    "orca": Reward(orca, "Abbasloo, Yen and Chao, Classic Meets Modern, SIGCOMM 2020"),
}
"""Rewards by name."""


def reward(chosen: str | Reward | RewardFunction) -> RewardFunction:
    """Return the function of a reward, given that or its name."""
    if isinstance(chosen, Reward):
        return chosen.value
    if not isinstance(chosen, str):
        return chosen
    if chosen not in REWARDS:
        raise UserError(f"there is no reward {chosen!r}{choices(chosen, REWARDS)}")
    return REWARDS[chosen].value
