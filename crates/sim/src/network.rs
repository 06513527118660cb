//! Links and routes of a run: carries a packet to its next event, and records what happens to it.
//!
//! Four measures save events. A FIFO link computes a departure when the packet arrives ([`net::link`]). Of the
//! packets on a wire, only the first has a pending event. If a link gets packets from a single other link, it
//! *follows* that link: packets arrive in the order of departures there, so the passage of both is computed at once.
//! An end of a connection may process a packet when its last link admits it ([`crate::early_delivery`]).
//!
//! A radio network on a route is a stop, like a gateway ([`crate::radios`]).

mod links;

pub(crate) use links::{Flight, Hop, Links};

use crate::event::{Event, Kind, Rank};
use crate::radios::Radios;
use crate::route::{END, FOLLOWS, RADIO};
use base::{CrossingId, DropCause, Instant, LinkId, Packet, PacketEvent, Place, Probe, Stamp};
use engine::EventQueue;
use links::rank;
use net::stepped::{Delivery, Stepped};
use net::wire::{InFlight, Landed, Pool};

/// Links, routes and radio networks, with the packets on the wires.
#[derive(Clone)]
pub(crate) struct Network {
    pub links: Links,
    pub radios: Radios,
    /// Packets on the wires, and the one that has just landed.
    pub flying: Pool,
}

impl Network {
    /// Carries `packet`, which enters its next link or radio network at `stamp`, up to its next event.
    #[inline(never)]
    pub(crate) fn forward<P: Probe>(
        &mut self,
        stamp: Stamp,
        packet: Packet,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        self.forward_inlined(stamp, packet, queue, probe);
    }

    /// Does the work of [`Network::forward`], for the callers that send most packets.
    #[inline(always)]
    pub(crate) fn forward_inlined<P: Probe>(
        &mut self,
        stamp: Stamp,
        packet: Packet,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        let route = packet.route;
        let landed = self.flying.land(packet);
        let at = self.links.routes[route as usize];
        if at >= RADIO {
            let packet = *self.flying.landed(landed);
            return self.cross(stamp, at & !RADIO, packet, queue, probe);
        }
        if let Some(flight) = self.carry_on(stamp, at, landed, queue, probe) {
            self.launch(flight, landed, queue);
        }
    }

    /// Carries the packet that has just landed over link `at` and the links that follow it. Returns the resulting
    /// flight, for [`Network::launch`]. Returns `None` if the packet waits, is held or lost, or would arrive after the
    /// end of the run. The packet stays in its slot.
    #[inline(always)]
    pub(crate) fn carry_on<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: u32,
        landed: Landed,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) -> Option<Flight> {
        let packet = self.flying.landed(landed);
        let flight = self.links.travel(stamp, at, packet, queue, probe);
        if flight.is_none() {
            self.hold_up(landed, queue);
        }
        flight
    }

    /// Schedules the packet that has just landed for later, if the link delays it before its queue (reordering).
    #[cold]
    fn hold_up(&mut self, landed: Landed, queue: &mut EventQueue<Event>) {
        if let Some((at, until)) = self.links.held.take() {
            let packet = *self.flying.landed(landed);
            self.launch_between(at, until, rank(until, until.since), packet, queue);
        }
    }

    /// Puts the packet that has just landed on the wire of the last link of `flight`.
    #[inline(always)]
    pub(crate) fn launch(&mut self, flight: Flight, landed: Landed, queue: &mut EventQueue<Event>) {
        let Flight { over, arrives, cause, route, .. } = flight;
        let rank = rank(arrives, cause);
        self.flying.landed_mut(landed).route = route;
        if self.flying.push_landed(&mut self.links.hops[over.index()].wire, landed, arrives, rank.0) {
            queue.push(arrives, Event::arrive(over, rank));
        }
    }

    /// Removes the first packet from the wire of link `at`, if it arrives at `stamp`. Returns `None` if it does not:
    /// the packet of this event was lost in an outage, or has been overtaken. Neither happens on a link without losses that
    /// computes departures in advance.
    #[inline(always)]
    pub(crate) fn arrive<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: LinkId,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) -> Option<Landed> {
        let Hop { wire, link, .. } = &mut self.links.hops[at.index()];
        let special = link.is_special();
        debug_assert!(special || self.flying.first(wire).is_some_and(|first| first.0 == stamp));
        if special && self.flying.first(wire)?.0 != stamp {
            return None;
        }
        let (landed, next) = self.flying.pop_with_next(wire)?;
        if let Some((next, rank)) = next {
            queue.push(next, Event::arrive(at, Rank(rank)));
        }
        // A packet whose next link is this link itself was held before the link's queue.
        let held = special && self.next(self.flying.landed(landed)) == at.0;
        if held {
            self.links.hops[at.index()].link.let_pass();
        }
        if P::PACKETS && !held {
            let packet = self.flying.landed(landed);
            probe.packet(stamp, PacketEvent::Receive, Place::Link(at), packet, None);
        }
        Some(landed)
    }

    /// Returns the next entry on the route of `packet`: a link, a radio crossing ([`RADIO`]), a proxy
    /// ([`PROXY`](crate::route::PROXY)), or the end ([`END`]).
    #[inline]
    pub(crate) fn next(&self, packet: &Packet) -> u32 {
        self.links.routes[packet.route as usize]
    }

    /// Passes `packet` to the radio network that it crosses next.
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

    /// Completes a call of radio network `radio`: records the packets that it has marked or lost in the call,
    /// reports its queues if the probe watches them, and schedules the next call.
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

    /// Records the packets that a radio network has marked or lost, and reports its queues to the probe.
    #[inline(never)]
    fn book_radio<P: Probe>(&mut self, stamp: Stamp, radio: u32, probe: &mut P) {
        for (node, packet) in self.radios.take_marked(radio) {
            let place = Place::Node(self.radios.node(radio, node));
            self.links.losses[packet.flow.index()].marked += u64::from(packet.is_forward());
            self.links.drops.add(place, &packet, None);
            if P::PACKETS {
                probe.packet(stamp, PacketEvent::Mark, place, &packet, None);
            }
        }
        if probe.watches_queues() {
            self.radios.tell(stamp.at, radio, probe);
        }
        let mut lost = self.radios.take_lost(radio);
        for (node, packet, cause) in lost.drain(..) {
            let place = Place::Node(self.radios.node(radio, node));
            self.links.lose_at(stamp, place, &packet, cause, probe);
        }
        self.radios.give_back_lost(radio, lost);
    }

    /// Begins the transmission of a packet that waits at a stepped link.
    #[cold]
    pub(crate) fn wake<P: Probe>(
        &mut self,
        now: Instant,
        at: LinkId,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        if let Some(stepped) = self.links.hops[at.index()].link.stepped_mut() {
            stepped.woken(now);
        }
        self.links.begin(now, at, queue, probe);
    }

    /// Ends the transmission of a stepped link at `stamp`: the packet goes on the wire, twice if duplicated, or is
    /// lost.
    #[cold]
    pub(crate) fn depart<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: LinkId,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) {
        let hop = &mut self.links.hops[at.index()];
        let Some(Delivery { mut packet, arrives, twice }) = hop.link.end(stamp) else { return };
        if P::PACKETS {
            probe.packet(stamp, PacketEvent::Departed, Place::Link(at), &packet, None);
        }
        if let Some(cause) = hop.link.lose_on_wire(&packet) {
            self.links.lose(arrives, at, &packet, cause, probe);
        } else {
            if twice {
                hop.stats.on_duplicated();
                self.links.losses[packet.flow.index()].on_duplicated(&packet);
                if P::PACKETS {
                    probe.packet(stamp, PacketEvent::Duplicate, Place::Link(at), &packet, None);
                }
            }
            packet.route += 1;
            for _ in 0..=usize::from(twice) {
                self.launch_between(at, arrives, rank(arrives, stamp.since), packet, queue);
            }
        }
        self.links.begin(stamp.at, at, queue, probe);
    }

    /// Inserts `packet` into the wire of link `at` by its time of arrival; it may overtake packets there.
    fn launch_between(
        &mut self,
        at: LinkId,
        arrives: Stamp,
        rank: Rank,
        packet: Packet,
        queue: &mut EventQueue<Event>,
    ) {
        let flying = InFlight { arrives, rank: rank.0, packet };
        // If the packet overtakes the first packet on the wire, that packet gets a second event when it is first again.
        // The later of its two events finds another packet or none, and is ignored.
        if self.flying.insert(&mut self.links.hops[at.index()].wire, flying) {
            queue.push(arrives, Event::arrive(at, rank));
        }
    }

    /// Takes a link down: the packet in transmission and the packets on the link's wire are lost; queued packets stay.
    pub(crate) fn take_down<P: Probe>(&mut self, now: Instant, at: LinkId, probe: &mut P) {
        let stamp = Stamp::new(now, now);
        while let Some(landed) = self.flying.pop(&mut self.links.hops[at.index()].wire) {
            let packet = *self.flying.landed(landed);
            self.links.lose(stamp, at, &packet, DropCause::Outage, probe);
        }
        let in_transmission = self.links.hops[at.index()].link.stepped_mut().and_then(Stepped::take_down);
        if let Some(packet) = in_transmission {
            if P::PACKETS {
                probe.packet(stamp, PacketEvent::Departed, Place::Link(at), &packet, None);
            }
            self.links.lose(stamp, at, &packet, DropCause::Outage, probe);
        }
    }

    /// Completes the counters at the end of the run. Packets that still wait count as having waited until then.
    pub(crate) fn finish(&mut self) {
        self.radios.finish(self.links.end);
        for hop in &mut self.links.hops {
            hop.stats.on_length(hop.link.longest());
            if let Some(stepped) = hop.link.stepped_mut() {
                stepped.left_behind().for_each(|arrived| hop.stats.on_held(arrived, self.links.end));
            }
        }
    }
}

/// Returns the table of routes with the bit [`FOLLOWS`] in the entries of links that follow another link.
pub(crate) fn mark_followers(mut routes: Vec<u32>, stepped: &[bool]) -> Vec<u32> {
    let follows = followers(&routes, stepped);
    for hop in routes.iter_mut().filter(|hop| **hop < RADIO && follows[**hop as usize]) {
        *hop |= FOLLOWS;
    }
    routes
}

/// Returns for each link true if it follows another link, that is, if every route over it comes from one and the same
/// link and no route begins there. Stepped links neither follow nor are followed.
fn followers(routes: &[u32], stepped: &[bool]) -> Vec<bool> {
    const NEVER: u32 = u32::MAX - 1;
    let mut feeder = vec![END; stepped.len()];
    let mut before = NEVER;
    for &hop in routes {
        if hop >= RADIO {
            // Packets do not leave a gateway or a radio network in the order in which a single link delivered them.
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
    use crate::flow::{Connection, Flow};
    use crate::losses::FlowLosses;
    use crate::route::PROXY;
    use std::mem::offset_of;

    #[test]
    fn hops_and_flows_stay_small_and_aligned() {
        assert_eq!((size_of::<Hop>(), align_of::<Hop>()), (128, 128));
        assert_eq!((size_of::<Flow>(), align_of::<Flow>(), align_of::<Connection>()), (512, 64, 64));
        // Nothing else is allocated for an idle TCP flow; its configuration is shared.
        let flow = size_of::<Flow>() + size_of::<Connection>();
        let idle = flow + size_of::<FlowLosses>();
        assert!(idle <= 1568, "{idle} bytes");
        let ends = [size_of::<tcp::Sender>(), size_of::<tcp::Receiver>()];
        assert_eq!(ends, [640, 192], "bytes");
        // Each end has a cache line of its own for what lies outside of `tcp`.
        let lines = [offset_of!(Connection, receiver_timer), offset_of!(Connection, sender_timer)];
        assert_eq!(lines, [640, 704]);
        assert_eq!(offset_of!(Flow, stats), 64);
    }

    #[test]
    fn a_link_follows_its_only_feeder() {
        // The routes of two flows begin on links 0 and 1, share link 2, and then part to links 3 and 4.
        let routes = [0, 2, 3, END, 1, 2, 4, END];
        assert_eq!(followers(&routes, &[false; 5]), [false, false, false, true, true]);
        assert_eq!(followers(&routes, &[false, false, true, false, false]), [false; 5]);
        let relayed = [0, 2, PROXY, 3, END, 1, 2, 4, END];
        assert_eq!(followers(&relayed, &[false; 5]), [false, false, false, false, true]);
        let aired = [0, 2, RADIO | 7, 3, END, 1, 2, 4, END];
        assert_eq!(followers(&aired, &[false; 5]), [false, false, false, false, true]);
    }
}
