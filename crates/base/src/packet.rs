//! The packet: a small `Copy` struct, passed by value.

use crate::ids::FlowId;
use crate::time::Instant;

/// A packet of any protocol. It takes 72 bytes of memory, which a test checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packet {
    /// Time at which the source's transport sent the packet; for a retransmission, the time of the
    /// retransmission.
    pub sent: Instant,
    /// Flow of the packet.
    pub flow: FlowId,
    /// Position on the route: an index into the table of routes, advanced at each hop.
    pub route: u32,
    /// Size on the wire, headers included, bytes.
    pub wire: u32,
    /// Transport header or datagram.
    pub body: Body,
    /// ECN field of the IP header.
    pub ecn: Ecn,
    /// Class of the flow for priority queues: 0 is served first, [`LOWEST_CLASS`] last.
    pub class: u8,
}

/// Lowest priority; also the class of flows for which the scenario gives none.
pub const LOWEST_CLASS: u8 = 7;

/// The ECN field of the IP header (RFC 3168, section 5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum Ecn {
    /// Not-ECT: the endpoints do not use ECN.
    #[default]
    NotEct,
    /// ECT(1): ECN-capable; experiments such as L4S give it a further meaning (RFC 8311).
    Ect1,
    /// ECT(0): ECN-capable.
    Ect0,
    /// Congestion Experienced (CE): a queue has marked the packet.
    Ce,
}

impl Ecn {
    /// Returns true if a queue may mark the packet instead of dropping it: ECT(0), ECT(1) or CE.
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
        /// Number of the datagram, from 0.
        seq: u64,
        /// Payload, bytes.
        payload: u32,
    },
    /// A datagram from a flow's destination back to its source.
    Reply {
        /// Number of the datagram, from 0.
        seq: u64,
        /// Payload, bytes.
        payload: u32,
    },
    /// A TCP segment of an outside program or a kernel.
    Real(RealSegment),
}

/// A TCP segment of an outside program or a kernel; its bytes are stored outside of the packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RealSegment {
    /// Number of the packet, from 0 in its flow and direction.
    pub seq: u64,
    /// Towards the destination, the stream offset of the first payload byte; on the way back, the cumulative
    /// acknowledgment as the stream offset of the next byte expected.
    pub offset: u64,
    /// Payload, bytes.
    pub payload: u32,
    /// True if the segment travels from the flow's source to its destination.
    pub forward: bool,
    /// True if the segment is a retransmission.
    pub retransmission: bool,
}

/// A TCP segment from the sender. Segments are numbered; sequence numbers in bytes follow from `offset`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DataHeader {
    /// Segment number, from 0. A flow's byte stream is divided into segments once; a retransmission has the
    /// same boundaries.
    pub seq: u64,
    /// Stream offset of the first payload byte.
    pub offset: u64,
    /// Payload, bytes; 0 for a SYN, ACK or FIN without data.
    pub payload: u32,
    /// TSval of the timestamps option: the sender's clock, microseconds; 0 without the option.
    pub ts_val: u32,
    /// TSecr of the timestamps option: the receiver's clock, echoed, microseconds.
    pub ts_ecr: u32,
    /// SYN flag.
    pub syn: bool,
    /// FIN flag: the stream ends after this segment.
    pub fin: bool,
    /// True if the segment is a retransmission.
    pub retransmission: bool,
    /// True if the segment only acknowledges the receiver's SYN or FIN.
    pub bare_ack: bool,
    /// True if the segment acknowledges the receiver's FIN.
    pub acks_fin: bool,
    /// PSH flag: the segment ends a write of the application.
    pub push: bool,
    /// CWR flag (congestion window reduced): the sender has reacted to ECE (RFC 3168 section 6.1.2).
    pub cwr: bool,
    /// True for a zero-window probe without payload (RFC 9293 section 3.8.6.1).
    pub probe: bool,
}

/// Value of [`AckHeader::blocks`] in an acknowledgment that ends within a segment. It has no SACK blocks, and the first
/// entry of `sack` holds the bytes, so that honest acknowledgments need no field for them.
pub const PART: u8 = u8::MAX;

/// A TCP segment from the receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AckHeader {
    /// Cumulative acknowledgment: number of the next segment expected; all segments below it have arrived.
    pub ack: u64,
    /// Selective acknowledgments, most recent first (RFC 2018), as segment offsets from `ack`; the first
    /// `blocks` count. A first block that lies below `ack`, or within the second block, reports a duplicate
    /// (D-SACK, RFC 2883 section 4).
    pub sack: [SackBlock; 3],
    /// Number of entries of `sack` in use, a D-SACK included; [`PART`] in an acknowledgment that ends within a
    /// segment ([`AckHeader::with_part`]).
    pub blocks: u8,
    /// SYN flag: the answer to a SYN.
    pub syn: bool,
    /// FIN flag: the receiver has received the sender's FIN and ends its own side of the connection.
    pub fin: bool,
    /// ECE flag (ECN echo): a data packet was marked CE (RFC 3168 section 6.1.3; RFC 8257 section 3.2).
    pub ece: bool,
    /// TSval of the timestamps option: the receiver's clock, microseconds.
    pub ts_val: u32,
    /// TSecr of the timestamps option: the sender's clock, echoed, microseconds; 0 without the option.
    pub ts_ecr: u32,
    /// Receive window, counted from `ack`.
    pub window: Advertised,
}

/// Receive window in an acknowledgment.
///
/// A receiver that reads data at once advertises no window: its window is a constant of the connection.
/// Receivers with an autotuned buffer, and gateways that buffer data for the destination, advertise the
/// window that their buffer allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Advertised(u32);

impl Advertised {
    /// No window in this acknowledgment: the connection's constant window applies.
    pub const NONE: Self = Self(0);

    /// Creates a window of `bytes` bytes of payload, limited to 2^32 - 2.
    pub fn of(bytes: u64) -> Self {
        Self(u32::try_from(bytes).unwrap_or(u32::MAX).min(u32::MAX - 1) + 1)
    }

    /// Returns the window in bytes of payload; `None` if none is advertised.
    #[inline]
    pub fn bytes(self) -> Option<u64> {
        self.0.checked_sub(1).map(u64::from)
    }
}

/// A SACK block: segments `ack + from .. ack + to` have arrived. Offsets below `ack`, possible in a D-SACK,
/// are negative modulo 2^32.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SackBlock {
    /// First segment, relative to `ack`.
    pub from: u32,
    /// One more than the last segment, relative to `ack`.
    pub to: u32,
}

impl AckHeader {
    /// Returns the SACK blocks in use, without a D-SACK.
    #[inline]
    pub fn sacked(&self) -> &[SackBlock] {
        self.sack.get(usize::from(self.has_duplicate())..usize::from(self.blocks)).unwrap_or_default()
    }

    /// Returns all entries of the SACK option, a D-SACK included.
    #[inline]
    pub fn entries(&self) -> &[SackBlock] {
        self.sack.get(..usize::from(self.blocks)).unwrap_or_default()
    }

    /// Returns the acknowledgment without SACK blocks, extended by the first `bytes` bytes of segment `ack`, at least
    /// one (ACK division).
    #[must_use]
    pub fn with_part(self, bytes: u32) -> Self {
        let mut sack = [SackBlock::default(); 3];
        sack[0] = SackBlock { from: bytes, to: bytes };
        Self { blocks: PART, sack, ..self }
    }

    /// Returns the number of acknowledged bytes of segment `ack`; 0 if the acknowledgment ends between two segments.
    #[inline]
    pub fn part(&self) -> u32 {
        if self.blocks == PART { self.sack[0].from } else { 0 }
    }

    /// Returns the acknowledgment without the part of a segment ([`AckHeader::part`]).
    #[must_use]
    pub fn without_part(self) -> Self {
        Self { blocks: 0, sack: [SackBlock::default(); 3], ..self }
    }

    /// Returns true if the first block is a D-SACK: it lies below `ack` or within the second block (RFC 2883 section 4).
    #[inline]
    fn has_duplicate(&self) -> bool {
        let [first, second, _] = self.sack;
        self.blocks > 0
            && ((first.from as i32) < 0
                || (self.blocks > 1 && second.from <= first.from && first.to <= second.to))
    }

    /// Returns the first segment, and one more than the last, that a D-SACK reports to have arrived again
    /// (RFC 2883); `None` without a D-SACK.
    pub fn duplicate(&self) -> Option<(u64, u64)> {
        let edge = |relative: u32| self.segment_at(relative);
        self.has_duplicate().then(|| (edge(self.sack[0].from), edge(self.sack[0].to)))
    }

    /// Returns the segment at the offset `relative` from `ack`; an offset below `ack` wraps around.
    #[inline]
    pub fn segment_at(&self, relative: u32) -> u64 {
        self.ack.wrapping_add_signed(i64::from(relative as i32))
    }
}

impl Packet {
    /// Placeholder in unused slots of a packet store.
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
            Body::Real(segment) => segment.payload,
        }
    }

    /// Returns true if the packet travels from the flow's source to its destination.
    #[inline]
    pub fn is_forward(&self) -> bool {
        !matches!(
            self.body,
            Body::Ack(_) | Body::Reply { .. } | Body::Real(RealSegment { forward: false, .. })
        )
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
    fn a_first_block_below_the_acknowledgment_or_within_the_second_is_a_duplicate() {
        let block = |from: i32, to: i32| SackBlock { from: from as u32, to: to as u32 };
        let ack = |blocks: u8, sack| AckHeader { ack: 100, blocks, sack, ..AckHeader::default() };
        let none = SackBlock::default();
        let below = ack(2, [block(-3, -1), block(4, 6), none]);
        assert_eq!((below.duplicate(), below.sacked()), (Some((97, 99)), &[block(4, 6)][..]));
        let within = ack(2, [block(5, 6), block(4, 7), none]);
        assert_eq!((within.duplicate(), within.sacked()), (Some((105, 106)), &[block(4, 7)][..]));
        let others = ack(2, [block(8, 9), block(4, 7), none]);
        assert_eq!((others.duplicate(), others.sacked().len(), others.entries().len()), (None, 2, 2));
        assert_eq!((ack(0, [none; 3]).duplicate(), ack(0, [none; 3]).sacked().len()), (None, 0));
    }

    #[test]
    fn a_part_of_a_segment_is_neither_a_block_nor_a_duplicate() {
        let ack = AckHeader { ack: 7, ece: true, ..AckHeader::default() }.with_part(146);
        assert_eq!((ack.part(), ack.sacked().len(), ack.entries().len(), ack.duplicate()), (146, 0, 0, None));
        let whole = AckHeader { ack: 7, ece: true, ..AckHeader::default() };
        assert_eq!((ack.without_part(), whole.part()), (whole, 0));
    }

    #[test]
    fn a_closed_window_differs_from_none() {
        assert_eq!(Advertised::NONE.bytes(), None);
        assert_eq!(Advertised::of(0).bytes(), Some(0));
        assert_eq!(Advertised::of(65_536).bytes(), Some(65_536));
        assert_eq!(Advertised::of(u64::MAX).bytes(), Some(u64::from(u32::MAX) - 1));
    }
}
