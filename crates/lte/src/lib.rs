//! An LTE network at the level where TCP feels it: every subframe of 1 ms, every UE.
//!
//! - [`config`]: what a network is made of
//! - [`network`]: the machine that packets enter and leave; `downlink` and `uplink` are its two halves
//! - [`bandwidth`], [`tbs`], [`amc`]: resource blocks, what they carry, and how errors depend on signal quality
//! - [`fading`]: multipath, by profile and speed
//! - [`handover`]: from one cell to another
//! - [`scheduler`]: who gets the downlink's blocks
//! - [`rlc`]: radio link control, unacknowledged and acknowledged
//! - [`stats`]: what it counts
//!
//! Stations: 0 is the gateway (S-GW and P-GW in one), UEs follow from 1. eNodeBs and the core's links are inside.
//!
//! ```text
//! gateway -- S1 link: GTP-U, queue -- eNodeB: PDCP, RLC buffer -- scheduler, HARQ, channel -- UE
//! ```
//!
//! # Delay without load
//!
//! Downlink: up to 1 ms to the next subframe, 1 ms in it, [`Config::processing`] (2 ms) in the UE; 1 ms for every further subframe
//! that a packet needs. Uplink from idle: up to 1 ms plus the request period to a chance to ask, 1 ms for the scheduling
//! request, 2 ms in the eNodeB, 4 ms from grant to PUSCH (TS 36.213, section 8.0), 1 ms in it, 2 ms in the eNodeB. With the defaults 4 and 11 ms
//! at most: a round trip of 15 ms, as in ns-3.37. What comes up to 1 ms before a
//! grant is used rides along; a UE that has told how much waits is granted more without asking.
//!
//! Left out: random access and paging (UEs stay connected), DRX, carrier aggregation, TDD, dedicated bearers.

pub mod amc;
pub mod bandwidth;
mod channel;
mod check;
pub mod config;
mod downlink;
mod epc;
pub mod fading;
pub mod handover;
mod harq;
pub mod network;
pub mod rlc;
pub mod scheduler;
pub mod stats;
pub mod tbs;
mod timer;
mod uplink;
mod user;

pub use check::Problem;
pub use config::Config;
pub use network::Network;

use base::{Duration, Instant};

/// The number of a subframe from the start of the run.
pub(crate) type Tti = u64;

/// A subframe (TS 36.211, section 4.1).
const SUBFRAME: Duration = Duration::from_ms(1);

/// When subframe `tti` begins.
const fn begins(tti: Tti) -> Instant {
    Instant::from_ps(SUBFRAME.ps() * tti)
}

/// The first subframe that begins after `now`: what happens at a subframe's beginning is too late for it.
const fn after(now: Instant) -> Tti {
    now.ps() / SUBFRAME.ps() + 1
}
