//! How packets of an ad hoc network find stations that are out of reach.

use super::kinds::kinds;
use super::scalar::{Scalar, Time, Wire, wire};
use super::wifi::Lifetime;
use crate::scenario::decode::Refusal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wifi::routing::aodv;

kinds! {
    /// How packets of an ad hoc network find their way.
    Routing, "routing" {
        /// Straight to where they are for: all stations in reach of each other.
        "direct" => Direct(Direct),
        /// On paths of the fewest hops between stations that receive each other at the start.
        "fewest-hops" => FewestHops(Direct),
        /// As given.
        "table" => Table(RouteTable),
        /// Looked for when they are needed: AODV (RFC 3561).
        "aodv" => Aodv(Aodv),
        /// Told from neighbour to neighbour: DSDV (Perkins and Bhagwat 1994).
        "dsdv" => Dsdv(Dsdv),
        /// Worked out from the links that all tell: OLSR (RFC 3626).
        "olsr" => Olsr(Olsr),
        /// Looked for when they are needed, by airtime: HWMP, which makes a mesh of the network (IEEE Std 802.11-2016, clause 14).
        "hwmp" => Hwmp(Hwmp),
    }
}

/// Routing without parameters.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Direct {}

/// Routes as given.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RouteTable {
    /// Next hops; a packet without one has no route.
    pub routes: Vec<Route>,
}

/// A line of a table of routes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table: { at = \"a\", to = \"c\", via = \"b\" }")]
pub struct Route {
    /// At this station
    pub at: String,
    /// packets for this one
    pub to: String,
    /// go to this neighbour.
    pub via: String,
}

/// AODV. What is not given comes from the network's profile: RFC 3561's values, or ns-2's.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Aodv {
    /// How long a route lives without use (ACTIVE_ROUTE_TIMEOUT).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_route_timeout: Option<Time>,
    /// How long a destination says that a route to it lives (MY_ROUTE_TIMEOUT).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub my_route_timeout: Option<Time>,
    /// How long an invalid route is remembered (DELETE_PERIOD).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delete_period: Option<Time>,
    /// Estimate of the time of one hop (NODE_TRAVERSAL_TIME).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_traversal_time: Option<Time>,
    /// Hops that a request goes at most (NET_DIAMETER).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub net_diameter: Option<u8>,
    /// Hops of the first ring (TTL_START).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub ttl_start: Option<u8>,
    /// Hops that each ring adds (TTL_INCREMENT).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub ttl_increment: Option<u8>,
    /// Hops of the widest ring; after it comes the whole network (TTL_THRESHOLD).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_threshold: Option<u8>,
    /// Hops for which the timeout of a ring allows beside its own (TIMEOUT_BUFFER).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_buffer: Option<u8>,
    /// Further attempts over the whole network (RREQ_RETRIES).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rreq_retries: Option<u32>,
    /// Requests that a station begins in a second (RREQ_RATELIMIT).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub rreq_ratelimit: Option<u32>,
    /// Error messages that a station begins in a second (RERR_RATELIMIT).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerr_ratelimit: Option<u32>,
    /// Whether only the destination answers requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destination_only: Option<bool>,
    /// Whether a station that answers for a destination tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gratuitous: Option<bool>,
    /// Who looks for a new way where a link breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_repair: Option<LocalRepair>,
    /// Hops that the request of a repair goes beyond the distance known (LOCAL_ADD_TTL).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_add_ttl: Option<u8>,
    /// Hello messages; default none: links break when the MAC gives up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hello: Option<Hello>,
    /// Whether requests of a neighbour that a reply did not reach are ignored for a while.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blacklist: Option<bool>,
    /// Whether a source keeps what it could not send for the next route, or counts it as lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salvage: Option<bool>,
    /// Packets that wait for a route at most; the oldest makes room; default 64.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub buffer: Option<u32>,
    /// How long packets wait for a route at most; "never": until the search has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_time: Option<Lifetime>,
    /// Up to this long, drawn uniformly, a request waits before it is passed on; default "10ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<Time>,
}

/// Hello messages of AODV.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table: { interval = \"1s\", allowed_loss = 2 }")]
pub struct Hello {
    /// Time between two of them (HELLO_INTERVAL).
    pub interval: Time,
    /// A neighbour that is silent for so many intervals is gone (ALLOWED_HELLO_LOSS).
    #[schemars(range(min = 1))]
    pub allowed_loss: u64,
}

/// DSDV.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dsdv {
    /// Time between two updates with all routes; default "15s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_interval: Option<Time>,
    /// A neighbour that is silent for so many intervals is gone; default 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub missed_updates: Option<u64>,
    /// Least time between two updates with what has changed; default "1s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trigger_gap: Option<Time>,
    /// How long routes with a new number are first thought to keep improving; default "6s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settling: Option<Time>,
    /// Whether a link breaks when the MAC gives up; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_layer: Option<bool>,
    /// Whether a source keeps what it could not send for the next route, or counts it as lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salvage: Option<bool>,
    /// Packets that wait for a route at most; the oldest makes room; default 64.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub buffer: Option<u32>,
    /// How long packets wait for a route at most; default "30s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_time: Option<Time>,
}

/// OLSR.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Olsr {
    /// Time between two hello messages; default "2s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hello_interval: Option<Time>,
    /// Time between two messages about the topology; default "5s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc_interval: Option<Time>,
    /// By up to this long, drawn uniformly, messages come earlier; default "500ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<Time>,
    /// Whether a link is lost when the MAC gives up; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_layer: Option<bool>,
    /// Whether a source keeps what it could not send for the next route, or counts it as lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salvage: Option<bool>,
    /// Packets that wait for a route at most; the oldest makes room; default 64.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub buffer: Option<u32>,
    /// How long packets wait for a route at most; default "30s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_time: Option<Time>,
}

/// HWMP, and the mesh around it. Default times are the standard's, in time units of 1024 us.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hwmp {
    /// How long a path lives without use (dot11MeshHWMPactivePathTimeout); default 5000 TU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_path_timeout: Option<Time>,
    /// How long a path that the root's requests made lives (dot11MeshHWMPactivePathToRootTimeout); default 5000 TU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_path_to_root_timeout: Option<Time>,
    /// Half of the time that the first request waits for a reply (dot11MeshHWMPnetDiameterTraversalTime); default 500 TU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net_diameter_traversal_time: Option<Time>,
    /// Further requests after the first (dot11MeshHWMPmaxPREQretries); default 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_preq_retries: Option<u32>,
    /// Least time between two requests of a station (dot11MeshHWMPpreqMinInterval); default 100 TU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preq_min_interval: Option<Time>,
    /// Least time between two error messages of a station (dot11MeshHWMPperrMinInterval); default 100 TU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perr_min_interval: Option<Time>,
    /// After which a source asks again for a path that it has (dot11MeshHWMPmaintenanceInterval); default 2000 TU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maintenance_interval: Option<Time>,
    /// Hops that packets and messages go at most (dot11MeshTTL); default 31.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub ttl: Option<u8>,
    /// The station that keeps paths between itself and all others; default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// Time between its requests to all (dot11MeshHWMProotInterval); default 2000 TU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_interval: Option<Time>,
    /// Whether all answer them, so that it has a path to each (dot11MeshHWMProotMode); default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proactive_prep: Option<bool>,
    /// Mesh gates: packets that enter or leave the mesh at one carry six addresses; default every station that is on a link or in
    /// another 802.11 network too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gates: Option<Vec<String>>,
    /// Time between two beacons of a station; default 1000 TU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon_interval: Option<Time>,
    /// A peer that is silent for so many of them is gone; default 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub missed_beacons: Option<u64>,
    /// Further attempts to become peers after the first (dot11MeshMaxRetries); default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peering_retries: Option<u32>,
    /// How long each waits for its answer (dot11MeshRetryTimeout); default 40 TU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peering_timeout: Option<Time>,
    /// Packets that the MAC gives up in a row until a link counts as broken; default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub packet_failures: Option<u32>,
    /// After which frames lost on a link count half in its metric; default "5s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_memory: Option<Time>,
    /// Whether a source keeps what it could not send for the next path, or counts it as lost; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salvage: Option<bool>,
    /// Packets that wait for a path at most; the oldest makes room; default 64.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub buffer: Option<u32>,
    /// Up to this long, drawn uniformly, a request waits before it is passed on; default "10ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<Time>,
}

/// Who looks for a new way where a link breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalRepair(pub aodv::LocalRepair);

wire! { LocalRepair as "LocalRepair" }

impl Wire for LocalRepair {
    const EXPECTED: &'static str = "\"never\", \"near-destination\", or hops to the destination within which a station does (MAX_REPAIR_TTL)";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        let repair = match given {
            Scalar::Text("never") => Some(aodv::LocalRepair::Never),
            Scalar::Text("near-destination") => Some(aodv::LocalRepair::NearDestination),
            Scalar::Integer(hops) => u8::try_from(*hops).ok().map(aodv::LocalRepair::Within),
            _ => None,
        };
        repair.map(Self).ok_or_else(|| Refusal::new(format!("{given} does not belong here"), Self::EXPECTED))
    }

    fn write(&self) -> Value {
        match self.0 {
            aodv::LocalRepair::Never => "never".into(),
            aodv::LocalRepair::NearDestination => "near-destination".into(),
            aodv::LocalRepair::Within(hops) => hops.into(),
        }
    }

    fn schema() -> Value {
        let hops = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
        json!({ "anyOf": [{ "enum": ["never", "near-destination"] }, hops] })
    }
}
