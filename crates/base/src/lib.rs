//! The vocabulary of all rooms of ackclock: units, ids, packets, seeded random streams, and probes.
//!
//! Nothing here knows a simulator: no event, no link, no protocol behaviour.
//!
//! - [`time`]: [`Instant`] and [`Duration`] in integer picoseconds, and the [`Stamp`] that orders equal instants
//! - [`units`]: [`DataRate`], [`Bytes`], and the one parser of strings like `"10Mbps"`
//! - [`packet`]: [`Packet`], a small `Copy` struct; [`cause`]: why one was lost
//! - [`rng`]: [`Rng`], one stream per component name
//! - [`probe`]: [`Probe`], what observers see; free when nobody looks
//! - [`video`]: frames of videos

#![warn(unreachable_pub)]

pub mod cache;
pub mod cause;
pub mod ids;
pub mod packet;
pub mod probe;
pub mod rng;
pub mod time;
pub mod units;
pub mod video;

pub use cause::DropCause;
pub use ids::{CrossingId, FlowId, LinkId, NodeId};
pub use packet::{AckHeader, Advertised, Body, DataHeader, Ecn, LOWEST_CLASS, Packet, SackBlock};
pub use probe::{Buffer, NoProbe, Observation, PacketEvent, Place, Probe, QueueVariable, Variable};
pub use rng::{Rng, mix};
pub use time::{Duration, Instant, Stamp};
pub use units::{Bytes, DataRate, UnitError};
