//! Counters that every run keeps: plain numbers without allocation, updated during the run.

use crate::percentiles::Percentiles;
use base::{DropCause, Duration, Instant, Packet};

/// Number of causes of loss, and so of counters of lost packets.
pub const CAUSES: usize = DropCause::ALL.len();

/// Packets lost, by cause, in the order of [`DropCause::ALL`]. Eight bytes if nothing was lost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LostStats {
    counts: Option<Box<[u64; CAUSES]>>,
}

impl serde::Serialize for LostStats {
    /// Writes a map from cause to number of packets, with every cause.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(DropCause::ALL.iter().map(|cause| (cause.name(), self.of(*cause))))
    }
}

impl LostStats {
    /// Counts one lost packet.
    #[inline]
    pub fn add(&mut self, cause: DropCause) {
        self.counts.get_or_insert_default()[cause as usize] += 1;
    }

    /// Returns the packets lost for one cause.
    pub fn of(&self, cause: DropCause) -> u64 {
        self.counts.as_ref().map_or(0, |counts| counts[cause as usize])
    }

    /// Returns the packets lost for any cause.
    pub fn total(&self) -> u64 {
        self.counts.as_ref().map_or(0, |counts| counts.iter().sum())
    }

    /// Returns each cause with its count, in the order of [`DropCause::ALL`].
    pub fn by_cause(&self) -> impl Iterator<Item = (DropCause, u64)> + '_ {
        DropCause::ALL.into_iter().map(|cause| (cause, self.of(cause)))
    }
}

/// A sum of picoseconds. 64 bits last for 213 days of summed delay: 1 s of delay on 18 million packets. A `u128` would
/// do the same, but its alignment leaves gaps in the counters of every packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct PsSum {
    low: u64,
    high: u64,
}

impl PsSum {
    #[inline]
    fn add(&mut self, ps: u64) {
        let (low, carry) = self.low.overflowing_add(ps);
        self.low = low;
        self.high += u64::from(carry);
    }

    fn get(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

/// One-way delays of the packets of a flow, in order of arrival.
///
/// Mean delay is FlowMonitor's delaySum / rxPackets; mean jitter is FlowMonitor's jitterSum / (rxPackets - 1), where
/// jitterSum adds up `|d_i - d_(i-1)|` over packets in order of arrival (the delay variation of RFC 3393).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DelayStats {
    count: u64,
    sum: PsSum,
    jitter_sum: PsSum,
    last: Duration,
    /// Valid only if there is a delay.
    min: Duration,
    max: Duration,
}

impl DelayStats {
    /// Counts one packet's delay; returns its jitter, `None` for the first.
    #[inline]
    pub fn add(&mut self, delay: Duration) -> Option<Duration> {
        let jitter = (self.count > 0).then(|| Duration::from_ps(delay.ps().abs_diff(self.last.ps())));
        self.jitter_sum.add(jitter.unwrap_or_default().ps());
        self.min = if self.count > 0 { self.min.min(delay) } else { delay };
        self.count += 1;
        self.sum.add(delay.ps());
        self.last = delay;
        self.max = self.max.max(delay);
        jitter
    }

    /// Returns the number of delays.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean delay in seconds; `None` before the first.
    pub fn mean_s(&self) -> Option<f64> {
        mean_s(self.sum, self.count)
    }

    /// Returns the mean `|d_i - d_(i-1)|` in seconds; `None` before the second.
    pub fn jitter_mean_s(&self) -> Option<f64> {
        mean_s(self.jitter_sum, self.count.saturating_sub(1))
    }

    /// Returns the shortest delay; `None` before the first.
    pub fn min(&self) -> Option<Duration> {
        (self.count > 0).then_some(self.min)
    }

    /// Returns the longest delay; `None` before the first.
    pub fn max(&self) -> Option<Duration> {
        (self.count > 0).then_some(self.max)
    }
}

/// Returns `sum / count` in seconds; `None` if nothing was counted.
fn mean_s(sum: PsSum, count: u64) -> Option<f64> {
    (count > 0).then(|| sum.get() as f64 / count as f64 / base::time::PS_PER_S as f64)
}

/// The counters of one flow. Packets are those on the way from its source to its destination; bytes are payload unless
/// the name says wire.
///
/// Laid out as declared: what is counted with each packet at one end lies together. With a thousand flows and more, each line of
/// the cache that a packet touches is fetched from memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct FlowStats {
    /// Packets that reached the destination, copies included.
    pub received_packets: u64,
    /// Their bytes on the wire, headers included.
    pub received_wire_bytes: u64,
    /// Their payload, copies included.
    pub received_bytes: u64,
    /// First arrival at the destination.
    pub first_received: Option<Instant>,
    /// Last arrival at the destination.
    pub last_received: Option<Instant>,
    /// One-way delays of packets received.
    pub delay: DelayStats,
    pub(crate) delay_percentiles: Percentiles,
    /// Packets handed down by the source, retransmissions and bare SYN, FIN and ACK included.
    pub sent_packets: u64,
    /// Their payload.
    pub sent_bytes: u64,
    /// Of these, copies of segments sent before.
    pub retransmitted_packets: u64,
    /// Their payload.
    pub retransmitted_bytes: u64,
    /// Round trips of the packets themselves, if they were answered.
    pub packet_rtt: DelayStats,
    pub(crate) packet_rtt_percentiles: Percentiles,
    /// Round-trip times that the sender measured.
    pub rtt: DelayStats,
    /// Segments newly acknowledged at the sender.
    pub acked_packets: u64,
    /// Their payload.
    pub acked_bytes: u64,
    /// Payload handed to the receiving application, each byte once, in order (datagrams: as they arrive).
    pub delivered_bytes: u64,
    /// Packets lost on the way.
    pub lost: LostStats,
    /// Acknowledgments lost on the way back.
    pub lost_acks: LostStats,
    /// Packets that a queue on the way marked (ECN).
    pub marked_packets: u64,
    /// Second copies that links on the way made.
    pub duplicated_packets: u64,
    /// Packets that gateways sent towards the destination, minus those that ended at gateways.
    pub relayed_packets: i64,
    /// Time of its last segment, if it has data to send and will never send again.
    pub stalled: Option<Instant>,
    /// Retransmission timeouts that fired.
    pub timeouts: u64,
    /// Times that fast retransmit was entered.
    pub fast_retransmits: u64,
    /// Time at which the last byte of a transfer of given size was acknowledged.
    pub completed: Option<Instant>,
}

impl FlowStats {
    /// Counts `packet`, handed down by the source's transport.
    #[inline]
    pub fn on_sent(&mut self, packet: &Packet) {
        let payload = u64::from(packet.payload());
        self.sent_packets += 1;
        self.sent_bytes += payload;
        if is_retransmission(packet) {
            self.retransmitted_packets += 1;
            self.retransmitted_bytes += payload;
        }
    }

    /// Counts `packet`, which reached the destination.
    #[inline]
    pub fn on_received(&mut self, now: Instant, packet: &Packet) {
        self.received_packets += 1;
        self.received_wire_bytes += u64::from(packet.wire);
        self.received_bytes += u64::from(packet.payload());
        let delay = now.since(packet.sent);
        self.delay.add(delay);
        self.delay_percentiles.add(delay);
        self.first_received.get_or_insert(now);
        self.last_received = Some(now);
    }

    /// Prefetches the counters of the next packet: with `forward`, of one that comes to the destination, else of one
    /// that was answered. The struct itself is in the cache already.
    #[inline]
    pub fn fetch_counts(&self, forward: bool) {
        if forward {
            self.delay_percentiles.fetch(self.delay.last);
        } else {
            self.packet_rtt_percentiles.fetch(self.packet_rtt.last);
        }
    }

    /// Counts a packet that was answered: `round_trip` is the time until its acknowledgment was back.
    #[inline]
    pub fn on_returned(&mut self, round_trip: Duration) {
        self.packet_rtt.add(round_trip);
        self.packet_rtt_percentiles.add(round_trip);
    }

    /// Returns the one-way delay, in seconds, that a share `p` (0 to 1) of the packets received did not exceed.
    pub fn delay_percentile_s(&self, p: f64) -> Option<f64> {
        self.delay_percentiles.at_s(p, self.delay.count, [self.delay.min, self.delay.max])
    }

    /// Returns the round trip, in seconds, that a share `p` (0 to 1) of the packets answered did not exceed.
    pub fn packet_rtt_percentile_s(&self, p: f64) -> Option<f64> {
        let trips = &self.packet_rtt;
        self.packet_rtt_percentiles.at_s(p, trips.count, [trips.min, trips.max])
    }

    /// Counts a lost packet of the flow.
    #[inline]
    pub fn on_lost(&mut self, cause: DropCause) {
        self.lost.add(cause);
    }

    /// Counts segments, with their payload, that the sender newly knows to have arrived.
    #[inline]
    pub fn on_acked(&mut self, packets: u64, bytes: u64) {
        self.acked_packets += packets;
        self.acked_bytes += bytes;
    }

    /// Returns the packets on the way: sent or duplicated, neither received nor lost, nor taken by a gateway.
    pub fn in_flight_packets(&self) -> i64 {
        let there_were = self.sent_packets + self.duplicated_packets;
        there_were as i64 + self.relayed_packets - self.received_packets as i64 - self.lost.total() as i64
    }

    /// Returns the payload newly acknowledged per interval, bit/s: goodput of RFC 5166 section 2.1.1 seen by the
    /// sender.
    pub fn goodput_bps(&self, interval: Duration) -> f64 {
        rate_bps(self.acked_bytes, interval)
    }

    /// Returns the bytes received with headers, copies included, per interval, bit/s.
    pub fn throughput_bps(&self, interval: Duration) -> f64 {
        rate_bps(self.received_wire_bytes, interval)
    }

    /// Returns (payload sent - payload retransmitted) per interval, bit/s: the throughput of study abadin.
    pub fn new_data_bps(&self, interval: Duration) -> f64 {
        rate_bps(self.sent_bytes - self.retransmitted_bytes, interval)
    }

    /// Returns the bytes received with headers, copies included, from the first arrival to the last, bit/s.
    /// FlowMonitor's throughput: 8 rxBytes / (timeLastRxPacket - timeFirstRxPacket). `None` before the second arrival.
    pub fn flowmonitor_throughput_bps(&self) -> Option<f64> {
        let span = self.last_received?.since(self.first_received?);
        (!span.is_zero()).then(|| rate_bps(self.received_wire_bytes, span))
    }

    /// Returns lost / (lost + received): FlowMonitor's packet loss ratio, with the true count of lost packets.
    pub fn loss_ratio(&self) -> f64 {
        let lost = self.lost.total();
        if lost == 0 { 0.0 } else { lost as f64 / (lost + self.received_packets) as f64 }
    }
}

/// Returns true if `packet` carries a copy of a segment sent before.
#[inline]
pub(crate) fn is_retransmission(packet: &Packet) -> bool {
    matches!(&packet.body, base::Body::Data(data) if data.retransmission)
}

/// Returns `bytes` per `interval` in bit/s; 0 if the interval is empty.
pub fn rate_bps(bytes: u64, interval: Duration) -> f64 {
    if interval.is_zero() { 0.0 } else { bytes as f64 * 8.0 / interval.secs() }
}

/// The counters of one direction of a link until the end of the run. 56 bytes, a test pins the size: every packet is
/// counted here, on each link of its way.
///
/// A FIFO link knows at a packet's entry when its transmission begins and ends; parts after the end of the run are cut
/// off.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinkStats {
    /// Packets whose transmission ended.
    pub sent_packets: u64,
    /// Their size, bytes on the wire.
    pub sent_bytes: u64,
    busy_ps: u64,
    waited: PsSum,
    rare: Option<Box<RareLinkStats>>,
    /// The most packets that were in the queue at once, the one in transmission included.
    pub queue_max_packets: u32,
}

/// The counters of a link that few packets need.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct RareLinkStats {
    drops: LostStats,
    marked_packets: u64,
    duplicated_packets: u64,
    /// Packets whose transmission began, but did not end.
    unfinished_packets: u64,
    /// Time in the queue of packets whose transmission did not begin.
    unbegun: PsSum,
}

impl LinkStats {
    /// Counts a packet of `wire` bytes that joined the queue at `arrival` and is transmitted from `start` to
    /// `departure`. `length` is that of the queue with it, the packet in transmission included. The run ends at `end`.
    #[inline]
    pub fn on_queued(
        &mut self,
        arrival: Instant,
        [start, departure]: [Instant; 2],
        wire: u32,
        length: u32,
        end: Instant,
    ) {
        self.queue_max_packets = self.queue_max_packets.max(length);
        if departure > end {
            self.on_cut(arrival, start, end);
            return;
        }
        self.sent_packets += 1;
        self.sent_bytes += u64::from(wire);
        self.busy_ps += departure.since(start).ps();
        self.waited.add(start.since(arrival).ps());
    }

    /// Counts a packet of which the end of the run, at `end`, cuts off the transmission that begins at `start`.
    #[cold]
    fn on_cut(&mut self, arrival: Instant, start: Instant, end: Instant) {
        let rare = self.rare.get_or_insert_default();
        if start <= end {
            rare.unfinished_packets += 1;
            self.busy_ps += end.since(start).ps();
            self.waited.add(start.since(arrival).ps());
        } else {
            rare.unbegun.add(end.since(arrival).ps());
        }
    }

    /// Counts a packet that was in the queue from `arrival` to `end`, when the queue dropped it or the run ended.
    pub fn on_held(&mut self, arrival: Instant, end: Instant) {
        self.rare.get_or_insert_default().unbegun.add(end.since(arrival).ps());
    }

    /// Notes a queue of `length` packets, the one in transmission included.
    pub fn on_length(&mut self, length: u32) {
        self.queue_max_packets = self.queue_max_packets.max(length);
    }

    /// Counts a packet lost here.
    #[cold]
    pub fn on_drop(&mut self, cause: DropCause) {
        self.rare.get_or_insert_default().drops.add(cause);
    }

    /// Counts a packet that the queue marked (ECN).
    pub fn on_marked(&mut self) {
        self.rare.get_or_insert_default().marked_packets += 1;
    }

    /// Counts a second copy that the wire made.
    pub fn on_duplicated(&mut self) {
        self.rare.get_or_insert_default().duplicated_packets += 1;
    }

    /// Returns the packets lost here.
    pub fn drops(&self) -> LostStats {
        self.rare.as_ref().map_or_else(LostStats::default, |rare| rare.drops.clone())
    }

    /// Returns the packets that the queue marked (ECN).
    pub fn marked_packets(&self) -> u64 {
        self.rare.as_ref().map_or(0, |rare| rare.marked_packets)
    }

    /// Returns the second copies that the wire made.
    pub fn duplicated_packets(&self) -> u64 {
        self.rare.as_ref().map_or(0, |rare| rare.duplicated_packets)
    }

    /// Returns the share of the run, which ended at `end`, during which the link transmitted, 0 to 1.
    pub fn utilisation(&self, end: Instant) -> f64 {
        if end == Instant::ZERO { 0.0 } else { self.busy_ps as f64 / end.ps() as f64 }
    }

    /// Returns the packets in the queue, the one in transmission included, averaged over the time of the run, which
    /// ended at `end`.
    pub fn queue_mean_packets(&self, end: Instant) -> f64 {
        // A packet is in the queue while it waits and while it is transmitted.
        let held_ps = self.waited.get()
            + u128::from(self.busy_ps)
            + self.rare.as_ref().map_or(0, |rare| rare.unbegun.get());
        if end == Instant::ZERO { 0.0 } else { held_ps as f64 / end.ps() as f64 }
    }

    /// Returns the mean time from joining the queue to the beginning of transmission, over packets; `None` if there was
    /// none.
    pub fn queue_delay_mean_s(&self) -> Option<f64> {
        mean_s(self.waited, self.sent_packets + self.rare.as_ref().map_or(0, |rare| rare.unfinished_packets))
    }
}

/// Returns Jain's index of fairness, `(sum x)^2 / (n sum x^2)` (RFC 5166 section 2.3.1): 1 if all shares are equal,
/// `1/n` if one has everything; `None` if there is nothing to share.
pub fn jain(shares: &[f64]) -> Option<f64> {
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|x| x * x).sum();
    (squares > 0.0).then(|| sum * sum / (shares.len() as f64 * squares))
}

#[cfg(test)]
#[path = "stats_tests.rs"]
mod tests;
