//! Settings of OLSR.

use crate::times::{INTERVALS, TIMES};
use base::Duration;
use settings::{Choice, Error, Settings};

/// Part of a message's timing that the jitter changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Jittered {
    /// each interval between two messages of a kind is up to `jitter` shorter, beginning at a random time (RFC 3626
    /// section 18.1)
    Interval,
    /// the timers of all stations run from 0 s and always for a whole interval; each message is sent up to `jitter` after
    /// its timer (ns-3)
    Message,
}

/// Settings of OLSR. A setting that is not given takes the RFC's value or, in profile `"ns3"`, that of ns-3.37.
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
    /// Part of a message's timing that the jitter changes.
    #[setting(default = Jittered::Interval, absent = "\"interval\", in profile \"ns3\" \"message\"")]
    pub jittered: Jittered,
    /// Take a link for lost when the MAC gives up on a packet; the queued packets for that neighbour go back to the
    /// router.
    #[setting(default = true, absent = "true, in profile \"ns3\" false", source = "RFC 3626 section 13")]
    pub link_layer: bool,
    /// After a link break, let a source keep its undelivered packets and send them over the next route; false: they
    /// are lost.
    #[setting(default = true)]
    pub salvage: bool,
    /// Most packets of a station that wait for a route; when one more comes, the oldest is dropped. With 0 a packet
    /// without a route is dropped at once.
    #[setting(default = 64, absent = "64, in profile \"ns3\" 0")]
    pub buffer: u32,
    /// Longest time that a packet waits for a route.
    #[setting(default = Duration::from_secs(30), range = TIMES)]
    pub buffer_time: Duration,
}

impl Config {
    /// Returns the settings of ns-3.37. There the MAC reports no failures to OLSR, and OLSR keeps no packets.
    pub fn ns3() -> Self {
        Self { jittered: Jittered::Message, link_layer: false, buffer: 0, ..Self::default() }
    }

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
