//! Parameters of AODV.

use crate::error::{ConfigError, need, need_time};
use base::Duration;

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

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
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
