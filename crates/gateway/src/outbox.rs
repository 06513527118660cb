//! Packets that a gateway sends.

use base::Packet;

/// Direction of a packet that a gateway sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Toward {
    /// Towards the source of the flow.
    Source,
    /// Towards the destination of the flow.
    Destination,
}

/// A packet that a gateway sends. The network fills in the packet's route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outgoing {
    /// Direction of the packet.
    pub toward: Toward,
    /// The packet.
    pub packet: Packet,
    /// True for an arrived packet that is forwarded; false for a packet that the gateway creates.
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
