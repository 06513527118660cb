//! What traces name: nodes, links, radio networks and flows of the scenario.

use base::{Body, Instant, NodeId, Packet, Place};

/// Names and facts of the scenario that traces mention, each indexed by its id.
#[derive(Clone, Debug, Default)]
pub struct Subjects {
    /// Node names.
    pub nodes: Vec<String>,
    /// Directions of links.
    pub links: Vec<LinkSubject>,
    /// Names of radio networks.
    pub networks: Vec<String>,
    /// Crossings of radio networks.
    pub crossings: Vec<CrossingSubject>,
    /// Flows.
    pub flows: Vec<FlowSubject>,
}

/// One direction of a link, as traces name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkSubject {
    /// Where it begins.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
}

/// A crossing of a radio network, as traces name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CrossingSubject {
    /// Which network, counted from 0.
    pub network: u32,
    /// Where it begins and ends.
    pub ends: LinkSubject,
}

/// A flow, as traces show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowSubject {
    /// Its name in results.
    pub name: String,
    /// The node of its source.
    pub from: NodeId,
    /// The node of its destination.
    pub to: NodeId,
    /// The addresses of both in captures; 10.0.0.0 + number + 1 where `None`.
    pub addresses: [Option<[u8; 4]>; 2],
    /// When it begins.
    pub start: Instant,
    /// When its source stops offering data.
    pub stop: Instant,
    /// Datagrams rather than TCP.
    pub datagrams: bool,
    /// Sequence numbers in traces count packets from 0 rather than bytes.
    pub packet_numbers: bool,
    /// Payload of a full segment, bytes.
    pub segment: u32,
    /// Number of the first segment that carries payload: 1 where the SYN takes number 0, else 0.
    pub first_data: u64,
    /// Payload to send in all, bytes; endless where `None`.
    pub size: Option<u64>,
    /// The connection opens with a three-way handshake (capture files then carry the options of a SYN).
    pub handshake: bool,
    /// The timestamps option is on.
    pub timestamps: bool,
    /// The receiver sends selective acknowledgments.
    pub sack: bool,
    /// The receiver's buffer, bytes; unlimited where `None`.
    pub receive_window: Option<u64>,
}

impl FlowSubject {
    /// The stream offset at which segment `number` begins, bytes.
    ///
    /// Exact, since a stream is cut into full segments but for the last.
    pub fn offset_of(&self, number: u64) -> u64 {
        let offset = number.saturating_sub(self.first_data).saturating_mul(u64::from(self.segment));
        self.size.map_or(offset, |size| offset.min(size))
    }
}

impl Subjects {
    /// The name of a node.
    pub fn node(&self, node: NodeId) -> &str {
        &self.nodes[node.index()]
    }

    /// Where what lies between two nodes begins and ends; `None` for a node.
    pub fn ends(&self, place: Place) -> Option<LinkSubject> {
        match place {
            Place::Node(_) => None,
            Place::Link(link) => Some(self.links[link.index()]),
            Place::Radio(crossing) => Some(self.crossings[crossing.index()].ends),
        }
    }

    /// The name of one direction of a link, or of a crossing: `a>b`.
    pub fn link(&self, link: &LinkSubject) -> String {
        format!("{}>{}", self.node(link.from), self.node(link.to))
    }

    /// The names of links' directions, by [`LinkId`](base::LinkId).
    pub(crate) fn link_names(&self) -> Vec<String> {
        self.links.iter().map(|link| self.link(link)).collect()
    }

    /// The names of places, by [`place_code`](Self::place_code): nodes, then directions of links, then crossings.
    pub(crate) fn place_names(&self) -> Vec<String> {
        let crossings = self.crossings.iter().map(|crossing| self.link(&crossing.ends));
        self.nodes.iter().cloned().chain(self.link_names()).chain(crossings).collect()
    }

    pub(crate) fn place_code(&self, place: Place) -> u32 {
        match place {
            Place::Node(node) => node.0,
            Place::Link(link) => self.nodes.len() as u32 + link.0,
            Place::Radio(crossing) => (self.nodes.len() + self.links.len()) as u32 + crossing.0,
        }
    }

    /// The sequence number that traces show: packet numbers or stream offsets, as the flow has it; on acknowledgments the
    /// highest packet received in order, or the next byte expected.
    pub(crate) fn sequence(&self, packet: &Packet) -> i64 {
        let flow = &self.flows[packet.flow.index()];
        match &packet.body {
            Body::Data(data) if flow.packet_numbers => data.seq as i64,
            Body::Data(data) => data.offset as i64,
            Body::Ack(ack) if flow.packet_numbers => ack.ack as i64 - 1,
            Body::Ack(ack) => flow.offset_of(ack.ack) as i64,
            Body::Datagram { seq, .. } | Body::Reply { seq, .. } => *seq as i64,
        }
    }
}
