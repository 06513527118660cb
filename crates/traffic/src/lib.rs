//! What flows send: the settings of traffic, and sources that send by the clock: when the next packet goes, and how large it is. A
//! packet is a datagram, or a write to TCP.
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
