//! Settings of AODV; names as in RFC 3561, section 10.

use crate::times::{NOT_ZERO, TIMES};
use base::Duration;
use settings::TimeOrNever;
use settings::schema::{Json, any};
use settings::setting::unfit;
use settings::{Choice, Error, Node, Schemas, Setting, Settings};

/// AODV. What is not given comes from the network's profile: RFC 3561's values, or ns-2's.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Lifetime of a route without use (ACTIVE_ROUTE_TIMEOUT).
    #[setting(default = Duration::from_secs(3), range = NOT_ZERO)]
    pub active_route_timeout: Duration,
    /// Lifetime that a destination gives to a route to it (MY_ROUTE_TIMEOUT).
    #[setting(default = Duration::from_secs(6), range = NOT_ZERO)]
    pub my_route_timeout: Duration,
    /// Time for which an invalid route is remembered (DELETE_PERIOD).
    #[setting(default = Duration::from_secs(15), range = TIMES)]
    pub delete_period: Duration,
    /// Estimate of the time of one hop (NODE_TRAVERSAL_TIME).
    #[setting(default = Duration::from_ms(40), range = NOT_ZERO)]
    pub node_traversal_time: Duration,
    /// Hops that a request goes at most (NET_DIAMETER).
    #[setting(default = 35, range = 1..=u8::MAX)]
    pub net_diameter: u8,
    /// Hops of the first ring (TTL_START).
    #[setting(default = 1, range = 1..=u8::MAX)]
    pub ttl_start: u8,
    /// Hops that each ring adds (TTL_INCREMENT).
    #[setting(default = 2, range = 1..=u8::MAX)]
    pub ttl_increment: u8,
    /// Hops of the widest ring; after it comes the whole network (TTL_THRESHOLD).
    #[setting(default = 7)]
    pub ttl_threshold: u8,
    /// Hops for which the timeout of a ring allows beside its own (TIMEOUT_BUFFER).
    #[setting(default = 2)]
    pub timeout_buffer: u8,
    /// Time of a hop, as the wait of a request for its answer assumes it.
    #[setting(default = HopTime::Constant, absent = "\"constant\", in profile \"ns2\" \"measured\"")]
    pub hop_time: HopTime,
    /// Growth of the wait with each further attempt over the whole network.
    #[setting(default = SearchBackoff::Binary, absent = "\"binary\", in profile \"ns2\" \"linear\"")]
    pub search_backoff: SearchBackoff,
    /// When a request is repeated whose wait is over.
    #[setting(default = Repeat::Due, absent = "\"due\", in profile \"ns2\" \"packet-or-tick\"")]
    pub repeat: Repeat,
    /// Pause after a failed search until the next for that destination; packets for it wait.
    #[setting(default = Duration::ZERO, range = TIMES, absent = "\"0s\", in profile \"ns2\" \"10s\"")]
    pub search_pause: Duration,
    /// Further attempts over the whole network (RREQ_RETRIES).
    #[setting(default = 2)]
    pub rreq_retries: u32,
    /// Requests that a station begins in a second (RREQ_RATELIMIT).
    #[setting(default = 10, range = 1..=u32::MAX)]
    pub rreq_ratelimit: u32,
    /// Error messages that a station begins in a second (RERR_RATELIMIT).
    #[setting(default = 10)]
    pub rerr_ratelimit: u32,
    /// Let only the destination answer requests (the D flag).
    #[setting(default = false)]
    pub destination_only: bool,
    /// Let a station that answers for a destination tell the destination (the G flag).
    #[setting(default = true)]
    pub gratuitous: bool,
    /// The station that searches a new route after a link has broken.
    #[setting(default = LocalRepair::Never)]
    pub local_repair: LocalRepair,
    /// Hops that the request of a repair goes beyond the distance known (LOCAL_ADD_TTL).
    #[setting(default = 2)]
    pub local_add_ttl: u8,
    /// Hello messages.
    #[setting(absent = "none: links break when the MAC gives up")]
    pub hello: Option<Hello>,
    /// Ignore requests of a neighbour that a reply did not reach for a while (BLACKLIST_TIMEOUT).
    #[setting(default = true)]
    pub blacklist: bool,
    /// Let a source keep packets that it could not send for the next route; false: they are lost.
    #[setting(default = true)]
    pub salvage: bool,
    /// Packets that wait for a route at most; the oldest makes room.
    #[setting(default = 64, range = 1..=u32::MAX)]
    pub buffer: u32,
    /// Longest wait of a packet for a route; "never": until the search has failed.
    #[setting(default = TimeOrNever(None), range = TimeOrNever(None)..=TimeOrNever(Some(*TIMES.end())))]
    pub buffer_time: TimeOrNever,
    /// Up to this long, drawn uniformly, a request waits before it is passed on.
    #[setting(default = Duration::from_ms(10), range = TIMES)]
    pub jitter: Duration,
}

/// Time of a hop, as the wait of a request for its answer assumes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum HopTime {
    /// `node_traversal_time` (section 10)
    Constant,
    /// the mean of the last three searches for the destination that were answered, each the time from request to reply by hops; before the
    /// first `node_traversal_time` (ns-2)
    Measured,
}

/// Growth of the wait with each further attempt over the whole network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum SearchBackoff {
    /// it doubles (section 6.3)
    Binary,
    /// by as much as the first each time (ns-2)
    Linear,
}

/// When a request is repeated whose wait is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Repeat {
    /// at once
    Due,
    /// with the next packet for the destination that enters here, or at the next full half second (ns-2)
    PacketOrTick,
}

/// Hello messages (section 6.9), sent by stations that are part of an active route.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
#[settings(expecting = "a table: { interval = \"1s\", allowed_loss = 2 }")]
pub struct Hello {
    /// Time between two of them (HELLO_INTERVAL).
    #[setting(needed = "the time between two: interval = \"1s\"", range = NOT_ZERO)]
    pub interval: Duration,
    /// A neighbour that is silent for so many intervals is gone (ALLOWED_HELLO_LOSS).
    #[setting(needed = "a number of intervals: allowed_loss = 2", range = 1..=u64::MAX)]
    pub allowed_loss: u64,
}

/// The station that searches a new route after a link has broken (section 6.12), instead of telling the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalRepair {
    /// No station.
    Never,
    /// A station at most this number of hops from the destination: MAX_REPAIR_TTL.
    Within(u8),
    /// A station nearer to the destination than to the source of the packet that failed.
    NearDestination,
}

/// The words for it.
#[derive(Clone, Copy, Choice)]
enum RepairWord {
    /// Nobody.
    Never,
    /// A station nearer to the destination than to the source.
    NearDestination,
}

impl Setting for LocalRepair {
    fn expected() -> String {
        "\"never\", \"near-destination\", or hops to the destination within which a station does (MAX_REPAIR_TTL)"
            .to_owned()
    }
    fn value() -> String {
        "`\"never\"`, `\"near-destination\"`, or hops to the destination (MAX_REPAIR_TTL)".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        let hops = node.as_u64().and_then(|hops| u8::try_from(hops).ok());
        match (node.as_text(), hops) {
            (Some("never"), _) => Ok(Self::Never),
            (Some("near-destination"), _) => Ok(Self::NearDestination),
            (_, Some(hops)) => Ok(Self::Within(hops)),
            _ => Err(unfit(node, Self::expected())),
        }
    }
    fn write(&self) -> Node {
        match *self {
            Self::Never => "never".into(),
            Self::NearDestination => "near-destination".into(),
            Self::Within(hops) => u32::from(hops).into(),
        }
    }
    fn schema(schemas: &mut Schemas) -> Json {
        any([<RepairWord as Setting>::schema(schemas), <u8 as Setting>::schema(schemas)])
    }
}

impl Config {
    /// Returns the settings of ns-2.35 by its traces: it asks the whole network first, later two hops further than the
    /// destination was, and neither keeps nor returns packets that it could not send. Values not named are those of the
    /// RFC.
    pub fn ns2() -> Self {
        Self {
            active_route_timeout: Duration::from_secs(10),
            my_route_timeout: Duration::from_secs(10),
            delete_period: Duration::from_secs(50),
            node_traversal_time: Duration::from_ms(30),
            timeout_buffer: 0,
            hop_time: HopTime::Measured,
            search_backoff: SearchBackoff::Linear,
            repeat: Repeat::PacketOrTick,
            search_pause: Duration::from_secs(10),
            net_diameter: 30,
            ttl_start: 30,
            ttl_threshold: 8,
            rreq_retries: 3,
            gratuitous: false,
            local_repair: LocalRepair::NearDestination,
            blacklist: false,
            salvage: false,
            buffer_time: TimeOrNever(Some(Duration::from_secs(30))),
            ..Self::default()
        }
    }

    /// Returns NET_TRAVERSAL_TIME.
    pub fn net_traversal_time(&self) -> Duration {
        self.node_traversal_time * (2 * u64::from(self.net_diameter))
    }

    /// Returns RING_TRAVERSAL_TIME of a ring of `ttl` hops that each take `hop`; over the whole network that of the
    /// attempt after `retries` others.
    pub(super) fn wait(&self, hop: Duration, ttl: u8, retries: u32) -> Duration {
        if ttl < self.net_diameter {
            return hop * (2 * (u64::from(ttl) + u64::from(self.timeout_buffer)));
        }
        let grown = match self.search_backoff {
            SearchBackoff::Binary => 1 << retries.min(32),
            SearchBackoff::Linear => u64::from(retries) + 1,
        };
        (hop * (2 * u64::from(self.net_diameter))).saturating_mul(grown)
    }

    /// Returns PATH_DISCOVERY_TIME: the time for which a request is remembered.
    pub fn path_discovery_time(&self) -> Duration {
        self.net_traversal_time() * 2
    }
}
