//! Counters of an 802.11 network.

use base::{Bytes, DropCause, Duration, Instant};
use radio::access::Station;

/// Reason for which a frame was not received.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Fault {
    /// The frame was too weak, even for a silent channel.
    OutOfRange,
    /// Bits were lost to noise.
    Noise,
    /// Bits were lost to interference of other frames.
    Collision,
    /// The receiver itself was transmitting.
    Transmitting,
}

impl Fault {
    /// All reasons, in the order of the counters.
    pub const ALL: [Self; 4] = [Self::OutOfRange, Self::Noise, Self::Collision, Self::Transmitting];

    /// Returns the name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OutOfRange => "out-of-range",
            Self::Noise => "noise",
            Self::Collision => "collision",
            Self::Transmitting => "transmitting",
        }
    }
}

impl Fault {
    /// Returns the drop cause of a packet in a frame that is sent only once.
    pub(crate) const fn cause(self) -> DropCause {
        match self {
            Self::OutOfRange => DropCause::OutOfRange,
            Self::Noise => DropCause::Noise,
            Self::Collision | Self::Transmitting => DropCause::Collision,
        }
    }
}

/// Counters of one station.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StationStats {
    /// Packets that entered the network at this station.
    pub entered: u64,
    /// Packets that left the network at this station.
    pub delivered: u64,
    /// Bytes of the packets that left the network at this station.
    pub delivered_bytes: Bytes,
    /// Packets of other stations that this station forwarded.
    pub forwarded: u64,
    /// Packets lost at this station, by [`DropCause`], in the order of [`DropCause::ALL`].
    pub lost: [u64; DropCause::ALL.len()],
    /// Unicast data frames sent, those with messages of routing protocols included; every attempt counts.
    pub data_sent: u64,
    /// RTS frames sent.
    pub rts_sent: u64,
    /// Responses sent: CTS, ACK and Block ACK, and CTS-to-self.
    pub responses_sent: u64,
    /// Other frames sent: broadcast and management frames, Block ACK requests, and CF-End.
    pub control_sent: u64,
    /// Data, management, RTS and Block ACK request frames of this station that the receiver did not receive, by
    /// [`Fault`], in the order of [`Fault::ALL`].
    pub failed: [u64; Fault::ALL.len()],
    /// Frames of this station that were received, but whose response was lost or came after the timeout.
    pub unanswered: u64,
    /// RTS frames to this station that it did not answer because its NAV was set.
    pub refused: u64,
    /// MPDUs received that had been received before.
    pub duplicates: u64,
    /// Time at which the station was first associated with an access point; `None` if it never was.
    pub associated: Option<Instant>,
    /// Times that the station lost its association.
    pub disassociations: u64,
    /// Times that the station changed from one access point to another.
    pub handovers: u32,
    /// Access point with which the station counts itself as associated.
    pub access_point: Option<Station>,
    /// Time that the station spent transmitting.
    pub airtime: Duration,
    /// Packets waiting or in transmission at the end of the run.
    pub left: u64,
    /// With EDCA, counters by [`crate::mac::edca::AccessCategory`], lowest first; otherwise empty.
    pub categories: Vec<CategoryStats>,
}

/// Counters of one access category of a station.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CategoryStats {
    /// Packets dropped from the category's queue: it was full, their lifetime had ended, or the queue discipline
    /// dropped them.
    pub lost_queue: u64,
    /// TXOPs that the category won.
    pub txops: u64,
    /// Data frames sent; every attempt counts.
    pub data_sent: u64,
    /// Packets that the next hop acknowledged.
    pub acknowledged: u64,
    /// Internal collisions that the category lost to a higher category of the same station.
    pub internal_collisions: u64,
}

impl StationStats {
    /// Returns the number of packets lost at this station, for all causes.
    pub fn lost_total(&self) -> u64 {
        self.lost.iter().sum()
    }
}

/// Counters of a network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Counters of each station.
    pub stations: Vec<StationStats>,
    /// Time during which at least one station transmitted.
    pub busy: Duration,
}

impl Stats {
    /// Returns the sum of a counter over all stations.
    pub fn total(&self, counter: impl Fn(&StationStats) -> u64) -> u64 {
        self.stations.iter().map(counter).sum()
    }
}
