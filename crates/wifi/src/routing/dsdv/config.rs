//! Parameters of DSDV.

use crate::error::{ConfigError, need, need_time};
use base::Duration;

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
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        need_time("routing.update_interval", self.update_interval)?;
        need("routing.missed_updates", self.missed_updates > 0, "at least 1")?;
        need_time("routing.trigger_gap", self.trigger_gap)?;
        need("routing.buffer", self.buffer > 0, "at least 1")
    }
}
