//! Traffic: its settings, and sources. A source gives the time and the payload of the next packet, which is a
//! datagram or a write to TCP.
//!
//! A file transfer has no source: TCP sends whenever its window allows. Sessions ([`sessions`]) open transfers.

#![warn(unreachable_pub)]

mod carriage;
mod config;
mod paced;
pub mod sessions;
mod source;
pub mod video;

pub use carriage::{Carriage, Marks, Transport};
pub use config::{Config, Ftp, OnOff};
pub use paced::{Bursts, Distribution, Paced, Packets, Spacing};
pub use source::Source;
