//! Counters of one proxy, or of all proxies of a gateway together.

use std::ops::AddAssign;

/// Counters of one proxy, or their sums over all proxies of a gateway.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Acknowledgments sent to sources in place of the destination, window updates included.
    pub pre_acks: u64,
    /// Pre ACKs sent only to announce a larger window.
    pub window_updates: u64,
    /// Times that the window advertised to a source fell below one segment.
    pub zero_window_events: u64,
    /// Data packets not copied because the buffer was full. Snoop forwards them; the other gateways drop
    /// them, and the source retransmits them.
    pub refused_packets: u64,
    /// Packets copied into a buffer.
    pub copied_packets: u64,
    /// Copies freed because the destination had acknowledged the packet.
    pub freed_packets: u64,
    /// Retransmissions towards destinations.
    pub retransmitted_packets: u64,
    /// Payload of `retransmitted_packets`, bytes.
    pub retransmitted_bytes: u64,
    /// Retransmission timeouts on the far side.
    pub timeouts: u64,
    /// Losses on the far side that were detected by acknowledgments.
    pub fast_retransmits: u64,
    /// Duplicate acknowledgments that were not forwarded to the source (Snoop).
    pub suppressed_acks: u64,
    /// Copies discarded because the gateway's own queue had dropped the packet; the source must react to that
    /// loss (Snoop).
    pub given_up_packets: u64,
    /// Packets dropped because they belong to no connection of the gateway, as after a crash (split).
    pub dropped_packets: u64,
    /// Bytes acknowledged to sources but not by destinations at the time of a crash.
    pub crash_unconfirmed_bytes: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.pre_acks += other.pre_acks;
        self.window_updates += other.window_updates;
        self.zero_window_events += other.zero_window_events;
        self.refused_packets += other.refused_packets;
        self.copied_packets += other.copied_packets;
        self.freed_packets += other.freed_packets;
        self.retransmitted_packets += other.retransmitted_packets;
        self.retransmitted_bytes += other.retransmitted_bytes;
        self.timeouts += other.timeouts;
        self.fast_retransmits += other.fast_retransmits;
        self.suppressed_acks += other.suppressed_acks;
        self.given_up_packets += other.given_up_packets;
        self.dropped_packets += other.dropped_packets;
        self.crash_unconfirmed_bytes += other.crash_unconfirmed_bytes;
    }
}
