//! Packets that wait in order of arrival, and the room for them: what most disciplines are built upon.

use super::Limit;
use base::{Instant, Packet};
use std::collections::VecDeque;

/// A packet that waits, and when it arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// When it joined the queue.
    pub arrived: Instant,
    /// The packet.
    pub packet: Packet,
}

/// Packets in order of arrival.
#[derive(Clone, Debug, Default)]
pub struct Backlog {
    held: VecDeque<Held>,
    bytes: u64,
    /// Bytes of the packet in transmission.
    sending: Option<u32>,
}

impl Backlog {
    /// Appends a packet.
    pub fn push(&mut self, held: Held) {
        self.bytes += u64::from(held.packet.wire);
        self.held.push_back(held);
    }

    /// Takes the packet that has waited longest.
    pub fn pop(&mut self) -> Option<Held> {
        let held = self.held.pop_front()?;
        self.bytes -= u64::from(held.packet.wire);
        Some(held)
    }

    /// Notes that `held` is being transmitted: it still takes a place.
    pub fn sending(&mut self, held: Option<Held>) -> Option<Held> {
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
    pub fn drain(&mut self) -> Vec<Held> {
        self.bytes = 0;
        self.held.drain(..).collect()
    }
}
