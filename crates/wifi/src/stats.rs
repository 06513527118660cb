//! The counters of a network.

use base::{Bytes, DropCause, Duration, Instant};
use radio::access::Station;

/// The reason for which a frame was not received.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Fault {
    /// Too weak even on a silent channel.
    OutOfRange,
    /// Lost to noise.
    Noise,
    /// Lost to other frames.
    Collision,
    /// The receiver was transmitting.
    Transmitting,
}

impl Fault {
    /// Every fault, in the order of counters.
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
    /// Returns the cause of loss of a frame that is sent once.
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
    /// Packets that entered the network here.
    pub entered: u64,
    /// Packets that left the network here.
    pub delivered: u64,
    /// Bytes of the packets that left the network here.
    pub delivered_bytes: Bytes,
    /// Packets of others that it passed on.
    pub forwarded: u64,
    /// Packets lost here, by [`DropCause`], in the order of [`DropCause::ALL`].
    pub lost: [u64; DropCause::ALL.len()],
    /// Data frames sent, every attempt.
    pub data_sent: u64,
    /// RTS frames sent.
    pub rts_sent: u64,
    /// Responses sent: CTS, ACK.
    pub responses_sent: u64,
    /// Broadcast, management and routing frames sent, and requests for a Block ACK.
    pub control_sent: u64,
    /// Data, management and RTS frames that did not reach the receiver, by [`Fault`], in the order of [`Fault::ALL`].
    pub failed: [u64; Fault::ALL.len()],
    /// Data, management and RTS frames that did reach it, whose response did not come back.
    pub unanswered: u64,
    /// RTS frames that the receiver did not answer because its NAV was set.
    pub refused: u64,
    /// Data frames received a second time.
    pub duplicates: u64,
    /// When it first was associated with the access point; `None`: never, or there is none.
    pub associated: Option<Instant>,
    /// Times that it lost the association.
    pub disassociations: u64,
    /// Times that it came from one access point to another.
    pub handovers: u32,
    /// The access point that it counts as its own.
    pub access_point: Option<Station>,
    /// Time spent transmitting.
    pub airtime: Duration,
    /// Packets waiting or in transmission at the end.
    pub left: u64,
    /// With EDCA by [`crate::mac::edca::AccessCategory`], lowest first; else empty.
    pub categories: Vec<CategoryStats>,
}

/// Counters of one access category of a station.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CategoryStats {
    /// Packets that found no room in its queue, or had waited too long.
    pub lost_queue: u64,
    /// TXOPs that it won.
    pub txops: u64,
    /// Data frames sent, every attempt.
    pub data_sent: u64,
    /// Packets that the next station acknowledged.
    pub acknowledged: u64,
    /// Times that a higher category of the same station won the medium at the same instant.
    pub internal_collisions: u64,
}

impl StationStats {
    /// Returns the packets lost here for any cause.
    pub fn lost_total(&self) -> u64 {
        self.lost.iter().sum()
    }
}

/// Counters of a network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// By station.
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
