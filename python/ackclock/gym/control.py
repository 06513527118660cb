"""Turns a learned policy into a congestion control, usable as a variant without Gymnasium and PettingZoo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ackclock.control.control import Control, Rounds
from ackclock.gym.actions import bounded, factor
from ackclock.gym.interval import Interval
from ackclock.gym.observations import OBSERVATIONS

if TYPE_CHECKING:
    from ackclock._core import AckSample, LossSample


class PolicyControl(Control):
    """Base class of policies with observation ``"plain"`` and action ``"window"``; define `act` in a subclass.

    A subclass is a variant. Once per round trip `act` gets the observation that `CongestionControlEnv` would give, and
    the window is multiplied by 2 to the power of the result. During the first round trip the window keeps its initial
    value.
    """

    traced = ("action",)

    def __init__(self) -> None:
        """Start a connection."""
        self.action = 0.0
        self._rounds = Rounds()
        self._began = 0.0
        self._acked = 0
        self._reactions = 0
        self._rtts: list[float] = []
        self._rtt = self._least = 0.0
        self._best = 0.0
        self._goal = 0.0

    def act(self, observation: Sequence[float]) -> float:
        """Return the action that the policy chooses for an observation."""
        raise NotImplementedError

    def on_ack(self, ack: AckSample) -> None:
        """Record an acknowledgment; at the end of each round trip, apply the policy."""
        if self.cwnd < self._goal:
            self.cwnd = min(self._goal, self.cwnd + ack.count)
        self._acked += ack.una - ack.una_before
        if ack.rtt is not None:
            self._rtts.append(ack.rtt)
            self._least = min(self._least or ack.rtt, ack.rtt)
        if self._rounds.ends(ack):
            if self._began:
                self._act(ack.now)
            self._began, self._acked, self._reactions = ack.now, 0, 0
            self._rtts.clear()

    def on_congestion(self, loss: LossSample) -> None:
        """Record a loss for the policy's next decision; after a timeout restart with a window of one segment."""
        self._reactions += 1
        if loss.timeout:
            self._goal, self.cwnd = max(self._goal, self.cwnd), 1.0

    def _act(self, now: float) -> None:
        passed = now - self._began
        before = self._rtt
        if self._rtts:
            self._rtt = sum(self._rtts) / len(self._rtts)
        rate = self._acked / passed if passed > 0 else 0.0
        self._best = max(self._best, rate)
        plain = OBSERVATIONS["plain"]
        seen = plain.of(
            Interval(
                duration_s=passed,
                acked_packets=self._acked,
                sent_packets=0,
                retransmitted_packets=0,
                reactions=self._reactions,
                throughput_pps=rate,
                best_pps=self._best,
                rtt_mean_s=self._rtt,
                rtt_before_s=before,
                rtt_min_s=self._least,
                cwnd=self.cwnd,
                in_flight=0,
                lost_packets=0,
                delivered_bytes=0,
                capacity_bps=0.0,
            )
        )
        self.action = min(max(float(self.act(seen)), -1.0), 1.0)
        self.cwnd = self._goal = bounded(self.cwnd * factor(self.action))
        self.ssthresh = self.cwnd
