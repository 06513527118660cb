//! Early delivery: ends of connections that take their packets when the last link admits them, not when they arrive.
//!
//! A FIFO link knows an arrival as soon as it admits the packet. If nothing else can reach the host before then, it may
//! take the packet at once, as of that time, which saves the event of the arrival. That is so for an end of a TCP
//! connection if
//!
//! - all links of the connection, there and back, compute their departures ahead: its packets keep their order, and no
//!   change of the scenario reaches them;
//! - the first link of its answers is its own: no other packet comes to that link in between;
//! - some link on the way to it does not follow the one before, so that an event leads there: two hosts could otherwise
//!   answer each other ahead without end;
//! - none of its own events (a timer, its stop) is pending up to the arrival, and no packet that was left to an event
//!   is still on its way to it.
//!
//! The first three are properties of the network, found once here. The last is checked for each packet. One end and its
//! links then see the same as step by step, in the same order; so results are equal to the last bit. An event saved is
//! counted as one handled.
//!
//! Only a run that goes to its end without a stop does so: an observer in between would see the future.

use crate::event::{self, Event};
use crate::flow::{Connection, Flow, Kind};
use crate::network::{Flight, Links, Network};
use crate::route::{END, RADIO};
use crate::world::World;
use base::{Instant, LinkId, Probe, Stamp};
use engine::EventQueue;
use net::wire::Landed;

/// Finds the ends of connections that can take their packets ahead.
pub(crate) fn allow(network: &Network, flows: &mut [Flow]) {
    let Links { hops, follows, routes, .. } = &network.links;
    let way = |start: u32| routes[start as usize..].iter().copied().take_while(|hop| *hop != END);
    // Number of times that flows use each link; a route that two flows share counts twice.
    let mut uses = vec![0u32; hops.len()];
    let starts = flows.iter().flat_map(|flow| [flow.there, flow.back]);
    starts.flat_map(way).filter(|hop| *hop < RADIO).for_each(|hop| uses[hop as usize] += 1);
    for flow in flows {
        let (there, back) = (flow.there, flow.back);
        let Kind::Tcp(connection) = &mut flow.kind else { continue };
        let plain = |hop: u32| hop < RADIO && !hops[hop as usize].link.is_stepped();
        if connection.writing.is_some() || ![there, back].into_iter().flat_map(way).all(plain) {
            continue;
        }
        let event_on = |start: u32| way(start).skip(1).any(|hop| !follows[hop as usize]);
        let own_first = |start: u32| way(start).next().is_some_and(|hop| uses[hop as usize] == 1);
        connection.receives.allowed = event_on(there) && own_first(back);
        connection.returns.allowed = event_on(back) && own_first(there);
    }
}

impl<P: Probe> World<P> {
    /// Handles the arrival of the first packet on the wire of `at`.
    #[inline]
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

    /// Lets the end of the connection take the packet that has just landed ahead, if this is its last link and the end
    /// can; returns true if it did.
    #[inline]
    fn deliver_early(&mut self, flight: Flight, landed: Landed, queue: &mut EventQueue<Event>) -> bool {
        let packet = self.network.flying.landed(landed);
        if P::PACKETS || P::VARIABLES || flight.next != END {
            return false;
        }
        let flow = &mut self.flows[packet.flow.index()];
        let Kind::Tcp(connection) = &mut flow.kind else { return false };
        let at = flight.arrives.at;
        let forward = packet.is_forward();
        let early = connection.early_delivery(forward);
        if !early.allowed {
            return false;
        }
        if early.waiting > 0 || at > self.network.links.end || !connection.is_free(forward, at, flow.stop) {
            connection.early_delivery(forward).waiting += 1;
            return false;
        }
        if forward && connection.receiver_timer.due() <= at {
            // Armed long ago for data that has been acknowledged since.
            if let Some(due) = connection.receiver_timer.pass(connection.receiver.timer()) {
                queue.push(due, Event::new(event::Kind::ReceiverTimer, packet.flow.0));
            }
        }
        self.elided_events += 1;
        self.deliver(flight.arrives, landed, queue);
        true
    }
}

impl Connection {
    /// Returns true if none of its end's own events up to `at` matters to that end: timers, and the flow's stop.
    #[inline]
    fn is_free(&self, forward: bool, at: Instant, stop: Instant) -> bool {
        if forward {
            self.receiver.timer().is_none_or(|timer| at < timer.at)
        } else {
            at < self.sender_timer.due().min(self.release.due()).min(stop)
        }
    }
}
