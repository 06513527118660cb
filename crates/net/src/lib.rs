//! The wired network: links with their queues and loss models, and routes.
//!
//! - [`impairment`]: jitter, reordering, duplication
//! - [`link`]: one direction of a link; a FIFO link computes a packet's departure as soon as the packet
//!   arrives
//! - [`loss`]: loss models
//! - [`queue`]: queue disciplines, one file each
//! - [`rate_trace`]: links whose capacity follows a recording
//! - [`routes`]: shortest paths
//! - [`stepped`]: links that serve one packet per event
//! - [`wire`]: the packets in flight on every link
//!
//! No module schedules an event: a link returns the times at which packets depart and arrive, and `sim`
//! schedules events for them.

#![warn(unreachable_pub)]

pub mod impairment;
pub mod link;
pub mod loss;
pub mod queue;
pub mod rate_trace;
pub mod routes;
pub mod stepped;
pub mod wire;

pub use link::{Admission, Departure, Link};
pub use loss::{LinkLosses, LossModel, Losses};
pub use queue::Limit;
pub use wire::{InFlight, Pool, Wire};
