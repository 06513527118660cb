//! Packets that wait in order of arrival, and the room for them: the base of most disciplines. A discipline with a
//! single backlog that it serves in order is a `Fifo`.

use super::discipline::{Decisions, Discipline, Queued};
use super::limit::Limit;
use base::{DataRate, DropCause, Instant, Packet, QueueVariable};
use std::collections::VecDeque;

/// Packets in order of arrival.
#[derive(Clone, Debug, Default)]
pub struct Backlog {
    held: VecDeque<Queued>,
    bytes: u64,
    /// Bytes of the packet in transmission.
    sending: Option<u32>,
}

impl Backlog {
    /// Appends a packet.
    pub fn push(&mut self, held: Queued) {
        self.bytes += u64::from(held.packet.wire);
        self.held.push_back(held);
    }

    /// Takes the packet that has waited longest.
    pub fn pop(&mut self) -> Option<Queued> {
        let held = self.held.pop_front()?;
        self.bytes -= u64::from(held.packet.wire);
        Some(held)
    }

    /// Notes that `held` is being transmitted: it still takes room.
    pub fn sending(&mut self, held: Option<Queued>) -> Option<Queued> {
        self.sending = held.map(|held| held.packet.wire);
        held
    }

    /// Notes that the transmission has ended.
    pub fn sent(&mut self) {
        self.sending = None;
    }

    /// Returns true if one more packet of `wire` bytes finds room.
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

    /// Returns their bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Removes and returns all packets.
    pub fn drain(&mut self) -> Vec<Queued> {
        self.bytes = 0;
        self.held.drain(..).collect()
    }
}

/// The parts of a [`Discipline`] with one backlog, served in order of arrival, in which it differs from others.
pub(crate) trait Fifo {
    /// Returns the packets that wait.
    fn backlog(&self) -> &Backlog;

    /// Returns the packets that wait.
    fn backlog_mut(&mut self) -> &mut Backlog;

    /// Returns the room for them.
    fn limit(&self) -> Limit;

    /// Notes the arrival of a packet, before the room is checked.
    fn arrives(&mut self, _now: Instant) {}

    /// Makes room for an arrival of `wire` bytes by dropping other packets, if the discipline does so.
    fn make_room(&mut self, _wire: u32, _out: &mut Decisions) {}

    /// Returns true if a packet that finds room is taken in, perhaps marked; active queue management drops it
    /// otherwise.
    fn admits(&mut self, _packet: &mut Packet, _out: &mut Decisions) -> bool {
        true
    }

    /// Takes the packet to transmit next off the backlog.
    fn take(&mut self, _now: Instant, _out: &mut Decisions) -> Option<Queued> {
        self.backlog_mut().pop()
    }

    /// Does the same as [`Discipline::variables`].
    fn tell(&self, _see: &mut dyn FnMut(QueueVariable, f64)) {}

    /// Does the same as [`Discipline::set_rate`].
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
