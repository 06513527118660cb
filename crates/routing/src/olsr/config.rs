//! Settings of OLSR.

use crate::times::{INTERVALS, TIMES};
use base::Duration;
use settings::{Error, Settings};

/// Settings of OLSR.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Config {
    /// Time between two hello messages (HELLO_INTERVAL).
    #[setting(default = Duration::from_secs(2), range = INTERVALS, source = "RFC 3626 section 18.2")]
    pub hello_interval: Duration,
    /// Time between two TC (topology control) messages of a station (TC_INTERVAL).
    #[setting(default = Duration::from_secs(5), range = INTERVALS, source = "RFC 3626 section 18.2")]
    pub tc_interval: Duration,
    /// Greatest time by which a message is sent early, drawn uniformly (MAXJITTER). A TC to be forwarded is delayed
    /// by as much.
    #[setting(default = Duration::from_ms(500), range = TIMES, source = "RFC 3626 section 18.2")]
    pub jitter: Duration,
    /// Take a link for lost when the MAC gives up on a packet; the queued packets for that neighbour go back to the
    /// router.
    #[setting(default = true, source = "RFC 3626 section 13")]
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
    fn check(&self) -> Result<(), Error> {
        if self.jitter < self.hello_interval.min(self.tc_interval) {
            return Ok(());
        }
        Err(Error::new("jitter", "shorter than either interval"))
    }

    /// Returns NEIGHB_HOLD_TIME: the time for which the contents of a HELLO are valid.
    pub fn neighbour_hold_time(&self) -> Duration {
        self.hello_interval * 3
    }

    /// Returns TOP_HOLD_TIME: the time for which the contents of a TC are valid.
    pub fn topology_hold_time(&self) -> Duration {
        self.tc_interval * 3
    }

    /// Returns DUP_HOLD_TIME: the time for which a TC is remembered, to recognize copies.
    pub fn duplicate_hold_time(&self) -> Duration {
        self.topology_hold_time() * 2
    }
}
