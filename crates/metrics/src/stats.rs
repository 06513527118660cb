//! Counters that every run keeps. They are plain numbers, updated during the run.

use crate::percentiles::Percentiles;
use crate::ps_sum::{PsSums, mean_s};
use base::cache::fetch_front;
use base::{DropCause, Duration, Instant, Packet};

/// Number of causes of loss, and so of counters in [`LostStats`].
pub const CAUSES: usize = DropCause::ALL.len();

/// Lost packets by cause, in the order of [`DropCause::ALL`]. Takes eight bytes if no packet was lost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LostStats {
    counts: Option<Box<Lost>>,
}

/// Counts of lost packets. Most flows and links lose packets because of one cause only.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Lost {
    One(DropCause, u64),
    Several(Box<[u64; CAUSES]>),
}

impl serde::Serialize for LostStats {
    /// Writes a map from each cause to its number of packets.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(DropCause::ALL.iter().map(|cause| (cause.name(), self.of(*cause))))
    }
}

impl LostStats {
    /// Counts one lost packet.
    #[inline]
    pub fn add(&mut self, cause: DropCause) {
        self.add_many(cause, 1);
    }

    /// Counts `packets` lost packets, at least one.
    fn add_many(&mut self, cause: DropCause, packets: u64) {
        let counts = self.counts.get_or_insert_with(|| Box::new(Lost::One(cause, 0)));
        match &mut **counts {
            Lost::One(only, count) if *only == cause => *count += packets,
            Lost::One(only, count) => {
                let mut each = [0; CAUSES];
                each[*only as usize] = *count;
                each[cause as usize] = packets;
                **counts = Lost::Several(Box::new(each));
            }
            Lost::Several(each) => each[cause as usize] += packets,
        }
    }

    /// Returns the number of packets lost because of `cause`.
    pub fn of(&self, cause: DropCause) -> u64 {
        match self.counts.as_deref() {
            Some(Lost::One(only, count)) if *only == cause => *count,
            Some(Lost::Several(each)) => each[cause as usize],
            _ => 0,
        }
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (cause, packets) in other.by_cause().filter(|(_, packets)| *packets > 0) {
            self.add_many(cause, packets);
        }
    }

    /// Returns the number of lost packets, all causes.
    pub fn total(&self) -> u64 {
        match self.counts.as_deref() {
            None => 0,
            Some(Lost::One(_, count)) => *count,
            Some(Lost::Several(each)) => each.iter().sum(),
        }
    }

    /// Returns each cause with its number of lost packets, in the order of [`DropCause::ALL`].
    pub fn by_cause(&self) -> impl Iterator<Item = (DropCause, u64)> + '_ {
        DropCause::ALL.into_iter().map(|cause| (cause, self.of(cause)))
    }
}

/// Statistics of delays in order of arrival, such as the one-way delays of a flow's packets.
///
/// For one-way delays, the mean delay is FlowMonitor's delaySum / rxPackets, and the mean jitter is
/// FlowMonitor's jitterSum / (rxPackets - 1), where jitterSum is the sum of `|d_i - d_(i-1)|` over packets in
/// order of arrival (delay variation of RFC 3393).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DelayStats {
    count: u64,
    /// Sum of the delays, then of the jitter.
    sums: PsSums,
    last: Duration,
    /// Shortest delay; valid only if `count` > 0.
    min: Duration,
    max: Duration,
}

impl DelayStats {
    /// Counts one packet's delay; returns its difference from the delay before (jitter), or `None` for the
    /// first packet.
    #[inline]
    pub fn add(&mut self, delay: Duration) -> Option<Duration> {
        if delay < self.min || delay > self.max {
            self.extend(delay);
        }
        let jitter = Duration::from_ps(delay.ps().abs_diff(self.last.ps()));
        self.sums.add::<1>(jitter.ps());
        self.sums.add::<0>(delay.ps());
        self.last = delay;
        self.count += 1;
        (self.count > 1).then_some(jitter)
    }

    /// Updates the extremes for a delay that is outside them.
    #[cold]
    fn extend(&mut self, delay: Duration) {
        if self.count == 0 {
            // The first delay has no jitter.
            (self.min, self.last) = (delay, delay);
        }
        self.min = self.min.min(delay);
        self.max = self.max.max(delay);
    }

    /// Adds the delays of `other`, which come from another connection: the difference between a delay here and one there
    /// counts as no jitter.
    pub(crate) fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.min = if self.count > 0 { self.min.min(other.min) } else { other.min };
        self.max = self.max.max(other.max);
        self.count += other.count;
        self.sums.merge(other.sums);
        self.last = other.last;
    }

    /// Returns the number of delays counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean delay in seconds; `None` if there is no delay.
    pub fn mean_s(&self) -> Option<f64> {
        mean_s(self.sums.get::<0>(), self.count)
    }

    /// Returns the mean jitter `|d_i - d_(i-1)|` in seconds; `None` if there are fewer than two delays.
    pub fn jitter_mean_s(&self) -> Option<f64> {
        mean_s(self.sums.get::<1>(), self.count.saturating_sub(1))
    }

    /// Returns the shortest delay; `None` if there is no delay.
    pub fn min(&self) -> Option<Duration> {
        (self.count > 0).then_some(self.min)
    }

    /// Returns the longest delay; `None` if there is no delay.
    pub fn max(&self) -> Option<Duration> {
        (self.count > 0).then_some(self.max)
    }
}

/// Counters of one flow. Packets are those from source to destination; bytes are payload unless the name says
/// wire.
///
/// The order of fields is the order in memory: counters that are updated together are adjacent. With a
/// thousand flows or more, each cache line that a packet touches must be fetched from memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[repr(C, align(64))]
pub struct FlowStats {
    /// Packets that reached the destination, duplicates included.
    pub received_packets: u64,
    /// Size of `received_packets`, bytes on the wire with headers.
    pub received_wire_bytes: u64,
    /// Payload of `received_packets`, bytes, duplicates included.
    pub received_bytes: u64,
    /// Times of the first and the last arrival at the destination; valid only if `received_packets` > 0.
    pub(crate) received: [Instant; 2],
    /// One-way delays of the packets received.
    pub delay: DelayStats,
    pub(crate) delay_percentiles: Percentiles,
    /// Packets that the source's transport sent, including retransmissions and SYN, FIN and ACK without
    /// payload.
    pub sent_packets: u64,
    /// Payload of `sent_packets`, bytes.
    pub sent_bytes: u64,
    /// Times from sending a packet to the arrival of the acknowledgment that it caused.
    pub packet_rtt: DelayStats,
    pub(crate) packet_rtt_percentiles: Percentiles,
    /// Samples of the round-trip time that the sender's transport took.
    pub rtt: DelayStats,
    /// Retransmissions among `sent_packets`.
    pub retransmitted_packets: u64,
    /// Payload of `retransmitted_packets`, bytes.
    pub retransmitted_bytes: u64,
    /// Segments newly acknowledged at the sender.
    pub acked_packets: u64,
    /// Payload of `acked_packets`, bytes.
    pub acked_bytes: u64,
    /// Payload delivered to the receiving application, bytes: each byte once, in order; for datagrams, in
    /// order of arrival.
    pub delivered_bytes: u64,
    /// Packets lost between source and destination.
    pub lost: LostStats,
    /// Acknowledgments lost between destination and source.
    pub lost_acks: LostStats,
    /// Packets marked by queues (ECN).
    pub marked_packets: u64,
    /// Copies made by duplication on links.
    pub duplicated_packets: u64,
    /// Packets that gateways sent towards the destination, minus packets that gateways took over from the
    /// source.
    pub relayed_packets: i64,
    /// Time of the last segment sent, if the flow has data to send and will never send again.
    pub stalled: Option<Instant>,
    /// Retransmission timeouts.
    pub timeouts: u32,
    /// True if the receiver acknowledges segments that have not arrived, so that goodput counts `delivered_bytes`.
    pub conceals_losses: bool,
    /// Times that the sender entered fast retransmit.
    pub fast_retransmits: u64,
    /// Time at which the last byte was acknowledged, for a transfer of given size.
    pub completed: Option<Instant>,
}

impl FlowStats {
    /// Counts `packet`, which the source's transport sends.
    #[inline(always)]
    pub fn on_sent(&mut self, packet: &Packet) {
        let payload = u64::from(packet.payload());
        self.sent_packets += 1;
        self.sent_bytes += payload;
        if is_retransmission(packet) {
            self.retransmitted_packets += 1;
            self.retransmitted_bytes += payload;
        }
    }

    /// Counts `packet`, which reached the destination at `now`.
    #[inline(always)]
    pub fn on_received(&mut self, now: Instant, packet: &Packet) {
        if self.received_packets == 0 {
            self.received[0] = now;
        }
        self.received[1] = now;
        self.received_packets += 1;
        self.received_wire_bytes += u64::from(packet.wire);
        self.received_bytes += u64::from(packet.payload());
        let delay = now.since(packet.sent);
        self.delay.add(delay);
        self.delay_percentiles.add(delay);
    }

    /// Prefetches the counters that the next packet updates: those of the destination if `forward` is true, else those of
    /// the source.
    #[inline(always)]
    pub fn fetch(&self, forward: bool) {
        const HALF: usize = std::mem::offset_of!(FlowStats, sent_packets);
        const END: usize = std::mem::offset_of!(FlowStats, retransmitted_packets);
        if forward {
            fetch_front(self, HALF);
        } else {
            fetch_front(&self.sent_packets, END - HALF);
        }
    }

    /// Prefetches the histogram counts that the next packet is likely to update: those of one-way delays if
    /// `forward` is true, else those of round trips. The struct itself is in the cache already.
    #[inline]
    pub fn fetch_counts(&self, forward: bool) {
        if forward {
            self.delay_percentiles.fetch(self.delay.last);
        } else {
            self.packet_rtt_percentiles.fetch(self.packet_rtt.last);
        }
    }

    /// Counts a packet whose acknowledgment reached the sender `round_trip` after the packet was sent.
    #[inline(always)]
    pub fn on_returned(&mut self, round_trip: Duration) {
        self.packet_rtt.add(round_trip);
        self.packet_rtt_percentiles.add(round_trip);
    }

    /// Returns the `p`-quantile (0 to 1) of the one-way delays of packets received, in seconds.
    pub fn delay_percentile_s(&self, p: f64) -> Option<f64> {
        self.delay_percentiles.at_s(p, self.delay.count, [self.delay.min, self.delay.max])
    }

    /// Returns the `p`-quantile (0 to 1) of `packet_rtt`, in seconds.
    pub fn packet_rtt_percentile_s(&self, p: f64) -> Option<f64> {
        let trips = &self.packet_rtt;
        self.packet_rtt_percentiles.at_s(p, trips.count, [trips.min, trips.max])
    }

    /// Counts a lost packet of the flow.
    #[inline]
    pub fn on_lost(&mut self, cause: DropCause) {
        self.lost.add(cause);
    }

    /// Counts `packets` segments with `bytes` of payload that were newly acknowledged at the sender.
    #[inline]
    pub fn on_acked(&mut self, packets: u64, bytes: u64) {
        self.acked_packets += packets;
        self.acked_bytes += bytes;
    }

    /// Adds the counters of `other`, a connection of the same flow; `completed` stays as it is.
    pub fn merge(&mut self, other: &Self) {
        if self.received_packets == 0 {
            self.received = other.received;
        } else if other.received_packets > 0 {
            let ([first, last], [other_first, other_last]) = (self.received, other.received);
            self.received = [first.min(other_first), last.max(other_last)];
        }
        self.received_packets += other.received_packets;
        self.received_wire_bytes += other.received_wire_bytes;
        self.received_bytes += other.received_bytes;
        self.delay.merge(&other.delay);
        self.delay_percentiles.merge(&other.delay_percentiles);
        self.sent_packets += other.sent_packets;
        self.sent_bytes += other.sent_bytes;
        self.retransmitted_packets += other.retransmitted_packets;
        self.retransmitted_bytes += other.retransmitted_bytes;
        self.packet_rtt.merge(&other.packet_rtt);
        self.packet_rtt_percentiles.merge(&other.packet_rtt_percentiles);
        self.rtt.merge(&other.rtt);
        self.acked_packets += other.acked_packets;
        self.acked_bytes += other.acked_bytes;
        self.delivered_bytes += other.delivered_bytes;
        self.lost.merge(&other.lost);
        self.lost_acks.merge(&other.lost_acks);
        self.marked_packets += other.marked_packets;
        self.duplicated_packets += other.duplicated_packets;
        self.relayed_packets += other.relayed_packets;
        self.stalled = self.stalled.or(other.stalled);
        self.timeouts += other.timeouts;
        self.fast_retransmits += other.fast_retransmits;
    }

    /// Returns the packets in flight: sent or duplicated, and not received, lost, or taken over by a gateway.
    pub fn in_flight_packets(&self) -> i64 {
        let there_were = self.sent_packets + self.duplicated_packets;
        there_were as i64 + self.relayed_packets - self.received_packets as i64 - self.lost.total() as i64
    }

    /// Returns the payload newly acknowledged per `interval`, bit/s: goodput of RFC 5166 section 2.1.1 as the
    /// sender sees it. If the receiver conceals losses, counts the payload that arrived.
    pub fn goodput_bps(&self, interval: Duration) -> f64 {
        rate_bps(if self.conceals_losses { self.delivered_bytes } else { self.acked_bytes }, interval)
    }

    /// Returns the bytes received per `interval`, with headers and duplicates, bit/s.
    pub fn throughput_bps(&self, interval: Duration) -> f64 {
        rate_bps(self.received_wire_bytes, interval)
    }

    /// Returns (payload sent - payload retransmitted) per `interval`, bit/s: the throughput of study abadin.
    pub fn new_data_bps(&self, interval: Duration) -> f64 {
        rate_bps(self.sent_bytes - self.retransmitted_bytes, interval)
    }

    /// Returns the bytes received per time from the first arrival to the last, with headers and duplicates,
    /// bit/s; `None` if there are fewer than two arrivals. FlowMonitor's throughput: 8 rxBytes /
    /// (timeLastRxPacket - timeFirstRxPacket).
    pub fn flowmonitor_throughput_bps(&self) -> Option<f64> {
        let [first, last] = self.received;
        let span = last.since(first);
        (!span.is_zero()).then(|| rate_bps(self.received_wire_bytes, span))
    }

    /// Returns lost / (lost + received). FlowMonitor's packet loss ratio, but with the actual number of lost
    /// packets.
    pub fn loss_ratio(&self) -> f64 {
        let lost = self.lost.total();
        if lost == 0 { 0.0 } else { lost as f64 / (lost + self.received_packets) as f64 }
    }
}

/// Returns true if `packet` is a retransmission.
#[inline]
pub(crate) fn is_retransmission(packet: &Packet) -> bool {
    match &packet.body {
        base::Body::Data(data) => data.retransmission,
        base::Body::Real(segment) => segment.retransmission,
        _ => false,
    }
}

/// Returns `bytes` per `interval` in bit/s; 0 if `interval` is 0.
pub fn rate_bps(bytes: u64, interval: Duration) -> f64 {
    if interval.is_zero() { 0.0 } else { bytes as f64 * 8.0 / interval.secs() }
}

/// Returns Jain's fairness index, `(sum x)^2 / (n sum x^2)` (RFC 5166 section 2.3.1). It is 1 if all n shares
/// are equal, and `1/n` if one share is everything. `None` if all shares are 0.
pub fn jain(shares: &[f64]) -> Option<f64> {
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|x| x * x).sum();
    (squares > 0.0).then(|| sum * sum / (shares.len() as f64 * squares))
}

#[cfg(test)]
#[path = "stats_tests.rs"]
mod tests;
