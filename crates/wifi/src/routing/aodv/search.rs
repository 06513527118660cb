//! A search for a route, and how many messages a station may begin in a second.

use base::{Duration, Instant};
use std::collections::VecDeque;

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
