//! The packets that wait in a queue, in order of arrival, and the check of the queue's limit; most
//! disciplines use it. A discipline that has one backlog and serves it in order implements `Fifo`.

use super::discipline::{Decisions, Discipline, Queued};
use super::limit::Limit;
use base::{DataRate, DropCause, Instant, Packet, QueueVariable};
use std::collections::VecDeque;

/// Packets waiting in order of arrival.
#[derive(Clone, Debug, Default)]
pub struct Backlog {
    held: VecDeque<Queued>,
    bytes: u64,
    /// Size of the packet in transmission, bytes.
    sending: Option<u32>,
}

impl Backlog {
    /// Appends a packet, and counts its bytes.
    pub fn push(&mut self, held: Queued) {
        self.bytes += u64::from(held.packet.wire);
        self.held.push_back(held);
    }

    /// Removes and returns the packet that has waited longest.
    pub fn pop(&mut self) -> Option<Queued> {
        let held = self.held.pop_front()?;
        self.bytes -= u64::from(held.packet.wire);
        Some(held)
    }

    /// Records that `held` is in transmission, where it still counts towards the limit; returns `held`.
    pub fn sending(&mut self, held: Option<Queued>) -> Option<Queued> {
        self.sending = held.map(|held| held.packet.wire);
        held
    }

    /// Records that the transmission has ended.
    pub fn sent(&mut self) {
        self.sending = None;
    }

    /// Returns true if one more packet of `wire` bytes is within `limit`.
    pub fn fits(&self, limit: Limit, wire: u32) -> bool {
        match limit {
            Limit::Packets(n) => self.held.len() + usize::from(self.sending.is_some()) < n as usize,
            Limit::Bytes(n) => {
                self.bytes + u64::from(self.sending.unwrap_or_default()) + u64::from(wire) <= n
            }
            Limit::Unlimited => true,
        }
    }

    /// Returns the number of packets waiting.
    pub fn packets(&self) -> usize {
        self.held.len()
    }

    /// Returns the bytes of the waiting packets.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Removes and returns all packets.
    pub fn drain(&mut self) -> Vec<Queued> {
        self.bytes = 0;
        self.held.drain(..).collect()
    }
}

/// A discipline with one backlog, served in order of arrival. Every such type is a [`Discipline`].
pub(crate) trait Fifo {
    /// Returns the waiting packets.
    fn backlog(&self) -> &Backlog;

    /// Returns the waiting packets for modification.
    fn backlog_mut(&mut self) -> &mut Backlog;

    /// Returns the capacity of the queue; an arrival that would exceed it is dropped, unless `make_room` frees
    /// enough space.
    fn limit(&self) -> Limit;

    /// Updates state at each arrival, before the limit is checked.
    fn arrives(&mut self, _now: Instant) {}

    /// Drops waiting packets until an arrival of `wire` bytes is within the limit; by default, drops none.
    fn make_room(&mut self, _wire: u32, _out: &mut Decisions) {}

    /// Decides on an arrival that is within the limit: returns false if active queue management drops it; may
    /// mark it otherwise.
    fn admits(&mut self, _packet: &mut Packet, _out: &mut Decisions) -> bool {
        true
    }

    /// Removes and returns the packet to transmit next.
    fn take(&mut self, _now: Instant, _out: &mut Decisions) -> Option<Queued> {
        self.backlog_mut().pop()
    }

    /// Implements [`Discipline::variables`].
    fn tell(&self, _see: &mut dyn FnMut(QueueVariable, f64)) {}

    /// Implements [`Discipline::set_rate`].
    fn rate_is(&mut self, _rate: DataRate) {}
}

impl<T: Fifo> Discipline for T {
    fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions) {
        self.arrives(now);
        self.make_room(packet.wire, out);
        let mut held = Queued { arrived: now, packet };
        if !self.backlog().fits(self.limit(), packet.wire) {
            out.drop(held, DropCause::Queue);
        } else if self.admits(&mut held.packet, out) {
            self.backlog_mut().push(held);
        } else {
            out.drop(held, DropCause::Aqm);
        }
    }

    fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Queued> {
        let held = self.take(now, out);
        self.backlog_mut().sending(held)
    }

    fn sent(&mut self) {
        self.backlog_mut().sent();
    }

    fn packets(&self) -> usize {
        self.backlog().packets()
    }

    fn bytes(&self) -> u64 {
        self.backlog().bytes()
    }

    fn is_full(&self, wire: u32) -> bool {
        !self.backlog().fits(self.limit(), wire)
    }

    fn set_rate(&mut self, rate: DataRate) {
        self.rate_is(rate);
    }

    fn variables(&self, see: &mut dyn FnMut(QueueVariable, f64)) {
        self.tell(see);
    }

    fn drain(&mut self) -> Vec<Queued> {
        self.backlog_mut().drain()
    }

    fn adopt(&mut self, held: Queued) {
        self.backlog_mut().push(held);
    }
}
