//! Scenario model, world and run: the only crate that uses every other.
//!
//! scenario text -> [`scenario::Document`] -> [`model::Scenario`] -> world -> event loop -> [`Results`]

#![warn(unreachable_pub)]

mod arrivals;
mod arrived;
mod build;
mod burst;
mod changes;
mod early_delivery;
#[cfg(test)]
mod early_delivery_tests;
mod event;
mod flow;
mod footprint;
mod halt;
mod kernel;
mod links;
mod losses;
mod network;
mod outside;
mod paths;
mod payload_store;
mod positions;
mod prefetch;
mod proxies;
#[cfg(test)]
mod queue_tests;
#[cfg(test)]
mod quic_tests;
mod radios;
mod results;
mod round_trips;
mod route;
mod run;
mod sender_events;
mod sessions;
mod simulation;
mod stacks;
mod summary_json;
#[cfg(test)]
mod tests;
mod timing;
mod world;
#[cfg(test)]
mod write_tests;

pub mod model;
pub mod scenario;

/// Largest packet of a QUIC flow on the wire, bytes with headers; stacks send it once path MTU discovery is complete.
pub const QUIC_PACKET_BYTES: u32 = quic::LARGEST + quic::HEADERS;

pub use footprint::{estimate_footprint, most_kept};
pub use outside::state::{Departed, SenderSample};
pub use outside::traffic::{MOST_REAL_FLOWS, RealFlow, RealTraffic};
pub use results::{GivenUp, Results, VERSION, scenario_hash};
pub use run::{ControlFault, Job, RunError, RunOptions, run, run_many, said};
pub use simulation::{FlowState, LinkState, Simulation, StartOptions, Wait};
pub use stacks::stack_named;
pub use timing::Timing;
