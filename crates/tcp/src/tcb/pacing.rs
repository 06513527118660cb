//! Times at which a paced sender's segments leave.

use base::{Duration, Instant, Rng, Stamp};

/// Windows per round trip at which a paced sender without a rate of its own sends: in slow start, and after it.
pub(super) const SLOW_START_PACE: f64 = 2.0;
pub(super) const PACE: f64 = 1.2;

/// The pace of one sender.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pacer {
    /// Earliest time of the next segment.
    release: Instant,
    /// Set while the next segment waits: its time, and the beginning of the wait.
    held: Option<Stamp>,
}

impl Pacer {
    /// Returns true if the next segment has to wait; the wait begins then.
    pub(crate) fn holds(&mut self, now: Instant) -> bool {
        self.held = (self.release > now).then(|| self.held.unwrap_or(Stamp::new(self.release, now)));
        self.held.is_some()
    }

    /// Returns the time of the waiting segment, and the beginning of its wait.
    pub(crate) fn held(&self) -> Option<Stamp> {
        self.held
    }

    /// Notes that a segment leaves; the next one may leave `gap` later.
    pub(crate) fn sent(&mut self, now: Instant, gap: Duration) {
        self.release = self.release.max(now) + gap;
    }
}

/// The host's processing time for segments that the window allows: a random time (ns-2's overhead).
#[derive(Clone, Debug)]
pub(crate) struct Overhead {
    most: Duration,
    rng: Rng,
    /// The wait of segments that the window allows.
    wait: Option<Stamp>,
    /// Time at which the waiting segments leave, and the beginning of their wait.
    leaves: Option<Stamp>,
}

impl Overhead {
    /// Creates a host with a processing time of at most `most`.
    pub(crate) fn new(most: Duration, rng: Rng) -> Self {
        Self { most, rng, wait: None, leaves: None }
    }

    /// Returns true if segments that the window allows have to wait; the wait begins if there is `something` to send.
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

    /// Returns the end of the wait, and its beginning.
    pub(crate) fn wait(&self) -> Option<Stamp> {
        self.wait
    }

    /// Returns the time at which segments that leave at `now` were ready: the pace goes by that, so that processing
    /// times do not add up.
    pub(crate) fn ready(&self, now: Instant) -> Instant {
        self.leaves.filter(|leaves| leaves.at == now).map_or(now, |leaves| leaves.since)
    }
}
