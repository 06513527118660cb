//! The wired network: links with their queues and loss models, and routes.
//!
//! - [`link`]: one direction of a link; a FIFO link knows a packet's departure when it arrives
//! - [`loss`]: which packets a link loses, and why
//! - [`queue`]: queue disciplines, one file each
//! - [`routes`]: shortest paths
//! - [`wire`]: the packets in flight on every link
//!
//! Nothing here schedules an event: a link answers when its packets depart and arrive, the world acts on it.

pub mod link;
pub mod loss;
pub mod queue;
pub mod routes;
pub mod wire;

pub use link::{Admission, Limit, Link, LinkLosses};
pub use loss::{LossModel, Losses};
pub use wire::{InFlight, Pool, Wire};
