//! Data units: packets (SDUs), the PDUs that carry them, and the fates of packets.

use base::Packet;
use std::ops::Range;

/// Bytes of a MAC subheader with a length of 15 bits, which each further PDU in a transport block adds (TS 36.321,
/// section 6.2.1).
pub(crate) const SUBHEADER: u32 = 3;

/// The largest header of a PDU with one packet, bytes.
pub(crate) const LARGEST_HEADER: u32 = 4;

/// A service data unit: a packet on its way through the network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sdu {
    pub(crate) packet: Packet,
    /// Its destination.
    pub(crate) to: u32,
}

/// A protocol data unit on its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pdu {
    /// Bytes `from..to` of the stream, as a whole PDU `sn` or as a part of it.
    Data {
        sn: u64,
        from: u64,
        to: u64,
        /// Acknowledged mode: asks for a status report.
        poll: bool,
    },
    /// A status report about the other direction.
    Status(Box<Status>),
}

/// Packets that an entity has delivered or lost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fates {
    pub(crate) delivered: Vec<Sdu>,
    pub(crate) lost: Vec<Sdu>,
}

/// A status report: all data below `ack` has arrived except the stretches of the stream in `missing`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Status {
    pub(crate) ack: u64,
    pub(crate) missing: Vec<(u64, Range<u64>)>,
}
