//! Counters of one relay, or summed up of a gateway.

use std::ops::AddAssign;

/// What a gateway has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Acknowledgments sent to sources in place of the destination, updates of the window among them.
    pub pre_acks: u64,
    /// Of these, sent for nothing but to say that there is room again.
    pub window_updates: u64,
    /// Times that the window given to a source closed: less room than a segment.
    pub pushed_back: u64,
    /// Packets refused since there was no room; their source sends them again.
    pub refused_packets: u64,
    /// Copies taken.
    pub copied_packets: u64,
    /// Copies freed since the destination has the packet.
    pub freed_packets: u64,
    /// Packets sent again from the buffer.
    pub retransmitted_packets: u64,
    /// Their payload, bytes.
    pub retransmitted_bytes: u64,
    /// Of the senders or timers on the far side: timeouts.
    pub timeouts: u64,
    /// Losses that they saw from acknowledgments.
    pub fast_retransmits: u64,
    /// Duplicate acknowledgments kept from the source (Snoop).
    pub suppressed_acks: u64,
    /// Copies given up since the gateway's own queue had dropped the packet: that loss is the source's (Snoop).
    pub given_up_packets: u64,
    /// Packets dropped since the connection that they belong to ended with a crash (split).
    pub dropped_packets: u64,
    /// Bytes acknowledged to sources and not confirmed by destinations at the moment of a crash.
    pub crash_unconfirmed_bytes: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.pre_acks += other.pre_acks;
        self.window_updates += other.window_updates;
        self.pushed_back += other.pushed_back;
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
