//! Interface between a router and its station: datagrams, messages and actions.
//!
//! A router is given datagrams, messages of its neighbours, the time, and the fate of its frames; it answers with
//! actions. It sees neither the medium nor the queue.

use base::{DropCause, Packet};
use radio::access::Station;

/// Most hops of a datagram: the usual time to live of IP.
pub(crate) const TIME_TO_LIVE: u8 = 64;

/// Datagram on its way through the network: a packet with the stations at which it enters and leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Datagram {
    /// The packet that travels through the network.
    pub packet: Packet,
    /// Station at which the packet entered the network.
    pub from: Station,
    /// Station at which the packet leaves the network.
    pub to: Station,
    /// Hops so far, including the one under way.
    pub hops: u8,
    /// Bytes that the datagram adds to the usual MAC header of its data frames, in a mesh; else 0.
    pub overhead: u8,
    /// Priority on the medium, which routers ignore; in an 802.11 network, the number of the access category.
    pub priority: u8,
}

/// Action that a router asks of its station; `M` is the type of the protocol's messages.
#[derive(Clone, PartialEq, Debug)]
pub enum Action<M> {
    /// Send a datagram to a neighbour.
    Forward(Datagram, Station),
    /// Send a message to a neighbour or (`None`) to all neighbours.
    Send(M, Option<Station>),
    /// Deliver the datagram, which has arrived at its destination.
    Deliver(Datagram),
    /// Drop the datagram.
    Drop(Datagram, DropCause),
}

impl<M> Action<M> {
    /// Converts the message of a `Send` action; other actions stay as they are.
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
    /// UDP payload; the message goes over IP in a data frame.
    Udp(u32),
    /// Management frame, MAC header and FCS included.
    Frame(u32),
}

/// Message of one routing protocol.
pub(crate) trait Message {
    /// Returns the length of the message on the air.
    fn length(&self) -> Length;

    /// Returns the name of the message in the protocol's specification.
    fn name(&self) -> &'static str;

    /// Returns true if the message is a beacon, by which neighbours find each other.
    fn is_beacon(&self) -> bool {
        false
    }

    /// Returns the message as the tests write it.
    #[cfg(test)]
    fn describe(&self) -> String {
        self.name().to_owned()
    }
}
