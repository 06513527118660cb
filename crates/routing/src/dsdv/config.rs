//! Settings of DSDV.

use crate::times::{NOT_ZERO, TIMES};
use base::Duration;
use settings::Settings;

/// DSDV.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Time between two updates with all routes.
    #[setting(default = Duration::from_secs(15), range = NOT_ZERO, source = "ns-2")]
    pub update_interval: Duration,
    /// A neighbour that is silent for so many intervals is gone.
    #[setting(default = 3, range = 1..=u64::MAX, source = "ns-2")]
    pub missed_updates: u64,
    /// Least time between two updates with what has changed.
    #[setting(default = Duration::from_secs(1), range = NOT_ZERO)]
    pub trigger_gap: Duration,
    /// First estimate of how long routes with a new number keep improving.
    #[setting(default = Duration::from_secs(6), range = TIMES, source = "ns-2")]
    pub settling: Duration,
    /// Take a link for broken when the MAC gives up on a packet; packets for that neighbour go back to the router.
    #[setting(default = true, absent = "true, in profile \"ns2\" false")]
    pub link_layer: bool,
    /// Let a source keep packets that it could not send for the next route; false: they are lost.
    #[setting(default = true)]
    pub salvage: bool,
    /// Packets that wait for a route at most; the oldest makes room.
    #[setting(default = 64, range = 1..=u32::MAX)]
    pub buffer: u32,
    /// Longest wait of a packet for a route.
    #[setting(default = Duration::from_secs(30), range = TIMES)]
    pub buffer_time: Duration,
}

impl Config {
    /// Returns the settings of ns-2.35: `use_mac_` is 0, so that it hears nothing of the MAC, whose retry limit costs
    /// one packet.
    pub fn ns2() -> Self {
        Self { link_layer: false, ..Self::default() }
    }
}
