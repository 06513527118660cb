//! What a routing protocol and the station around it say to each other.
//!
//! A router is a machine of its own: it is handed datagrams, messages, the time, and what became of its links; it answers with
//! actions. It never sees the medium or the queue.

use super::message::Message;
use base::{DropCause, Packet};
use radio::access::Station;

/// Stations that a datagram may pass at most: the usual time to live of IP.
pub const TIME_TO_LIVE: u8 = 64;

/// A packet on its way through the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Datagram {
    /// What it carries.
    pub packet: Packet,
    /// Where it entered the network.
    pub from: Station,
    /// Where it wants to leave it.
    pub to: Station,
    /// Hops begun so far.
    pub hops: u8,
    /// What it has on the air beyond the header of other data frames, bytes: in a mesh.
    pub overhead: u8,
    /// Priority on the medium, which routers carry unread: in an 802.11 network the number of the access category.
    pub priority: u8,
}

/// What a router wants done.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// Send a datagram to a neighbour.
    Forward(Datagram, Station),
    /// Send a message to a neighbour, or to all of them.
    Send(Message, Option<Station>),
    /// The datagram has arrived where it wants to leave.
    Deliver(Datagram),
    /// The datagram is dropped here.
    Drop(Datagram, DropCause),
}
