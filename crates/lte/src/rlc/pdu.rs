//! Data units: packets (SDUs), the PDUs that carry them, and the packets that an entity has delivered or lost.

use base::Packet;
use std::ops::Range;

/// MAC subheader with a length of 15 bits, bytes; each further PDU in a transport block adds one (TS 36.321, section
/// 6.2.1).
pub(crate) const SUBHEADER: u32 = 3;

/// Largest header of a PDU with one packet, bytes.
pub(crate) const LARGEST_HEADER: u32 = 4;

/// Service data unit: a packet and its destination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sdu {
    pub(crate) packet: Packet,
    /// Number of the station to which the packet goes.
    pub(crate) to: u32,
}

/// Protocol data unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pdu {
    /// Bytes `from..to` of the stream: the whole PDU `sn`, or a segment of it.
    Data {
        sn: u64,
        from: u64,
        to: u64,
        /// Acknowledged mode: true if the sender asks for a status report.
        poll: bool,
    },
    /// Status report about the PDUs of the other direction.
    Status(Box<Status>),
}

/// Packets that an entity has delivered or lost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fates {
    pub(crate) delivered: Vec<Sdu>,
    pub(crate) lost: Vec<Sdu>,
}

/// Status report: all PDUs below `ack` have arrived except the byte ranges in `missing`, each with its sequence
/// number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Status {
    pub(crate) ack: u64,
    pub(crate) missing: Vec<(u64, Range<u64>)>,
}
