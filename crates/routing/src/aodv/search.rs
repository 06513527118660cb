//! A search for a route, and how many messages a station may begin in a second.

use super::config::Repeat;
use base::{Duration, Instant};
use std::collections::VecDeque;

/// ns-2's clock, at whose ticks it asks again.
const TICK: Duration = Duration::from_ms(500);

/// A search for a route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Hops of the last request, or of the one that is held back.
    pub(super) ttl: u8,
    /// Requests sent over the whole network beside the first.
    pub(super) retries: u32,
    /// When to ask more widely, or to give up.
    pub due: Instant,
    /// Whether the request is held back: more have been sent in this second than may be.
    pub(super) held: bool,
    /// Whether it mends a route of others.
    pub(super) repair: bool,
    /// From when on a packet for the destination has it ask again.
    pub(super) ready: Instant,
    /// Whether it has failed, and rests.
    pub(super) rests: bool,
}

impl Search {
    /// One whose first request goes over so many hops.
    pub(super) fn new(now: Instant, ttl: u8, repair: bool) -> Self {
        Self { ttl, retries: 0, due: now, held: true, repair, ready: Instant::MAX, rests: false }
    }

    /// Asks again from `ready` on. A repair has its end then.
    pub(super) fn wait(&mut self, ready: Instant, repeat: Repeat) {
        (self.due, self.ready) = match repeat {
            Repeat::PacketOrTick if !self.repair => {
                let ticks = ready.since(Instant::ZERO).ps().div_ceil(TICK.ps());
                (Instant::ZERO.saturating_add(TICK.saturating_mul(ticks)), ready)
            }
            _ => (ready, Instant::MAX),
        };
    }
}

/// At most so many in a second.
#[derive(Clone, Debug)]
pub(super) struct Rate {
    limit: u32,
    last: VecDeque<Instant>,
}

impl Rate {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, last: VecDeque::new() }
    }

    /// Takes one now; or says when the next is free.
    pub(super) fn take(&mut self, now: Instant) -> Result<(), Instant> {
        let second = Duration::from_secs(1);
        while self.last.front().is_some_and(|then| now.since(*then) >= second) {
            self.last.pop_front();
        }
        if self.last.len() < self.limit as usize {
            self.last.push_back(now);
            return Ok(());
        }
        Err(self.last.front().map_or(Instant::MAX, |then| *then + second))
    }
}
