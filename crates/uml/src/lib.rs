//! The TCP of Linux 6.12 itself, as both ends of a flow in simulated time.
//!
//! The kernel is User-Mode Linux, a separate program that `make kernel` builds. It keeps virtual time: between two of
//! its events it asks when it may continue (`time-travel=ext`), and this crate answers. This crate also implements its
//! network devices (virtio over vhost-user). A [`Transfer`] boots one guest, with a network namespace for each end. It
//! then gets the present time and packets like any endpoint of this simulator.
//!
//! The same scenario and seed give the same packets: the guest's random numbers come from the seed, and its memory,
//! command line and file system do not depend on paths of the host. Wall-clock time has no effect, except that a
//! guest from which no message comes for [`PATIENCE`] seconds ends the run.
//!
//! Each event of a guest takes some messages between two processes. Ten seconds at 10 Mb/s take about one second of
//! wall time; the same on our own endpoints takes ten milliseconds.
//!
//! Left out: segmentation offload, IPv6, more than one connection per guest, checks of packets' checksums.
#![deny(missing_docs)]

#[cfg(target_os = "linux")]
mod calendar;
#[cfg(target_os = "linux")]
mod device;
#[cfg(target_os = "linux")]
mod guest;
#[cfg(target_os = "linux")]
mod ring;
#[cfg(target_os = "linux")]
mod socket;

mod errand;
mod fault;
#[cfg(not(target_os = "linux"))]
mod nowhere;
mod packet;
mod place;
mod table;
mod transfer;

pub use fault::{Fault, PATIENCE};
#[cfg(not(target_os = "linux"))]
use nowhere::Guest;
pub use packet::{HEADERS, SEGMENT};
pub use place::installed;
pub use table::{Control, Stack, Table};
pub use transfer::{Datagram, Side, State, Transfer};

#[cfg(target_os = "linux")]
use guest::Guest;
