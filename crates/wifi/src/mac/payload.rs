//! Payloads in the stations' queues and in transmission: packets, messages of routing protocols, management frames.

use crate::mlme::management::Management;
use base::{FlowId, Instant};
use routing::Datagram;

/// Payload of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Payload {
    /// Packet on its way through the network.
    Datagram(Datagram),
    /// Message of a routing protocol.
    Message {
        /// Number in [`Messages`](crate::mac::messages::Messages).
        number: u32,
        /// Length of the IP packet that carries the message, bytes.
        bytes: u32,
        /// Name in the protocol's specification.
        name: &'static str,
    },
    /// Frame of authentication or association.
    Management(Management),
}

impl Payload {
    /// Returns the length, bytes: of the IP packet with the additional header of a mesh, or of the whole management
    /// frame.
    #[inline]
    pub(crate) fn bytes(&self) -> u32 {
        match self {
            Self::Datagram(datagram) => datagram.packet.wire + u32::from(datagram.overhead),
            Self::Message { bytes, .. } => *bytes,
            Self::Management(frame) => frame.bytes,
        }
    }

    /// Returns the flow of the packet; `None` for messages and management frames.
    #[inline]
    pub(crate) fn flow(&self) -> Option<FlowId> {
        match self {
            Self::Datagram(datagram) => Some(datagram.packet.flow),
            Self::Message { .. } | Self::Management(_) => None,
        }
    }

    /// Returns true for a packet, false for a message or a management frame.
    pub(crate) fn is_datagram(&self) -> bool {
        matches!(self, Self::Datagram(_))
    }
}

/// Payload in a station's queue, with its next hop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queued {
    pub(crate) payload: Payload,
    /// Next hop, or [`EVERYBODY`](crate::phy::air::EVERYBODY).
    pub(crate) via: u32,
    /// Time of arrival in this station's queue.
    pub(crate) came: Instant,
}

/// Packet in transmission: an MPDU of its own, or one of several packets in an MPDU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Msdu {
    pub(crate) queued: Queued,
    /// True if the receiver has the packet; another copy is a duplicate.
    pub(crate) received: bool,
    /// True if the receiver has passed the packet on; receivers pass packets on in order.
    pub(crate) released: bool,
    /// True if the sender knows from a response that the receiver has the packet.
    pub(crate) acknowledged: bool,
    /// True if the packet is in the same MPDU as the one before.
    pub(crate) joined: bool,
    /// True if the packet is part of the current or last transmission.
    pub(crate) on_air: bool,
    /// True if a data frame with the packet has been sent, and not only an RTS.
    pub(crate) sent: bool,
    /// True if the packet's lifetime has ended: it is not sent again.
    pub(crate) expired: bool,
    /// Number of Block ACKs that reported the packet as missing.
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

    /// Returns true if the packet has expired before the receiver got it, and so counts as lost.
    pub(crate) const fn is_lost(&self) -> bool {
        self.expired && !self.received
    }

    /// Returns true for a packet that has been neither passed on nor lost; false for messages and management frames.
    pub(crate) fn is_pending(&self) -> bool {
        !self.released && !self.is_lost() && self.queued.payload.is_datagram()
    }
}

/// State of an EDCAF's transmissions to one receiver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Service {
    /// Receiver of the packets.
    pub(crate) via: u32,
    /// Length of the data frame, bytes.
    pub(crate) bytes: u32,
    /// Number of MPDUs beyond the first; 0: a single MPDU.
    pub(crate) aggregates: u8,
    /// True if a Block ACK request is to be sent next, instead of data.
    pub(crate) block_ack_request: bool,
    /// True if the association with the receiver has ended: a failed frame is not sent again.
    pub(crate) left: bool,
    /// True if a data frame has been sent since the last response.
    pub(crate) in_flight: bool,
    /// True once the data frame or Block ACK request itself has been sent, not only an RTS.
    pub(crate) past_rts: bool,
    /// Number of the data rate; `sample`: true if this rate is a probe of rate control, sent as a single packet.
    pub(crate) rate: u8,
    pub(crate) sample: bool,
    /// SSRC: failed attempts at an RTS, or at a frame without RTS.
    pub(crate) short: u32,
    /// SLRC: failed attempts at a data frame after a CTS.
    pub(crate) long: u32,
}

impl Service {
    /// Creates the state for packets to `via`, before the first attempt.
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
