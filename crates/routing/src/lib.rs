//! Routing: which station a datagram goes to next.
//!
//! Routers know datagrams, stations and actions, and nothing of the medium: see [`port`].

#![warn(unreachable_pub)]

mod adaptive;
pub mod aodv;
mod config;
pub mod dsdv;
mod fixed;
#[cfg(test)]
mod harness;
pub mod hwmp;
mod message;
pub mod olsr;
pub mod port;
mod router;
mod table;
mod times;
mod waiting;

pub use adaptive::Adaptive;
pub use config::{Config, Entry};
pub use fixed::Fixed;
pub use message::Message;
pub use port::{Action, Datagram};
pub use router::Router;
