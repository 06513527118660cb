//! Gateways: what a node on the path does for the TCP connections that pass through it. Sans-IO: packets and the time come
//! in, packets go out, timers are read.
//!
//! | kind | who acknowledges to the source | who retransmits on the far side | end-to-end semantics |
//! |---|---|---|---|
//! | [`intelligent`] | the gateway (Pre ACK) | the gateway, with a variant of its own | broken |
//! | [`snoop`] | the destination | the gateway, then the source | kept |
//! | [`split`] | the gateway (a connection of its own) | the gateway (another connection) | broken |
//!
//! A [`Gateway`] is one node; it has a [`Relay`] for each connection. The *near* side of a relay is towards the source, the
//! *far* side towards the destination. Each connection has a buffer of its own, bounded in bytes of payload, so that one
//! connection's backlog takes nothing from another and adding a connection changes no other.
//!
//! A gateway can crash. It then forgets what it holds, and is a plain node; [`Relay`] says what becomes of the connections.

mod buffer;
mod halves;
pub mod intelligent;
mod relay;
pub mod snoop;
pub mod split;
mod stats;

pub use relay::{Gateway, Relay, Setup};
pub use stats::Stats;

use base::Packet;

/// What a gateway does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// See [`intelligent`].
    Intelligent,
    /// See [`snoop`].
    Snoop,
    /// See [`split`].
    Split,
}

impl Kind {
    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intelligent => "intelligent",
            Self::Snoop => "snoop",
            Self::Split => "split",
        }
    }
}

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
