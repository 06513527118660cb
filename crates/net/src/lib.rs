//! The wired network: links with their queues and loss models, and routes.
//!
//! - [`impairment`]: jitter, reordering, duplication
//! - [`link`]: one direction of a link; a FIFO link knows a packet's departure when it arrives
//! - [`loss`]: which packets a link loses, and why
//! - [`queue`]: queue disciplines, one file each
//! - [`rate_trace`]: links whose capacity follows a recording
//! - [`routes`]: shortest paths
//! - [`stepped`]: links that serve one packet at a time
//! - [`wire`]: the packets in flight on every link
//!
//! Nothing here schedules an event: a link answers when its packets depart and arrive, the world acts on it.

#![warn(unreachable_pub)]

pub mod impairment;
pub mod link;
pub mod loss;
pub mod queue;
pub mod rate_trace;
pub mod routes;
pub mod stepped;
pub mod wire;

pub use link::{Admission, Link};
pub use loss::{LinkLosses, LossModel, Losses};
pub use queue::Limit;
pub use wire::{InFlight, Pool, Wire};
