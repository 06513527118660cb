//! IEEE 802.11: a network of stations on one channel.
//!
//! [`Network`] is a machine without a clock. Packets enter at a station ([`Network::send`]); it tells the time at which
//! it has to be called ([`Network::next`]); deliveries and losses come out ([`Network::run`]).
//!
//! - [`config`]: settings of a network, and the [`Profile`]s that preset them
//! - `phy`: the physical layer; [`timing`]: modes, and durations of frames
//! - `mac`: queues, contention for the medium and frame exchanges; [`edca`]: access categories
//! - `mlme`: beacons, association with an access point, roaming
//! - [`rate`]: rate control
//! - `forwarding`: between the stations' queues and their routers, which are in the crate [`routing`]
//! - [`stats`][]: counters
//!
//! The medium is computed globally: a transmission is one entry in a log, the next station to transmit is found among
//! those that contend, and a station that has nothing to send costs nothing. An exchange of data and ACK takes three
//! steps.
//!
//! Left out: fragmentation, power save, PCF, ARP (addresses are known), energy of several signals together (each is compared by
//! itself).
//!
//! Validated (`tests/`): airtimes by hand and against ns-3.37's frames, to the microsecond. Saturation throughput is
//! within 1.7 % of Bianchi's model with the run's retry limit, 1 to 50 stations, b, g, a, n, and n with A-MPDU and RTS.
//! It is within 1.2 % of ns-2.35 at 2 and 11 Mb/s, and 2.4 % of ns-3.37 at 1 and 2 stations. Aggregates without RTS are
//! not in the model: after a collision the Block ACK is asked for, which costs 4 % at 5 stations and 24 % at 50.
//!
//! ns-3 differs from the model from 5 stations on: two preambles at once are lost without EIFS, here as there; its
//! goodput with RTS is then up to 6 % above the model's.
//!
//! 802.11ac (80 MHz, MCS 9, one stream): within 0.7 % of Bianchi's model with single packets, 0.1 % with aggregates of
//! 64 and RTS; no other simulator's results of it were at hand. 802.11ax (80 MHz, MCS 11, one stream): within 0.7 % of
//! Bianchi's model, 1 to 50 stations, single packets and aggregates of 256 with RTS; beside ns-3.37 in
//! `docs/explanation/wifi-ax.md`.

#![warn(unreachable_pub)]

pub mod config;
mod forwarding;
mod mac;
mod mlme;
mod network;
mod phy;
pub mod rate;
pub mod stats;

pub use config::{Config, Profile, Site};
pub use mac::edca;
pub use network::Network;
pub use phy::timing;
pub use stats::{CategoryStats, Fault, StationStats, Stats};
