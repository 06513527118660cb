//! OLSR: optimized link state routing (Clausen and Jacquet, RFC 3626).
//!
//! Stations say hello to their neighbours, with whom they hear; so each learns which links go both ways, and who is two hops away.
//! Each picks few neighbours that reach all of those: its multipoint relays. They alone pass its messages on, and they
//! alone tell the whole network (TC) who picked them. From that everybody works out shortest ways.
//!
//! | parameter | RFC (section 18) | what it is |
//! |---|---|---|
//! | `hello_interval` | 2 s | time between two hellos; links are forgotten after three |
//! | `tc_interval` | 5 s | time between two topology messages; they hold for three |
//! | `jitter` | a quarter of the hello interval | messages go up to this much early, or wait up to this long before they are passed on |
//! | `link_layer` | optional (section 13) | a link is lost when the MAC gives up |
//! | `buffer`, `buffer_time` | 64 packets, 30 s: ours | packets that wait for a route |
//!
//! Ways can loop for a moment while stations disagree about the topology; the time to live ends such packets. Left out:
//! several interfaces (MID), outside networks (HNA), link hysteresis, redundant topology and relays, willingness other than the default.
//! Validated: hellos and the choice of relays by hand, ways as long as breadth-first search finds them in random networks, no
//! packet lost from the books (`tests.rs`).

mod links;
mod node;
#[cfg(test)]
mod tests;

use super::{need, need_time};
use crate::config::ConfigError;
use base::Duration;
use radio::access::Station;

pub(crate) use node::Olsr;

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
    pub(super) fn check(&self) -> Result<(), ConfigError> {
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

/// A message (section 3.3). A packet carries one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Message {
    Hello(Vec<(Station, Link)>),
    Topology(Topology),
}

/// What a station says of its link to a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Link {
    /// It hears the neighbour.
    Asymmetric,
    /// Both hear each other.
    Symmetric,
    /// Both hear each other, and the neighbour is its relay.
    Relay,
    /// It hears the neighbour no more.
    Lost,
}

/// TC: who has picked the originator as a relay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Topology {
    pub originator: Station,
    /// The message's number.
    pub number: u16,
    /// Hops that it still goes.
    pub ttl: u8,
    /// ANSN: the number of the set of those who picked it.
    pub ansn: u16,
    pub selectors: Vec<Station>,
}

impl Message {
    /// Length without UDP and IP headers, bytes (sections 3.3, 6.1, 9.1).
    pub fn bytes(&self) -> u32 {
        // Headers of the packet and of the message.
        const HEADERS: u32 = 4 + 12;
        HEADERS
            + match self {
                Self::Hello(links) => {
                    let mut kinds: Vec<Link> = links.iter().map(|link| link.1).collect();
                    kinds.sort_unstable();
                    kinds.dedup();
                    4 + 4 * kinds.len() as u32 + 4 * links.len() as u32
                }
                Self::Topology(topology) => 4 + 4 * topology.selectors.len() as u32,
            }
    }

    /// Its name in the RFC.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Hello(_) => "HELLO",
            Self::Topology(_) => "TC",
        }
    }
}
