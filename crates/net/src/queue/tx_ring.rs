//! Transmit ring: a network device's own first-in-first-out queue below another queue.
//!
//! A driver takes packets from the queue above while its ring is not full, whatever the delay in the ring. A
//! discipline above that controls its own delay does not see the packets in the ring. Linux drivers without
//! byte queue limits behave like this, and so do ns-3's devices (a point-to-point device's 100 packets below
//! FqCoDel).
//!
//! Left out: byte queue limits, several rings. Validated: order and capacity by hand; ns-3's delay in study
//! "heriyanto".

use super::discipline::{Decisions, Discipline, Inner, Queued, Site};
use base::{DataRate, Instant, Packet, QueueVariable};
use settings::{Error, Setting, Settings};
use std::collections::VecDeque;

/// Settings of a transmit ring.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Config<C: Clone + PartialEq + Default + Setting> {
    /// Capacity of the ring in packets, including the packet in transmission.
    #[setting(needed = "the ring's room: packets = 100")]
    pub packets: u32,
    /// The queue above, from which the ring is filled.
    #[setting(default = Box::default())]
    pub queue: Box<C>,
}

impl<C: Clone + PartialEq + Default + Setting> Config<C> {
    fn check(&self) -> Result<(), Error> {
        if self.packets > 0 {
            return Ok(());
        }
        Err(Error::new("packets", "a ring has room for at least one packet").allowed("like 100"))
    }
}

/// State of a transmit ring with the queue above it.
#[derive(Clone, Debug)]
pub struct TxRing<Q> {
    room: usize,
    ring: VecDeque<Queued>,
    /// True while a packet from the ring is in transmission.
    serving: bool,
    above: Q,
}

impl<Q: Inner> TxRing<Q> {
    pub(super) fn new(config: &Config<Q::Config>, site: &Site) -> Self {
        let above = Q::build(&config.queue, &Site { name: &format!("{}.above", site.name), ..*site });
        Self { room: config.packets as usize, ring: VecDeque::new(), serving: false, above }
    }

    /// Moves packets from the queue above into the ring until the ring is full.
    fn refill(&mut self, now: Instant, out: &mut Decisions) {
        while self.ring.len() + usize::from(self.serving) < self.room {
            let Some(held) = self.above.dequeue(now, out) else { return };
            self.above.sent();
            self.ring.push_back(held);
        }
    }
}

impl<Q: Inner> Discipline for TxRing<Q> {
    fn variables(&self, see: &mut dyn FnMut(QueueVariable, f64)) {
        self.above.variables(see);
    }

    fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions) {
        self.above.enqueue(now, packet, out);
        self.refill(now, out);
    }

    fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Queued> {
        self.refill(now, out);
        let held = self.ring.pop_front()?;
        self.serving = true;
        Some(held)
    }

    fn sent(&mut self) {
        self.serving = false;
    }

    fn packets(&self) -> usize {
        self.ring.len() + self.above.packets()
    }

    fn bytes(&self) -> u64 {
        self.ring.iter().map(|held| u64::from(held.packet.wire)).sum::<u64>() + self.above.bytes()
    }

    fn ready(&self) -> Option<Instant> {
        self.above.ready()
    }

    fn set_rate(&mut self, rate: DataRate) {
        self.above.set_rate(rate);
    }

    fn drain(&mut self) -> Vec<Queued> {
        self.ring.drain(..).chain(self.above.drain()).collect()
    }

    fn adopt(&mut self, held: Queued) {
        self.above.adopt(held);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{codel, drop_tail};
    use super::*;
    use crate::queue::Limit;
    use crate::queue::{Config as Any, Queue};
    use base::{Body, DropCause, Duration, Ecn, FlowId};

    fn packet(seq: u64) -> Packet {
        let body = Body::Datagram { seq, payload: 1000 };
        Packet {
            sent: Instant::ZERO,
            flow: FlowId(0),
            route: 0,
            wire: 1000,
            body,
            ecn: Ecn::NotEct,
            class: 0,
        }
    }

    fn ring(packets: u32, above: Any) -> Queue {
        let rate = DataRate::from_bps(8_000_000).expect("a rate");
        Queue::new(&Any::TxRing(Config { packets, queue: Box::new(above) }), rate, 1, "queue")
    }

    #[test]
    fn room_is_the_rings_and_the_queues_above() {
        let mut queue = ring(2, Any::DropTail(drop_tail::Config { limit: Limit::Packets(3) }));
        let mut out = Decisions::default();
        for seq in 0..6 {
            queue.enqueue(Instant::ZERO, packet(seq), &mut out);
        }
        // Two packets are in the ring, three in the queue above.
        assert_eq!(queue.packets(), 5);
        assert_eq!(out.dropped.len(), 1);
        let mut served = Vec::new();
        while let Some(held) = queue.dequeue(Instant::ZERO, &mut out) {
            served.push(held.packet.body);
            queue.sent();
        }
        assert_eq!(served, (0..5).map(|seq| packet(seq).body).collect::<Vec<_>>());
    }

    #[test]
    fn a_discipline_above_does_not_see_the_delay_in_the_ring() {
        // 50 packets of 1 ms each wait: CoDel drops some, unless the ring holds all of them.
        let waits = |room| {
            let mut queue = ring(room, Any::CoDel(codel::Config::default()));
            let mut out = Decisions::default();
            let mut now = Instant::ZERO;
            for round in 0..400u64 {
                // After 50 packets at once, one packet arrives for each that leaves.
                let count = if round == 0 { 50 } else { 1 };
                (0..count).for_each(|i| queue.enqueue(now, packet(round + i), &mut out));
                if queue.dequeue(now, &mut out).is_some() {
                    queue.sent();
                }
                now += Duration::from_ms(1);
            }
            out.dropped.iter().filter(|(_, cause)| *cause == DropCause::Aqm).count()
        };
        assert_eq!(waits(100), 0);
        assert!(waits(1) > 0);
    }
}
