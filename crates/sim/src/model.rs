//! A checked scenario: what the world is built from. Every unit is resolved, every name is an index.

use crate::scenario::OwnControl;
use base::{DataRate, Duration, Instant};
use net::impairment;
use net::loss::{counted, gilbert_elliott};
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
    /// The address of each node in captures; `None` where the scenario gives none.
    pub addresses: Vec<Option<[u8; 4]>>,
    /// Where each node is, by node; `None` where the scenario does not say it.
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
    /// The congestion controls from outside that its variants name.
    pub controls: Vec<OwnControl>,
    /// Links whose rate a program may set while the scenario runs.
    pub adjustable: Vec<usize>,
}

/// Where a node is.
#[derive(Clone, Debug)]
pub struct Place {
    /// At the beginning.
    pub start: Start,
    /// How it moves from there; `None` where the scenario does not say it, and it stays.
    pub mobility: Option<mobility::Config>,
}

impl Place {
    /// How it moves.
    pub const fn movement(&self) -> &mobility::Config {
        match &self.mobility {
            Some(said) => said,
            None => &mobility::Config::Constant,
        }
    }
}

/// Where a node is at the beginning.
#[derive(Clone, PartialEq, Debug)]
pub enum Start {
    /// At a place.
    At(Position),
    /// At one drawn from the seed.
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
    /// What the random streams of link number `at` are named after.
    pub(crate) fn streams(&self, at: usize) -> String {
        streams("link", self.name.as_deref(), at)
    }
}

/// What random streams are named after: the name that the scenario gives, so that others may come and go before it; the number
/// of what has none.
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
    /// Opportunities to deliver, from when it comes into force.
    Trace(RateTrace),
}

impl Rate {
    /// The rate, or a trace's mean.
    pub fn mean(&self) -> DataRate {
        match self {
            Self::Constant(rate) => *rate,
            Self::Trace(trace) => trace.mean_rate(),
        }
    }
}

/// A loss model on one direction of a link.
#[derive(Clone, PartialEq, Debug)]
pub struct Loss {
    /// Which packets.
    pub kind: LossKind,
    /// Before the queue (`entry`) or after it (`wire`).
    pub at: LossPlace,
}

/// Where packets are lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, settings::Choice)]
pub enum LossPlace {
    /// before the queue: a lost packet takes no place and no transmission time
    Entry,
    /// after the queue: a lost packet has been transmitted
    Wire,
}

/// Which packets a loss model takes.
#[derive(Clone, PartialEq, Debug)]
pub enum LossKind {
    /// Each packet by itself with this probability.
    Random {
        /// Probability of loss, 0 to 1.
        rate: f64,
        /// Spare acknowledgments (packets without payload on their way back).
        data_only: bool,
    },
    /// Each bit by itself with this probability; one wrong bit loses the packet.
    BitError {
        /// Probability of a wrong bit, 0 to 1.
        rate: f64,
    },
    /// Listed packets of one flow, counted from 0 as they arrive there, retransmissions too.
    List {
        /// Which flow; every flow's packets together where `None`.
        flow: Option<usize>,
        /// Which packets, ascending.
        packets: Vec<u64>,
        /// How long they are held up rather than lost.
        hold: Option<Duration>,
    },
    /// In bursts.
    GilbertElliott(gilbert_elliott::Config),
    /// One packet in every N, counted as for a list.
    Periodic {
        /// Which flow; every flow's packets together where `None`.
        flow: Option<usize>,
        /// Which packets.
        period: counted::Periodic,
    },
    /// Packets of a trace, counted as for a list.
    Trace {
        /// Which flow; every flow's packets together where `None`.
        flow: Option<usize>,
        /// Which packets.
        trace: counted::Trace,
    },
}

/// A gateway: what a node does for the connections that pass through it.
#[derive(Clone, Debug)]
pub struct Gateway {
    /// Its node, index into `nodes`.
    pub node: usize,
    /// Where the scenario says it, for messages.
    pub(crate) path: String,
    /// What it does, with all that is given of its far side in one table.
    pub(crate) config: gateway::Config<tcp::Table>,
    /// The variant on the far side; empty where there is no sender, or each flow keeps its own.
    pub variant: String,
    /// The connections that pass through it both ways, in order of the flows.
    pub relays: Vec<Relay>,
}

/// A connection at a gateway.
#[derive(Clone, Debug)]
pub struct Relay {
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
    /// What it is.
    pub kind: RadioKind,
}

/// What a radio network is.
#[derive(Clone, Debug)]
pub enum RadioKind {
    /// An 802.11 network, but for the places of its stations, which the scenario's nodes have.
    Wifi(Box<wifi::Config>),
    /// An LTE network, but for the places of its UEs.
    Lte(Box<lte::Config>),
}

impl Radio {
    /// Whether packets cross the network from one station to another.
    pub(crate) fn joins(&self, from: usize, to: usize) -> bool {
        match &self.kind {
            RadioKind::Wifi(_) => true,
            // UEs reach each other through the gateway, which may do something for their connections.
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
    /// When it begins.
    pub start: Instant,
    /// When its source stops offering data.
    pub stop: Instant,
    /// Its class: 0 is served first where queues tell classes apart.
    pub class: u8,
    /// Its access category in 802.11 networks that tell them apart.
    pub category: wifi::edca::AccessCategory,
    /// What it sends.
    pub traffic: traffic::Config,
    /// How it sends.
    pub kind: FlowKind,
}

impl Flow {
    /// The name in results of flow number `at` where the scenario gives none.
    pub(crate) fn unnamed(at: usize) -> String {
        format!("flow{at}")
    }

    /// What the random streams of flow number `at` are named after.
    pub(crate) fn streams(&self, at: usize) -> String {
        streams("flow", (self.name != Self::unnamed(at)).then_some(&self.name), at)
    }
}

/// How a flow sends.
#[derive(Clone, Debug)]
pub enum FlowKind {
    /// Over TCP.
    Tcp {
        /// The variant as the user called it (canonical preset name or pair).
        variant: String,
        /// Both endpoints.
        tcp: Arc<tcp::Config>,
        /// The destination, where a gateway has made the connection's far side another one.
        receiver: Arc<tcp::Config>,
        /// Sequence numbers in traces count packets from 0 rather than bytes.
        packet_numbers: bool,
    },
    /// Over UDP: each packet of the source is a datagram.
    Udp,
    /// Over QUIC: a stack that ships sends the file.
    Quic(quic::Table),
}

impl FlowKind {
    /// The variant as results name it.
    pub fn variant(&self) -> &str {
        match self {
            Self::Tcp { variant, .. } => variant,
            Self::Udp => "udp",
            Self::Quic(table) => table.variant.name(),
        }
    }
}

/// A change of one direction of a link while the scenario runs.
#[derive(Clone, Debug)]
pub struct Change {
    /// When.
    pub at: Instant,
    /// Which directions: `(link, direction)`, both where the setting names no direction.
    pub directions: Vec<(usize, usize)>,
    /// What.
    pub what: ChangeKind,
}

/// What changes.
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
        /// Which, index into `gateways`.
        gateway: usize,
        /// Whether it works.
        up: bool,
    },
    /// A new queue; packets already queued stay.
    Queue(Queue),
}
