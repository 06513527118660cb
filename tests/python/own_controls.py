"""Three built-in congestion controls, written again in Python from the papers; their runs must be equal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import ackclock as ac
from ackclock.control import cbrt, power

if TYPE_CHECKING:
    from ackclock._core import AckSample, Arrival, LossSample


def since(now: float, then: float) -> float:
    """Return the time between two instants, s, rounded to picoseconds, which are the resolution of simulated time."""
    return (round(now * 1e12) - round(then * 1e12)) / 1e12


class Grower(ac.Control):
    """Window growth and reduction of RFC 5681, with the endpoint's parameters."""

    def grow_by(self, count: float) -> None:
        """Grow for `count` acknowledged segments: slow start below ssthresh, one segment per round trip above it."""
        slow = min(count, max(self.ssthresh - self.cwnd, 1.0)) if self.cwnd < self.ssthresh else 0.0
        self.cwnd += slow
        if slow < count:
            self.cwnd += (count - slow) / self.cwnd

    def leave(self, loss: LossSample, left: float) -> None:
        """Set the window after a loss to `left` segments, and ssthresh to match, within the loss event's bounds."""
        if not loss.keep_ssthresh:
            self.ssthresh = loss.threshold(left)
        self.cwnd = max(left, loss.floor, 1.0) if loss.goes_on else 1.0


class OwnNewReno(Grower):
    """Additive increase, multiplicative decrease (RFC 5681)."""

    def on_ack(self, ack: AckSample) -> None:
        """Grow the window."""
        if ack.grow:
            self.grow_by(ack.count)

    def on_congestion(self, loss: LossSample) -> None:
        """Halve the window."""
        self.leave(loss, loss.reduced(0.5 if loss.abe is None else loss.abe))


class OwnWestwood(Grower):
    """TCP Westwood (Mascolo et al. 2001): after a loss the window is the estimated bandwidth times the minimum RTT."""

    tau = ac.control.Parameter(0.5, minimum=0.001, maximum=1000.0, unit="s")
    m = ac.control.Parameter(2.0, minimum=2.0, maximum=1000.0)
    segment_times = True
    traced = ("filtered", "rtt_min")

    def __init__(self) -> None:
        """Start without estimates."""
        self.accounted = 0
        self.filtered, self.unseen = 0.0, 1.0
        self.sample: float | None = None
        self.last: float | None = None
        self.pending = 0
        self.rtt_min = math.inf

    def arrived(self, acked: int) -> int:
        """Return the number of segments that have arrived according to an ACK and were not counted before."""
        if acked == 0:
            self.accounted += 1
            return 1
        if acked == 1:
            return 1
        if self.accounted >= acked:
            self.accounted -= acked
            return 1
        count, self.accounted = acked - self.accounted, 0
        return count

    def on_arrival(self, arrival: Arrival) -> None:
        """Take a bandwidth sample."""
        self.pending += self.arrived(arrival.acked)
        if self.last is None:
            self.last, self.pending = arrival.now, 0
            return
        gap = since(arrival.now, self.last)
        if gap <= 0.0:
            return
        sample, self.pending = self.pending / gap, 0
        quiet = self.tau / self.m
        silences = max(math.ceil(gap / quiet) - 1.0, 0.0)
        if self.sample is None:
            self.filter(min(gap, quiet), 1.0, sample + sample)
        elif silences == 0.0:
            self.filter(gap, 1.0, self.sample + sample)
        else:
            self.filter(quiet, 1.0, self.sample)
            self.filter(quiet, silences - 1.0, 0.0)
            self.filter(max(gap - silences * quiet, 0.0), 1.0, sample)
        self.sample, self.last = sample, arrival.now

    def filter(self, gap: float, times: float, samples: float) -> None:
        """Apply `times` steps of the low-pass filter."""
        gain = power((2.0 * self.tau - gap) / (2.0 * self.tau + gap), times)
        self.filtered = gain * self.filtered + (1.0 - gain) * samples / 2.0
        self.unseen *= gain

    def on_ack(self, ack: AckSample) -> None:
        """Grow as Reno does."""
        if ack.rtt is not None:
            self.rtt_min = min(self.rtt_min, ack.rtt)
        if ack.grow:
            self.grow_by(ack.count)

    def on_congestion(self, loss: LossSample) -> ac.control.Taken:
        """Reduce the window to the estimated bandwidth-delay product."""
        before = self.cwnd
        known = self.unseen < 1.0 and math.isfinite(self.rtt_min)
        estimate = self.filtered / (1.0 - self.unseen) * self.rtt_min if known else loss.reduced(0.5)
        self.ssthresh = loss.threshold(estimate)
        self.cwnd = max(min(before, self.ssthresh), loss.floor, 1.0) if loss.goes_on else 1.0
        by_acks = loss.why in ("fast_loss", "restart")
        return "random" if by_acks and self.ssthresh >= before else "congestion"


class OwnCubic(Grower):
    """CUBIC (RFC 9438)."""

    c = ac.control.Parameter(0.4, minimum=0.0001, maximum=1000.0, unit="segments per s^3")
    beta = ac.control.Parameter(0.7, minimum=0.01, maximum=0.99)
    traced = ("w_max",)

    def __init__(self) -> None:
        """Start without an RTT and without a previous maximum."""
        self.rtt = self.w_max = self.prior = 0.0
        self.climbs = False
        self.last: float | None = None
        self.epoch: tuple[float, float, float, float] | None = None

    def cubic(self, t: float, k: float, plateau: float) -> float:
        """Return W_cubic(t), segments, by equation 1 of RFC 9438."""
        from_plateau = t - k
        return float(self.c * from_plateau * from_plateau * from_plateau + plateau)

    def avoid(self, count: float, acked: int, elapsed: float) -> None:
        """Grow in congestion avoidance: by the cubic function, or as Reno if that is faster.

        Reno's estimate uses the segments acknowledged (section 4.3), and the cubic function uses `count`.
        """
        cwnd = self.cwnd
        if self.epoch is None:
            plateau = max(self.w_max, cwnd) if self.climbs else cwnd
            self.prior = self.prior or cwnd
            t, k, w_est = 0.0, cbrt((plateau - cwnd) / self.c), cwnd
        else:
            t, k, plateau, w_est = self.epoch
            t += elapsed
        alpha = 1.0 if w_est >= self.prior else 3.0 * (1.0 - self.beta) / (1.0 + self.beta)
        w_est += alpha * acked / cwnd
        if self.cubic(t, k, plateau) < w_est:
            self.cwnd = max(cwnd, w_est)
        else:
            target = min(max(self.cubic(t + self.rtt, k, plateau), cwnd), 1.5 * cwnd)
            self.cwnd = cwnd + (target - cwnd) * count / cwnd
        self.epoch = (t, k, plateau, w_est)

    def on_ack(self, ack: AckSample) -> None:
        """Grow by slow start below ssthresh, and otherwise by the cubic function."""
        if ack.rtt is not None:
            self.rtt = self.rtt + (ack.rtt - self.rtt) / 8.0 if self.rtt > 0.0 else ack.rtt
        elapsed = 0.0 if self.last is None else since(ack.now, self.last)
        self.last = ack.now
        if not ack.grow or not ack.window_limited(self.cwnd):
            return
        if self.cwnd < self.ssthresh:
            self.cwnd += min(ack.count, max(self.ssthresh - self.cwnd, 1.0))
            self.epoch = None
        else:
            self.avoid(ack.count, ack.una - ack.una_before, elapsed)

    def on_congestion(self, loss: LossSample) -> None:
        """Reduce the window by 30 %."""
        cwnd = self.cwnd
        if not loss.keep_ssthresh:
            self.prior = cwnd
            self.w_max = cwnd * (1.0 + self.beta) / 2.0 if cwnd < self.w_max else cwnd
        self.climbs = not loss.timeout
        self.epoch = None
        base = min(loss.base, cwnd)
        factor = self.beta if loss.abe is None else 0.85
        self.leave(loss, math.floor(math.floor(base) * factor) if loss.whole else base * factor)
