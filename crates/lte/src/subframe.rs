//! Subframes, the clock of the air interface.

use base::{Duration, Instant};
use std::collections::VecDeque;

/// The number of a subframe from the start of the run.
pub(crate) type Tti = u64;

/// A subframe (TS 36.211, section 4.1).
pub(crate) const SUBFRAME: Duration = Duration::from_ms(1);

/// Returns the time at which subframe `tti` begins.
pub(crate) const fn begins(tti: Tti) -> Instant {
    Instant::from_ps(SUBFRAME.ps() * tti)
}

/// Returns the first subframe that begins after `now`: an event exactly at a subframe's beginning is too late for it.
pub(crate) const fn after(now: Instant) -> Tti {
    now.ps() / SUBFRAME.ps() + 1
}

/// Takes out the first entry of `queue` if it is `due`.
#[inline]
pub(crate) fn pop_if<T>(queue: &mut VecDeque<T>, due: impl FnOnce(&T) -> bool) -> Option<T> {
    if queue.front().is_some_and(due) { queue.pop_front() } else { None }
}
