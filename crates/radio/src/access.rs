//! The interface of a radio network: packets enter at one station and leave at another, or are lost on the way.
//!
//! An 802.11 or LTE network is a machine of its own: its caller hands it packets and the time, asks when it wants to be
//! called next, and empties its outbox. It reaches no clock and no event queue.

use base::{DropCause, FlowId, Instant, Packet};

/// A station of a radio network, numbered from 0 within it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Station(pub u32);

impl Station {
    /// Returns the number as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Results of a network, in order; its caller empties it.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// Packets that have reached their destination.
    pub delivered: Vec<(Station, Packet)>,
    /// Packets lost, with place and cause.
    pub lost: Vec<(Station, Packet, DropCause)>,
    /// Packets that a queue discipline has marked, with place.
    pub marked: Vec<(Station, Packet)>,
    /// Transmissions on the air that have ended; `None` if nobody observes them.
    pub frames: Option<Vec<Frame>>,
    /// Changes of stations' access points; `None` if nobody observes them.
    pub associations: Option<Vec<Association>>,
}

/// A station's new access point, or the loss of its last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Association {
    /// The time from which it holds.
    pub at: Instant,
    /// The station.
    pub station: Station,
    /// The access point; `None` if the station has lost it.
    pub access_point: Option<Station>,
}

/// A transmission on the air, for observers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// When it began at the sender.
    pub begins: Instant,
    /// When it ended at the sender.
    pub ends: Instant,
    /// The sender.
    pub from: Station,
    /// The destination; `None` for broadcast.
    pub to: Option<Station>,
    /// The kind of frame in the standard's words: `DATA`, `ACK`, `RTS`, `CTS`, `BEACON`, ...
    pub kind: &'static str,
    /// Length, bytes.
    pub bytes: u32,
    /// The flow whose packet it carried, if any.
    pub flow: Option<FlowId>,
    /// Cause of its loss at the receiver; `None` if it was received.
    pub lost: Option<DropCause>,
}
