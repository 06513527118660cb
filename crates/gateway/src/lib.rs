//! Gateways: functions of a node on the path for the TCP connections that pass through it. Sans-IO: packets and the
//! time come in, packets go out, timers are read.
//!
//! | kind | who acknowledges to the source | who retransmits on the far side | end-to-end semantics |
//! |---|---|---|---|
//! | [`intelligent`] | the gateway (Pre ACK) | the gateway, with a variant of its own | broken |
//! | [`pre_ack`] | the gateway (Pre ACK) | the gateway, what it has forwarded at once | broken |
//! | [`snoop`] | the destination | the gateway, then the source | kept |
//! | [`split`] | the gateway (a connection of its own) | the gateway (another connection) | broken |
//!
//! A [`Gateway`] is one node; it has a [`Proxy`] for each connection. The *near* side of a proxy is towards the source,
//! the *far* side towards the destination. Each connection has a buffer of its own, bounded in bytes of payload, so
//! that one connection's backlog takes nothing from another and adding a connection changes no other.
//!
//! A gateway can crash. It then forgets all that it holds, and is a plain node; [`Proxy`] describes the connections
//! after a crash.

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
