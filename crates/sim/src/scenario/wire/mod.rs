//! The scenario file in its written form: one declaration for reading, for the JSON Schema, and for writing back.
//!
//! Names are text here; [`super::check`] makes the checked scenario of it.

pub(super) mod control;
pub(super) mod losses;
pub(super) mod lte;
mod names;
pub(super) mod paths;
mod short;
pub(super) mod wifi;

use self::wifi::Wifi;
use ::wifi::edca::AccessCategory;
use base::Duration;
pub use control::OwnControl;
use losses::Losses;
use lte::Lte;
use paths::{Duplicate, Ends, Jitter, LinkRate, Reorder};
use radio::numbers::Place;
use radio::{Position, mobility, placement};
use settings::{OneOrMore, Settings, Size};
use short::{ShortLoss, ShortQueue};

/// A scenario of ackclock: a network, flows over it, and what changes while it runs.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(super) struct File {
    /// Length of the run, in simulated time.
    #[setting(needed = "the length of the run: duration = \"60s\"")]
    pub duration: Duration,
    /// Seed of every random stream. The same scenario and seed give the same results.
    #[setting(default = 1)]
    pub seed: u64,
    /// Numbers of the rules of `check` that leave the scenario out: `["ACK003"]` (ackclock list rules).
    #[setting(default = Vec::new(), absent = "none")]
    pub allow: Vec<String>,
    /// Properties of nodes beyond their names. Nodes exist by being named in links and as stations of radio networks: a
    /// table is needed only for further properties.
    #[setting(default = Vec::new(), absent = "none")]
    pub node: Vec<Node>,
    /// Links between nodes. There is at least one link or radio network.
    #[setting(default = Vec::new(), absent = "none")]
    pub link: Vec<Link>,
    /// 802.11 networks.
    #[setting(default = Vec::new(), absent = "none")]
    pub wifi: Vec<Wifi>,
    /// LTE networks.
    #[setting(default = Vec::new(), absent = "none")]
    pub lte: Vec<Lte>,
    /// Flows, at least one.
    #[setting(default = Vec::new(), absent = "none")]
    pub flow: Vec<Flow>,
    /// Changes of links and gateways while the scenario runs.
    #[setting(default = Vec::new(), absent = "none")]
    pub event: Vec<Event>,
    /// User-defined congestion controls that variants name (`variant = "./mine.py:Mine"`): written by the program as it
    /// reads the scenario, so that a result holds the source that it was made with.
    #[setting(default = Vec::new(), absent = "none")]
    pub control: Vec<OwnControl>,
    /// The loaded controls.
    #[setting(skip, default = tcp::congestion::Controls::default())]
    pub controls: tcp::congestion::Controls,
}

/// A node.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "node")]
pub(super) struct Node {
    /// Its name, as links and flows use it: 1 to 64 characters, no spaces, quotes, `>` or `,`; not `=`, `+`, `-` or `@` first.
    #[setting(needed = "the node's name: name = \"r0\"")]
    pub name: String,
    /// Its gateway for the TCP connections that pass through it both ways.
    #[setting(absent = "nothing")]
    pub gateway: Option<gateway::Config<tcp::Table>>,
    /// Its IPv4 address in captures and in FlowMonitor's XML. It changes no result.
    #[setting(absent = "10.0.0.1 for the first node, and so on")]
    pub address: Option<String>,
    /// Its place, metres east, north and up; needed by stations of radio networks, unless `placement` or a movement
    /// file gives it.
    #[setting(form = Place)]
    pub position: Option<Position>,
    /// Its place at the beginning, instead of `position`.
    pub placement: Option<placement::Config>,
    /// Its movement.
    #[setting(absent = "not at all")]
    pub mobility: Option<mobility::Config>,
}

impl Node {
    /// Returns a node that is nothing beyond its name.
    pub(super) fn named(name: &str) -> Self {
        let name = name.to_owned();
        Self { name, gateway: None, address: None, position: None, placement: None, mobility: None }
    }
}

/// A full-duplex point-to-point link. Both directions are the same, except for `reverse`, and for losses with `toward`.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "link")]
pub(super) struct Link {
    /// Its name in settings by path (`link.bottleneck.rate`), events and results. It changes no result.
    #[setting(absent = "none: it is addressed by its number, from 0")]
    pub name: Option<String>,
    /// The two nodes that it joins.
    #[setting(needed = "the two nodes that the link joins: between = [\"a\", \"b\"]", form = Ends)]
    pub between: [String; 2],
    /// Transmission rate, or { trace = "FILE" }: opportunities to deliver 1500 bytes, in mahimahi's format.
    #[setting(needed = "a rate: rate = \"10Mbps\"")]
    pub rate: LinkRate,
    /// Number of such links: `{i}` in texts is the number of each, from 0, and a name without it gets it at its end. A
    /// `delay` of `"10ms + 5ms"` is 5 ms more from each to the next.
    #[setting(absent = "one")]
    pub count: Option<u32>,
    /// Propagation delay.
    #[setting(needed = "the propagation delay: delay = \"20ms\"", range = DELAYS, allowed = DELAY)]
    pub delay: Duration,
    /// Bytes of framing that the link adds to each packet: they take time on the wire and no room in the queue, and no
    /// result counts them. 2 bytes for PPP as in ns-3's point-to-point link; 38 for Ethernet, preamble and gap
    /// included.
    #[setting(absent = "nothing", form = Size, range = 0..=1000)]
    pub framing: Option<u16>,
    /// Its queues: a table, or in short packets (`8`), bytes (`"64KiB"`), bandwidth-delay products (`"2bdp"`), a kind
    /// (`"codel"`) or both (`"codel:2bdp"`).
    #[setting(default = net::queue::Config::default(), form = ShortQueue)]
    pub queue: net::queue::Config,
    /// Losses: one table or a list of them, each applied in turn; a number is the probability of a random loss on the way to the
    /// second node of `between`.
    #[setting(default = OneOrMore::default(), absent = "none", form = ShortLoss)]
    pub loss: Losses,
    /// Delay that varies from packet to packet: a table, or one for each direction.
    #[setting(default = OneOrMore::default(), absent = "none")]
    pub jitter: OneOrMore<Jitter>,
    /// Packets held back, so that those behind overtake them: a table, or one for each direction.
    #[setting(default = OneOrMore::default(), absent = "none")]
    pub reorder: OneOrMore<Reorder>,
    /// Packets delivered twice: a table, or one for each direction.
    #[setting(default = OneOrMore::default(), absent = "none")]
    pub duplicate: OneOrMore<Duplicate>,
    /// Differences on the way back, from the second node of `between` to the first.
    #[setting(default = Reverse::default(), absent = "nothing")]
    pub reverse: Reverse,
}

/// Bounds of a propagation delay.
pub(super) const DELAYS: std::ops::RangeInclusive<Duration> = Duration::ZERO..=Duration::from_secs(3600);
/// The allowed propagation delays, for messages.
pub(super) const DELAY: &str = "a delay of at most one hour";

/// Differences on a link's way back; all other settings are as on the way there.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "reverse", expecting = "a table: { rate = \"1Mbps\" }")]
pub(super) struct Reverse {
    /// Transmission rate.
    pub rate: Option<LinkRate>,
    /// Propagation delay.
    #[setting(range = DELAYS, allowed = DELAY)]
    pub delay: Option<Duration>,
    /// Its queue, a table or in short.
    #[setting(form = ShortQueue)]
    pub queue: Option<net::queue::Config>,
}

/// A flow from one node to another.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "flow")]
pub(super) struct Flow {
    /// Its name in results, unique.
    #[setting(absent = "\"flow0\", \"flow1\", ... by position")]
    pub name: Option<String>,
    /// The node that sends.
    #[setting(needed = "the node that sends: from = \"a\"")]
    pub from: String,
    /// The node that receives.
    #[setting(needed = "the node that receives: to = \"b\"")]
    pub to: String,
    /// Number of such flows: `{i}` in texts is the number of each, from 0, and a name without it gets it at its end.
    #[setting(absent = "one")]
    pub count: Option<u32>,
    /// Its start, before the end of the run; with `count` also `"0s + 0.5s"`, half a second later from each to the
    /// next.
    #[setting(default = Duration::ZERO)]
    pub start: Duration,
    /// Time at which its source stops offering data.
    #[setting(absent = "the end of the run, also if that comes first")]
    pub stop: Option<Duration>,
    /// The data that it sends.
    #[setting(default = traffic::Config::ENDLESS, absent = "{ kind = \"ftp\" }, an endless transfer over TCP")]
    pub traffic: traffic::Config,
    /// Its class: queues that tell classes apart serve 0 first.
    #[setting(default = base::LOWEST_CLASS, range = 0..=base::LOWEST_CLASS, allowed = "0, served first, to 7, served last")]
    pub class: u8,
    /// Access category of its packets and acknowledgments in 802.11 networks with EDCA.
    #[setting(absent = "\"best-effort\"")]
    pub access_category: Option<AccessCategory>,
    /// TCP at both ends; needed for ftp without `quic`, and not allowed for traffic over UDP.
    pub tcp: Option<tcp::Table>,
    /// A production QUIC stack at both ends, instead of TCP; for ftp.
    pub quic: Option<quic::Table>,
}

/// A change while the scenario runs.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "event")]
pub(super) struct Event {
    /// Time of the change.
    #[setting(needed = "when: at = \"10s\"")]
    pub at: Duration,
    /// The setting: link.N.rate, link.N.delay, link.N.queue, link.N.loss or link.N.up. N is the link's name or its
    /// number from 0; both directions change. One direction is link.N.forward.rate (first to second node of `between`)
    /// or link.N.reverse.rate. With node.NAME.gateway.up the gateway crashes (false), or is back, empty (true).
    #[setting(needed = "what changes: set = \"link.0.rate\"")]
    pub set: String,
    /// The new value, written as in the link's table; for `up` true or false.
    #[setting(needed = "the new value: to = \"1Mbps\"")]
    pub to: settings::Node,
}
