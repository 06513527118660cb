//! What a station sends: packets, messages of routing protocols, management frames, on their way from its queue to an acknowledgment.

use crate::mlme::management::Management;
use base::{FlowId, Instant};
use routing::Datagram;

/// What a data frame carries.
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
        /// What it is called.
        name: &'static str,
    },
    /// A frame of authentication or association.
    Management(Management),
}

impl Payload {
    /// Length of the IP packet, bytes, with what a mesh puts before it; of a management frame all of it.
    #[inline]
    pub(crate) fn bytes(&self) -> u32 {
        match self {
            Self::Datagram(datagram) => datagram.packet.wire + u32::from(datagram.overhead),
            Self::Message { bytes, .. } => *bytes,
            Self::Management(frame) => frame.bytes,
        }
    }

    /// The flow that it belongs to.
    #[inline]
    pub(crate) fn flow(&self) -> Option<FlowId> {
        match self {
            Self::Datagram(datagram) => Some(datagram.packet.flow),
            Self::Message { .. } | Self::Management(_) => None,
        }
    }

    /// Whether it is a packet, not a message.
    pub(crate) fn is_datagram(&self) -> bool {
        matches!(self, Self::Datagram(_))
    }
}

/// Something in a station's queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queued {
    pub(crate) payload: Payload,
    /// The neighbour that it goes to now, or all.
    pub(crate) via: u32,
    /// When it came to this station.
    pub(crate) came: Instant,
}

/// What is being transmitted: the packet of an MPDU, or one of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Msdu {
    pub(crate) queued: Queued,
    /// The receiver has it: what comes again is a duplicate.
    pub(crate) received: bool,
    /// The receiver has passed it on: it does so in order.
    pub(crate) released: bool,
    /// The sender knows that the receiver has it.
    pub(crate) acknowledged: bool,
    /// It is in one MPDU with the packet before it.
    pub(crate) joined: bool,
    /// It is part of the transmission that is on the air, or was last.
    pub(crate) on_air: bool,
    /// It has been on the air, not only announced by RTS.
    pub(crate) sent: bool,
    /// Its lifetime is over: it is not sent again.
    pub(crate) expired: bool,
    /// Attempts that a Block ACK said were in vain.
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

    /// The receiver will not get it: it has expired, and counts as lost.
    pub(crate) const fn is_lost(&self) -> bool {
        self.expired && !self.received
    }

    /// A packet that is neither passed on nor lost.
    pub(crate) fn is_pending(&self) -> bool {
        !self.released && !self.is_lost() && self.queued.payload.is_datagram()
    }
}

/// What a station is doing about the packets that it is transmitting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Service {
    /// Their receiver.
    pub(crate) via: u32,
    /// Length of the data frame, bytes.
    pub(crate) bytes: u32,
    /// How many frames it aggregates beyond the first; 0: it is one frame.
    pub(crate) aggregates: u8,
    /// A Block ACK is to be asked for, in place of data.
    pub(crate) block_ack_request: bool,
    /// The association with their receiver is over: what has been sent in vain is not sent again.
    pub(crate) left: bool,
    /// Data have been sent since the last response.
    pub(crate) in_flight: bool,
    /// The data frame or the request is on its way, not the RTS before it.
    pub(crate) past_rts: bool,
    /// The rate of its data frame, and whether that is a sample, which goes alone.
    pub(crate) rate: u8,
    pub(crate) sample: bool,
    /// Failed attempts: SSRC.
    pub(crate) short: u32,
    /// Failed attempts at a data frame after CTS: SLRC.
    pub(crate) long: u32,
}

impl Service {
    /// A new service for packets to `via`.
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
