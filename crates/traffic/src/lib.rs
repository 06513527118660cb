//! Traffic sources that send by the clock: when the next packet goes, and how large it is. A packet is a datagram, or a write
//! to TCP.
//!
//! A file transfer needs no source: TCP sends whenever its window lets it.

#![warn(unreachable_pub)]

mod paced;
mod source;
pub mod video;

pub use paced::{Distribution, OnOff, Paced, Spacing};
pub use source::Source;
