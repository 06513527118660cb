//! Drop tail: first in, first out; arrivals that find no room are dropped.
//!
//! A link whose only queue is this one computes departures ahead ([`crate::link`]) and does not use it; this is the same
//! rule a packet at a time, for links that are served step by step, and inside other disciplines.

use super::{Backlog, Decisions, Discipline, Held, Limit, Site};
use base::{DropCause, Instant, Packet};

/// Parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Room.
    pub limit: Limit,
}

/// The queue at work.
#[derive(Clone, Debug)]
pub struct DropTail {
    limit: Limit,
    backlog: Backlog,
}

impl DropTail {
    pub(super) fn new(config: &Config, _: &Site) -> Self {
        Self { limit: config.limit, backlog: Backlog::default() }
    }

    /// Changes the room; packets already queued stay.
    pub(super) fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
    }
}

impl Discipline for DropTail {
    fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions) {
        let held = Held { arrived: now, packet };
        if self.backlog.fits(self.limit, packet.wire) {
            self.backlog.push(held);
        } else {
            out.drop(held, DropCause::Queue);
        }
    }

    fn dequeue(&mut self, _: Instant, _: &mut Decisions) -> Option<Held> {
        let held = self.backlog.pop();
        self.backlog.sending(held)
    }

    fn sent(&mut self) {
        self.backlog.sent();
    }

    fn packets(&self) -> usize {
        self.backlog.packets()
    }

    fn bytes(&self) -> u64 {
        self.backlog.bytes()
    }

    fn drain(&mut self) -> Vec<Held> {
        self.backlog.drain()
    }

    fn adopt(&mut self, held: Held) {
        self.backlog.push(held);
    }
}
