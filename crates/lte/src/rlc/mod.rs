//! Radio link control (TS 36.322): segments packets to the size of transport blocks and reassembles them, in order.
//!
//! One `Entity` is one direction of a UE's bearer with the sending and the receiving end, so that the state of a
//! packet is in one place: the packet waits, is on its way, or is delivered or lost. The packets, each with its PDCP
//! header (TS 36.323), form one stream of bytes; a PDU carries a range of this stream.
//!
//! Headers (sections 6.2.1.3 to 6.2.1.5): in unacknowledged mode a PDU has 2 bytes (10 bits of sequence number) or 1
//! byte (5 bits). In acknowledged mode a PDU has 2 bytes, and a segment of a PDU 4. Every packet in a PDU but the
//! last adds 12 bits, of which 11 are its length. A packet of more than 2047 bytes does not fit this length and so
//! ends its PDU.
//!
//! The limit of the buffer counts the bytes, PDCP headers included, that wait for their first transmission; a packet
//! that exceeds the limit is dropped. Left out: transparent mode, more than one bearer for a UE, header compression,
//! ciphering.

mod am;
mod config;
mod entity;
mod pdu;
mod stream;
#[cfg(test)]
mod tests;
mod um;

pub use config::{AmConfig, Config, Mode, SequenceNumber, UmConfig};

pub(crate) use entity::Entity;
pub(crate) use pdu::{Fates, LARGEST_HEADER, Pdu, SUBHEADER, Sdu};
