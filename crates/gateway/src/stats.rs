//! Counters of one proxy, or of a gateway's proxies together.

use std::ops::AddAssign;

/// Counters of a gateway.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Acknowledgments sent to sources in place of the destination, window updates included.
    pub pre_acks: u64,
    /// Of these, acknowledgments sent only to announce room.
    pub window_updates: u64,
    /// Times that the window given to a source closed: less room than a segment.
    pub zero_window_events: u64,
    /// Packets refused for lack of room; their source sends them again.
    pub refused_packets: u64,
    /// Copies taken.
    pub copied_packets: u64,
    /// Copies freed because the destination has the packet.
    pub freed_packets: u64,
    /// Packets sent again from the buffer.
    pub retransmitted_packets: u64,
    /// Their payload, bytes.
    pub retransmitted_bytes: u64,
    /// Timeouts of the senders or timers on the far side.
    pub timeouts: u64,
    /// Losses that they detected by acknowledgments.
    pub fast_retransmits: u64,
    /// Duplicate acknowledgments kept from the source (Snoop).
    pub suppressed_acks: u64,
    /// Copies given up because the gateway's own queue had dropped the packet: that loss is the source's (Snoop).
    pub given_up_packets: u64,
    /// Packets dropped because their connection ended with a crash (split).
    pub dropped_packets: u64,
    /// Bytes acknowledged to sources and not confirmed by destinations at the moment of a crash.
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
