//! The face of a radio network: packets enter at one station and leave at another, or are lost on the way.
//!
//! An 802.11 or LTE network is a machine of its own: whoever runs it hands it packets and the time, asks when it wants to be
//! called next, and empties its outbox. It reaches no clock and no event queue.

use base::{DropCause, FlowId, Instant, Packet};

/// A station of a radio network, numbered from 0 within it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Station(pub u32);

impl Station {
    /// The number as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What came of what went in, in order; to be emptied by who runs the network.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// Packets that have reached the station that they were for.
    pub delivered: Vec<(Station, Packet)>,
    /// Packets lost, where, and why.
    pub lost: Vec<(Station, Packet, DropCause)>,
    /// Packets that a queue discipline has marked, and where.
    pub marked: Vec<(Station, Packet)>,
    /// Transmissions on the air that have ended, where somebody looks at them; `None`: nobody does.
    pub frames: Option<Vec<Frame>>,
    /// To which access points stations have come to belong, likewise.
    pub associations: Option<Vec<Association>>,
}

/// A station belongs to an access point, or no longer to any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Association {
    /// From when on.
    pub at: Instant,
    /// Which station.
    pub station: Station,
    /// The access point; `None`: none any more.
    pub access_point: Option<Station>,
}

/// A transmission on the air, as observers see it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// When it began at the sender.
    pub begins: Instant,
    /// When it ended at the sender.
    pub ends: Instant,
    /// Who sent it.
    pub from: Station,
    /// Whom it was for; `None`: everybody.
    pub to: Option<Station>,
    /// What it was, in the standard's words: `DATA`, `ACK`, `RTS`, `CTS`, `BEACON`, ...
    pub kind: &'static str,
    /// Length, bytes.
    pub bytes: u32,
    /// The flow whose packet it carried, if any.
    pub flow: Option<FlowId>,
    /// What became of it at the receiver: `None`: received.
    pub lost: Option<DropCause>,
}
