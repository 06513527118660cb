//! Packets that a gateway sends.

use base::Packet;

/// Direction of a packet that a gateway sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Toward {
    /// Back to the source of the flow.
    Source,
    /// On to its destination.
    Destination,
}

/// A packet that a gateway sends. The network fills in its route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outgoing {
    /// Its direction.
    pub toward: Toward,
    /// The packet.
    pub packet: Packet,
    /// True for an arrived packet that only passes through.
    pub passed: bool,
}

/// Packets that a gateway sends, in order.
pub type Outbox = Vec<Outgoing>;

impl Outgoing {
    pub(crate) fn pass(toward: Toward, packet: Packet) -> Self {
        Self { toward, packet, passed: true }
    }

    pub(crate) fn own(toward: Toward, packet: Packet) -> Self {
        Self { toward, packet, passed: false }
    }
}
