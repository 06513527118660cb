//! Radio link control (TS 36.322): cuts packets to what a transport block holds, puts them together again, in order.
//!
//! One `Entity` is one direction of a UE's bearer with both its ends, so that the truth about a packet is in one place:
//! it waits to be sent, is on its way, or is delivered or lost. Packets form one stream of bytes, each with its PDCP header
//! (TS 36.323); a PDU carries a stretch of it.
//!
//! Headers: unacknowledged mode 2 bytes (10 bits of sequence number) or 1 (5 bits), acknowledged mode 2, 4 for a segment of
//! a PDU; a length of 12 bits for every packet in a PDU but the last (sections 6.2.1.3 to 6.2.1.5). A packet of more than 2047
//! bytes ends its PDU, as its length does not fit 11 bits.
//!
//! The buffer is limited in bytes with PDCP headers that wait for their first transmission; a packet that does not fit is
//! dropped whole. Left out: transparent mode, more than one bearer for a UE, header compression, ciphering.

mod am;
mod stream;
#[cfg(test)]
mod tests;
mod um;

use crate::Tti;
use base::Packet;

pub use am::AmConfig;
pub use um::{SequenceNumber, UmConfig};

pub(crate) use stream::Held;

/// Bytes of a MAC subheader with a length of 15 bits: what a further PDU in a transport block adds (TS 36.321, section 6.2.1).
pub(crate) const SUBHEADER: u32 = 3;

/// The largest header of a PDU with one packet, bytes.
pub(crate) const LARGEST_HEADER: u32 = 4;

/// Which mode, and its parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Mode {
    /// Unacknowledged: what HARQ gives up is lost.
    Um(UmConfig),
    /// Acknowledged: what HARQ gives up is sent again.
    Am(AmConfig),
}

impl Default for Mode {
    fn default() -> Self {
        Self::Um(UmConfig::default())
    }
}

/// Parameters of a bearer's radio link control.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// The mode.
    pub mode: Mode,
    /// Room for packets that wait for their first transmission, bytes.
    pub buffer: u64,
    /// PDCP header, bytes: 2 with 12 bits of sequence number (TS 36.323, section 6.2.3), 1 with 7.
    pub pdcp_header: u32,
}

impl Default for Config {
    /// Unacknowledged mode with room for 1 MB.
    fn default() -> Self {
        Self { mode: Mode::default(), buffer: 1_000_000, pdcp_header: 2 }
    }
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
    Status(Box<am::Status>),
}

/// What came of packets in an entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fates {
    pub delivered: Vec<Held>,
    pub lost: Vec<Held>,
}

/// One direction of a bearer.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    Um(um::Um),
    Am(am::Am),
}

impl Entity {
    pub fn new(config: &Config) -> Self {
        match config.mode {
            Mode::Um(um) => Self::Um(um::Um::new(config, um)),
            Mode::Am(am) => Self::Am(am::Am::new(config, am)),
        }
    }

    /// A packet for station `to` arrives; whether there is room.
    pub fn push(&mut self, packet: Packet, to: u32) -> bool {
        match self {
            Self::Um(um) => um.push(packet, to),
            Self::Am(am) => am.push(packet, to),
        }
    }

    /// Bytes that a transport block would have to hold for everything that waits, headers included (an upper bound).
    #[inline]
    pub fn waiting(&self) -> u64 {
        match self {
            Self::Um(um) => um.waiting(),
            Self::Am(am) => am.waiting(),
        }
    }

    /// Bytes in the buffer that the configuration limits.
    pub fn buffered(&self) -> u64 {
        match self {
            Self::Um(um) => um.buffered(),
            Self::Am(am) => am.buffered(),
        }
    }

    /// Packets that have not come out yet.
    pub fn inside(&self) -> usize {
        match self {
            Self::Um(um) => um.inside(),
            Self::Am(am) => am.inside(),
        }
    }

    /// Fills `room` bytes of a transport block; returns the bytes used.
    pub fn pull(&mut self, now: Tti, room: u32, pdus: &mut Vec<Pdu>) -> u32 {
        match self {
            Self::Um(um) => um.pull(room, pdus),
            Self::Am(am) => am.pull(now, room, pdus),
        }
    }

    /// A PDU has been received.
    pub fn arrive(&mut self, now: Tti, pdu: &Pdu, fates: &mut Fates) {
        match (self, pdu) {
            (Self::Um(um), &Pdu::Data { sn, .. }) => um.arrive(now, sn, fates),
            (Self::Am(am), &Pdu::Data { sn, from, to, poll }) => am.arrive(now, sn, from..to, poll, fates),
            (_, Pdu::Status(_)) => {}
        }
    }

    /// HARQ has given up on a PDU.
    pub fn gave_up(&mut self, pdu: &Pdu, fates: &mut Fates) {
        // Acknowledged mode learns of it from status reports alone.
        if let (Self::Um(um), &Pdu::Data { sn, .. }) = (self, pdu) {
            um.gave_up(sn, fates);
        }
    }

    /// When a timer ends after subframe `now`.
    #[inline]
    pub fn deadline(&self, now: Tti) -> Option<Tti> {
        match self {
            Self::Um(um) => um.deadline(),
            Self::Am(am) => am.deadline(now),
        }
    }

    /// Ends the timers that are due.
    pub fn expire(&mut self, now: Tti, fates: &mut Fates) {
        match self {
            Self::Um(um) => um.expire(now, fates),
            Self::Am(am) => am.expire(now, fates),
        }
    }

    /// The status report that the receiving end wants to send now, if any.
    pub fn report(&mut self, now: Tti, room: u32) -> Option<(Pdu, u32)> {
        match self {
            Self::Um(_) => None,
            Self::Am(am) => am.report(now, room),
        }
    }

    /// Bytes of a status report that the receiving end wants to send now; 0: none.
    #[inline]
    pub fn reporting(&self, now: Tti) -> u32 {
        match self {
            Self::Um(_) => 0,
            Self::Am(am) => am.reporting(now),
        }
    }

    /// A report about what this entity sent has arrived.
    pub fn status(&mut self, now: Tti, status: &am::Status, fates: &mut Fates) {
        if let Self::Am(am) = self {
            am.status(now, status, fates);
        }
    }

    /// Starts anew, as at a handover (TS 36.322, section 5.4): returns the packets that are still inside in order, and for each whether
    /// PDCP may send it again in the new cell: in acknowledged mode all, in unacknowledged mode those of which nothing has been
    /// sent.
    pub fn restart(&mut self, fates: &mut Fates) -> Vec<(Held, bool)> {
        match self {
            Self::Um(um) => um.restart(fates),
            Self::Am(am) => am.restart(),
        }
    }
}
