//! Wires: the packets in flight on every link. Each wire is a linked list, and all lists share one pool of
//! slots.
//!
//! A ring buffer per link would keep memory for the largest number of packets ever on that link, for each of
//! thousands of links. The pool keeps memory for the largest number of packets in flight at one
//! time on all wires. The slot that was freed last is used first, while it is in the cache.

use base::cache::fetch;
use base::{Packet, Stamp};

const NONE: u32 = u32::MAX;

/// A packet on a wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InFlight {
    /// Arrival at the far end; `since` is the beginning of the transmission.
    pub arrives: Stamp,
    /// Order among arrivals with equal stamps; equal to the rank of the arrival event.
    pub rank: u32,
    /// The packet.
    pub packet: Packet,
}

/// The packets on one link, first in, first out. A wire may be used with one [`Pool`] only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wire {
    first: u32,
    /// Slot of the last packet; valid only if the wire is not empty.
    last: u32,
}

impl Wire {
    /// A wire with nothing in flight.
    pub const EMPTY: Self = Self { first: NONE, last: NONE };

    /// Returns true if nothing is in flight.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.first == NONE
    }
}

/// A slot of the pool: a packet in flight, or free. 96 bytes; a test checks size and alignment. Aligned to half a
/// cache line, a slot lies in two lines; less aligned it could lie in three.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Node {
    arrives: Stamp,
    packet: Packet,
    rank: u32,
    /// Next slot on the same wire, or next free slot.
    next: u32,
}

/// Slot of the packet that [`Pool::pop`] took off its wire or [`Pool::land`] stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Landed(u32);

/// Slots of all wires.
#[derive(Clone, Debug)]
pub struct Pool {
    nodes: Vec<Node>,
    /// Slot that was freed last: the head of the list of free slots.
    free: u32,
}

impl Default for Pool {
    fn default() -> Self {
        Self { nodes: Vec::new(), free: NONE }
    }
}

impl Pool {
    /// Appends a packet to `wire`; returns true if the wire was empty.
    #[inline]
    pub fn push(&mut self, wire: &mut Wire, flying: InFlight) -> bool {
        let InFlight { arrives, rank, packet } = flying;
        let node = Node { arrives, packet, rank, next: NONE };
        let at = self.free;
        let at = match self.nodes.get_mut(at as usize) {
            Some(place) => {
                self.free = place.next;
                *place = node;
                at
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
        };
        self.append(wire, at)
    }

    #[inline(always)]
    fn append(&mut self, wire: &mut Wire, at: u32) -> bool {
        let only = wire.is_empty();
        if only {
            wire.first = at;
        } else {
            self.nodes[wire.last as usize].next = at;
        }
        wire.last = at;
        only
    }

    /// Inserts a packet into `wire` by its arrival, after packets that arrive earlier or at the same time.
    /// Returns true if it is now the first.
    pub fn insert(&mut self, wire: &mut Wire, flying: InFlight) -> bool {
        let key = flying.arrives.key();
        if wire.is_empty() || self.nodes[wire.last as usize].arrives.key() <= key {
            return self.push(wire, flying);
        }
        // At least one packet on the wire arrives later; the new packet is inserted before the first of them.
        let (mut before, mut after) = (NONE, wire.first);
        while self.nodes[after as usize].arrives.key() <= key {
            before = after;
            after = self.nodes[after as usize].next;
        }
        let mut alone = Wire::EMPTY;
        self.push(&mut alone, flying);
        self.nodes[alone.first as usize].next = after;
        match self.nodes.get_mut(before as usize) {
            Some(node) => node.next = alone.first,
            None => wire.first = alone.first,
        }
        before == NONE
    }

    /// Returns arrival and rank of the first packet on `wire`, and prefetches the packet behind it.
    #[inline(always)]
    fn first_of_several(&self, wire: &Wire) -> Option<(Stamp, u32)> {
        let node = self.nodes.get(wire.first as usize)?;
        if let Some(next) = self.nodes.get(node.next as usize) {
            fetch(next);
        }
        Some((node.arrives, node.rank))
    }

    /// Returns arrival and rank of the first packet on `wire`.
    #[inline]
    pub fn first(&self, wire: &Wire) -> Option<(Stamp, u32)> {
        self.nodes.get(wire.first as usize).map(|node| (node.arrives, node.rank))
    }

    /// Prefetches the first packet on `wire`.
    #[inline]
    pub fn fetch_first(&self, wire: &Wire) {
        if let Some(node) = self.nodes.get(wire.first as usize) {
            fetch(node);
        }
    }

    /// Returns the first packet on `wire`, and prefetches the packet behind it.
    #[inline]
    pub fn foresee(&self, wire: &Wire) -> Option<&Packet> {
        let node = self.nodes.get(wire.first as usize)?;
        if let Some(next) = self.nodes.get(node.next as usize) {
            fetch(next);
        }
        Some(&node.packet)
    }

    /// Takes the first packet off `wire`. The packet stays in its slot to avoid copying; the slot counts as
    /// free, and the next packet that is pushed overwrites it.
    #[inline(always)]
    pub fn pop(&mut self, wire: &mut Wire) -> Option<Landed> {
        let at = wire.first;
        let node = self.nodes.get_mut(at as usize)?;
        wire.first = std::mem::replace(&mut node.next, self.free);
        self.free = at;
        Some(Landed(at))
    }

    /// Takes the first packet off `wire` as [`Pool::pop`] does. Returns with its slot the arrival and rank of the packet
    /// behind it, which is then the first; prefetches the packet behind that one.
    #[inline(always)]
    pub fn pop_with_next(&mut self, wire: &mut Wire) -> Option<(Landed, Option<(Stamp, u32)>)> {
        let landed = self.pop(wire)?;
        Some((landed, self.first_of_several(wire)))
    }

    /// Copies a packet into a free slot, as if [`Pool::pop`] had just taken it off a wire; returns the slot.
    #[inline(always)]
    pub fn land(&mut self, packet: Packet) -> Landed {
        if self.free as usize >= self.nodes.len() {
            self.grow();
        }
        // Uses `packet` only once: with a second use the compiler would build the packet elsewhere and copy
        // it.
        self.nodes[self.free as usize].packet = packet;
        Landed(self.free)
    }

    /// Adds a free slot.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.free = self.nodes.len() as u32;
        self.nodes.push(Node { arrives: Stamp::default(), packet: Packet::EMPTY, rank: 0, next: NONE });
    }

    /// Appends the packet in the slot that the last `pop` or `land` returned to `wire`, without copying it;
    /// returns true if the wire was empty. No packet may have been pushed in between.
    #[inline(always)]
    pub fn push_landed(&mut self, wire: &mut Wire, Landed(at): Landed, arrives: Stamp, rank: u32) -> bool {
        debug_assert_eq!(self.free, at, "another packet has taken its place");
        let node = &mut self.nodes[at as usize];
        self.free = std::mem::replace(&mut node.next, NONE);
        node.arrives = arrives;
        node.rank = rank;
        self.append(wire, at)
    }

    /// Returns the packet in the slot that the last `pop` or `land` returned, for modification. Valid until
    /// the next push.
    #[inline]
    pub fn landed_mut(&mut self, Landed(at): Landed) -> &mut Packet {
        &mut self.nodes[at as usize].packet
    }

    /// Returns the packet in the slot that the last `pop` or `land` returned. Valid until the next push.
    #[inline]
    pub fn landed(&self, Landed(at): Landed) -> &Packet {
        &self.nodes[at as usize].packet
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Body, Ecn, FlowId, Instant, LOWEST_CLASS};
    use proptest::prelude::*;
    use std::collections::VecDeque;

    fn flying(n: u32) -> InFlight {
        let at = Instant::from_ps(n.into());
        let body = Body::Datagram { seq: n.into(), payload: 1 };
        let packet = Packet {
            sent: at,
            flow: FlowId(n),
            route: 0,
            wire: 1,
            body,
            ecn: Ecn::NotEct,
            class: LOWEST_CLASS,
        };
        InFlight { arrives: Stamp::new(at, at), rank: n, packet }
    }

    #[test]
    fn nodes_stay_small() {
        assert_eq!((size_of::<Node>(), align_of::<Node>()), (96, 32));
        assert_eq!(size_of::<Wire>(), 8);
    }

    proptest! {
        /// Packets inserted in any order arrive in order of time; packets with equal times arrive in order of insertion.
        #[test]
        fn inserted_packets_arrive_in_order(times in prop::collection::vec(0u32..20, 1..60)) {
            let (mut pool, mut wire) = (Pool::default(), Wire::EMPTY);
            let mut least = u32::MAX;
            for (n, time) in (0u32..).zip(&times) {
                let arrives = flying(*time).arrives;
                let first = pool.insert(&mut wire, InFlight { arrives, ..flying(n) });
                prop_assert_eq!(first, *time < least);
                least = least.min(*time);
            }
            let mut expected: Vec<(u32, u32)> = (0u32..).zip(times).map(|(n, time)| (time, n)).collect();
            expected.sort_unstable();
            for (time, n) in expected {
                prop_assert_eq!(pool.first(&wire), Some((flying(time).arrives, n)));
                pool.pop(&mut wire);
            }
            prop_assert!(wire.is_empty());
        }


        /// Wires that share a pool keep separate packets in order, and the pool's size is the most packets on all wires at once.
        #[test]
        fn wires_are_queues(steps in prop::collection::vec((0usize..4, any::<bool>()), 1..200)) {
            let mut pool = Pool::default();
            let mut wires = [Wire::EMPTY; 4];
            let mut queues = [const { VecDeque::new() }; 4];
            let (mut at_once, mut most) = (0, 0);
            for (n, (wire, push)) in (0u32..).zip(steps) {
                if push {
                    let InFlight { arrives, rank, packet } = flying(n);
                    let only = if n % 2 == 0 {
                        let landed = pool.land(packet);
                        pool.push_landed(&mut wires[wire], landed, arrives, rank)
                    } else {
                        pool.push(&mut wires[wire], flying(n))
                    };
                    prop_assert_eq!(only, queues[wire].is_empty());
                    queues[wire].push_back(flying(n));
                    at_once += 1;
                    most = most.max(at_once);
                } else {
                    let expected = queues[wire].pop_front();
                    at_once -= usize::from(expected.is_some());
                    prop_assert_eq!(pool.first(&wires[wire]), expected.map(|f: InFlight| (f.arrives, f.rank)));
                    let landed = pool.pop(&mut wires[wire]).map(|landed| *pool.landed(landed));
                    prop_assert_eq!(landed, expected.map(|f| f.packet));
                }
                prop_assert_eq!(wires[wire].is_empty(), queues[wire].is_empty());
            }
            prop_assert_eq!(pool.nodes.len(), most);
        }
    }
}
