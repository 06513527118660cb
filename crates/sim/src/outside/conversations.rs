//! Assignment of packets of outside programs to flows.

use base::ip::{Ends, Segment};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// The flow to which a packet of an outside program belongs, and the packet's direction in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    /// Number of the flow.
    pub flow: u32,
    /// True if the packet goes from the flow's source to its destination.
    pub forward: bool,
    /// True if the packet is the flow's first.
    pub new: bool,
    /// Flow of the same connection's data in the other direction.
    pub opposite: Option<u32>,
}

/// Packets with equal protocol, addresses and ports, in both directions.
#[derive(Clone, Copy, Default, Debug)]
struct Conversation {
    /// Flow of the data that the first node sends, and of the data that the second sends.
    flows: [Option<u32>; 2],
    /// Node that sent data last.
    last: usize,
    /// Sequence number of the SYN that began a TCP connection.
    syn: Option<u32>,
}

/// Key of a conversation: protocol, address and port at the first node, address and port at the second.
type Key = (u8, SocketAddr, SocketAddr);

/// Returns the key of packets with these ends that enter at node `side`.
fn key(side: usize, ends: &Ends) -> Key {
    let Ends { protocol, source, destination } = *ends;
    if side == 0 { (protocol, source, destination) } else { (protocol, destination, source) }
}

/// Conversations of a run, and the flows that are not yet assigned to a conversation.
pub(crate) struct Conversations {
    each: BTreeMap<Key, Conversation>,
    /// Unassigned flows of the scenario from the first node to the second, and back, in reverse order.
    named: [Vec<u32>; 2],
    /// Number of flows in the scenario.
    first_spare: u32,
    /// Number of spare flows; `taken` is the number in use.
    spare: u32,
    taken: u32,
    /// True for each direction in which packets share a flow, since no spare flow was left.
    shared: [bool; 2],
    used: Vec<(u32, Option<Ends>)>,
}

impl Conversations {
    /// Creates an empty list. `named` are the flows of the scenario that real traffic takes, by direction.
    pub(crate) fn new(mut named: [Vec<u32>; 2], first_spare: u32, spare: u32) -> Self {
        named.iter_mut().for_each(|flows| flows.reverse());
        let (each, used) = (BTreeMap::new(), Vec::new());
        Self { each, named, first_spare, spare, taken: 0, shared: [false; 2], used }
    }

    /// Returns the flow of the data that the end at node `side` of a connection sends; `None` if this end has sent no
    /// data, or if the flow is shared with other connections.
    pub(crate) fn find(&self, side: usize, ends: &Ends) -> Option<u32> {
        self.each.get(&key(side, ends))?.flows[side].filter(|flow| self.is_single(*flow))
    }

    /// Returns the flow of a packet that enters at node `side`; begins a flow if the packet needs one.
    pub(crate) fn way(&mut self, side: usize, ends: &Ends, segment: Option<&Segment>) -> Way {
        let key = key(side, ends);
        let mut conversation = self.each.get(&key).copied().unwrap_or_default();
        let other = 1 - side;
        let has_data = segment.is_none_or(|segment| segment.payload > 0);
        let begins =
            segment.filter(|segment| segment.syn && segment.ack.is_none()).map(|segment| segment.seq);
        // A SYN with the same sequence number is a repetition; one with another number begins another
        // connection between the same ports.
        if begins.is_some() && conversation.syn != begins {
            conversation = Conversation { syn: begins, ..Conversation::default() };
        }
        let Conversation { flows, last, .. } = conversation;
        // A packet without data belongs to the flow of the other end's data, unless this end sent data last.
        if let Some(flow) = flows[other]
            && !has_data
            && begins.is_none()
            && (flows[side].is_none() || last == other)
            && self.is_single(flow)
        {
            return Way { flow, forward: false, new: false, opposite: flows[side] };
        }
        let mut changed = conversation;
        if has_data {
            changed.last = side;
        }
        let (flow, new) = match flows[side] {
            Some(flow) => (flow, false),
            None => self.begin(side, ends),
        };
        changed.flows[side] = Some(flow);
        self.each.insert(key, changed);
        Way { flow, forward: true, new, opposite: flows[other] }
    }

    /// Returns a flow for a new conversation's packets from node `side`: a flow of the scenario, a spare flow, or else
    /// the flow that all further conversations share. Also returns true if the flow has carried no packet yet.
    fn begin(&mut self, side: usize, ends: &Ends) -> (u32, bool) {
        if let Some(flow) = self.named[side].pop() {
            self.used.push((flow, Some(*ends)));
            return (flow, true);
        }
        if self.taken < self.spare {
            self.taken += 1;
            let flow = self.first_spare + self.taken - 1;
            self.used.push((flow, Some(*ends)));
            return (flow, true);
        }
        let flow = self.first_spare + self.spare + side as u32;
        let new = !std::mem::replace(&mut self.shared[side], true);
        if new {
            self.used.push((flow, None));
        }
        (flow, new)
    }

    /// Returns true if a flow has the packets of one conversation only.
    pub(crate) fn is_single(&self, flow: u32) -> bool {
        flow < self.first_spare + self.spare
    }

    /// Returns the number of flows of the run: those of the scenario, the spare flows in use, and the shared flows.
    pub(crate) fn flows(&self) -> usize {
        let shared = match self.shared {
            [_, true] => 2,
            [true, false] => 1,
            [false, false] => 0,
        };
        (self.first_spare + self.taken + shared) as usize
    }

    /// Returns the flows in use, each with the ends of its first packet; `None` for a shared flow.
    pub(crate) fn used(&self) -> impl Iterator<Item = (u32, Option<Ends>)> + '_ {
        self.used.iter().copied()
    }
}
