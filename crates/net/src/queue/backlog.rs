//! Packets that wait in order of arrival, and the room for them: what most disciplines are built upon. One that has a single
//! backlog and serves it in order is a `Fifo`.

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

    /// Notes that `held` is being transmitted: it still takes a place.
    pub fn sending(&mut self, held: Option<Queued>) -> Option<Queued> {
        self.sending = held.map(|held| held.packet.wire);
        held
    }

    /// The transmission is over.
    pub fn sent(&mut self) {
        self.sending = None;
    }

    /// Whether one more packet of `wire` bytes finds room.
    pub fn fits(&self, limit: Limit, wire: u32) -> bool {
        match limit {
            Limit::Packets(n) => self.held.len() + usize::from(self.sending.is_some()) < n as usize,
            Limit::Bytes(n) => {
                self.bytes + u64::from(self.sending.unwrap_or_default()) + u64::from(wire) <= n
            }
            Limit::Unlimited => true,
        }
    }

    /// Packets waiting.
    pub fn packets(&self) -> usize {
        self.held.len()
    }

    /// Their bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Gives up all of them.
    pub fn drain(&mut self) -> Vec<Queued> {
        self.bytes = 0;
        self.held.drain(..).collect()
    }
}

/// A discipline over one backlog, served in order of arrival: what is its own of [`Discipline`].
pub(crate) trait Fifo {
    /// The packets that wait.
    fn backlog(&self) -> &Backlog;

    /// The packets that wait.
    fn backlog_mut(&mut self) -> &mut Backlog;

    /// The room for them.
    fn limit(&self) -> Limit;

    /// A packet arrives, whether or not there is room for it.
    fn arrives(&mut self, _now: Instant) {}

    /// Before the room for an arrival of `wire` bytes is judged: drops others for it, where that is the discipline's way.
    fn make_room(&mut self, _wire: u32, _out: &mut Decisions) {}

    /// Whether a packet that finds room is taken in, perhaps marked; active queue management drops it otherwise.
    fn admits(&mut self, _packet: &mut Packet, _out: &mut Decisions) -> bool {
        true
    }

    /// The packet to transmit next, no longer in the backlog.
    fn take(&mut self, _now: Instant, _out: &mut Decisions) -> Option<Queued> {
        self.backlog_mut().pop()
    }

    /// As [`Discipline::variables`].
    fn tell(&self, _see: &mut dyn FnMut(QueueVariable, f64)) {}

    /// As [`Discipline::set_rate`].
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
