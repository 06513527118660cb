//! Early delivery: an end of a connection processes a packet when the last link admits it, before it arrives.
//!
//! A FIFO link knows a packet's time of arrival as soon as it admits the packet. If nothing else can happen to the
//! host before that time, the host may process the packet at once with that time as its clock, which saves the event
//! of the arrival. An end of a TCP connection may do so if
//!
//! - all links of the connection, in both directions, compute their departures in advance, so that its packets keep
//!   their order, and no event of the scenario changes these links;
//! - no other flow uses the first link on the way back, so that no other packet enters that link in between;
//! - at least one link after the first on the way to this end has its own events, because it does not follow
//!   another link (see `network`): otherwise two hosts could answer each other in advance without end;
//! - none of this end's own events (a timer, the flow's stop) is pending before the arrival, and no packet whose
//!   arrival is an event is still on its way to this end.
//!
//! The first three conditions depend on the network and are checked once, in [`allow`]. The last is checked for each
//! packet. The end and its links then see the same packets at the same times in the same order as without early
//! delivery, so that results are equal to the last bit. The number of handled events in the results includes the
//! events that are saved.
//!
//! Early delivery is used only in runs that are not stopped in between and record no packets: an observer would see
//! the future.

use crate::arrivals::{take_ack, take_segment};
use crate::event::{self, Event};
use crate::flow::{Connection, EarlyDelivery, Flow, Kind};
use crate::network::{Flight, Links, Network};
use crate::route::{END, FOLLOWS, RADIO};
use crate::world::World;
use base::{Body, Instant, LinkId, Probe, Stamp};
use engine::EventQueue;
use net::wire::Landed;

/// Marks the ends of connections for which the network allows early delivery.
pub(crate) fn allow(network: &Network, flows: &mut [Flow]) {
    let Links { hops, routes, .. } = &network.links;
    let link = |hop: u32| (hop < RADIO).then_some((hop & !FOLLOWS) as usize);
    let way = |start: u32| routes[start as usize..].iter().copied().take_while(|hop| *hop != END);
    // Number of flows' routes that use each link, in either direction of the flow.
    let mut uses = vec![0u32; hops.len()];
    let starts = flows.iter().flat_map(|flow| [flow.there, flow.back]);
    starts.flat_map(way).filter_map(link).for_each(|hop| uses[hop] += 1);
    for flow in flows {
        let (there, back) = (flow.there, flow.back);
        let Kind::Tcp(connection) = &mut flow.kind else { continue };
        let plain = |hop: u32| link(hop).is_some_and(|hop| !hops[hop].link.is_stepped());
        if connection.writing.is_some() || ![there, back].into_iter().flat_map(way).all(plain) {
            continue;
        }
        let event_on = |start: u32| way(start).skip(1).any(|hop| hop & FOLLOWS == 0);
        let own_first = |start: u32| way(start).next().is_some_and(|hop| uses[hop as usize] == 1);
        connection.receives.allowed = event_on(there) && own_first(back);
        connection.returns.allowed = event_on(back) && own_first(there);
    }
}

impl<P: Probe> World<P> {
    /// Handles the arrival of the first packet on the wire of link `at`, unless the event is out of date.
    #[inline(always)]
    pub(crate) fn arrive(&mut self, stamp: Stamp, at: LinkId, queue: &mut EventQueue<Event>) {
        let Some(landed) = self.network.arrive(stamp, at, queue, &mut self.probe) else { return };
        let packet = self.network.flying.landed(landed);
        let next = self.network.next(packet);
        if next >= RADIO {
            return self.pass_on(stamp, landed, queue);
        }
        let flight = self.network.carry_on(stamp, next, landed, queue, &mut self.probe);
        if let Some(flight) = flight
            && !self.deliver_early(flight, landed, queue)
        {
            self.network.launch(flight, landed, queue);
        }
    }

    /// Delivers early the packet that has just landed, if `flight` ends at the packet's destination and early delivery
    /// is possible; returns true if it did. If only the present state of this end forbids early delivery, counts the
    /// packet in `waiting`.
    // Most packets that arrive come this way. Packet and flow are therefore looked up once, and the two usual kinds of
    // packets are passed to their ends here; `deliver` does the same for all kinds.
    #[inline(always)]
    fn deliver_early(&mut self, flight: Flight, landed: Landed, queue: &mut EventQueue<Event>) -> bool {
        if P::PACKETS || P::VARIABLES || flight.next != END {
            return false;
        }
        let stamp = flight.arrives;
        let packet = self.network.flying.landed(landed);
        let at = packet.flow.0;
        let general = self.is_in_session(at) || packet.ecn.is_capable();
        let flow = &mut self.flows[at as usize];
        let Kind::Tcp(connection) = &mut flow.kind else { return false };
        let in_run = stamp.at <= self.network.links.end;
        match &packet.body {
            Body::Data(segment) => {
                let free = in_run && connection.receiver_is_free(stamp.at);
                if !connection.receives.takes(free) {
                    return false;
                }
                if connection.receiver_timer.due() <= stamp.at {
                    // The event was scheduled for a delayed ACK whose data has been acknowledged since.
                    if let Some(due) = connection.receiver_timer.pass(connection.receiver.timer()) {
                        queue.push(due, Event::new(event::Kind::ReceiverTimer, at));
                    }
                }
                self.elided_events += 1;
                if general {
                    self.deliver(stamp, landed, queue);
                } else {
                    // No end with an application that writes is allowed early delivery.
                    take_segment(flow, stamp, packet, segment);
                    flow.pump_receiver_inlined(stamp, &mut self.network, queue, &mut self.probe);
                }
            }
            Body::Ack(ack) => {
                let free = in_run && connection.sender_is_free(stamp.at, flow.stop);
                if !connection.returns.takes(free) {
                    return false;
                }
                self.elided_events += 1;
                if general {
                    self.deliver(stamp, landed, queue);
                } else {
                    take_ack(flow, stamp, packet, ack, &mut self.probe);
                    self.pump_sender_inlined(stamp, at, queue);
                }
            }
            // A TCP endpoint gets no datagrams or replies.
            Body::Datagram { .. } | Body::Reply { .. } | Body::Real(_) => return false,
        }
        true
    }
}

impl EarlyDelivery {
    /// Returns true if a packet can be delivered early at this end, which is `free` of events up to then. If only the
    /// present state forbids it, counts the packet in `waiting`.
    #[inline(always)]
    fn takes(&mut self, free: bool) -> bool {
        let taken = self.allowed && self.waiting == 0 && free;
        if !taken {
            self.waiting += u32::from(self.allowed);
        }
        taken
    }
}

impl Connection {
    /// Returns true if the receiver has no event of its own, which is its timer, up to time `at`.
    #[inline(always)]
    fn receiver_is_free(&self, at: Instant) -> bool {
        self.receiver.timer().is_none_or(|timer| at < timer.at)
    }

    /// Returns true if the sender has no event of its own up to time `at`: its timer, a paced segment, or the flow's
    /// stop.
    #[inline(always)]
    fn sender_is_free(&self, at: Instant, stop: Instant) -> bool {
        at < self.sender_timer.due() && at < self.release.due() && at < stop
    }
}
