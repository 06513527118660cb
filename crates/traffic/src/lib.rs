//! Traffic: its settings, and sources that send by the clock. A source gives the time and the size of the next packet.
//! A packet is a datagram, or a write to TCP.
//!
//! A file transfer needs no source: TCP sends whenever its window lets it.

#![warn(unreachable_pub)]

mod carriage;
mod config;
mod paced;
mod source;
pub mod video;

pub use carriage::{Carriage, Marks, Transport};
pub use config::{Config, Ftp, OnOff};
pub use paced::{Bursts, Distribution, Paced, Packets, Spacing};
pub use source::Source;
