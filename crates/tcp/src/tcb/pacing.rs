//! When a paced sender's segments leave.

use base::{Duration, Instant, Rng, Stamp};

/// Windows per round trip at which a paced sender without a rate of its own sends: in slow start, and after it.
pub(super) const SLOW_START_PACE: f64 = 2.0;
pub(super) const PACE: f64 = 1.2;

/// The pace of one sender.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pacer {
    /// When the next segment may leave.
    release: Instant,
    /// The next segment waits for that, and since when.
    held: Option<Stamp>,
}

impl Pacer {
    /// Whether the next segment has to wait; it does from now on.
    pub(crate) fn holds(&mut self, now: Instant) -> bool {
        self.held = (self.release > now).then(|| self.held.unwrap_or(Stamp::new(self.release, now)));
        self.held.is_some()
    }

    /// When the segment that waits may leave, and since when it waits.
    pub(crate) fn held(&self) -> Option<Stamp> {
        self.held
    }

    /// A segment leaves; the next one does `gap` later.
    pub(crate) fn sent(&mut self, now: Instant, gap: Duration) {
        self.release = self.release.max(now) + gap;
    }
}

/// The work of a host on what its window lets go: a random time (ns-2's overhead).
#[derive(Clone, Debug)]
pub(crate) struct Overhead {
    most: Duration,
    rng: Rng,
    /// What the window let go waits for this.
    wait: Option<Stamp>,
    /// When what waited leaves, and since when it waited.
    leaves: Option<Stamp>,
}

impl Overhead {
    /// No longer than `most`.
    pub(crate) fn new(most: Duration, rng: Rng) -> Self {
        Self { most, rng, wait: None, leaves: None }
    }

    /// Whether what the window lets go has to wait; it does from now on if there is something.
    pub(crate) fn holds(&mut self, now: Instant, something: bool) -> bool {
        match self.wait {
            _ if self.leaves.is_some_and(|leaves| leaves.at == now) => false,
            Some(wait) if wait.at > now => true,
            Some(wait) => {
                self.wait = None;
                self.leaves = Some(Stamp::new(now, wait.since));
                false
            }
            None if something => {
                self.wait = Some(Stamp::new(now + self.rng.duration_below(self.most), now));
                true
            }
            None => false,
        }
    }

    /// Until when something waits, and since when.
    pub(crate) fn wait(&self) -> Option<Stamp> {
        self.wait
    }

    /// Since when what leaves at `now` was ready to leave: the pace goes by that, so that the host's work does not add up.
    pub(crate) fn ready(&self, now: Instant) -> Instant {
        self.leaves.filter(|leaves| leaves.at == now).map_or(now, |leaves| leaves.since)
    }
}
