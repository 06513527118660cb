//! Names in traces: nodes, links, radio networks and flows of the scenario.

use base::{Body, Instant, NodeId, Packet, Place};

/// Names and properties of the scenario's parts that traces refer to; each list is indexed by id.
#[derive(Clone, Debug, Default)]
pub struct Subjects {
    /// Names of the nodes.
    pub nodes: Vec<String>,
    /// Links, each direction separately.
    pub links: Vec<LinkSubject>,
    /// Names of radio networks.
    pub networks: Vec<String>,
    /// Paths through radio networks, each from one station to another of the same network.
    pub crossings: Vec<CrossingSubject>,
    /// Flows of the scenario.
    pub flows: Vec<FlowSubject>,
}

/// One direction of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkSubject {
    /// Node at which the link begins.
    pub from: NodeId,
    /// Node at which the link ends.
    pub to: NodeId,
}

/// Path through a radio network, from one station to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CrossingSubject {
    /// Number of the radio network, from 0.
    pub network: u32,
    /// Nodes of the two stations: sender and receiver of a packet on this path.
    pub ends: LinkSubject,
}

/// Properties of a flow that traces use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowSubject {
    /// Name of the flow in results.
    pub name: String,
    /// Node of the flow's source.
    pub from: NodeId,
    /// Node of the flow's destination.
    pub to: NodeId,
    /// IPv4 addresses of source and destination in captures; `None`: 10.0.0.0 + node number + 1.
    pub addresses: [Option<[u8; 4]>; 2],
    /// Time at which the flow begins.
    pub start: Instant,
    /// Time at which the source stops offering data.
    pub stop: Instant,
    /// True for datagrams, false for TCP.
    pub datagrams: bool,
    /// True if sequence numbers in traces count packets from 0, false if bytes.
    pub packet_numbers: bool,
    /// Payload of a full segment, bytes.
    pub segment: u32,
    /// Number of the first segment with payload: 1 if the SYN has number 0, otherwise 0.
    pub first_data: u64,
    /// Payload to send in total, bytes; `None`: unlimited.
    pub size: Option<u64>,
    /// True if the connection opens with a three-way handshake (windows in captures are then scaled).
    pub handshake: bool,
    /// True if the timestamps option is on.
    pub timestamps: bool,
    /// True if selective acknowledgments (SACK) are on.
    pub sack: bool,
    /// Size of the receiver's buffer, bytes; `None`: unlimited.
    pub receive_window: Option<u64>,
}

impl FlowSubject {
    /// Returns the stream offset at which segment `number` begins, bytes.
    ///
    /// The result is exact, because all segments but the last are full.
    pub fn offset_of(&self, number: u64) -> u64 {
        let offset = number.saturating_sub(self.first_data).saturating_mul(u64::from(self.segment));
        self.size.map_or(offset, |size| offset.min(size))
    }
}

impl Subjects {
    /// Returns the name of a node.
    pub fn node(&self, node: NodeId) -> &str {
        &self.nodes[node.index()]
    }

    /// Returns the nodes at both ends of a link or of a path through a radio network; `None` if `place` is a node.
    pub fn ends(&self, place: Place) -> Option<LinkSubject> {
        match place {
            Place::Node(_) => None,
            Place::Link(link) => Some(self.links[link.index()]),
            Place::Radio(crossing) => Some(self.crossings[crossing.index()].ends),
        }
    }

    /// Returns the name `a>b` of one direction of a link, or of the path through a radio network from station a to
    /// station b.
    pub fn link(&self, link: &LinkSubject) -> String {
        format!("{}>{}", self.node(link.from), self.node(link.to))
    }

    /// Returns the names of all directions of links, indexed by [`LinkId`](base::LinkId).
    pub(crate) fn link_names(&self) -> Vec<String> {
        self.links.iter().map(|link| self.link(link)).collect()
    }

    /// Returns the names of all places, indexed by [`place_code`](Self::place_code): nodes, then directions of
    /// links, then paths through radio networks.
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

    /// Returns the sequence number that traces show. Data: packet number or stream offset, by the flow's
    /// `packet_numbers`. Acknowledgments: the highest packet number received in order, or the next byte
    /// expected.
    pub(crate) fn sequence(&self, packet: &Packet) -> i64 {
        let flow = &self.flows[packet.flow.index()];
        match &packet.body {
            Body::Data(data) if flow.packet_numbers => data.seq as i64,
            Body::Data(data) => data.offset as i64,
            Body::Ack(ack) if flow.packet_numbers => ack.ack as i64 - 1,
            Body::Ack(ack) => (flow.offset_of(ack.ack) + u64::from(ack.part())) as i64,
            Body::Datagram { seq, .. } | Body::Reply { seq, .. } => *seq as i64,
            Body::Real(segment) => segment.offset as i64,
        }
    }
}
