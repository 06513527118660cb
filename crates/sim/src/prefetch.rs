//! Prefetch: the data that the next events need is fetched into the processor's cache before they are handled.
//!
//! With thousands of flows, the data for a packet (its link, the packet, its flow's counters, an end of its
//! connection, the next links) has left the cache since the flow's last packet. An event finds each piece of data
//! through the one before, so it waits for memory several times. The events of a group are independent of each other.
//! The data is therefore fetched piece by piece for all events of a group at once, so that these waits overlap.
//! Results do not change, only the time that a run takes.

use crate::event::{Event, Kind as Pending};
use crate::flow::Kind;
use crate::route::{FOLLOWS, RADIO};
use crate::world::World;
use base::Probe;
use base::cache::fetch;

/// Number of flows below which all data stays in the cache.
const MANY: usize = 256;

/// Most events in a group.
const GROUP: usize = 16;

/// First packet on a wire, which arrives next.
#[derive(Clone, Copy, Default)]
struct Coming {
    flow: u32,
    route: u32,
    forward: bool,
}

impl<P: Probe> World<P> {
    /// Returns true if the run has so many flows that their data does not stay in the cache.
    pub(crate) fn is_large(&self) -> bool {
        self.flows.len() >= MANY
    }

    /// Fetches the data that the next events, `events`, need into the cache.
    // `inline` compiles this function with the run loop's crate, for speed (this crate is compiled for size); `cold`
    // keeps it out of the loop itself.
    #[inline]
    #[cold]
    pub(crate) fn prefetch(&self, events: impl Iterator<Item = Event>) {
        let network = &self.network;
        let (mut arrivals, mut count) = ([0; GROUP], 0);
        for event in events.take(GROUP) {
            let (kind, at) = event.decode();
            match kind {
                Pending::Arrive => {
                    fetch(&network.links.hops[at as usize].wire);
                    arrivals[count] = at as usize;
                    count += 1;
                }
                Pending::SenderTimer | Pending::ReceiverTimer => fetch(&self.flows[at as usize].kind),
                _ => {}
            }
        }
        let arrivals = &arrivals[..count];
        for &at in arrivals {
            network.flying.fetch_first(&network.links.hops[at].wire);
        }
        let (mut packets, mut count) = ([Coming::default(); GROUP], 0);
        for &at in arrivals {
            if let Some(packet) = network.flying.foresee(&network.links.hops[at].wire) {
                fetch(&self.flows[packet.flow.index()].kind);
                fetch(&network.links.routes[packet.route as usize]);
                packets[count] =
                    Coming { flow: packet.flow.0, route: packet.route, forward: packet.is_forward() };
                count += 1;
            }
        }
        let packets = &packets[..count];
        for coming in packets {
            self.fetch_ways(coming);
        }
        for coming in packets {
            self.fetch_rest(coming);
        }
    }

    /// Fetches the next links of a packet, its flow, the end of the connection at which it arrives, and the first
    /// link of the answer.
    #[inline(always)]
    fn fetch_ways(&self, &Coming { flow, route, forward }: &Coming) {
        let flow = &self.flows[flow as usize];
        if self.fetch_hop(route) {
            self.fetch_hop(route + 1);
        }
        if let Kind::Tcp(connection) = &flow.kind {
            if forward {
                connection.receiver.fetch();
            } else {
                connection.sender.fetch();
                fetch(&connection.sender_timer);
            }
            fetch(&connection.round_trips);
        }
        flow.stats.fetch(forward);
        self.fetch_hop(if forward { flow.back } else { flow.there });
    }

    /// Prefetches the data behind the pointers in the data that were prefetched before.
    #[inline(always)]
    fn fetch_rest(&self, &Coming { flow, forward, .. }: &Coming) {
        let flow = &self.flows[flow as usize];
        flow.stats.fetch_counts(forward);
        if let Kind::Tcp(connection) = &flow.kind
            && !forward
        {
            connection.round_trips.fetch();
            connection.sender.fetch_rest();
            // If the window opens by several segments, these find the first link busy and use its queue.
            let first = self.network.links.routes[flow.there as usize];
            if first < RADIO {
                self.network.links.hops[first as usize].link.fetch_rest();
            }
        }
    }

    /// Fetches the link at an index in the table of routes; returns true if that entry is a link.
    #[inline(always)]
    fn fetch_hop(&self, route: u32) -> bool {
        let at = self.network.links.routes[route as usize];
        if at < RADIO {
            fetch(&self.network.links.hops[(at & !FOLLOWS) as usize]);
        }
        at < RADIO
    }
}
