//! The scenario file as written: one declaration for reading, for the JSON Schema, and for writing back.
//!
//! Names are still text here; [`super::check`] converts the file to the checked scenario.

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

/// A scenario of ackclock: a network, flows over it, and changes while it runs.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(super) struct File {
    /// Length of the run, in simulated time.
    #[setting(needed = "the length of the run: duration = \"60s\"")]
    pub duration: Duration,
    /// Seed of all random streams. The same scenario and seed give the same results.
    #[setting(default = 1)]
    pub seed: u64,
    /// Numbers of the rules that `check` does not apply to this scenario: `["ACK003"]` (`ackclock list rules`).
    #[setting(default = Vec::new(), absent = "none")]
    pub allow: Vec<String>,
    /// Properties of nodes. A node exists if a link, a radio network or a table names it; a table is needed only for
    /// further properties.
    #[setting(default = Vec::new(), absent = "none")]
    pub node: Vec<Node>,
    /// Links between nodes. A scenario has at least one link or radio network.
    #[setting(default = Vec::new(), absent = "none")]
    pub link: Vec<Link>,
    /// 802.11 networks.
    #[setting(default = Vec::new(), absent = "none")]
    pub wifi: Vec<Wifi>,
    /// LTE networks.
    #[setting(default = Vec::new(), absent = "none")]
    pub lte: Vec<Lte>,
    /// Flows, one or more.
    #[setting(default = Vec::new(), absent = "none")]
    pub flow: Vec<Flow>,
    /// Changes of links and gateways during the run.
    #[setting(default = Vec::new(), absent = "none")]
    pub event: Vec<Event>,
    /// User-defined congestion controls that variants name (`variant = "./mine.py:Mine"`). The program adds them when
    /// it reads the scenario, so that results contain the source with which they were made.
    #[setting(default = Vec::new(), absent = "none")]
    pub control: Vec<OwnControl>,
    /// User-defined controls that are loaded.
    #[setting(skip, default = tcp::congestion::Controls::default())]
    pub controls: tcp::congestion::Controls,
}

/// A node.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "node")]
pub(super) struct Node {
    /// Name of the node in links and flows: 1 to 64 characters, no spaces, quotes, `>` or `,`; not `=`, `+`, `-` or
    /// `@` first.
    #[setting(needed = "the node's name: name = \"r0\"")]
    pub name: String,
    /// Number of such nodes. In texts, `{i}` is replaced by the number of each, from 0; a name without `{i}` gets the
    /// number at its end. Links and flows that name the node with `{i}` and have no `count` get this one, and in the
    /// lists of stations of radio networks such a name stands for all of the nodes. In links and flows `{i+1}` is the
    /// next node, and the first one after the last.
    #[setting(absent = "one")]
    pub count: Option<u32>,
    /// Gateway (performance-enhancing proxy) for the TCP connections that pass through the node in both directions.
    #[setting(absent = "none")]
    pub gateway: Option<gateway::Config<tcp::Table>>,
    /// IPv4 address of the node in captures and in FlowMonitor's XML; no result depends on it.
    #[setting(absent = "10.0.0.1 for the first node, and so on")]
    pub address: Option<String>,
    /// Position of the node, metres east, north and up. Stations of radio networks need one, unless `placement` or a
    /// movement file gives it.
    #[setting(form = Place)]
    pub position: Option<Position>,
    /// Rule that places the node at the beginning, instead of `position`.
    pub placement: Option<placement::Config>,
    /// Mobility model of the node.
    #[setting(absent = "the node does not move")]
    pub mobility: Option<mobility::Config>,
}

impl Node {
    /// Returns a node that has only a name.
    pub(super) fn named(name: &str) -> Self {
        let name = name.to_owned();
        Self {
            name,
            count: None,
            gateway: None,
            address: None,
            position: None,
            placement: None,
            mobility: None,
        }
    }
}

/// A full-duplex point-to-point link. Both directions are the same, except for `reverse` and for losses with
/// `toward`.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "link")]
pub(super) struct Link {
    /// Name of the link in paths of settings (`link.bottleneck.rate`), events and results; no result depends on it.
    #[setting(absent = "none: it is addressed by its number, from 0")]
    pub name: Option<String>,
    /// The two nodes that the link joins.
    #[setting(needed = "the two nodes that the link joins: between = [\"a\", \"b\"]", form = Ends)]
    pub between: [String; 2],
    /// Transmission rate, or `{ trace = "FILE" }`: opportunities to deliver 1500 bytes, in mahimahi's format.
    #[setting(needed = "a rate: rate = \"10Mbps\"")]
    pub rate: LinkRate,
    /// Number of such links. In texts, `{i}` is replaced by the number of each, from 0; a name without `{i}` gets the
    /// number at its end. With a `delay` of `"10ms + 5ms"` each link has 5 ms more than the one before.
    #[setting(absent = "one")]
    pub count: Option<u32>,
    /// Difference between the numbers of consecutive copies: with 2, copies have the numbers 0, 2, 4 and so on. Their
    /// count is then the node's count divided by this, rounded down, unless `count` is given.
    #[setting(absent = "1")]
    pub step: Option<u32>,
    /// Propagation delay.
    #[setting(needed = "the propagation delay: delay = \"20ms\"", range = DELAYS, allowed = DELAY)]
    pub delay: Duration,
    /// Bytes that framing adds to each packet. They take time on the wire but no room in the queue, and results do
    /// not count them. PPP has 2 bytes, as in ns-3's point-to-point link; Ethernet has 38 with preamble and gap.
    #[setting(absent = "none", form = Size, range = 0..=1000)]
    pub framing: Option<u16>,
    /// Queue of each direction: a table, or in short packets (`8`), bytes (`"64KiB"`), bandwidth-delay products
    /// (`"2bdp"`), a kind (`"codel"`) or both (`"codel:2bdp"`).
    #[setting(default = net::queue::Config::default(), form = ShortQueue)]
    pub queue: net::queue::Config,
    /// Losses: one table or a list of tables, applied one after another. A number is the probability of a random loss
    /// on the way to the second node of `between`.
    #[setting(default = OneOrMore::default(), absent = "none", form = ShortLoss)]
    pub loss: Losses,
    /// Jitter, a delay that varies from packet to packet: a table, or one for each direction.
    #[setting(default = OneOrMore::default(), absent = "none")]
    pub jitter: OneOrMore<Jitter>,
    /// Reordering, packets that are held back so that later ones overtake them: a table, or one for each direction.
    #[setting(default = OneOrMore::default(), absent = "none")]
    pub reorder: OneOrMore<Reorder>,
    /// Duplication, packets that are delivered twice: a table, or one for each direction.
    #[setting(default = OneOrMore::default(), absent = "none")]
    pub duplicate: OneOrMore<Duplicate>,
    /// Settings of the direction from the second node of `between` to the first that differ.
    #[setting(default = Reverse::default(), absent = "nothing")]
    pub reverse: Reverse,
}

/// Bounds of propagation delays.
pub(super) const DELAYS: std::ops::RangeInclusive<Duration> = Duration::ZERO..=Duration::from_secs(3600);
/// Allowed propagation delays, for messages.
pub(super) const DELAY: &str = "a delay of at most one hour";

/// Settings of a link's reverse direction; all others are those of the forward direction.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "reverse", expecting = "a table: { rate = \"1Mbps\" }")]
pub(super) struct Reverse {
    /// Transmission rate.
    pub rate: Option<LinkRate>,
    /// Propagation delay.
    #[setting(range = DELAYS, allowed = DELAY)]
    pub delay: Option<Duration>,
    /// Queue of the reverse direction, as a table or in short.
    #[setting(form = ShortQueue)]
    pub queue: Option<net::queue::Config>,
}

/// A flow from one node to another.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "flow")]
pub(super) struct Flow {
    /// Name of the flow in results, unique.
    #[setting(absent = "\"flow0\", \"flow1\", ... by position")]
    pub name: Option<String>,
    /// Node that sends.
    #[setting(needed = "the node that sends: from = \"a\"")]
    pub from: String,
    /// Node that receives.
    #[setting(needed = "the node that receives: to = \"b\"")]
    pub to: String,
    /// Number of such flows. In texts, `{i}` is replaced by the number of each, from 0, and `{i+1}` by the next one; a
    /// name without `{i}` gets the number at its end.
    #[setting(absent = "one")]
    pub count: Option<u32>,
    /// Difference between the numbers of consecutive copies: with 2, copies have the numbers 0, 2, 4 and so on. Their
    /// count is then the node's count divided by this, rounded down, unless `count` is given.
    #[setting(absent = "1")]
    pub step: Option<u32>,
    /// Time at which the flow starts, before the end of the run. With `count`, `"0s + 0.5s"` starts each flow half a
    /// second after the one before.
    #[setting(default = Duration::ZERO)]
    pub start: Duration,
    /// Time at which the source stops offering data.
    #[setting(absent = "the end of the run")]
    pub stop: Option<Duration>,
    /// Data that the source sends.
    #[setting(default = traffic::Config::ENDLESS, absent = "{ kind = \"ftp\" }, an endless transfer over TCP")]
    pub traffic: traffic::Config,
    /// Priority class of the flow's packets: queues that distinguish classes serve 0 first.
    #[setting(default = base::LOWEST_CLASS, range = 0..=base::LOWEST_CLASS, allowed = "0, served first, to 7, served last")]
    pub class: u8,
    /// Access category of the flow's packets and acknowledgments in 802.11 networks with EDCA.
    #[setting(absent = "\"best-effort\"")]
    pub access_category: Option<AccessCategory>,
    /// TCP at both ends. It is needed for ftp without `quic` or `kernel`, and not allowed for traffic over UDP.
    pub tcp: Option<tcp::Table>,
    /// A production QUIC stack at both ends, instead of TCP; for ftp only.
    pub quic: Option<quic::Table>,
    /// A transport stack of your own at both ends, instead of TCP; for ftp only.
    pub stack: Option<stack::Table>,
    /// The TCP of a Linux kernel at both ends, instead of the simulator's; for ftp only.
    pub kernel: Option<uml::Table>,
}

/// A change during the run.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "event")]
pub(super) struct Event {
    /// Time of the change.
    #[setting(needed = "when: at = \"10s\"")]
    pub at: Duration,
    /// Setting that changes: link.N.rate, link.N.delay, link.N.queue, link.N.loss or link.N.up, where N is the link's
    /// name or its number from 0. Both directions change; link.N.forward.rate (first to second node of `between`) and
    /// link.N.reverse.rate change one. With node.NAME.gateway.up a gateway crashes (false) or works again, with its
    /// state lost (true).
    #[setting(needed = "what changes: set = \"link.0.rate\"")]
    pub set: String,
    /// New value, written as in the link's table; for `up` true or false.
    #[setting(needed = "the new value: to = \"1Mbps\"")]
    pub to: settings::Node,
}
