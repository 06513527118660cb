//! An LTE network at the level that matters to TCP: every subframe of 1 ms, every UE.
//!
//! - [`config`]: the settings of a network
//! - `network`: the network that packets enter and leave ([`Network`]), made of `air` (the air interface: UEs,
//!   channel, timers), `downlink`, `uplink`, `epc` (the core network) and `handover`
//! - `profile`: the values of each profile
//! - [`bandwidth`], [`tbs`], [`amc`]: resource blocks, their capacity, and how errors depend on signal quality
//! - [`fading`]: multipath, by profile and speed
//! - [`scheduler`]: allocation of the downlink's blocks
//! - [`rlc`]: radio link control, in unacknowledged and acknowledged mode
//! - [`stats`]: counters of packets and blocks
//!
//! Stations: 0 is the gateway (S-GW and P-GW in one), UEs follow from 1. eNodeBs and the core's links are inside.
//!
//! ```text
//! gateway -- S1 link: GTP-U, queue -- eNodeB: PDCP, RLC buffer -- scheduler, HARQ, channel -- UE
//! ```
//!
//! # Delay without load
//!
//! Downlink: up to 1 ms to the next subframe, 1 ms in it, [`config::Harq::processing`] (2 ms) in the UE; 1 ms for
//! every further subframe that a packet needs. At most 4 ms with the defaults.
//!
//! Uplink of an idle UE: up to 1 ms plus the request period until an opportunity for a scheduling request, 1 ms for
//! the request, 2 ms in the eNodeB. Then 4 ms from the grant to PUSCH (TS 36.213, section 8.0), 1 ms for the PUSCH
//! subframe, 2 ms in the eNodeB. At most 11 ms with the defaults; with the downlink this makes a round trip of 15 ms,
//! as in ns-3.37. A packet that arrives no later than 1 ms before a grant is used can be sent in that grant. A UE
//! that has reported its buffer gets further grants without a request.
//!
//! Left out: random access and paging (UEs stay connected), DRX, carrier aggregation, TDD, dedicated bearers.

#![warn(unreachable_pub)]

mod air;
pub mod amc;
pub mod bandwidth;
mod channel;
mod check;
pub mod config;
mod downlink;
mod epc;
pub mod fading;
mod forms;
mod handover;
mod harq;
mod miesm;
mod network;
mod profile;
pub mod rlc;
pub mod scheduler;
pub mod stats;
mod subframe;
pub mod tbs;
mod timers;
mod uplink;
mod user;

pub use config::Config;
pub use network::Network;
