"""Rewards that an agent can get, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ackclock.errors import UserError, choices
from ackclock.gym.interval import Interval

RewardFunction: TypeAlias = Callable[[Interval], float]


@dataclass(frozen=True)
class Reward:
    """A reward function and its source."""

    value: RewardFunction
    """Function that computes the reward of an interval."""
    source: str = ""
    """Source of the definition."""


def plain(interval: Interval) -> float:
    """Return the reward goodput / capacity - 0.5 queueing delay / minimum RTT - 10 loss ratio."""
    delay = interval.rtt_mean_s / interval.rtt_min_s - 1.0 if interval.rtt_min_s > 0 else 0.0
    return interval.goodput_bps / interval.capacity_bps - 0.5 * delay - 10.0 * interval.loss_ratio


def aurora(interval: Interval) -> float:
    """Return 10 throughput - 1000 latency - 2000 loss; the units are packets/s and s, and loss is a ratio."""
    return 10.0 * interval.throughput_pps - 1000.0 * interval.rtt_mean_s - 2000.0 * interval.loss_ratio


def orca(interval: Interval, *, zeta: float = 5.0, beta: float = 1.25) -> float:
    """Return Orca's reward: the interval's power, divided by the highest throughput so far over the minimum RTT.

    Power is (throughput - `zeta` times lost packets per second) / RTT. An RTT of up to `beta` times the minimum counts
    as the minimum. Check the defaults of `zeta` and `beta` against the version of Orca that you compare with.
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
"""All rewards, by name."""


def reward(chosen: str | Reward | RewardFunction) -> RewardFunction:
    """Return a reward function, given itself, a `Reward` or its name."""
    if isinstance(chosen, Reward):
        return chosen.value
    if not isinstance(chosen, str):
        return chosen
    if chosen not in REWARDS:
        raise UserError(f"there is no reward {chosen!r}{choices(chosen, REWARDS)}")
    return REWARDS[chosen].value
