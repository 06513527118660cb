//! An LTE network at the level where TCP feels it: every subframe of 1 ms, every UE.
//!
//! - [`config`]: the settings of a network
//! - `network`: the machine that packets enter and leave ([`Network`]), made of `air` (the air interface: UEs, channel,
//!   timers), `downlink`, `uplink`, `epc` (the core) and `handover` (from one cell to another)
//! - `profile`: the values of each profile
//! - [`bandwidth`], [`tbs`], [`amc`]: resource blocks, their capacity, and how errors depend on signal quality
//! - [`fading`]: multipath, by profile and speed
//! - [`scheduler`]: allocation of the downlink's blocks
//! - [`rlc`]: radio link control, unacknowledged and acknowledged
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
//! Downlink: up to 1 ms to the next subframe, 1 ms in it, [`config::Harq::processing`] (2 ms) in the UE; 1 ms for every
//! further subframe that a packet needs. At most 4 ms with the defaults.
//!
//! Uplink from idle: up to 1 ms plus the request period to a chance to ask, 1 ms for the scheduling request, 2 ms in
//! the eNodeB. Then 4 ms from grant to PUSCH (TS 36.213, section 8.0), 1 ms in it, 2 ms in the eNodeB. At most 11 ms
//! with the defaults, which makes a round trip of 15 ms, as in ns-3.37. A packet that comes up to 1 ms before a grant
//! is used rides along; a UE that has reported its buffer is granted more without asking.
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
