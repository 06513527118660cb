//! Queue disciplines above the stations' own queues. A discipline refills its EDCAF's queue whenever there is room,
//! as in Linux and ns-3 (flow control between device and queue discipline). A discipline sees only the delay of its
//! own packets, not that of the queue below. A discipline that drops early costs a flow in slow start a few
//! packets; an overflow of a drop-tail queue costs it many.
//!
//! Messages of routing protocols bypass the discipline.

use crate::config::Config;
use crate::mac::payload::{Payload, Queued};
use base::{DataRate, DropCause, Instant, Packet, QueueVariable};
use net::queue::{Decisions, Discipline, Queue};
use routing::Datagram;
use std::collections::VecDeque;

/// Queue disciplines of a network, one for each EDCAF.
#[derive(Clone, Debug)]
pub(crate) struct Disciplines {
    disciplines: Vec<Queue>,
    /// Packets in the disciplines, each with its next hop. A discipline holds a copy whose `route` is the index in
    /// this list.
    waiting: Vec<(Datagram, u32)>,
    free: Vec<u32>,
    decisions: Decisions,
}

impl Disciplines {
    /// Creates empty disciplines; `None` if `config` has none.
    pub(crate) fn new(config: &Config, edcafs: usize, seed: u64, name: &str) -> Option<Self> {
        let discipline = config.queue.discipline.get()?;
        let rate = DataRate::from_bps(config.phy.data.bps())?;
        let one = |f| Queue::new(discipline, rate, seed, &format!("{name}.discipline.{f}"));
        Some(Self {
            disciplines: (0..edcafs).map(one).collect(),
            waiting: Vec::new(),
            free: Vec::new(),
            decisions: Decisions::default(),
        })
    }

    /// Returns the number of packets in the discipline above an EDCAF's queue.
    pub(crate) fn packets(&self, f: u32) -> usize {
        self.disciplines[f as usize].packets()
    }

    /// Adds a packet for neighbour `via` to the discipline above an EDCAF's queue.
    pub(crate) fn enqueue(&mut self, now: Instant, f: u32, datagram: Datagram, via: u32) {
        let number = self.free.pop().unwrap_or(self.waiting.len() as u32);
        if number as usize == self.waiting.len() {
            self.waiting.push((datagram, via));
        } else {
            self.waiting[number as usize] = (datagram, via);
        }
        let packet = Packet { route: number, ..datagram.packet };
        self.disciplines[f as usize].enqueue(now, packet, &mut self.decisions);
    }

    fn dequeue(&mut self, now: Instant, f: u32) -> Option<(Datagram, u32)> {
        let held = self.disciplines[f as usize].dequeue(now, &mut self.decisions)?;
        self.disciplines[f as usize].sent();
        Some(self.release(held.packet))
    }

    /// Removes a packet that a discipline has released; returns its datagram, with the ECN mark that it may have got,
    /// and its next hop.
    fn release(&mut self, packet: Packet) -> (Datagram, u32) {
        let (datagram, via) = self.waiting[packet.route as usize];
        self.free.push(packet.route);
        let packet = Packet { route: datagram.packet.route, ..packet };
        (Datagram { packet, ..datagram }, via)
    }

    /// Moves packets from the discipline to an EDCAF's queue while the queue has fewer than `room` packets.
    pub(crate) fn fill(&mut self, now: Instant, f: u32, queue: &mut VecDeque<Queued>, room: u32) {
        while queue.len() < room as usize {
            let Some((datagram, via)) = self.dequeue(now, f) else { break };
            queue.push_back(Queued { payload: Payload::Datagram(datagram), via, came: now });
        }
    }

    /// Removes a packet from the list of packets that a discipline has marked with ECN, and returns it; `None` if the
    /// list is empty. The discipline still holds the packet.
    pub(crate) fn marked(&mut self) -> Option<Packet> {
        self.decisions.marked.pop()
    }

    /// Returns the number of bytes in the discipline above an EDCAF's queue.
    pub(crate) fn bytes(&self, f: u32) -> u64 {
        self.disciplines[f as usize].bytes()
    }

    /// Reports the variables of an EDCAF's discipline to `see`.
    pub(crate) fn variables(&self, f: u32, see: &mut dyn FnMut(QueueVariable, f64)) {
        self.disciplines[f as usize].variables(see);
    }

    /// Removes a packet from the list of packets that a discipline has dropped, and returns it with the cause; `None`
    /// if the list is empty.
    pub(crate) fn dropped(&mut self) -> Option<(Datagram, DropCause)> {
        let (held, cause) = self.decisions.dropped.pop()?;
        Some((self.release(held.packet).0, cause))
    }

    /// Changes the next hop of packets above an EDCAF's queue from neighbour `old` to `new`.
    pub(crate) fn readdress(&mut self, f: u32, (old, new): (u32, u32)) {
        for held in self.disciplines[f as usize].drain() {
            let via = &mut self.waiting[held.packet.route as usize].1;
            *via = if *via == old { new } else { *via };
            self.disciplines[f as usize].adopt(held);
        }
    }

    /// Removes the packets for neighbour `via` from the discipline above an EDCAF's queue, and returns them.
    pub(crate) fn take(&mut self, f: u32, via: u32) -> Vec<Datagram> {
        let (gone, stay): (Vec<_>, Vec<_>) = self.disciplines[f as usize]
            .drain()
            .into_iter()
            .partition(|held| self.waiting[held.packet.route as usize].1 == via);
        stay.into_iter().for_each(|held| self.disciplines[f as usize].adopt(held));
        gone.into_iter().map(|held| self.release(held.packet).0).collect()
    }
}
