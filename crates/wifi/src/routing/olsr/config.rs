//! Parameters of OLSR.

use crate::error::{ConfigError, need, need_time};
use base::Duration;

/// Parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// HELLO_INTERVAL.
    pub hello_interval: Duration,
    /// TC_INTERVAL.
    pub tc_interval: Duration,
    /// MAXJITTER; less than either interval.
    pub jitter: Duration,
    /// Whether a link is lost when the MAC gives up.
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
            hello_interval: Duration::from_secs(2),
            tc_interval: Duration::from_secs(5),
            jitter: Duration::from_ms(500),
            link_layer: true,
            salvage: true,
            buffer: 64,
            buffer_time: Duration::from_secs(30),
        }
    }
}

impl Config {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let least = self.hello_interval.min(self.tc_interval);
        need_time("routing.hello_interval", self.hello_interval)?;
        need_time("routing.tc_interval", self.tc_interval)?;
        need("routing.jitter", self.jitter < least, "shorter than either interval")?;
        need("routing.buffer", self.buffer > 0, "at least 1")
    }

    /// NEIGHB_HOLD_TIME: how long what a hello says holds.
    pub fn neighbour_hold_time(&self) -> Duration {
        self.hello_interval * 3
    }

    /// TOP_HOLD_TIME: how long what a topology message says holds.
    pub fn topology_hold_time(&self) -> Duration {
        self.tc_interval * 3
    }

    /// DUP_HOLD_TIME: how long a message is remembered.
    pub fn duplicate_hold_time(&self) -> Duration {
        self.topology_hold_time() * 2
    }
}
