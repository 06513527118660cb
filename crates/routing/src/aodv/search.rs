//! A search for a route, and the limit on messages that a station may begin in a second.

use super::config::Repeat;
use base::{Duration, Instant};
use std::collections::VecDeque;

/// Period of ns-2's clock, at whose ticks it asks again.
const TICK: Duration = Duration::from_ms(500);

/// A search for a route.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Hops of the last request, or of the one that is held back.
    pub(super) ttl: u8,
    /// Requests sent over the whole network beside the first.
    pub(super) retries: u32,
    /// Time to ask more widely, or to give up.
    pub due: Instant,
    /// True if the request is held back: too many have been sent in this second.
    pub(super) held: bool,
    /// True if it repairs a route of other stations.
    pub(super) repair: bool,
    /// Time from which on a packet for the destination makes it ask again.
    pub(super) ready: Instant,
    /// True if it has failed, and rests.
    pub(super) rests: bool,
}

impl Search {
    /// Creates a search whose first request goes over `ttl` hops.
    pub(super) fn new(now: Instant, ttl: u8, repair: bool) -> Self {
        Self { ttl, retries: 0, due: now, held: true, repair, ready: Instant::MAX, rests: false }
    }

    /// Waits until `ready` before it asks again. A repair ends then.
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

/// Limit of events per second.
#[derive(Clone, Debug)]
pub(super) struct Rate {
    limit: u32,
    last: VecDeque<Instant>,
}

impl Rate {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, last: VecDeque::new() }
    }

    /// Takes one now; the error is the time at which the next is free.
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
