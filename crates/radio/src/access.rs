//! Interface of a radio network: packets enter at one station and leave at another, or are lost.
//!
//! An 802.11 or LTE network is a state machine without a clock or event queue. The caller passes packets and
//! the time in, reads when the network must be called next, and empties its outbox.

use base::{DropCause, FlowId, Instant, Packet};

/// A station of a radio network, by its number within the network, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Station(pub u32);

impl Station {
    /// Returns the number as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Output of a network, each list in order of events; the caller empties it.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// Packets that have reached their station.
    pub delivered: Vec<(Station, Packet)>,
    /// Lost packets, each with the station where it was lost and the cause.
    pub lost: Vec<(Station, Packet, DropCause)>,
    /// Packets that a queue discipline has marked (ECN), each with the station.
    pub marked: Vec<(Station, Packet)>,
    /// Transmissions that have ended; `None` if no observer uses them.
    pub frames: Option<Vec<Frame>>,
    /// Changes of stations' access points; `None` if no observer uses them.
    pub associations: Option<Vec<Association>>,
}

/// A change of the access point of a station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Association {
    /// Time of the change.
    pub at: Instant,
    /// The station.
    pub station: Station,
    /// The new access point; `None` if the station has lost its association.
    pub access_point: Option<Station>,
}

/// A transmission, as reported to observers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// Beginning of the transmission at the sender.
    pub begins: Instant,
    /// End of the transmission at the sender.
    pub ends: Instant,
    /// Sending station.
    pub from: Station,
    /// Receiving station; `None` for broadcast.
    pub to: Option<Station>,
    /// Kind of frame in the standard's terms: `DATA`, `ACK`, `RTS`, `CTS`, `BEACON`, ...
    pub kind: &'static str,
    /// Length, bytes.
    pub bytes: u32,
    /// Flow whose packet was carried; `None` if there was none.
    pub flow: Option<FlowId>,
    /// Cause of the loss at the receiver; `None` if the frame was received.
    pub lost: Option<DropCause>,
}
