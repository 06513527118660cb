//! Radio link control (TS 36.322): cuts packets to the size of transport blocks and puts them together again, in order.
//!
//! One `Entity` is one direction of a UE's bearer with both its ends, so that the state of a packet is in one place: it
//! waits to be sent, is on its way, or is delivered or lost. Packets form one stream of bytes, each with its PDCP
//! header (TS 36.323); a PDU carries a stretch of it.
//!
//! Headers (sections 6.2.1.3 to 6.2.1.5): unacknowledged mode has 2 bytes (10 bits of sequence number) or 1 (5 bits).
//! Acknowledged mode has 2, or 4 for a segment of a PDU. Every packet in a PDU but the last adds a length of 12 bits. A
//! packet of more than 2047 bytes ends its PDU, as its length does not fit 11 bits.
//!
//! The buffer is limited in bytes with PDCP headers that wait for their first transmission; a packet that does not fit
//! is dropped whole. Left out: transparent mode, more than one bearer for a UE, header compression, ciphering.

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
