//! The payloads of stations: packets, messages of routing protocols, management frames, on their way from the queue to
//! an acknowledgment.

use crate::mlme::management::Management;
use base::{FlowId, Instant};
use routing::Datagram;

/// The payload of a data frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Payload {
    /// A packet on its way through the network.
    Datagram(Datagram),
    /// A message of a routing protocol.
    Message {
        /// Its number among those that are queued.
        number: u32,
        /// Length of its IP packet.
        bytes: u32,
        /// Its name.
        name: &'static str,
    },
    /// A frame of authentication or association.
    Management(Management),
}

impl Payload {
    /// Returns the length of the IP packet, bytes, with a mesh's header before it; of a management frame the whole
    /// length.
    #[inline]
    pub(crate) fn bytes(&self) -> u32 {
        match self {
            Self::Datagram(datagram) => datagram.packet.wire + u32::from(datagram.overhead),
            Self::Message { bytes, .. } => *bytes,
            Self::Management(frame) => frame.bytes,
        }
    }

    /// Returns the flow that it belongs to.
    #[inline]
    pub(crate) fn flow(&self) -> Option<FlowId> {
        match self {
            Self::Datagram(datagram) => Some(datagram.packet.flow),
            Self::Message { .. } | Self::Management(_) => None,
        }
    }

    /// Returns true if it is a packet, not a message.
    pub(crate) fn is_datagram(&self) -> bool {
        matches!(self, Self::Datagram(_))
    }
}

/// A payload in a station's queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queued {
    pub(crate) payload: Payload,
    /// The next neighbour on its way, or all.
    pub(crate) via: u32,
    /// Time of its arrival at this station.
    pub(crate) came: Instant,
}

/// A packet in transmission: that of an MPDU, or one of several in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Msdu {
    pub(crate) queued: Queued,
    /// True if the receiver has it: another copy is a duplicate.
    pub(crate) received: bool,
    /// True if the receiver has passed it on, which it does in order.
    pub(crate) released: bool,
    /// True if the sender knows that the receiver has it.
    pub(crate) acknowledged: bool,
    /// True if it is in one MPDU with the packet before it.
    pub(crate) joined: bool,
    /// True if it is part of the current or last transmission.
    pub(crate) on_air: bool,
    /// True if it has been on the air, not only announced by RTS.
    pub(crate) sent: bool,
    /// True if its lifetime has ended: it is not sent again.
    pub(crate) expired: bool,
    /// Attempts that failed by a Block ACK.
    pub(crate) misses: u32,
}

impl Msdu {
    pub(crate) const fn new(queued: Queued) -> Self {
        Self {
            queued,
            received: false,
            released: false,
            acknowledged: false,
            joined: false,
            on_air: false,
            sent: false,
            expired: false,
            misses: 0,
        }
    }

    /// Returns true if the receiver will not get it: it has expired, and counts as lost.
    pub(crate) const fn is_lost(&self) -> bool {
        self.expired && !self.received
    }

    /// Returns true if it is a packet that is neither passed on nor lost.
    pub(crate) fn is_pending(&self) -> bool {
        !self.released && !self.is_lost() && self.queued.payload.is_datagram()
    }
}

/// The state of a station's transmission of its packets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Service {
    /// Their receiver.
    pub(crate) via: u32,
    /// Length of the data frame, bytes.
    pub(crate) bytes: u32,
    /// Number of aggregated frames beyond the first; 0: a single frame.
    pub(crate) aggregates: u8,
    /// True if a Block ACK is to be asked for, instead of sending data.
    pub(crate) block_ack_request: bool,
    /// True if the association with their receiver has ended: failed packets are not sent again.
    pub(crate) left: bool,
    /// True if data have been sent since the last response.
    pub(crate) in_flight: bool,
    /// True once the data frame or the request is on its way, not the RTS before it.
    pub(crate) past_rts: bool,
    /// The rate of its data frame; and true if that is a sample, which is sent alone.
    pub(crate) rate: u8,
    pub(crate) sample: bool,
    /// Failed attempts: SSRC.
    pub(crate) short: u32,
    /// Failed attempts at a data frame after CTS: SLRC.
    pub(crate) long: u32,
}

impl Service {
    /// Creates a new service for packets to `via`.
    pub(crate) const fn new(via: u32) -> Self {
        Self {
            via,
            bytes: 0,
            aggregates: 0,
            block_ack_request: false,
            left: false,
            in_flight: false,
            past_rts: false,
            rate: 0,
            sample: false,
            short: 0,
            long: 0,
        }
    }
}
