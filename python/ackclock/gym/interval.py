"""Measurements of a flow during one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock._core import FlowState


@dataclass(frozen=True, slots=True)
class Interval:
    """Measurements of a flow during one step, from which observations and rewards are computed.

    The sender knows all of them except `lost_packets`, `delivered_bytes` and `capacity_bps`.
    """

    duration_s: float
    """Length of the interval, simulated seconds."""
    acked_packets: int
    """Segments newly acknowledged."""
    sent_packets: int
    """Segments sent, retransmissions included."""
    retransmitted_packets: int
    """Segments retransmitted."""
    reactions: int
    """Number of the sender's reactions: losses detected by acknowledgments, and timeouts."""
    throughput_pps: float
    """Segments acknowledged per second."""
    best_pps: float
    """Highest throughput of any interval of the episode so far, segments per second."""
    rtt_mean_s: float
    """Mean RTT in the interval, seconds; the last known RTT if there is no sample."""
    rtt_before_s: float
    """Mean RTT in the previous interval, seconds."""
    rtt_min_s: float
    """Minimum RTT of the flow so far, seconds."""
    cwnd: float
    """Congestion window at the end, segments."""
    in_flight: int
    """Segments in flight at the end."""
    lost_packets: int
    """Packets lost in the network, whether or not the sender has detected it."""
    delivered_bytes: int
    """Payload delivered to the receiving application, bytes; unknown to the sender."""
    capacity_bps: float
    """Rate of the slowest link, bit/s; unknown to the sender."""

    @property
    def goodput_bps(self) -> float:
        """Payload delivered per second, bit/s."""
        return 8.0 * self.delivered_bytes / self.duration_s if self.duration_s > 0 else 0.0

    @property
    def loss_ratio(self) -> float:
        """Share of the sent packets that the network lost, 0 to 1."""
        return min(self.lost_packets / self.sent_packets, 1.0) if self.sent_packets else 0.0


class Intervals:
    """Computes an episode's intervals from the flow's states at the steps."""

    def __init__(self, state: FlowState, now_s: float, capacity_bps: float) -> None:
        """Start at the flow's current state."""
        self._state = state
        self._now_s = now_s
        self._capacity_bps = capacity_bps
        self._best = 0.0
        self._rtt = state.srtt_s or 0.0

    def next(self, state: FlowState, now_s: float) -> Interval:
        """Return the interval from the previous state to this one."""
        before, passed = self._state, now_s - self._now_s
        acked = state.acked_packets - before.acked_packets
        samples = state.rtt_samples - before.rtt_samples
        rtt = (state.rtt_sum_s - before.rtt_sum_s) / samples if samples else self._rtt
        rate = acked / passed if passed > 0 else 0.0
        self._best = max(self._best, rate)
        interval = Interval(
            duration_s=passed,
            acked_packets=acked,
            sent_packets=state.sent_packets - before.sent_packets,
            retransmitted_packets=state.retransmitted_packets - before.retransmitted_packets,
            reactions=state.timeouts + state.fast_retransmits - before.timeouts - before.fast_retransmits,
            throughput_pps=rate,
            best_pps=self._best,
            rtt_mean_s=rtt,
            rtt_before_s=self._rtt or rtt,
            rtt_min_s=state.rtt_min_s or rtt,
            cwnd=state.cwnd,
            in_flight=state.in_flight,
            lost_packets=state.lost_packets - before.lost_packets,
            delivered_bytes=state.delivered_bytes - before.delivered_bytes,
            capacity_bps=self._capacity_bps,
        )
        self._state, self._now_s, self._rtt = state, now_s, rtt
        return interval
