//! State of real traffic: its flows, the nodes at which its packets enter and leave, and the packets that have left.

use super::conversations::Conversations;
use crate::model::{FlowKind, Scenario};
use crate::round_trips::RoundTrips;
use base::ip::{Ends, Stream};
use base::{Instant, NodeId};
use std::collections::VecDeque;

/// Payload of a full TCP segment with timestamps on Ethernet, bytes.
pub(crate) const SEGMENT: u32 = uml::SEGMENT;

/// A flow of packets of outside programs.
#[derive(Clone, Default)]
pub(crate) struct Outside {
    /// Data of a TCP connection in the flow's direction; `None` for other protocols, and if connections share
    /// the flow.
    pub stream: Option<Stream>,
    /// Flow of the connection's data in the other direction.
    pub opposite: Option<u32>,
    pub round_trips: RoundTrips,
    /// Time of the last packet.
    pub last: Instant,
    pub completed: Option<Instant>,
}

/// A packet that has crossed the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departed {
    /// Time at which the packet reached the node.
    pub at: Instant,
    /// Node at which it leaves: 0 for the first of the two nodes, 1 for the second.
    pub side: usize,
    /// The packet, marked if a queue has marked it (ECN).
    pub bytes: Vec<u8>,
}

/// The sender of a real TCP connection, as the kernel shows it (TCP_INFO).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SenderSample {
    /// Ends of the packets that the sender sends.
    pub ends: Ends,
    /// Congestion window, segments.
    pub cwnd: u32,
    /// Threshold of slow start, segments, once it is set.
    pub ssthresh: Option<u32>,
    /// Smoothed round trip, seconds; 0 before the first measurement.
    pub srtt_s: f64,
    /// Retransmission timeout, seconds.
    pub rto_s: f64,
    /// Segments sent and not acknowledged.
    pub in_flight: u32,
    /// State of its recovery: 0 open, 1 disorder, 2 window reduced, 3 recovery, 4 loss.
    pub recovery: u8,
}

/// The two nodes at which packets of outside programs enter and leave.
pub(crate) struct Gate {
    pub nodes: [NodeId; 2],
    pub conversations: Conversations,
    pub departed: VecDeque<Departed>,
}

impl Gate {
    /// Creates the gate between two nodes of `scenario`. The flows after the first `named` ones are `spare` flows for
    /// further connections, and then two flows that all other packets share.
    pub(crate) fn new(scenario: &Scenario, nodes: [usize; 2], named: usize, spare: usize) -> Self {
        let of = |from: usize, to: usize| {
            let flows = scenario.flows[..named].iter().enumerate();
            let taken =
                flows.filter(move |(_, flow)| is_outside(&flow.kind) && (flow.from, flow.to) == (from, to));
            taken.map(|(at, _)| at as u32).collect()
        };
        let [a, b] = nodes;
        Self {
            nodes: nodes.map(|node| NodeId(node as u32)),
            conversations: Conversations::new([of(a, b), of(b, a)], named as u32, spare as u32),
            departed: VecDeque::new(),
        }
    }

    /// Removes and returns the next packet that has left the network.
    pub(crate) fn take(&mut self) -> Option<Departed> {
        self.departed.pop_front()
    }

    /// Returns the number of flows of the run: those of the scenario, the spare flows in use, and the shared flows.
    pub(crate) fn flows(&self) -> usize {
        self.conversations.flows()
    }

    /// Returns the flows that carried packets, each with the ends of the first packet in the flow's direction.
    pub(crate) fn used(&self) -> impl Iterator<Item = (u32, Option<Ends>)> + '_ {
        self.conversations.used()
    }
}

fn is_outside(kind: &FlowKind) -> bool {
    matches!(kind, FlowKind::Outside(_))
}
