//! Check of the conservation of packets: a probe for tests that counts each packet at each node.

use crate::subjects::{LinkSubject, Subjects};
use base::{DropCause, Instant, NodeId, Packet, PacketEvent, Place, Probe, Stamp};
use std::collections::BTreeMap;

/// Counts of a flow's packets of one direction, at one node and on the links that begin there.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    /// Packets that the node's transport sent, or that arrived to be forwarded.
    entered: i64,
    /// Packets that joined the queue of a link that begins at the node.
    queued: i64,
    /// Packets that joined the queue of a link that begins at the node, and that this queue dropped later.
    refused: i64,
    /// Packets that began transmission on a link that begins at the node.
    started: i64,
    /// Packets that ended transmission on a link that begins at the node.
    departed: i64,
    /// Packets that arrived at the far end of a link that begins at the node.
    arrived: i64,
    /// Packets lost on links that begin at the node, before or after the queue; drops by the queue are in
    /// `refused`.
    lost: i64,
    /// Copies that duplication has made on links that begin at the node.
    duplicated: i64,
}

impl Account {
    /// Returns the packets lost before a queue. A node forwards at once, so a packet that entered and was not
    /// queued was lost on entry.
    fn lost_on_entry(&self) -> i64 {
        self.entered - self.queued
    }

    /// Returns the packets in the queues and on the wires of the links that begin at the node.
    fn on_the_way(&self) -> i64 {
        self.queued + self.duplicated - self.refused - self.arrived - (self.lost - self.lost_on_entry())
    }

    fn balances(&self) -> bool {
        let queued = self.queued - self.refused;
        (0..=self.lost).contains(&self.lost_on_entry())
            && self.on_the_way() >= 0
            && (0..=queued).contains(&self.started)
            && (0..=queued).contains(&self.departed)
            && self.arrived <= self.departed + self.duplicated
    }
}

/// Counts of a flow's packets of one direction in all radio networks.
#[derive(Clone, Copy, Debug, Default)]
struct Aired {
    /// Packets that entered a radio network.
    entered: i64,
    /// Packets that left a radio network at the station to which they were sent.
    left: i64,
    /// Packets lost in a radio network.
    lost: i64,
}

impl Aired {
    fn on_the_way(&self) -> i64 {
        self.entered - self.left - self.lost
    }
}

/// Probe that checks the conservation of packets. Each packet sent has arrived, was lost with a cause, or is
/// in flight, and no packet arrives at a node to which it was not sent.
///
/// Events after the end of the run are ignored, as in traces. So are packets of sessions, whose connections are not
/// flows of the scenario; the property tests of sessions count their bytes.
pub struct Ledger {
    subjects: Subjects,
    end: Instant,
    /// Key: node, flow, and true for packets towards the flow's destination.
    accounts: BTreeMap<(u32, u32, bool), Account>,
    /// Key: flow, and true for packets towards the flow's destination.
    aired: BTreeMap<(u32, bool), Aired>,
    /// For each flow, packets that reached its destination.
    delivered: Vec<i64>,
    causeless: u64,
}

impl Ledger {
    /// Creates an empty ledger of a run that ends at `end`.
    pub fn new(subjects: Subjects, end: Instant) -> Self {
        let delivered = vec![0; subjects.flows.len()];
        Self { subjects, end, accounts: BTreeMap::new(), aired: BTreeMap::new(), delivered, causeless: 0 }
    }

    fn account(&mut self, node: base::NodeId, packet: &Packet) -> &mut Account {
        self.accounts.entry((node.0, packet.flow.0, packet.is_forward())).or_default()
    }

    /// Returns the packets of a flow towards its destination that were in flight when the run ended.
    pub fn in_flight(&self, flow: usize) -> i64 {
        let of_flow = self.accounts.iter().filter(|((_, f, forward), _)| *f as usize == flow && *forward);
        let aired = self.aired.get(&(flow as u32, true)).map_or(0, Aired::on_the_way);
        of_flow.map(|(_, account)| account.on_the_way()).sum::<i64>() + aired
    }

    fn aired(&mut self, packet: &Packet) -> &mut Aired {
        self.aired.entry((packet.flow.0, packet.is_forward())).or_default()
    }

    /// Counts a packet that arrived at a node, either its target or a node that forwards it.
    fn arrive(&mut self, node: base::NodeId, packet: &Packet) {
        let flow = &self.subjects.flows[packet.flow.index()];
        let target = if packet.is_forward() { flow.to } else { flow.from };
        if node != target {
            self.account(node, packet).entered += 1;
        } else if packet.is_forward() {
            self.delivered[packet.flow.index()] += 1;
        }
    }

    /// Returns the number of packets of a flow that reached its destination.
    pub fn delivered(&self, flow: usize) -> i64 {
        self.delivered[flow]
    }

    /// Checks the balance of every account.
    ///
    /// # Errors
    /// A line for each account that does not balance.
    pub fn check(&self) -> Result<(), Vec<String>> {
        let mut wrong = Vec::new();
        if self.causeless > 0 {
            wrong.push(format!("{} packets lost without a cause", self.causeless));
        }
        for ((node, flow, forward), account) in &self.accounts {
            if !account.balances() {
                let node = &self.subjects.nodes[*node as usize];
                let flow = &self.subjects.flows[*flow as usize].name;
                let what = if *forward { "packets" } else { "acknowledgments" };
                wrong.push(format!("{what} of flow {flow} at node {node} do not balance: {account:?}"));
            }
        }
        for ((flow, forward), aired) in &self.aired {
            if aired.on_the_way() < 0 {
                let flow = &self.subjects.flows[*flow as usize].name;
                let what = if *forward { "packets" } else { "acknowledgments" };
                wrong.push(format!("{what} of flow {flow} in radio networks do not balance: {aired:?}"));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    fn at_node(&mut self, event: PacketEvent, node: NodeId, packet: &Packet, cause: Option<DropCause>) {
        let source = self.subjects.flows[packet.flow.index()].from;
        match event {
            PacketEvent::Send | PacketEvent::AckSent => self.account(node, packet).entered += 1,
            // The packet was counted as entered, to be forwarded; a gateway's transport takes it over instead.
            PacketEvent::Taken => self.account(node, packet).entered -= 1,
            PacketEvent::Ack if node != source => self.account(node, packet).entered -= 1,
            // Drops at nodes are drops in a radio network; drops on links have the link as place.
            PacketEvent::Drop => {
                self.causeless += u64::from(cause.is_none());
                self.aired(packet).lost += 1;
            }
            _ => {}
        }
    }

    fn at_crossing(&mut self, event: PacketEvent, ends: LinkSubject, packet: &Packet) {
        match event {
            PacketEvent::Enqueue => {
                // A packet that enters a radio network leaves the account of the node.
                let account = self.account(ends.from, packet);
                account.queued += 1;
                account.started += 1;
                account.departed += 1;
                account.arrived += 1;
                self.aired(packet).entered += 1;
            }
            PacketEvent::Receive => {
                self.aired(packet).left += 1;
                self.arrive(ends.to, packet);
            }
            _ => {}
        }
    }

    fn on_link(&mut self, event: PacketEvent, link: LinkSubject, packet: &Packet, cause: Option<DropCause>) {
        let account = self.account(link.from, packet);
        match event {
            PacketEvent::Enqueue => account.queued += 1,
            PacketEvent::Dequeue => account.started += 1,
            PacketEvent::Departed => account.departed += 1,
            PacketEvent::Drop => match cause {
                Some(cause) if cause.is_congestion() => account.refused += 1,
                Some(_) => account.lost += 1,
                None => self.causeless += 1,
            },
            PacketEvent::Receive => {
                account.arrived += 1;
                self.arrive(link.to, packet);
            }
            PacketEvent::Duplicate => account.duplicated += 1,
            PacketEvent::Mark
            | PacketEvent::Send
            | PacketEvent::AckSent
            | PacketEvent::Ack
            | PacketEvent::Taken => {}
        }
    }
}

impl Probe for Ledger {
    const PACKETS: bool = true;

    fn packet(
        &mut self,
        stamp: Stamp,
        event: PacketEvent,
        place: Place,
        packet: &Packet,
        cause: Option<DropCause>,
    ) {
        if stamp.at > self.end || packet.flow.index() >= self.subjects.flows.len() {
            return;
        }
        match place {
            Place::Node(node) => self.at_node(event, node, packet, cause),
            Place::Radio(crossing) => {
                self.at_crossing(event, self.subjects.crossings[crossing.index()].ends, packet);
            }
            Place::Link(link) => self.on_link(event, self.subjects.links[link.index()], packet, cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::tests::{flow, packet};
    use crate::subjects::{CrossingSubject, LinkSubject};
    use PacketEvent::{Departed, Dequeue, Drop, Enqueue, Receive, Send};
    use base::{CrossingId, LinkId, NodeId};

    fn ledger(events: &[(PacketEvent, Place, Option<DropCause>)]) -> Ledger {
        let nodes = vec!["a".into(), "b".into(), "c".into()];
        let link = |from, to| LinkSubject { from: NodeId(from), to: NodeId(to) };
        let links = vec![link(0, 1), link(1, 0), link(1, 2), link(2, 1)];
        let ends = |from, to| LinkSubject { from: NodeId(from), to: NodeId(to) };
        let crossings = vec![CrossingSubject { network: 0, ends: ends(0, 2) }];
        let subjects =
            Subjects { nodes, links, crossings, flows: vec![flow("f", 0, 2)], ..Subjects::default() };
        let mut ledger = Ledger::new(subjects, Instant::from_ps(100));
        for (i, (event, place, cause)) in events.iter().enumerate() {
            let at = Instant::from_ps(i as u64);
            ledger.packet(Stamp::new(at, at), *event, *place, &packet(0, 0, 0), *cause);
        }
        ledger
    }

    const A: Place = Place::Node(NodeId(0));
    const AB: Place = Place::Link(LinkId(0));
    const AC: Place = Place::Radio(CrossingId(0));
    const BC: Place = Place::Link(LinkId(2));

    #[test]
    fn a_delivered_packet_balances() {
        let hop = |link| {
            [(Enqueue, link, None), (Dequeue, link, None), (Departed, link, None), (Receive, link, None)]
        };
        let events: Vec<_> = [(Send, A, None)].into_iter().chain(hop(AB)).chain(hop(BC)).collect();
        let whole = ledger(&events);
        assert_eq!(whole.check(), Ok(()));
        assert_eq!((whole.in_flight(0), whole.delivered(0)), (0, 1));
        // After each prefix of the log the packet is in flight. Prefixes that end between two events of the same
        // instant are left out.
        for cut in [2, 3, 4, 6, 7, 8] {
            let part = ledger(&events[..cut]);
            assert_eq!(part.check(), Ok(()), "cut at {cut}");
            assert_eq!((part.in_flight(0), part.delivered(0)), (1, 0));
        }
    }

    #[test]
    fn losses_balance() {
        let random = Some(DropCause::Random);
        let entry = ledger(&[(Send, A, None), (Drop, AB, random)]);
        assert_eq!((entry.check(), entry.in_flight(0)), (Ok(()), 0));
        let full = ledger(&[(Send, A, None), (Enqueue, AB, None), (Drop, AB, Some(DropCause::Queue))]);
        assert_eq!((full.check(), full.in_flight(0)), (Ok(()), 0));
        let wire = ledger(&[
            (Send, A, None),
            (Enqueue, AB, None),
            (Dequeue, AB, None),
            (Departed, AB, None),
            (Drop, AB, random),
        ]);
        assert_eq!((wire.check(), wire.in_flight(0)), (Ok(()), 0));
    }

    #[test]
    fn what_a_radio_network_has_balances() {
        let entered = [(Send, A, None), (Enqueue, AC, None)];
        let inside = ledger(&entered);
        assert_eq!((inside.check(), inside.in_flight(0), inside.delivered(0)), (Ok(()), 1, 0));
        let through = ledger(&[&entered[..], &[(Receive, AC, None)]].concat());
        assert_eq!((through.check(), through.in_flight(0), through.delivered(0)), (Ok(()), 0, 1));
        // The packet is lost at a station on the way.
        let lost = [(Drop, Place::Node(NodeId(1)), Some(DropCause::RetryLimit))];
        let lost = ledger(&[&entered[..], &lost].concat());
        assert_eq!((lost.check(), lost.in_flight(0), lost.delivered(0)), (Ok(()), 0, 0));
        assert!(ledger(&[(Send, A, None), (Receive, AC, None)]).check().is_err(), "never entered");
    }

    #[test]
    fn what_vanishes_or_appears_is_found() {
        assert!(ledger(&[(Send, A, None)]).check().is_err(), "vanished before the queue");
        assert!(ledger(&[(Enqueue, AB, None)]).check().is_err(), "appeared in a queue");
        assert!(ledger(&[(Send, A, None), (Enqueue, AB, None), (Receive, AB, None)]).check().is_err());
        assert!(ledger(&[(Send, A, None), (Drop, AB, None)]).check().is_err(), "no cause");
        let message = ledger(&[(Enqueue, BC, None)]).check().unwrap_err();
        assert!(message[0].starts_with("packets of flow f at node b"), "{message:?}");
    }
}
