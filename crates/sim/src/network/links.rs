//! Passage of a packet over a link, and over the links that follow that link.

use crate::event::{Event, Kind, Rank};
use crate::losses::FlowLosses;
use crate::route::{FOLLOWS, RADIO};
use base::{DropCause, Instant, LinkId, Observation, Packet, PacketEvent, Place, Probe, Stamp};
use engine::EventQueue;
use metrics::{DropSequences, LinkStats};
use net::link::{Admission, Departure, Link};
use net::stepped::{Next, Stepped};
use net::wire::Wire;

/// A link with its counters and its wire. It takes two cache lines, which processors fetch as a pair.
#[derive(Clone)]
#[repr(align(128))]
pub(crate) struct Hop {
    pub link: Link,
    pub stats: LinkStats,
    pub wire: Wire,
}

/// Next arrival of a packet, and the packet's position on its route.
#[derive(Clone, Copy)]
pub(crate) struct Flight {
    pub over: LinkId,
    pub arrives: Stamp,
    /// Time since which the cause of the transmission had been pending, for the arrival's rank.
    pub cause: Instant,
    /// Index in the table of routes.
    pub route: u32,
    /// Entry of the table of routes at index `route`: a link, a radio crossing, a proxy, or the end.
    pub next: u32,
}

/// Links and routes, with their counters.
#[derive(Clone)]
pub(crate) struct Links {
    pub hops: Vec<Hop>,
    /// Table of routes: for each flow the way to its destination, then the way back. An entry is a link, a radio
    /// crossing ([`RADIO`](crate::route::RADIO)) or a stop at a proxy ([`PROXY`](crate::route::PROXY)); each way ends
    /// with [`END`](crate::route::END). The entry of a link that follows another has the bit [`FOLLOWS`].
    pub routes: Vec<u32>,
    pub losses: Vec<FlowLosses>,
    /// Sequences of drops and marks at each link and node, for the digest of the run's drops.
    pub drops: DropSequences,
    /// Packet that a link has just delayed before its queue (reordering): the link, and the stamp at which it goes
    /// on.
    pub held: Option<(LinkId, Stamp)>,
    pub end: Instant,
}

impl Links {
    /// Moves `packet`, which enters link `at` at `stamp`, over this link and those that follow. Returns its next
    /// arrival; `None` if the packet waits, is held, is lost, or would arrive after the end of the run.
    #[inline(always)]
    pub(super) fn travel<P: Probe>(
        &mut self,
        mut stamp: Stamp,
        mut at: u32,
        packet: &Packet,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) -> Option<Flight> {
        // The index is kept in a local variable, since reading the packet right after writing it would make the
        // processor wait.
        let mut route = packet.route;
        loop {
            let hop = &mut self.hops[at as usize];
            let (arrives, cause) = match hop.link.depart(stamp, packet) {
                Some(departure) => {
                    hop.count(stamp, departure, LinkId(at), packet, self.end, probe);
                    (hop.link.arrival(departure.departs), departure.cause)
                }
                None => self.pass_specially(stamp, LinkId(at), packet, queue, probe)?,
            };
            route += 1;
            let next = self.routes[route as usize];
            let follower = next.wrapping_sub(FOLLOWS);
            // Entries of followers are those from FOLLOWS to RADIO - 1.
            if follower >= RADIO - FOLLOWS {
                return Some(Flight { over: LinkId(at), arrives, cause, route, next });
            }
            if arrives.at > self.end {
                return None;
            }
            if P::PACKETS {
                probe.packet(arrives, PacketEvent::Receive, Place::Link(LinkId(at)), packet, None);
            }
            stamp = arrives;
            at = follower;
        }
    }

    /// Handles the arrival of a packet that [`Link::depart`] does not take. Returns the packet's arrival at the far end,
    /// with the cause of its transmission; `None` if it waits at a stepped link, is delayed before the queue, or is lost.
    #[cold]
    #[inline(never)]
    fn pass_specially<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: LinkId,
        packet: &Packet,
        queue: &mut EventQueue<Event>,
        probe: &mut P,
    ) -> Option<(Stamp, Instant)> {
        let hop = &mut self.hops[at.index()];
        match hop.link.admit(stamp, packet) {
            Admission::Departs(departure) => {
                hop.count(stamp, departure, at, packet, self.end, probe);
                let arrives = hop.link.arrival(departure.departs);
                let Some(cause) = hop.link.lose_on_wire(packet) else {
                    return Some((arrives, departure.cause));
                };
                self.lose(arrives, at, packet, cause, probe);
            }
            Admission::Waiting => {
                if P::PACKETS {
                    probe.packet(stamp, PacketEvent::Enqueue, Place::Link(at), packet, None);
                }
                self.book(stamp, at, probe);
                self.begin(stamp.at, at, queue, probe);
            }
            Admission::Held(delay) => self.held = Some((at, Stamp::new(stamp.at + delay, stamp.at))),
            Admission::Dropped(cause) => {
                if P::PACKETS && cause == DropCause::Queue {
                    probe.packet(stamp, PacketEvent::Enqueue, Place::Link(at), packet, None);
                }
                self.lose(stamp, at, packet, cause, probe);
            }
        }
        None
    }

    /// Begins the next transmission of a stepped link if a packet waits, or schedules it for later; records the drops
    /// and marks of the link's queue.
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

    /// Records the drops and marks of a stepped link's queue since the last call.
    fn book<P: Probe>(&mut self, stamp: Stamp, at: LinkId, probe: &mut P) {
        let hop = &mut self.hops[at.index()];
        let Some(stepped) = hop.link.stepped_mut() else { return };
        let length = stepped.queued();
        let mut decisions = std::mem::take(&mut stepped.decisions);
        hop.stats.on_length(length);
        for packet in decisions.marked.drain(..) {
            self.hops[at.index()].stats.on_marked();
            self.losses[packet.flow.index()].marked += u64::from(packet.is_forward());
            self.drops.add(Place::Link(at), &packet, None);
            if P::PACKETS {
                probe.packet(stamp, PacketEvent::Mark, Place::Link(at), &packet, None);
            }
        }
        for (held, cause) in decisions.dropped.drain(..) {
            self.hops[at.index()].stats.on_held(held.arrived, stamp.at);
            self.lose(stamp, at, &held.packet, cause, probe);
        }
        // Give the vectors back to the link, so that their memory is reused.
        if let Some(stepped) = self.hops[at.index()].link.stepped_mut() {
            stepped.decisions = decisions;
            if probe.watches_queues() {
                stepped.variables(&mut |variable, value| {
                    probe.observe(stamp.at, Observation::QueueVariable(Place::Link(at), variable, value));
                });
            }
        }
    }

    #[cold]
    pub(super) fn lose<P: Probe>(
        &mut self,
        stamp: Stamp,
        at: LinkId,
        packet: &Packet,
        cause: DropCause,
        probe: &mut P,
    ) {
        // A loss after the end of the run is not counted.
        if stamp.at > self.end {
            return;
        }
        self.hops[at.index()].stats.on_drop(cause);
        self.lose_at(stamp, Place::Link(at), packet, cause, probe);
    }

    pub(super) fn lose_at<P: Probe>(
        &mut self,
        stamp: Stamp,
        place: Place,
        packet: &Packet,
        cause: DropCause,
        probe: &mut P,
    ) {
        self.losses[packet.flow.index()].on_lost(stamp.at, place, packet, cause);
        self.drops.add(place, packet, Some(cause));
        probe.packet(stamp, PacketEvent::Drop, place, packet, Some(cause));
    }
}

impl Hop {
    /// Counts a packet that joins the queue of link `at` at `stamp` and whose departure is known; reports it to the probe.
    #[inline(always)]
    fn count<P: Probe>(
        &mut self,
        stamp: Stamp,
        Departure { departs, .. }: Departure,
        at: LinkId,
        packet: &Packet,
        end: Instant,
        probe: &mut P,
    ) {
        self.stats.on_admitted(stamp.at, [departs.since, departs.at], packet.wire, end);
        if P::PACKETS {
            passed(stamp, departs, Place::Link(at), packet, probe);
        }
    }
}

/// Reports to the probe a packet that joined a queue at `stamp` and whose transmission ends at `departs`.
#[inline]
fn passed<P: Probe>(stamp: Stamp, departs: Stamp, place: Place, packet: &Packet, probe: &mut P) {
    probe.packet(stamp, PacketEvent::Enqueue, place, packet, None);
    let begins = Stamp::new(departs.since, stamp.at.max(stamp.since));
    probe.packet(begins, PacketEvent::Dequeue, place, packet, None);
    probe.packet(departs, PacketEvent::Departed, place, packet, None);
}

/// Returns the rank of an arrival; its transmission began at `arrives.since`, and the cause of this transmission had
/// been pending since `cause`.
#[inline]
pub(super) fn rank(arrives: Stamp, cause: Instant) -> Rank {
    Rank::of_cause(arrives.since.since(cause).ps())
}
