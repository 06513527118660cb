//! State of the search for one route, and the limits on messages per second.

use super::config::Repeat;
use base::{Duration, Instant};
use std::collections::VecDeque;

/// Period of the timer at whose ticks ns-2 repeats RREQs.
const TICK: Duration = Duration::from_ms(500);

/// Search for a route to one destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// TTL of the last RREQ, or of the RREQ that is postponed, hops.
    pub(super) ttl: u8,
    /// RREQs sent with TTL `net_diameter` after the first such RREQ.
    pub(super) retries: u32,
    /// Time at which the search goes on: with a postponed RREQ, with another RREQ, by giving up, or after the
    /// pause.
    pub due: Instant,
    /// True if the RREQ is postponed because RREQ_RATELIMIT was reached.
    pub(super) held: bool,
    /// True if the search is a local repair.
    pub(super) repair: bool,
    /// Time from which a packet for the destination triggers the next RREQ (`Repeat::PacketOrTick`); else
    /// `Instant::MAX`.
    pub(super) ready: Instant,
    /// True during the pause after a failed search.
    pub(super) rests: bool,
}

impl Search {
    /// Creates a search whose first RREQ has this TTL.
    pub(super) fn new(now: Instant, ttl: u8, repair: bool) -> Self {
        Self { ttl, retries: 0, due: now, held: true, repair, ready: Instant::MAX, rests: false }
    }

    /// Sets the wait for a reply to end at `ready`. With `Repeat::PacketOrTick` the search goes on at the first
    /// packet or tick after that, except in a local repair.
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

/// Limit on the number of events in any second.
#[derive(Clone, Debug)]
pub(super) struct Rate {
    limit: u32,
    last: VecDeque<Instant>,
}

impl Rate {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, last: VecDeque::new() }
    }

    /// Counts an event at `now`. If the limit is reached, the error is the time at which the next event is allowed.
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
