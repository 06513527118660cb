//! AODV: ad hoc on-demand distance vector routing (Perkins, Belding-Royer, Das, RFC 3561).
//!
//! A station that has a packet for another without a route to it floods a request (RREQ), in rings that grow. The destination,
//! or a station with a fresh enough route, answers along the way back (RREP). A route lives while it is used. When a link
//! breaks, whoever has routes over it is told (RERR). Sequence numbers of destinations keep routes from looping.
//!
//! | parameter | RFC (section 10) | [`Config::ns2`] | what it is |
//! |---|---|---|---|
//! | `active_route_timeout` | 3 s | 10 s | how long a route lives without use |
//! | `my_route_timeout` | 6 s | 10 s | how long a destination says that a route to it lives |
//! | `delete_period` | 15 s | 50 s | how long an invalid route is remembered |
//! | `node_traversal_time` | 40 ms | 23 ms | estimate of one hop's time; ns-2 has none: see below |
//! | `net_diameter` | 35 | 30 | hops that a request goes at most |
//! | `ttl_start`, `ttl_increment`, `ttl_threshold` | 1, 2, 7 | 30, 2, 8 | the rings; ns-2 asks the whole network first |
//! | `rreq_retries` | 2 | 3 | further attempts over the whole network |
//! | `local_repair` | may | near the destination | who looks for a new way where a link breaks |
//! | `blacklist` | yes | no | whether requests of a neighbour that a reply did not reach are ignored (section 6.8) |
//! | `salvage` | open | no | whether a source keeps what it could not send |
//! | `hello` | may | off | detection of links without the MAC's help |
//! | `buffer`, `buffer_time` | open | 64, 30 s | packets that wait for a route |
//! | `jitter` | open | 10 ms | before a request is passed on, so that neighbours do not all do it at once |
//!
//! ns-2 asks again when a packet comes or a clock of half a second ticks: in chains of 4 hops 0.37 s, on average over 220 requests, after one
//! over 6 hops that stayed without an answer. 23 ms make it that.
//!
//! Departures from the RFC, each for the sake of loops (van Glabbeek, Hoefner, Tan, Portmann, MSWiM 2013; Bhargavan,
//! Obradovic, Gunter, J. ACM 49, 2002): a route that expires has its destination's number increased as one that breaks; a RERR never
//! lowers a number; nobody has a route to itself. A packet that arrives at a station without a route sends a RERR
//! back to the neighbour that it came from, whether or not that is known as a precursor.
//!
//! Left out: multicast, RREP-ACK and its timer (it is the MAC's giving up of a RREP that blacklists the neighbour; a link
//! breaks only while data are sent, section 6.11), the N flag of RERR,
//! subnets, and what section 6.13 says about reboots. Validated: message sequences by hand, no loops and no packet lost from the books in
//! random networks with random losses (`tests.rs`); TCP over chains of 1 to 6 hops at 2 and 11 Mb/s, with and without RTS, windows of 4 and
//! 32: goodput within 1.5 % of ns-2's at up to 2 hops, within 2 % with window 4, within 9 % with window 32, where routes break some 50
//! times in 100 s (docs/adhoc.md).

mod discovery;
mod node;
#[cfg(test)]
mod tests;

use super::table::Unreachable;
use super::{need, need_time};
use crate::config::ConfigError;
use base::Duration;
use radio::access::Station;

pub(crate) use node::Aodv;

/// Parameters; names as in RFC 3561, section 10.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// ACTIVE_ROUTE_TIMEOUT: how long a route lives without use.
    pub active_route_timeout: Duration,
    /// MY_ROUTE_TIMEOUT: how long a destination says that a route to it lives.
    pub my_route_timeout: Duration,
    /// DELETE_PERIOD: how long an invalid route is remembered.
    pub delete_period: Duration,
    /// NODE_TRAVERSAL_TIME: estimate of one hop's time.
    pub node_traversal_time: Duration,
    /// NET_DIAMETER: hops that a request goes at most.
    pub net_diameter: u8,
    /// TTL_START: hops of the first ring.
    pub ttl_start: u8,
    /// TTL_INCREMENT: hops that each ring adds.
    pub ttl_increment: u8,
    /// TTL_THRESHOLD: hops of the widest ring; after it comes the whole network.
    pub ttl_threshold: u8,
    /// TIMEOUT_BUFFER: hops for which a ring's timeout allows beside its own.
    pub timeout_buffer: u8,
    /// RREQ_RETRIES: further attempts over the whole network.
    pub rreq_retries: u32,
    /// RREQ_RATELIMIT: requests that a station begins in a second.
    pub rreq_ratelimit: usize,
    /// RERR_RATELIMIT: error messages that a station begins in a second.
    pub rerr_ratelimit: usize,
    /// The D flag: only the destination answers requests.
    pub destination_only: bool,
    /// The G flag: a station that answers for a destination tells it.
    pub gratuitous: bool,
    /// Who looks for a new way where a link breaks.
    pub local_repair: LocalRepair,
    /// LOCAL_ADD_TTL: hops that a repair's request goes beyond the distance known.
    pub local_add_ttl: u8,
    /// Whether requests of a neighbour that a reply did not reach are ignored for BLACKLIST_TIMEOUT.
    pub blacklist: bool,
    /// Whether a source keeps what it could not send for the next route, or counts it as lost.
    pub salvage: bool,
    /// Hello messages; `None`: links break when the MAC gives up.
    pub hello: Option<Hello>,
    /// Packets that wait for a route at most; the oldest makes room.
    pub buffer: usize,
    /// How long they wait at most; `None`: until the search for the route has failed.
    pub buffer_time: Option<Duration>,
    /// Up to this long, drawn uniformly, a request waits before it is passed on.
    pub jitter: Duration,
}

/// Who looks for a new way where a link breaks (section 6.12), instead of telling the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalRepair {
    /// Nobody.
    Never,
    /// A station at most so many hops from the destination: MAX_REPAIR_TTL.
    Within(u8),
    /// A station nearer to the destination than to the source of the packet that did not get through.
    NearDestination,
}

/// Hello messages (section 6.9), sent by stations that are part of an active route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello {
    /// HELLO_INTERVAL: time between two of them.
    pub interval: Duration,
    /// ALLOWED_HELLO_LOSS: a neighbour that is silent for so many intervals is gone.
    pub allowed_loss: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            active_route_timeout: Duration::from_secs(3),
            my_route_timeout: Duration::from_secs(6),
            delete_period: Duration::from_secs(15),
            node_traversal_time: Duration::from_ms(40),
            net_diameter: 35,
            ttl_start: 1,
            ttl_increment: 2,
            ttl_threshold: 7,
            timeout_buffer: 2,
            rreq_retries: 2,
            rreq_ratelimit: 10,
            rerr_ratelimit: 10,
            destination_only: false,
            gratuitous: true,
            local_repair: LocalRepair::Never,
            local_add_ttl: 2,
            blacklist: true,
            salvage: true,
            hello: None,
            buffer: 64,
            buffer_time: None,
            jitter: Duration::from_ms(10),
        }
    }
}

impl Config {
    /// What ns-2.35 does, by its traces: it asks the whole network first, later two hops further than the destination was, and
    /// neither keeps nor returns what it could not send.
    pub fn ns2() -> Self {
        Self {
            active_route_timeout: Duration::from_secs(10),
            my_route_timeout: Duration::from_secs(10),
            delete_period: Duration::from_secs(50),
            node_traversal_time: Duration::from_ms(23),
            net_diameter: 30,
            ttl_start: 30,
            ttl_threshold: 8,
            rreq_retries: 3,
            gratuitous: false,
            local_repair: LocalRepair::NearDestination,
            blacklist: false,
            salvage: false,
            buffer_time: Some(Duration::from_secs(30)),
            ..Self::default()
        }
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        need_time("routing.active_route_timeout", self.active_route_timeout)?;
        need_time("routing.my_route_timeout", self.my_route_timeout)?;
        need_time("routing.node_traversal_time", self.node_traversal_time)?;
        need("routing.net_diameter", self.net_diameter > 0, "at least 1")?;
        need("routing.ttl_start", self.ttl_start > 0, "at least 1")?;
        need("routing.ttl_increment", self.ttl_increment > 0, "at least 1")?;
        need("routing.rreq_ratelimit", self.rreq_ratelimit > 0, "at least 1")?;
        need("routing.buffer", self.buffer > 0, "at least 1")?;
        let Some(hello) = self.hello else { return Ok(()) };
        need_time("routing.hello.interval", hello.interval)?;
        need("routing.hello.allowed_loss", hello.allowed_loss > 0, "at least 1")
    }

    /// NET_TRAVERSAL_TIME.
    pub fn net_traversal_time(&self) -> Duration {
        self.node_traversal_time * (2 * u64::from(self.net_diameter))
    }

    /// RING_TRAVERSAL_TIME of a ring of `ttl` hops.
    pub fn ring_traversal_time(&self, ttl: u8) -> Duration {
        self.node_traversal_time * (2 * (u64::from(ttl) + u64::from(self.timeout_buffer)))
    }

    /// PATH_DISCOVERY_TIME: how long a request is remembered.
    pub fn path_discovery_time(&self) -> Duration {
        self.net_traversal_time() * 2
    }
}

/// A message (section 5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Message {
    Request(Request),
    Reply(Reply),
    Error(Vec<Unreachable>),
}

/// RREQ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// Hops that it still goes.
    pub ttl: u8,
    /// Hops that it has come.
    pub hops: u8,
    /// Its number, of those that the originator has sent.
    pub id: u32,
    pub originator: Station,
    pub originator_seq: u32,
    pub destination: Station,
    /// The last number known; `None`: the U flag.
    pub destination_seq: Option<u32>,
    pub destination_only: bool,
    pub gratuitous: bool,
}

/// RREP; a hello message is one about its sender.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    /// Hops from the destination.
    pub hops: u8,
    pub destination: Station,
    pub destination_seq: u32,
    /// Whom it is for.
    pub originator: Station,
    pub lifetime: Duration,
}

impl Message {
    /// Length without UDP and IP headers, bytes (sections 5.1 to 5.3).
    pub fn bytes(&self) -> u32 {
        match self {
            Self::Request(_) => 24,
            Self::Reply(_) => 20,
            Self::Error(unreachable) => 4 + 8 * unreachable.len() as u32,
        }
    }

    /// Its name in the RFC.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Request(_) => "RREQ",
            Self::Reply(_) => "RREP",
            Self::Error(_) => "RERR",
        }
    }
}
