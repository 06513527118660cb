//! DSDV: destination-sequenced distance vector routing (Perkins and Bhagwat, SIGCOMM 1994).
//!
//! Every station tells its neighbours again and again which others it reaches in how many hops. A route carries the number that its
//! destination gave it: a newer number wins, of equal numbers the shorter way. Who sees a link break says "infinitely
//! far" with the next odd number; only the destination gives even ones. So routes never loop.
//!
//! | parameter | default | source |
//! |---|---|---|
//! | `update_interval` | 15 s | ns-2 |
//! | `missed_updates` | 3: a neighbour silent for so many intervals is gone | ns-2 |
//! | `trigger_gap` | 1 s between updates out of turn | ours; the paper wants them rare |
//! | `settling` | 6 s: the first estimate of how long a new number's routes keep improving | ns-2 |
//! | `link_layer` | links break when the MAC gives up | section 3 |
//! | `buffer`, `buffer_time` | 64 packets, 30 s | ours |
//!
//! A route with a new number but another distance is told to others only after twice the destination's settling time, a running
//! average with weight 1/8 (section 4.2), so that a better one that follows is told in its place.
//!
//! Left out: fluctuation tables per neighbour, the paper's operation at layer 2 (messages run over UDP). Validated: updates by hand, no
//! loops and no packet lost from the books in random networks with random losses (`tests.rs`).

mod node;
#[cfg(test)]
mod tests;

use super::{need, need_time};
use crate::config::ConfigError;
use base::Duration;
use radio::access::Station;

pub(crate) use node::Dsdv;

/// Parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Time between two updates with all routes.
    pub update_interval: Duration,
    /// A neighbour that is silent for so many intervals is gone.
    pub missed_updates: u64,
    /// Least time between two updates with what has changed.
    pub trigger_gap: Duration,
    /// How long routes with a new number are first thought to keep improving.
    pub settling: Duration,
    /// Whether a link breaks when the MAC gives up.
    pub link_layer: bool,
    /// Whether a source keeps what it could not send for the next route, or counts it as lost.
    pub salvage: bool,
    /// Packets that wait for a route at most; the oldest makes room.
    pub buffer: usize,
    /// How long they wait at most.
    pub buffer_time: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            update_interval: Duration::from_secs(15),
            missed_updates: 3,
            trigger_gap: Duration::from_secs(1),
            settling: Duration::from_secs(6),
            link_layer: true,
            salvage: true,
            buffer: 64,
            buffer_time: Duration::from_secs(30),
        }
    }
}

impl Config {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        need_time("routing.update_interval", self.update_interval)?;
        need("routing.missed_updates", self.missed_updates > 0, "at least 1")?;
        need_time("routing.trigger_gap", self.trigger_gap)?;
        need("routing.buffer", self.buffer > 0, "at least 1")
    }
}

/// Routes that a station tells its neighbours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Update(pub Vec<Entry>);

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub to: Station,
    /// `None`: infinitely far.
    pub hops: Option<u8>,
    pub seq: u32,
}

/// Routes in one message: with its headers it fits 1500 bytes.
const MOST: usize = 122;

impl Update {
    /// Length without UDP and IP headers, bytes: address, number and distance of each route (section 3.1).
    pub fn bytes(&self) -> u32 {
        12 * self.0.len() as u32
    }
}
