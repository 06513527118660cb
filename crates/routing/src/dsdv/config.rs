//! Settings of DSDV.

use crate::times::{INTERVALS, TIMES};
use base::Duration;
use settings::Settings;

/// Settings of DSDV.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Time between two full updates: each advertises all routes.
    #[setting(default = Duration::from_secs(15), range = INTERVALS, source = "ns-2")]
    pub update_interval: Duration,
    /// Update intervals without an update after which a neighbour counts as gone.
    #[setting(default = 3, range = 1..=u64::MAX, source = "ns-2")]
    pub missed_updates: u64,
    /// Least time between two updates of a station; in effect it limits triggered updates, which advertise only
    /// changed routes.
    #[setting(default = Duration::from_secs(1), range = INTERVALS)]
    pub trigger_gap: Duration,
    /// First value of a destination's settling time: the average time until the best route with a new sequence number
    /// has come.
    #[setting(default = Duration::from_secs(6), range = TIMES, source = "ns-2")]
    pub settling: Duration,
    /// Take a link for broken when the MAC gives up on a packet; the queued packets for that neighbour go back to the
    /// router.
    #[setting(default = true, absent = "true, in profile \"ns2\" false")]
    pub link_layer: bool,
    /// After a link break, let a source keep its undelivered packets and send them over the next route; false: they
    /// are lost.
    #[setting(default = true)]
    pub salvage: bool,
    /// Most packets of a station that wait for a route; when one more comes, the oldest is dropped.
    #[setting(default = 64, range = 1..=u32::MAX)]
    pub buffer: u32,
    /// Longest time that a packet waits for a route.
    #[setting(default = Duration::from_secs(30), range = TIMES)]
    pub buffer_time: Duration,
}

impl Config {
    /// Returns the settings of ns-2.35. There `use_mac_` is 0: the MAC does not report failures to the
    /// router, and a packet that reaches the MAC's retry limit is lost without other effects.
    pub fn ns2() -> Self {
        Self { link_layer: false, ..Self::default() }
    }
}
