//! The packet: a small `Copy` struct that links carry by value.

use crate::ids::FlowId;
use crate::time::Instant;

/// One packet on its way. 72 bytes; a test pins the size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packet {
    /// Time at which the source's transport handed it down (a retransmission is a packet of its own).
    pub sent: Instant,
    /// The flow it belongs to.
    pub flow: FlowId,
    /// Its position on its route: an index into the table of routes, advanced at each hop.
    pub route: u32,
    /// Bytes on the wire, headers included.
    pub wire: u32,
    /// Its content.
    pub body: Body,
    /// Its ECN field.
    pub ecn: Ecn,
    /// Its flow's class: 0 is served first where a queue tells classes apart, [`LOWEST_CLASS`] last.
    pub class: u8,
}

/// The class of flows without a class of their own.
pub const LOWEST_CLASS: u8 = 7;

/// The ECN field of the IP header (RFC 3168, section 5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum Ecn {
    /// Not-ECT: its endpoints do not use ECN.
    #[default]
    NotEct,
    /// ECT(1): capable of ECN; experiments such as L4S give it a meaning of its own (RFC 8311).
    Ect1,
    /// ECT(0): capable of ECN.
    Ect0,
    /// Congestion experienced: a queue has marked it.
    Ce,
}

impl Ecn {
    /// Returns true if a queue may mark the packet instead of dropping it: ECT, or marked before.
    #[inline]
    pub const fn is_capable(self) -> bool {
        !matches!(self, Self::NotEct)
    }
}

/// Content of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Body {
    /// A TCP segment from the sender of a flow.
    Data(DataHeader),
    /// A TCP segment from the receiver of a flow.
    Ack(AckHeader),
    /// A datagram.
    Datagram {
        /// Its number, from 0.
        seq: u64,
        /// Payload in bytes.
        payload: u32,
    },
    /// A datagram on its way back, from a flow's destination to its source.
    Reply {
        /// Its number, from 0.
        seq: u64,
        /// Payload in bytes.
        payload: u32,
    },
}

/// A segment from the sender.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DataHeader {
    /// Segment number, from 0. A flow's byte stream is cut into segments once; a retransmission carries the same cut.
    pub seq: u64,
    /// Offset of the first payload byte in the stream.
    pub offset: u64,
    /// Payload in bytes; 0 for a SYN, a bare ACK or a bare FIN.
    pub payload: u32,
    /// Timestamp option: the sender's clock in microseconds; 0 if the option is off.
    pub ts_val: u32,
    /// Timestamp option: the echoed clock of the receiver in microseconds.
    pub ts_ecr: u32,
    /// Opens the connection.
    pub syn: bool,
    /// Ends the stream after this segment.
    pub fin: bool,
    /// A copy of a segment sent before.
    pub retransmission: bool,
    /// Only acknowledges the receiver's SYN or FIN.
    pub bare_ack: bool,
    /// Acknowledges the receiver's FIN.
    pub acks_fin: bool,
    /// Congestion window reduced, the CWR flag: the sender has answered the echoed mark (RFC 3168 section 6.1.2).
    pub cwr: bool,
    /// Asks for the receive window while that is closed (RFC 9293 section 3.8.6.1); without payload.
    pub probe: bool,
}

/// A segment from the receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AckHeader {
    /// The next segment expected: all below it have arrived.
    pub ack: u64,
    /// Selective acknowledgments, most recent first (RFC 2018), as segment offsets from `ack`; the first `blocks` count.
    pub sack: [SackBlock; 3],
    /// Number of entries of `sack` in use.
    pub blocks: u8,
    /// Answers a SYN.
    pub syn: bool,
    /// The receiver has the sender's FIN, and its own side of the stream ends.
    pub fin: bool,
    /// ECN echo, the ECE flag: a packet was marked on its way (RFC 3168 section 6.1.3; RFC 8257 section 3.2).
    pub ece: bool,
    /// Timestamp option: the receiver's clock in microseconds.
    pub ts_val: u32,
    /// Timestamp option: the echoed clock of the sender in microseconds; 0 if the option is off.
    pub ts_ecr: u32,
    /// Receive window, from `ack` on.
    pub window: Advertised,
}

/// A receive window as an acknowledgment advertises it.
///
/// Receivers of this simulator that read at once advertise none: their window is a constant of the connection. Only
/// nodes that hold data back for others (gateways) advertise their room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Advertised(u32);

impl Advertised {
    /// No limit beyond the connection's own.
    pub const NONE: Self = Self(0);

    /// Creates a window of `bytes` bytes of payload, at most 4 GiB.
    pub fn of(bytes: u64) -> Self {
        Self(u32::try_from(bytes).unwrap_or(u32::MAX).min(u32::MAX - 1) + 1)
    }

    /// Returns the window in bytes of payload, if one is advertised.
    #[inline]
    pub fn bytes(self) -> Option<u64> {
        self.0.checked_sub(1).map(u64::from)
    }
}

/// Segments `ack + from .. ack + to` have arrived out of order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SackBlock {
    /// First segment, relative to the cumulative acknowledgment.
    pub from: u32,
    /// One past the last segment, relative to the cumulative acknowledgment.
    pub to: u32,
}

impl AckHeader {
    /// Returns the selective acknowledgments in use.
    #[inline]
    pub fn sacked(&self) -> &[SackBlock] {
        &self.sack[..usize::from(self.blocks)]
    }
}

impl Packet {
    /// Content of an unused place for a packet.
    pub const EMPTY: Self = Self {
        sent: Instant::ZERO,
        flow: FlowId(0),
        route: 0,
        wire: 0,
        body: Body::Datagram { seq: 0, payload: 0 },
        ecn: Ecn::NotEct,
        class: LOWEST_CLASS,
    };

    /// Returns the payload, bytes.
    #[inline]
    pub fn payload(&self) -> u32 {
        match &self.body {
            Body::Data(d) => d.payload,
            Body::Ack(_) => 0,
            Body::Datagram { payload, .. } | Body::Reply { payload, .. } => *payload,
        }
    }

    /// Returns true if the packet travels from the flow's source to its destination.
    #[inline]
    pub fn is_forward(&self) -> bool {
        !matches!(self.body, Body::Ack(_) | Body::Reply { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packet_stays_small() {
        assert_eq!(size_of::<Packet>(), 72);
    }

    #[test]
    fn a_closed_window_differs_from_none() {
        assert_eq!(Advertised::NONE.bytes(), None);
        assert_eq!(Advertised::of(0).bytes(), Some(0));
        assert_eq!(Advertised::of(65_536).bytes(), Some(65_536));
        assert_eq!(Advertised::of(u64::MAX).bytes(), Some(u64::from(u32::MAX) - 1));
    }
}
