//! Settings of AODV; names as in RFC 3561, section 10.

use crate::times::{INTERVALS, TIMES};
use base::Duration;
use settings::TimeOrNever;
use settings::schema::{Json, any};
use settings::setting::unfit;
use settings::{Choice, Error, Node, Schemas, Setting, Settings};

/// Settings of AODV. A setting that is not given takes RFC 3561's value or, in profile `"ns2"`, that of ns-2.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Time after which a route that carries no packets expires (ACTIVE_ROUTE_TIMEOUT).
    #[setting(default = Duration::from_secs(3), range = INTERVALS)]
    pub active_route_timeout: Duration,
    /// Lifetime that a destination puts into its RREP (MY_ROUTE_TIMEOUT).
    #[setting(default = Duration::from_secs(6), range = INTERVALS)]
    pub my_route_timeout: Duration,
    /// Time from a route's becoming invalid to its removal from the table (DELETE_PERIOD).
    #[setting(default = Duration::from_secs(15), range = TIMES)]
    pub delete_period: Duration,
    /// Assumed time of one hop: queueing, processing and transmission (NODE_TRAVERSAL_TIME).
    #[setting(default = Duration::from_ms(40), range = INTERVALS)]
    pub node_traversal_time: Duration,
    /// Largest number of hops of an RREQ; a search with this TTL covers the whole network (NET_DIAMETER).
    #[setting(default = 35, range = 1..=u8::MAX)]
    pub net_diameter: u8,
    /// TTL of a search's first RREQ if no route was known, hops (TTL_START).
    #[setting(default = 1, range = 1..=u8::MAX)]
    pub ttl_start: u8,
    /// Hops added to the TTL from one RREQ to the next (TTL_INCREMENT).
    #[setting(default = 2, range = 1..=u8::MAX)]
    pub ttl_increment: u8,
    /// Largest TTL of the expanding ring; the next RREQ has TTL `net_diameter` (TTL_THRESHOLD).
    #[setting(default = 7)]
    pub ttl_threshold: u8,
    /// Hops added to the TTL when the wait for a reply is computed (TIMEOUT_BUFFER).
    #[setting(default = 2)]
    pub timeout_buffer: u8,
    /// Time of one hop from which the wait for a reply is computed.
    #[setting(default = HopTime::Constant, absent = "\"constant\", in profile \"ns2\" \"measured\"")]
    pub hop_time: HopTime,
    /// Growth of the wait from one RREQ with TTL `net_diameter` to the next.
    #[setting(default = SearchBackoff::Binary, absent = "\"binary\", in profile \"ns2\" \"linear\"")]
    pub search_backoff: SearchBackoff,
    /// Time at which an unanswered RREQ is repeated, once its wait is over.
    #[setting(default = Repeat::Due, absent = "\"due\", in profile \"ns2\" \"packet-or-tick\"")]
    pub repeat: Repeat,
    /// Pause after a failed search before the next search for that destination. Packets for the destination wait
    /// meanwhile.
    #[setting(default = Duration::ZERO, range = TIMES, absent = "\"0s\", in profile \"ns2\" \"10s\"")]
    pub search_pause: Duration,
    /// RREQs with TTL `net_diameter` after the first one (RREQ_RETRIES).
    #[setting(default = 2)]
    pub rreq_retries: u32,
    /// Most RREQs that a station originates in a second (RREQ_RATELIMIT).
    #[setting(default = 10, range = 1..=u32::MAX)]
    pub rreq_ratelimit: u32,
    /// Most RERRs that a station sends in a second (RERR_RATELIMIT).
    #[setting(default = 10)]
    pub rerr_ratelimit: u32,
    /// Set the D flag of RREQs: only the destination answers.
    #[setting(default = false)]
    pub destination_only: bool,
    /// Set the G flag of RREQs: a station that answers for the destination also sends the destination a gratuitous
    /// RREP.
    #[setting(default = true)]
    pub gratuitous: bool,
    /// Station that searches for a new route after a link break (local repair, section 6.12).
    #[setting(default = LocalRepair::Never)]
    pub local_repair: LocalRepair,
    /// Hops added to the last known distance for the TTL of a local repair's RREQ (LOCAL_ADD_TTL).
    #[setting(default = 2)]
    pub local_add_ttl: u8,
    /// Hello messages, by which a station notices that a neighbour is gone.
    #[setting(absent = "none: links break when the MAC gives up")]
    pub hello: Option<Hello>,
    /// Ignore RREQs of a neighbour to which an RREP could not be delivered, for BLACKLIST_TIMEOUT.
    #[setting(default = true)]
    pub blacklist: bool,
    /// After a link break, let a source keep its undelivered packets and send them over the next route; false: they
    /// are lost.
    #[setting(default = true)]
    pub salvage: bool,
    /// Most packets of a station that wait for a route; when one more comes, the oldest is dropped.
    #[setting(default = 64, range = 1..=u32::MAX)]
    pub buffer: u32,
    /// Longest time that a packet waits for a route; "never": packets wait until the search has failed.
    #[setting(default = TimeOrNever(None), range = TimeOrNever(None)..=TimeOrNever(Some(*TIMES.end())))]
    pub buffer_time: TimeOrNever,
    /// Longest delay before an RREQ is forwarded; the delay is drawn uniformly from 0 to this.
    #[setting(default = Duration::from_ms(10), range = TIMES)]
    pub jitter: Duration,
}

/// Time of one hop from which the wait for a reply is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum HopTime {
    /// `node_traversal_time` (section 10)
    Constant,
    /// mean time of a hop in the last three answered searches for the destination, each the time from RREQ to RREP
    /// divided by the hops; `node_traversal_time` before the first (ns-2)
    Measured,
}

/// Growth of the wait from one RREQ with TTL `net_diameter` to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum SearchBackoff {
    /// the wait doubles with each RREQ (section 6.3)
    Binary,
    /// the wait of the n-th RREQ is n times that of the first (ns-2)
    Linear,
}

/// Time at which an unanswered RREQ is repeated, once its wait is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Repeat {
    /// as soon as the wait is over
    Due,
    /// with the next packet for the destination that enters the network here, or at the next multiple of 0.5 s (ns-2)
    PacketOrTick,
}

/// Hello messages (section 6.9), sent by stations that are part of an active route.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
#[settings(expecting = "a table: { interval = \"1s\", allowed_loss = 2 }")]
pub struct Hello {
    /// Time between two hello messages (HELLO_INTERVAL).
    #[setting(needed = "the time between two: interval = \"1s\"", range = INTERVALS)]
    pub interval: Duration,
    /// Hello intervals without any message after which a neighbour counts as gone (ALLOWED_HELLO_LOSS).
    #[setting(needed = "a number of intervals: allowed_loss = 2", range = 1..=u64::MAX)]
    pub allowed_loss: u64,
}

/// Station that searches for a new route after a link break (local repair, section 6.12). If no station does, the
/// source gets a RERR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalRepair {
    /// No local repair.
    Never,
    /// The station before the broken link, if its route had at most this number of hops left (MAX_REPAIR_TTL).
    Within(u8),
    /// The station before the broken link, if it is nearer to the destination than to the packet's source, in hops.
    NearDestination,
}

/// Words of a scenario file for [`LocalRepair`].
#[derive(Clone, Copy, Choice)]
enum RepairWord {
    /// No station.
    Never,
    /// The station before the broken link, if it is nearer to the destination than to the source.
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
    /// Returns the settings of ns-2.35, as its traces show them. The first RREQ for an unknown destination covers the
    /// whole network; if a route was known, the RREQ's TTL is the known distance plus two hops. A source does not
    /// keep packets that it could not send. Settings not named here have RFC 3561's values.
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

    /// Returns NET_TRAVERSAL_TIME: twice the time of a path of `net_diameter` hops.
    pub fn net_traversal_time(&self) -> Duration {
        self.node_traversal_time * (2 * u64::from(self.net_diameter))
    }

    /// Returns the wait for a reply to an RREQ with this TTL, if a hop takes `hop` (RING_TRAVERSAL_TIME). With TTL
    /// `net_diameter` the wait grows with `retries`, the number of such RREQs before this one.
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

    /// Returns PATH_DISCOVERY_TIME: the time for which an RREQ is remembered, to recognize copies.
    pub fn path_discovery_time(&self) -> Duration {
        self.net_traversal_time() * 2
    }
}
