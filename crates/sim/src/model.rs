//! Checked scenario, from which the world is built. Every unit is resolved, and every name is an index.

use crate::scenario::OwnControl;
use base::{DataRate, Duration, Instant};
use net::impairment;
pub use net::loss::Loss;
pub use net::queue::{Config as Queue, Limit as QueueLimit};
pub use net::rate_trace::RateTrace;
use radio::{Position, mobility, placement};
use std::sync::Arc;

/// A checked scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Simulated duration of the run.
    pub duration: Duration,
    /// Seed of all random streams.
    pub seed: u64,
    /// Names of the nodes, in order of first appearance.
    pub nodes: Vec<String>,
    /// IPv4 address of each node in captures; `None` if the scenario gives none.
    pub addresses: Vec<Option<[u8; 4]>>,
    /// Place of each node; `None` if the scenario gives none.
    pub places: Vec<Option<Box<Place>>>,
    /// Links, each with both directions.
    pub links: Vec<Link>,
    /// Radio networks.
    pub radios: Vec<Radio>,
    /// Flows, in the order of the scenario.
    pub flows: Vec<Flow>,
    /// Gateways, in the order of the node tables.
    pub gateways: Vec<Gateway>,
    /// Changes during the run, in order of time.
    pub changes: Vec<Change>,
    /// User-defined congestion controls that the variants of flows and gateways name.
    pub controls: Vec<OwnControl>,
    /// Indices of the links whose rate a program may set during the run.
    pub adjustable: Vec<usize>,
}

/// Place of a node, with its mobility.
#[derive(Clone, Debug)]
pub struct Place {
    /// Position at the beginning.
    pub start: Start,
    /// Mobility model; `None` if the scenario gives none, so that the node does not move.
    pub mobility: Option<mobility::Config>,
}

impl Place {
    /// Returns the mobility model; if there is none, returns the model of a node that does not move.
    pub const fn movement(&self) -> &mobility::Config {
        match &self.mobility {
            Some(said) => said,
            None => &mobility::Config::Constant,
        }
    }
}

/// Position of a node at the beginning of the run.
#[derive(Clone, PartialEq, Debug)]
pub enum Start {
    /// A given position.
    At(Position),
    /// A position drawn from the run's seed.
    Drawn(placement::Config),
}

/// A full-duplex point-to-point link.
#[derive(Clone, Debug)]
pub struct Link {
    /// Name, if the scenario gives one.
    pub name: Option<String>,
    /// Indices of the two nodes, in the order of the scenario's `between`.
    pub ends: [usize; 2],
    /// Direction from `ends[0]` to `ends[1]`, then the reverse direction. Equal directions share their memory.
    pub directions: [Arc<Direction>; 2],
}

impl Link {
    /// Returns the prefix of the names of the random streams of link number `at`.
    pub(crate) fn streams(&self, at: usize) -> String {
        streams("link", self.name.as_deref(), at)
    }
}

/// Returns the prefix of the names of random streams: with the component's name in the scenario, so that other
/// components can be added or removed before it, or with its number if it has no name.
fn streams(kind: &str, name: Option<&str>, at: usize) -> String {
    // Names are quoted, since a name may consist of digits.
    name.map_or_else(|| format!("{kind}.{at}"), |name| format!("{kind}.{name:?}"))
}

/// One direction of a link.
#[derive(Clone, PartialEq, Debug)]
pub struct Direction {
    /// Transmission rate.
    pub rate: Rate,
    /// Propagation delay.
    pub delay: Duration,
    /// Bytes of framing that each packet adds on the wire.
    pub framing: u16,
    /// Queue in front of the link.
    pub queue: Queue,
    /// Loss models of the direction, applied one after another.
    pub losses: Vec<Loss>,
    /// Jitter, reordering and duplication.
    pub impairments: impairment::Config,
}

/// Rate of a link.
#[derive(Clone, PartialEq, Debug)]
pub enum Rate {
    /// Constant rate.
    Constant(DataRate),
    /// Opportunities for delivery from a trace, which begins when the rate takes effect.
    Trace(RateTrace),
}

impl Rate {
    /// Returns the rate; for a trace, its mean rate.
    pub fn mean(&self) -> DataRate {
        match self {
            Self::Constant(rate) => *rate,
            Self::Trace(trace) => trace.mean_rate(),
        }
    }
}

/// A gateway: a performance-enhancing proxy at a node, for the TCP connections through that node (RFC 3135).
#[derive(Clone, Debug)]
pub struct Gateway {
    /// Index of the node in `nodes`.
    pub node: usize,
    /// Path of the gateway's table in the scenario, for messages.
    pub(crate) path: String,
    /// Settings; those of the far side are merged into one table.
    pub(crate) config: gateway::Config<tcp::Table>,
    /// TCP variant on the far side; empty if the far side has no sender, or if each flow keeps its own variant.
    pub variant: String,
    /// TCP connections that pass through the gateway in both directions, in the order of flows.
    pub proxies: Vec<Proxy>,
}

/// A TCP connection at a gateway.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// Index of the flow.
    pub flow: usize,
    /// Parameters on the side of the flow's source.
    pub near: Arc<tcp::Config>,
    /// Parameters on the side of the flow's destination.
    pub far: Arc<tcp::Config>,
}

/// A radio network.
#[derive(Clone, Debug)]
pub struct Radio {
    /// Name in results.
    pub name: String,
    /// Node of each station: indices into `nodes`.
    pub stations: Vec<usize>,
    /// Kind of network, with its settings.
    pub kind: RadioKind,
}

/// Kind and settings of a radio network.
#[derive(Clone, Debug)]
pub enum RadioKind {
    /// An 802.11 network. The positions of its stations are those of the scenario's nodes.
    Wifi(Box<wifi::Config>),
    /// An LTE network. The positions of its UEs are those of the scenario's nodes.
    Lte(Box<lte::Config>),
}

impl Radio {
    /// Returns true if packets can cross the network from station `from` to station `to`.
    pub(crate) fn joins(&self, from: usize, to: usize) -> bool {
        match &self.kind {
            RadioKind::Wifi(_) => true,
            // Station 0 is the LTE gateway. Packets between two UEs go through it and may enter a proxy there, so
            // they cross the network in two steps: UE to gateway, gateway to UE.
            RadioKind::Lte(_) => from == 0 || to == 0,
        }
    }
}

/// A flow from one host to another.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Name in results.
    pub name: String,
    /// Index of the source in `nodes`.
    pub from: usize,
    /// Index of the destination in `nodes`.
    pub to: usize,
    /// Time at which the flow begins.
    pub start: Instant,
    /// Time at which the source stops offering data.
    pub stop: Instant,
    /// Priority class of the flow's packets, 0 to 7: queues that distinguish classes serve 0 first.
    pub class: u8,
    /// Access category of the flow's packets in 802.11 networks with EDCA.
    pub category: wifi::edca::AccessCategory,
    /// Data that the source sends. Flows in succession with equal traffic share the memory.
    pub traffic: Arc<traffic::Config>,
    /// Transport with its settings.
    pub kind: FlowKind,
}

impl Flow {
    /// Returns the name in results of flow number `at`, if the scenario gives none.
    pub(crate) fn unnamed(at: usize) -> String {
        format!("flow{at}")
    }

    /// Returns the prefix of the names of the random streams of flow number `at`.
    pub(crate) fn streams(&self, at: usize) -> String {
        streams("flow", (self.name != Self::unnamed(at)).then_some(&self.name), at)
    }
}

/// Transport of a flow.
#[derive(Clone, Debug)]
pub enum FlowKind {
    /// TCP.
    Tcp {
        /// Name of the variant, with aliases resolved: a preset, or recovery and congestion control joined by `+`.
        variant: String,
        /// Parameters of both endpoints.
        tcp: Arc<tcp::Config>,
        /// Parameters of the destination; they differ from `tcp` if a gateway changes the connection on its far side.
        receiver: Arc<tcp::Config>,
        /// True if sequence numbers in traces are segment numbers from 0; false if they are byte offsets.
        packet_numbers: bool,
    },
    /// UDP: each packet of the source is one datagram.
    Udp,
    /// QUIC: a production stack transfers the file.
    Quic(quic::Table),
    /// A stack that was built into the program: it transfers the file.
    Stack(stack::Custom),
    /// A kernel's TCP: it sends the file.
    Kernel(uml::Table),
    /// Packets of programs outside the simulation, with the number of their protocol once there are some.
    Outside(Option<u8>),
}

impl FlowKind {
    /// Returns the registry entry of the transport stack of the flow; `None` if it runs over none.
    pub fn stack(&self) -> Option<&'static stack::About> {
        match self {
            Self::Quic(table) => Some(table.variant.about()),
            Self::Stack(custom) => Some(custom.about()),
            _ => None,
        }
    }

    /// Returns the name of the variant in results.
    pub fn variant(&self) -> &str {
        match self {
            Self::Tcp { variant, .. } => variant,
            Self::Udp => "udp",
            Self::Quic(table) => table.variant.name(),
            Self::Stack(custom) => custom.about().name,
            Self::Kernel(table) => table.control.name(),
            Self::Outside(protocol) => protocol_name(*protocol),
        }
    }
}

/// Returns the name that results show for traffic from outside programs, given its IP protocol number.
fn protocol_name(protocol: Option<u8>) -> &'static str {
    use base::ip::protocol;
    match protocol {
        Some(protocol::TCP) => "tcp",
        Some(protocol::UDP) => "udp",
        Some(protocol::ICMP | protocol::ICMPV6) => "icmp",
        Some(_) => "ip",
        None => "none",
    }
}

/// Change of the network during the run.
#[derive(Clone, Debug)]
pub struct Change {
    /// Time of the change.
    pub at: Instant,
    /// Directions of links that change, as (link, direction): both directions if the event names none.
    pub directions: Vec<(usize, usize)>,
    /// Kind of the change, with the new value.
    pub what: ChangeKind,
}

/// Kind of a change, with the new value.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeKind {
    /// New rate, from the next transmission on.
    Rate(Rate),
    /// New propagation delay, for packets whose transmission ends from now on; packets keep their order.
    Delay(Duration),
    /// Link down (`false`): the packet in transmission, packets in flight and new arrivals are lost. Link up again
    /// (`true`).
    Up(bool),
    /// New loss models.
    Losses(Vec<Loss>),
    /// Gateway crashed (`false`), or working again with its state lost (`true`).
    Gateway {
        /// Index of the gateway in `gateways`.
        gateway: usize,
        /// True if the gateway works from now on.
        up: bool,
    },
    /// New queue; packets that are queued already stay.
    Queue(Queue),
}
