//! When a paced sender's segments leave.

use base::{Duration, Instant, Stamp};

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
