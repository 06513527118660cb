//! The words between a router and its station: datagrams, messages and actions.
//!
//! A router is handed datagrams, messages of its neighbours, the time, and the fate of its frames; it answers with
//! actions. It never sees the medium or the queue.

use base::{DropCause, Packet};
use radio::access::Station;

/// Most stations that a datagram may pass: the usual time to live of IP.
pub(crate) const TIME_TO_LIVE: u8 = 64;

/// A packet on its way through the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Datagram {
    /// The packet.
    pub packet: Packet,
    /// Station at which it entered the network.
    pub from: Station,
    /// Station at which it leaves the network.
    pub to: Station,
    /// Hops begun so far.
    pub hops: u8,
    /// Bytes of its data frames beyond the usual header: of a mesh, else 0.
    pub overhead: u8,
    /// Priority on the medium, which routers carry unread: in an 802.11 network the number of the access category.
    pub priority: u8,
}

/// An order of a router to its station; `M` are the messages of its protocol.
#[derive(Clone, PartialEq, Debug)]
pub enum Action<M> {
    /// Send a datagram to a neighbour.
    Forward(Datagram, Station),
    /// Send a message to a neighbour or (`None`) to all neighbours.
    Send(M, Option<Station>),
    /// Hand the datagram out: it has arrived.
    Deliver(Datagram),
    /// Drop the datagram.
    Drop(Datagram, DropCause),
}

impl<M> Action<M> {
    /// Converts the message, if the action sends one.
    pub(crate) fn map<N>(self, convert: impl FnOnce(M) -> N) -> Action<N> {
        match self {
            Self::Forward(datagram, next) => Action::Forward(datagram, next),
            Self::Send(message, to) => Action::Send(convert(message), to),
            Self::Deliver(datagram) => Action::Deliver(datagram),
            Self::Drop(datagram, cause) => Action::Drop(datagram, cause),
        }
    }
}

/// Length of a message on the air, bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Length {
    /// Payload of UDP over IP, in a data frame.
    Udp(u32),
    /// A management frame, header and FCS included.
    Frame(u32),
}

/// A message of one protocol.
pub(crate) trait Message {
    /// Returns its length.
    fn length(&self) -> Length;

    /// Returns its name in the protocol's specification.
    fn name(&self) -> &'static str;

    /// Returns true if neighbours find each other by it, as by beacons.
    fn is_beacon(&self) -> bool {
        false
    }

    /// Writes the message as the sequences of tests have it.
    #[cfg(test)]
    fn describe(&self) -> String {
        self.name().to_owned()
    }
}
