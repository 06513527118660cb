//! A checked scenario, from which the world is built. Every unit is resolved, every name is an index.

use crate::scenario::OwnControl;
use base::{DataRate, Duration, Instant};
use net::impairment;
pub use net::loss::Loss;
pub use net::queue::{Config as Queue, Limit as QueueLimit};
pub use net::rate_trace::RateTrace;
use radio::{Position, mobility, placement};
use std::sync::Arc;

/// A whole experiment, checked.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Length of the run.
    pub duration: Duration,
    /// Seed of every random stream.
    pub seed: u64,
    /// Node names, in order of first appearance.
    pub nodes: Vec<String>,
    /// The address of each node in captures; `None` if the scenario gives none.
    pub addresses: Vec<Option<[u8; 4]>>,
    /// The place of each node; `None` if the scenario does not give it.
    pub places: Vec<Option<Place>>,
    /// Links, both directions each.
    pub links: Vec<Link>,
    /// Radio networks.
    pub radios: Vec<Radio>,
    /// Flows, in order.
    pub flows: Vec<Flow>,
    /// Gateways, in order of the nodes' tables.
    pub gateways: Vec<Gateway>,
    /// Changes while the scenario runs, in order of time.
    pub changes: Vec<Change>,
    /// The user-defined congestion controls that its variants name.
    pub controls: Vec<OwnControl>,
    /// Links whose rate a program may set while the scenario runs.
    pub adjustable: Vec<usize>,
}

/// The place of a node.
#[derive(Clone, Debug)]
pub struct Place {
    /// The place at the beginning.
    pub start: Start,
    /// The movement from there; `None` if the scenario gives none, and the node stays.
    pub mobility: Option<mobility::Config>,
}

impl Place {
    /// Returns the movement.
    pub const fn movement(&self) -> &mobility::Config {
        match &self.mobility {
            Some(said) => said,
            None => &mobility::Config::Constant,
        }
    }
}

/// The place of a node at the beginning.
#[derive(Clone, PartialEq, Debug)]
pub enum Start {
    /// The given place.
    At(Position),
    /// A place drawn from the seed.
    Drawn(placement::Config),
}

/// A full-duplex point-to-point link.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// `a>b` as in the scenario's `between`, by index into `nodes`.
    pub ends: [usize; 2],
    /// Direction `ends[0]` to `ends[1]`, then back.
    pub directions: [Direction; 2],
}

impl Link {
    /// Returns the name of the random streams of link number `at`.
    pub(crate) fn streams(&self, at: usize) -> String {
        streams("link", self.name.as_deref(), at)
    }
}

/// Returns the name of random streams: the name that the scenario gives, so that others may come and go before it, or
/// else the number.
fn streams(kind: &str, name: Option<&str>, at: usize) -> String {
    // Names are quoted: one may be a number.
    name.map_or_else(|| format!("{kind}.{at}"), |name| format!("{kind}.{name:?}"))
}

/// One direction of a link.
#[derive(Clone, Debug)]
pub struct Direction {
    /// Transmission rate.
    pub rate: Rate,
    /// Propagation delay.
    pub delay: Duration,
    /// Bytes of framing that each packet takes on the wire beside its own.
    pub framing: u16,
    /// Waiting places.
    pub queue: Queue,
    /// Losses on it, each applied in turn.
    pub losses: Vec<Loss>,
    /// Jitter, reordering, duplication.
    pub impairments: impairment::Config,
}

/// A link's rate.
#[derive(Clone, PartialEq, Debug)]
pub enum Rate {
    /// The same at all times.
    Constant(DataRate),
    /// Opportunities to deliver, from the time at which it comes into force.
    Trace(RateTrace),
}

impl Rate {
    /// Returns the rate, or a trace's mean.
    pub fn mean(&self) -> DataRate {
        match self {
            Self::Constant(rate) => *rate,
            Self::Trace(trace) => trace.mean_rate(),
        }
    }
}

/// A gateway: a function of a node for the connections that pass through it.
#[derive(Clone, Debug)]
pub struct Gateway {
    /// Its node, index into `nodes`.
    pub node: usize,
    /// Path of its table in the scenario, for messages.
    pub(crate) path: String,
    /// Its settings, with those of its far side in one table.
    pub(crate) config: gateway::Config<tcp::Table>,
    /// The variant on the far side; empty if there is no sender, or each flow keeps its own.
    pub variant: String,
    /// The connections that pass through it both ways, in order of the flows.
    pub proxies: Vec<Proxy>,
}

/// A connection at a gateway.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// Its flow.
    pub flow: usize,
    /// The connection on the side of its source.
    pub near: Arc<tcp::Config>,
    /// The connection on the side of its destination.
    pub far: Arc<tcp::Config>,
}

/// A radio network.
#[derive(Clone, Debug)]
pub struct Radio {
    /// Its name in results.
    pub name: String,
    /// Nodes by station, indices into `nodes`.
    pub stations: Vec<usize>,
    /// The network itself.
    pub kind: RadioKind,
}

/// Kind and settings of a radio network.
#[derive(Clone, Debug)]
pub enum RadioKind {
    /// An 802.11 network, without the places of its stations, which the scenario's nodes have.
    Wifi(Box<wifi::Config>),
    /// An LTE network, without the places of its UEs.
    Lte(Box<lte::Config>),
}

impl Radio {
    /// Returns true if packets can cross the network from one station to the other.
    pub(crate) fn joins(&self, from: usize, to: usize) -> bool {
        match &self.kind {
            RadioKind::Wifi(_) => true,
            // UEs reach each other through the gateway, which may relay their connections.
            RadioKind::Lte(_) => from == 0 || to == 0,
        }
    }
}

/// A flow from one host to another.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Its name in results.
    pub name: String,
    /// Source, index into `nodes`.
    pub from: usize,
    /// Destination, index into `nodes`.
    pub to: usize,
    /// Time at which it begins.
    pub start: Instant,
    /// Time at which its source stops offering data.
    pub stop: Instant,
    /// Its class: 0 is served first in queues that tell classes apart.
    pub class: u8,
    /// Its access category in 802.11 networks with EDCA.
    pub category: wifi::edca::AccessCategory,
    /// The data that it sends.
    pub traffic: traffic::Config,
    /// The transport.
    pub kind: FlowKind,
}

impl Flow {
    /// Returns the name in results of flow number `at` if the scenario gives none.
    pub(crate) fn unnamed(at: usize) -> String {
        format!("flow{at}")
    }

    /// Returns the name of the random streams of flow number `at`.
    pub(crate) fn streams(&self, at: usize) -> String {
        streams("flow", (self.name != Self::unnamed(at)).then_some(&self.name), at)
    }
}

/// The transport of a flow.
#[derive(Clone, Debug)]
pub enum FlowKind {
    /// TCP.
    Tcp {
        /// The variant as the user called it (canonical preset name or pair).
        variant: String,
        /// Both endpoints.
        tcp: Arc<tcp::Config>,
        /// The destination, if a gateway has made the connection's far side another one.
        receiver: Arc<tcp::Config>,
        /// True if sequence numbers in traces count packets from 0, false if bytes.
        packet_numbers: bool,
    },
    /// UDP: each packet of the source is a datagram.
    Udp,
    /// QUIC: a production stack sends the file.
    Quic(quic::Table),
}

impl FlowKind {
    /// Returns the variant as results name it.
    pub fn variant(&self) -> &str {
        match self {
            Self::Tcp { variant, .. } => variant,
            Self::Udp => "udp",
            Self::Quic(table) => table.variant.name(),
        }
    }
}

/// A change of one direction of a link during the run.
#[derive(Clone, Debug)]
pub struct Change {
    /// Its time.
    pub at: Instant,
    /// Its directions as `(link, direction)`; both if the setting names none.
    pub directions: Vec<(usize, usize)>,
    /// The change itself.
    pub what: ChangeKind,
}

/// Kind and value of a change.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangeKind {
    /// A new rate, from the next transmission on.
    Rate(Rate),
    /// A new propagation delay, for packets whose transmission ends from now on; order is kept.
    Delay(Duration),
    /// Down (`false`): arrivals, the packet in transmission and packets in flight are lost. Up (`true`) again.
    Up(bool),
    /// New loss models.
    Losses(Vec<Loss>),
    /// A gateway crashes (`false`) or comes back, empty.
    Gateway {
        /// The gateway, index into `gateways`.
        gateway: usize,
        /// True if it works.
        up: bool,
    },
    /// A new queue; packets already queued stay.
    Queue(Queue),
}
