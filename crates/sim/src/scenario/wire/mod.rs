//! The scenario file as it is written: one declaration for parsing, for the JSON Schema, and for writing back.
//!
//! Nothing is resolved here: names are text, defaults are absent. [`super::check`] makes the checked scenario of it.

pub mod declared;
pub mod edca;
pub mod gateway;
mod kinds;
pub mod losses;
pub mod lte;
pub mod paths;
pub mod places;
pub mod propagation;
pub mod rate_control;
pub mod routing;
pub mod scalar;
pub mod tcp;
pub mod traffic;
pub mod wifi;

use declared::Declared;
use edca::AccessCategory;
use gateway::Gateway;
use losses::Losses;
use lte::Lte;
use paths::{Duplicate, Jitter, LinkRate, OneOrMore, Reorder};
use places::{Mobility, Place, Placement};
use scalar::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tcp::Tcp;
use traffic::Traffic;
use wifi::Wifi;

/// A scenario of ackclock: a network, flows over it, and what changes while it runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Length of the run, in simulated time.
    pub duration: Time,
    /// Seed of every random stream; default 1. The same scenario and seed give the same results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What a node is beyond its name. Nodes exist by being named in links and as stations of radio networks: a table is
    /// needed only to say more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub node: Vec<Node>,
    /// Links between nodes. There is at least one link or radio network.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub link: Vec<Link>,
    /// 802.11 networks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wifi: Vec<Wifi>,
    /// LTE networks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lte: Vec<Lte>,
    /// Flows, at least one.
    #[serde(default)]
    pub flow: Vec<Flow>,
    /// Changes of links and gateways while the scenario runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub event: Vec<Event>,
}

/// A node.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Its name, as links and flows use it.
    pub name: String,
    /// What it does for the TCP connections that pass through it; default nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gateway: Option<Gateway>,
    /// Where it is, metres; needed by stations of radio networks, unless `placement` or a movement file says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Place>,
    /// Where it is at the beginning, in place of `position`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// How it moves; default not at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobility: Option<Mobility>,
}

impl Node {
    /// A node that is nothing beyond its name.
    pub fn named(name: &str) -> Self {
        let name = name.to_owned();
        Self { name, gateway: None, position: None, placement: None, mobility: None }
    }
}

/// A full-duplex point-to-point link. Both directions are the same but for `reverse`, and for losses with `toward`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The two nodes that it joins.
    #[schemars(schema_with = "between_schema")]
    pub between: Vec<String>,
    /// Transmission rate, or { trace = "FILE" }: opportunities to deliver 1500 bytes, in mahimahi's format.
    pub rate: LinkRate,
    /// Propagation delay.
    pub delay: Time,
    /// Where packets wait; default { kind = "droptail", packets = 1000 }.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Declared<net::queue::Config>>,
    /// Losses: one table or a list of them, each applied in turn; default none.
    #[serde(default, skip_serializing_if = "Losses::is_empty")]
    pub loss: Losses,
    /// Delay that varies from packet to packet: a table, or one for each direction; default none.
    #[serde(default, skip_serializing_if = "OneOrMore::is_empty")]
    pub jitter: OneOrMore<Jitter>,
    /// Packets held back, so that those behind overtake them: a table, or one for each direction; default none.
    #[serde(default, skip_serializing_if = "OneOrMore::is_empty")]
    pub reorder: OneOrMore<Reorder>,
    /// Packets delivered twice: a table, or one for each direction; default none.
    #[serde(default, skip_serializing_if = "OneOrMore::is_empty")]
    pub duplicate: OneOrMore<Duplicate>,
    /// What differs on the way back, from the second node of `between` to the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverse: Option<Reverse>,
}

/// What differs on a link's way back; what is not given is as on the way there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table: { rate = \"1Mbps\" }")]
pub struct Reverse {
    /// Transmission rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<LinkRate>,
    /// Propagation delay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<Time>,
    /// Where packets wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Declared<net::queue::Config>>,
}

/// A flow from one node to another.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// Its name in results; default "flow0", "flow1", ... by position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The node that sends.
    pub from: String,
    /// The node that receives.
    pub to: String,
    /// When it starts; default "0s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Time>,
    /// When its source stops offering data; default, and at most, the end of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Time>,
    /// What is sent; default { kind = "ftp" }, an endless transfer over TCP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traffic: Option<Traffic>,
    /// Its class, 0 to 7: queues that tell classes apart serve 0 first; default 7.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 7))]
    pub class: Option<u8>,
    /// Access category of its packets and acknowledgments in 802.11 networks with EDCA; default "best-effort".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_category: Option<AccessCategory>,
    /// TCP at both ends; needed for ftp, and not allowed for traffic over UDP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tcp: Option<Tcp>,
}

/// A change while the scenario runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// When.
    pub at: Time,
    /// What: link.N.rate, link.N.delay, link.N.queue, link.N.loss or link.N.up, N counting from 0 (both directions), or one
    /// direction: link.N.forward.rate (first to second node of `between`), link.N.reverse.rate, ... Or node.NAME.gateway.up:
    /// the gateway crashes (false), or is back, empty (true).
    #[schemars(regex(
        pattern = r"^(link\.[0-9]+\.((forward|reverse)\.)?(rate|delay|queue|loss|up)|node\..+\.gateway\.up)$"
    ))]
    pub set: String,
    /// The new value, written as in the link's table; for `up` true or false.
    pub to: Value,
}

fn between_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2 })
}
