//! What a gateway sends.

use base::Packet;

/// Where a gateway sends a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Toward {
    /// Back to the source of the flow.
    Source,
    /// On to its destination.
    Destination,
}

/// A packet that a gateway sends. Its route is the network's to fill in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outgoing {
    /// Where to.
    pub toward: Toward,
    /// The packet.
    pub packet: Packet,
    /// It is the one that arrived, and only passes through.
    pub passed: bool,
}

/// What a gateway sends, in order.
pub type Outbox = Vec<Outgoing>;

impl Outgoing {
    pub(crate) fn pass(toward: Toward, packet: Packet) -> Self {
        Self { toward, packet, passed: true }
    }

    pub(crate) fn own(toward: Toward, packet: Packet) -> Self {
        Self { toward, packet, passed: false }
    }
}
