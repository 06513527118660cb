//! Airtimes of frames: modulation modes, standards, and rounding.
//!
//! Clauses are those of IEEE Std 802.11-2012; for VHT and HE those of their amendments. Lengths are those of the MAC
//! frame with header and FCS.

mod dsss;
mod he;
mod ht;
mod mode;
mod ofdm;
mod rounding;
mod standard;
mod vht;

#[cfg(test)]
mod he_tests;
#[cfg(test)]
mod tests;

pub use dsss::{Dsss, Preamble};
pub use he::{He, Training};
pub use ht::{GuardInterval, Ht, Width};
pub use mode::Mode;
pub use ofdm::Ofdm;
pub use rounding::Rounding;
pub use standard::Standard;
pub use vht::Vht;
