//! Emulation: the network of a scenario in real time, between two TUN devices, for real applications.
//!
//! A packet that an application sends into one device enters the simulated network at a node. The simulation is
//! advanced to the wall clock's time, and packets that have reached the other node are written to the other device
//! ([`drive`]). No other crate reads a clock. Queues, losses, radio networks and traces are those of the
//! simulation.
//!
//! A packet can only be late: the loop may wake up, or may have computed, later than the packet was due. Each packet's
//! lateness is measured ([`Lateness`]).
//!
//! Left out: the time from an application's sending until this program reads the packet, which no device reports;
//! gateways, which work on simulated TCP alone.

#![warn(unreachable_pub)]

mod drive;
mod fault;
mod lateness;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(not(target_os = "linux"))]
#[path = "nowhere.rs"]
mod machine;
#[cfg(target_os = "linux")]
mod sockets;

pub use drive::{Ending, Outside, Report, drive};
pub use fault::Fault;
pub use lateness::Lateness;
pub use machine::{Devices, Machine};
pub use sim::SenderSample;
