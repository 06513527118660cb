//! Scenario model, world and run: the only room that knows every other.
//!
//! scenario text -> [`scenario::Document`] -> [`model::Scenario`] -> world -> event loop -> [`Results`]

#![warn(unreachable_pub)]

mod build;

mod event;
mod flow;
mod links;
mod network;
mod paths;
mod positions;
#[cfg(test)]
mod queue_tests;
mod radios;
mod relays;
mod results;
mod round_trips;
mod route;
mod run;
mod simulation;
mod summary_json;
#[cfg(test)]
mod tests;
mod timing;
mod world;
#[cfg(test)]
mod write_tests;

pub mod model;
pub mod scenario;

pub use results::{Results, VERSION, scenario_hash};
pub use run::{ControlFault, Job, RunError, RunOptions, run, run_many};
pub use simulation::{FlowState, LinkState, Simulation, StartOptions, Wait};
pub use timing::Timing;
