//! Gateways: proxies at a node on the path, for the TCP connections that pass through the node. The crate is
//! sans-IO: packets and the time are passed in, packets to send come out, and the caller reads the timers.
//!
//! | kind | who acknowledges to the source | who retransmits towards the destination | end-to-end semantics |
//! |---|---|---|---|
//! | [`intelligent`] | the gateway (Pre ACK) | the gateway, by a TCP sender of its own | broken |
//! | [`pre_ack`] | the gateway (Pre ACK) | the gateway, from copies of forwarded packets | broken |
//! | [`snoop`] | the destination | the gateway, then the source | kept |
//! | [`split`] | the gateway (a connection of its own) | the gateway (another connection) | broken |
//!
//! A [`Gateway`] is one node; it has a [`Proxy`] for each connection. The *near* side of a proxy is towards
//! the source, the *far* side towards the destination. Each connection has a buffer of its own, bounded in
//! bytes of payload, so connections do not compete for buffer space, and adding a connection does not affect
//! the others.
//!
//! A gateway can crash, which loses all its state, and restart; [`Proxy`] describes how connections continue.

#![warn(unreachable_pub)]

mod buffer;
mod config;
pub mod intelligent;
mod near;
mod outbox;
pub mod pre_ack;
mod proxy;
mod repair;
mod setup;
pub mod snoop;
pub mod split;
mod split_connection;
mod stats;

pub use config::{Config, FarSide, Repairs};
pub use outbox::{Outbox, Outgoing, Toward};
pub use proxy::{Gateway, Proxy};
pub use setup::{Kind, Setup};
pub use stats::Stats;
