//! Types that all crates of ackclock share: units, ids, packets, seeded random streams, and probes.
//!
//! This crate knows no events, links or protocols.
//!
//! - [`time`]: [`Instant`] and [`Duration`] in integer picoseconds, and the [`Stamp`] that orders equal
//!   instants
//! - [`units`]: [`DataRate`], [`Bytes`], and the parser of strings such as `"10Mbps"`
//! - [`packet`]: [`Packet`], a small `Copy` struct; [`cause`]: the cause of a packet's loss
//! - [`ip`]: headers of packets that real endpoints send
//! - [`rng`]: [`Rng`], one random stream per component
//! - [`probe`]: [`Probe`], the interface of observers; events that no observer uses cost nothing
//! - [`video`]: frames of videos

#![warn(unreachable_pub)]

pub mod cache;
pub mod cause;
pub mod ids;
pub mod ip;
pub mod packet;
pub mod probe;
pub mod rng;
pub mod time;
pub mod units;
pub mod video;

pub use cause::DropCause;
pub use ids::{CrossingId, FlowId, LinkId, NodeId};
pub use packet::{
    AckHeader, Advertised, Body, DataHeader, Ecn, LOWEST_CLASS, PART, Packet, RealSegment, SackBlock,
};
pub use probe::{Buffer, NoProbe, Observation, PacketEvent, Place, Probe, QueueVariable, Variable};
pub use rng::{Rng, mix};
pub use time::{Duration, Instant, Stamp};
pub use units::{Bytes, DataRate, UnitError};
