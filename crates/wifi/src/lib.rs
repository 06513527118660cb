//! IEEE 802.11: a network of stations on one channel.
//!
//! [`Network`] is a machine without a clock: packets enter at a station ([`Network::send`]), it says when it wants to be called
//! ([`Network::next`]), and what became of the packets comes out ([`Network::run`]).
//!
//! - [`config`]: what a network is made of; [`profile`]: presets of it
//! - [`timing`]: modes, and how long frames last
//! - [`routing`]: multi-hop networks
//! - [`stats`]: what is counted
//!
//! The medium is worked out globally: a transmission is one entry in a log, the next station to transmit is found among those
//! that contend, and a station that has nothing to send costs nothing. An exchange of data and ACK takes three steps.

mod access_point;
mod aggregation;
mod air;
mod backoff;
mod channel;
pub mod config;
mod ear;
mod exchange;
mod frames;
mod network;
pub mod profile;
mod reception;
mod relay;
pub mod routing;
mod station;
pub mod stats;
pub mod timing;

pub use config::{Config, ConfigError, Site};
pub use ear::Fault;
pub use network::Network;
pub use profile::Profile;
pub use stats::{StationStats, Stats};
