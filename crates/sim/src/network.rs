//! Links and routes at work: carries a packet from where it is to its next stop, and books what happens to it.
//!
//! Four things save events. A FIFO link's departure is known at arrival ([`net::link`]). Only the first packet on each
//! wire is pending, however many fly. A link that is fed by just one other *follows* it: its arrivals are in the
//! order of that link's departures, so both are computed at once and the packet's next event is beyond it. And an end of a
//! connection may take a packet when its last link admits it ([`crate::ahead`]).
//!
//! A radio network on the way is a stop, like a gateway ([`crate::radios`]).

use crate::event::{Event, Kind, Rank};
use crate::losses::FlowLosses;
use crate::radios::Radios;
use crate::route::{END, RADIO};
use base::{CrossingId, DropCause, Instant, LinkId, Packet, PacketEvent, Place, Probe, Stamp};
use engine::EventQueue;
use metrics::LinkStats;
use net::link::{Admission, Link};
use net::stepped::{Delivery, Next, Stepped};
use net::wire::{InFlight, Landed, Pool, Wire};

/// A link with its counters and its wire: two cache lines, which processors fetch as a pair.
#[derive(Clone)]
#[repr(align(128))]
pub(crate) struct Hop {
    pub link: Link,
    pub stats: LinkStats,
    pub wire: Wire,
}

/// What is next to be known of a packet: when it arrives over which link.
#[derive(Clone, Copy)]
pub(crate) struct Flight {
    over: LinkId,
    pub arrives: Stamp,
    rank: Rank,
}

/// Links, radio networks and routes.
#[derive(Clone)]
pub(crate) struct Network {
    pub hops: Vec<Hop>,
    pub radios: Radios,
    /// Which links are fed by one and the same other link.
    pub follows: Vec<bool>,
    /// What is on the wires.
    pub flying: Pool,
    /// Every flow's way there and back: link after link, with crossings of radio networks ([`RADIO`]) and stops at gateways
    /// ([`RELAY`](crate::route::RELAY)), each way closed by [`END`].
    pub routes: Vec<u32>,
    pub losses: Vec<FlowLosses>,
    /// The packet that a link has just held up: which link, and until when.
    pub held: Option<(LinkId, Stamp)>,
    pub end: Instant,
}

impl Network {
    /// Carries `packet`, which is at the entry of its next link or radio network at `stamp`, as far as can be known now.
    #[inline]
    pub(crate) fn forward<P: Probe>(
        &mut self,
        stamp: Stamp,
        packet: &Packet,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        let at = self.routes[packet.route as usize];
        if at >= RADIO {
            return self.cross(stamp, at & !RADIO, *packet, queue, probe);
        }
        let landed = self.flying.land(packet);
        if let Some(flight) = self.carry_on(stamp, at, landed, queue, probe) {
            self.launch(flight, landed, queue);
        }
    }

    /// Carries the packet that has just landed over the link `at` and those that follow it. It stays where it lies: put it on
    /// the wire there with [`Network::launch`].
    #[inline]
    pub(crate) fn carry_on<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: u32,
        landed: Landed,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) -> Option<Flight> {
        let mut flying = std::mem::take(&mut self.flying);
        let flight = self.travel(stamp, at, flying.landed_mut(landed), queue, probe);
        self.flying = flying;
        if flight.is_none() {
            self.hold_up(landed, queue);
        }
        flight
    }

    /// If the packet that has just landed is held up, puts it aside until its time comes.
    #[cold]
    fn hold_up(&mut self, landed: Landed, queue: &mut EventQueue<Event>) {
        if let Some((at, until)) = self.held.take() {
            let packet = *self.flying.landed(landed);
            self.launch_between(at, until, rank(until, until.since), packet, queue);
        }
    }

    /// Puts the packet that has just landed on the wire that it goes over next.
    #[inline]
    pub(crate) fn launch(&mut self, flight: Flight, landed: Landed, queue: &mut EventQueue<Event>) {
        let Flight { over, arrives, rank } = flight;
        if self.flying.push_landed(&mut self.hops[over.index()].wire, landed, arrives, rank.0) {
            queue.push(arrives, Event::arrive(over, rank));
        }
    }

    /// Takes `packet` from the entry of the link `at` as far as can be known now; `None`: it waits there, is lost, or arrives past
    /// the end of the run.
    #[inline(always)]
    fn travel<P: Probe>(
        &mut self,
        mut stamp: Stamp,
        mut at: u32,
        packet: &mut Packet,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) -> Option<Flight> {
        loop {
            let hop = &mut self.hops[at as usize];
            let place = Place::Link(LinkId(at));
            let (departs, cause) = match hop.link.admit(stamp, packet) {
                Admission::Departs { departs, queued, cause } => {
                    let transmission = [departs.since, departs.at];
                    hop.stats.on_queued(stamp.at, transmission, packet.wire, queued, self.end);
                    if P::PACKETS {
                        passed(stamp, departs, place, packet, probe);
                    }
                    (departs, cause)
                }
                Admission::Waiting => {
                    if P::PACKETS {
                        probe.packet(stamp, PacketEvent::Enqueue, place, packet, None);
                    }
                    self.book(stamp, LinkId(at), probe);
                    self.begin(stamp.at, LinkId(at), queue, probe);
                    return None;
                }
                Admission::Held(delay) => {
                    self.held = Some((LinkId(at), Stamp::new(stamp.at + delay, stamp.at)));
                    return None;
                }
                Admission::Dropped(cause) => {
                    if P::PACKETS && cause == DropCause::Queue {
                        probe.packet(stamp, PacketEvent::Enqueue, place, packet, None);
                    }
                    self.lose(stamp, LinkId(at), packet, cause, probe);
                    return None;
                }
            };
            let arrives = hop.link.arrival(departs);
            if let Some(cause) = hop.link.lose_on_wire(packet) {
                self.lose(arrives, LinkId(at), packet, cause, probe);
                return None;
            }
            packet.route += 1;
            let next = self.routes[packet.route as usize];
            if next >= RADIO || !self.follows[next as usize] {
                return Some(Flight { over: LinkId(at), arrives, rank: rank(arrives, cause) });
            }
            if arrives.at > self.end {
                return None;
            }
            if P::PACKETS {
                probe.packet(arrives, PacketEvent::Receive, place, packet, None);
            }
            stamp = arrives;
            at = next;
        }
    }

    /// The first packet on the wire of `at` arrives; `None` where an outage took it.
    #[inline]
    pub(crate) fn arrive<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: LinkId,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) -> Option<Landed> {
        let wire = &mut self.hops[at.index()].wire;
        if self.flying.first(wire)?.0 != stamp {
            return None;
        }
        let landed = self.flying.pop(wire)?;
        // What is on the wire of the link that it has yet to go over was held up before its queue.
        let held = self.next(self.flying.landed(landed)) == at.0;
        if held {
            self.hops[at.index()].link.let_pass();
        }
        let wire = &mut self.hops[at.index()].wire;
        if let Some((next, rank)) = self.flying.first_of_several(wire) {
            queue.push(next, Event::arrive(at, Rank(rank)));
        }
        if P::PACKETS && !held {
            let packet = self.flying.landed(landed);
            probe.packet(stamp, PacketEvent::Receive, Place::Link(at), packet, None);
        }
        Some(landed)
    }

    /// What is next on the route of `packet`: a link, a crossing ([`RADIO`]), a relay ([`RELAY`](crate::route::RELAY)), or nothing ([`END`]).
    #[inline]
    pub(crate) fn next(&self, packet: &Packet) -> u32 {
        self.routes[packet.route as usize]
    }

    /// Hands `packet` to a radio network, to cross it.
    #[inline(never)]
    fn cross<P: Probe>(
        &mut self,
        stamp: Stamp,
        crossing: u32,
        packet: Packet,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        if P::PACKETS {
            let place = Place::Radio(CrossingId(crossing));
            probe.packet(stamp, PacketEvent::Enqueue, place, &packet, None);
        }
        let radio = self.radios.send(stamp.at, crossing, packet);
        self.settle(stamp, radio, queue, probe);
    }

    /// Books what a radio network has lost, and sees to it that it is called when it wants to be.
    pub(crate) fn settle<P: Probe>(
        &mut self,
        stamp: Stamp,
        radio: u32,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        if self.radios.has_marked_or_lost(radio) || probe.watches_queues() {
            self.book_radio(stamp, radio, probe);
        }
        if let Some(due) = self.radios.arm(radio, stamp.at) {
            queue.push(due, Event::new(Kind::Radio, radio));
        }
    }

    /// Books what a radio network has marked and lost.
    #[inline(never)]
    fn book_radio<P: Probe>(&mut self, stamp: Stamp, radio: u32, probe: &mut P) {
        for (node, packet) in self.radios.take_marked(radio) {
            self.losses[packet.flow.index()].marked += u64::from(packet.is_forward());
            if P::PACKETS {
                let place = Place::Node(self.radios.node(radio, node));
                probe.packet(stamp, PacketEvent::Mark, place, &packet, None);
            }
        }
        if probe.watches_queues() {
            self.radios.tell(stamp.at, radio, probe);
        }
        let mut lost = self.radios.take_lost(radio);
        for (node, packet, cause) in lost.drain(..) {
            let place = Place::Node(self.radios.node(radio, node));
            self.lose_at(stamp, place, &packet, cause, probe);
        }
        self.radios.give_back_lost(radio, lost);
    }

    /// Stepped links: begins the next transmission, if there is one to begin.
    #[cold]
    pub(crate) fn begin<P: Probe>(
        &mut self,
        now: Instant,
        at: LinkId,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        let hop = &mut self.hops[at.index()];
        match hop.link.begin(now) {
            Next::Nothing => {}
            Next::Wake(then) => queue.push(Stamp::new(then, now), Event::new(Kind::Wake, at.0)),
            Next::Transmit { held, departs } => {
                let length = hop.link.stepped().map_or(0, Stepped::queued);
                let wire = held.packet.wire;
                hop.stats.on_queued(held.arrived, [now, departs.at], wire, length, self.end);
                if P::PACKETS {
                    let stamp = Stamp::new(now, now);
                    probe.packet(stamp, PacketEvent::Dequeue, Place::Link(at), &held.packet, None);
                }
                queue.push(departs, Event::new(Kind::Depart, at.0));
            }
        }
        self.book(Stamp::new(now, now), at, probe);
    }

    /// Stepped links: a packet that waits may go.
    #[cold]
    pub(crate) fn wake<P: Probe>(
        &mut self,
        now: Instant,
        at: LinkId,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        if let Some(stepped) = self.hops[at.index()].link.stepped_mut() {
            stepped.woken(now);
        }
        self.begin(now, at, queue, probe);
    }

    /// Stepped links: books what the queue has just done beside serving.
    fn book<P: Probe>(&mut self, stamp: Stamp, at: LinkId, probe: &mut P) {
        let hop = &mut self.hops[at.index()];
        let Some(stepped) = hop.link.stepped_mut() else { return };
        let length = stepped.queued();
        let mut decisions = std::mem::take(&mut stepped.decisions);
        hop.stats.on_length(length);
        for packet in decisions.marked.drain(..) {
            self.hops[at.index()].stats.on_marked();
            self.losses[packet.flow.index()].marked += u64::from(packet.is_forward());
            if P::PACKETS {
                probe.packet(stamp, PacketEvent::Mark, Place::Link(at), &packet, None);
            }
        }
        for (held, cause) in decisions.dropped.drain(..) {
            self.hops[at.index()].stats.on_held(held.arrived, stamp.at);
            self.lose(stamp, at, &held.packet, cause, probe);
        }
        // Back with its memory.
        if let Some(stepped) = self.hops[at.index()].link.stepped_mut() {
            stepped.decisions = decisions;
            if probe.watches_queues() {
                stepped.variables(&mut |variable, value| {
                    probe.queue_variable(stamp.at, Place::Link(at), variable, value);
                });
            }
        }
    }

    /// Stepped links: the transmission that ends at `stamp` ends.
    #[cold]
    pub(crate) fn depart<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: LinkId,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        let hop = &mut self.hops[at.index()];
        let Some(Delivery { mut packet, arrives, twice }) = hop.link.end(stamp) else { return };
        if P::PACKETS {
            probe.packet(stamp, PacketEvent::Departed, Place::Link(at), &packet, None);
        }
        if let Some(cause) = hop.link.lose_on_wire(&packet) {
            self.lose(arrives, at, &packet, cause, probe);
        } else {
            if twice {
                hop.stats.on_duplicated();
                self.losses[packet.flow.index()].on_duplicated(&packet);
                if P::PACKETS {
                    probe.packet(stamp, PacketEvent::Duplicate, Place::Link(at), &packet, None);
                }
            }
            packet.route += 1;
            for _ in 0..=usize::from(twice) {
                self.launch_between(at, arrives, rank(arrives, stamp.since), packet, queue);
            }
        }
        self.begin(stamp.at, at, queue, probe);
    }

    /// Puts `packet` on the wire of `at`, where packets may overtake.
    fn launch_between(
        &mut self,
        at: LinkId,
        arrives: Stamp,
        rank: Rank,
        packet: Packet,
        queue: &mut EventQueue<Event>,
    ) {
        let flying = InFlight { arrives, rank: rank.0, packet };
        // The arrival pending for the packet that was first comes too early then, and finds another packet or none.
        if self.flying.insert(&mut self.hops[at.index()].wire, flying) {
            queue.push(arrives, Event::arrive(at, rank));
        }
    }

    /// Takes a link down: what is on it is lost.
    pub(crate) fn take_down<P: Probe>(&mut self, now: Instant, at: LinkId, probe: &mut P) {
        let stamp = Stamp::new(now, now);
        while let Some(landed) = self.flying.pop(&mut self.hops[at.index()].wire) {
            let packet = *self.flying.landed(landed);
            self.lose(stamp, at, &packet, DropCause::Outage, probe);
        }
        let in_transmission = self.hops[at.index()].link.stepped_mut().and_then(Stepped::take_down);
        if let Some(packet) = in_transmission {
            if P::PACKETS {
                probe.packet(stamp, PacketEvent::Departed, Place::Link(at), &packet, None);
            }
            self.lose(stamp, at, &packet, DropCause::Outage, probe);
        }
    }

    /// Closes the books: what still waits at the end of the run has been there until then.
    pub(crate) fn finish(&mut self) {
        self.radios.finish(self.end);
        for hop in &mut self.hops {
            if let Some(stepped) = hop.link.stepped_mut() {
                stepped.left_behind().for_each(|arrived| hop.stats.on_held(arrived, self.end));
            }
        }
    }

    #[cold]
    fn lose<P: Probe>(&mut self, stamp: Stamp, at: LinkId, packet: &Packet, cause: DropCause, probe: &mut P) {
        // What happens past the end of the run did not happen.
        if stamp.at > self.end {
            return;
        }
        self.hops[at.index()].stats.on_drop(cause);
        self.lose_at(stamp, Place::Link(at), packet, cause, probe);
    }

    fn lose_at<P: Probe>(
        &mut self,
        stamp: Stamp,
        place: Place,
        packet: &Packet,
        cause: DropCause,
        probe: &mut P,
    ) {
        self.losses[packet.flow.index()].on_lost(stamp.at, place, packet, cause);
        probe.packet(stamp, PacketEvent::Drop, place, packet, Some(cause));
    }
}

/// Tells of a packet that joined a queue at `stamp` and whose transmission ends at `departs`.
#[inline]
fn passed<P: Probe>(stamp: Stamp, departs: Stamp, place: Place, packet: &Packet, probe: &mut P) {
    probe.packet(stamp, PacketEvent::Enqueue, place, packet, None);
    let begins = Stamp::new(departs.since, stamp.at.max(stamp.since));
    probe.packet(begins, PacketEvent::Dequeue, place, packet, None);
    probe.packet(departs, PacketEvent::Departed, place, packet, None);
}

/// The rank of an arrival whose transmission began at `arrives.since`, brought about by what was pending since `cause`.
#[inline]
fn rank(arrives: Stamp, cause: Instant) -> Rank {
    Rank::of_cause(arrives.since.since(cause).ps())
}

/// Which links follow another: every route that uses them comes from one and the same link, and none begins there.
/// Stepped links neither follow nor are followed.
pub(crate) fn followers(routes: &[u32], stepped: &[bool]) -> Vec<bool> {
    const NEVER: u32 = u32::MAX - 1;
    let mut feeder = vec![END; stepped.len()];
    let mut before = NEVER;
    for &hop in routes {
        if hop >= RADIO {
            // What leaves a gateway or a radio network does not leave in the order in which anything came there.
            before = NEVER;
            continue;
        }
        let known = &mut feeder[hop as usize];
        let from = if stepped[hop as usize] || (before != NEVER && stepped[before as usize]) {
            NEVER
        } else {
            before
        };
        *known = if *known == END || *known == from { from } else { NEVER };
        before = hop;
    }
    feeder.into_iter().map(|f| f != END && f != NEVER).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::RELAY;

    #[test]
    fn hops_and_flows_stay_small() {
        assert_eq!(size_of::<Hop>(), 128);
        // Nothing else is allocated for an idle TCP flow; its configuration is shared.
        let flow = size_of::<crate::flow::Flow>() + size_of::<crate::flow::Connection>();
        let idle = flow + size_of::<FlowLosses>();
        assert!(idle < 2000, "{idle} bytes");
    }

    #[test]
    fn a_link_follows_its_only_feeder() {
        // Two senders (0, 1) share 2, then part to 3 and 4.
        let routes = [0, 2, 3, END, 1, 2, 4, END];
        assert_eq!(followers(&routes, &[false; 5]), [false, false, false, true, true]);
        assert_eq!(followers(&routes, &[false, false, true, false, false]), [false; 5]);
        let relayed = [0, 2, RELAY, 3, END, 1, 2, 4, END];
        assert_eq!(followers(&relayed, &[false; 5]), [false, false, false, false, true]);
        let aired = [0, 2, RADIO | 7, 3, END, 1, 2, 4, END];
        assert_eq!(followers(&aired, &[false; 5]), [false, false, false, false, true]);
    }
}
