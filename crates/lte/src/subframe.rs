//! Subframes: the clock of the air interface.

use base::{Duration, Instant};
use std::collections::VecDeque;

/// Number of a subframe, counted from the start of the run.
pub(crate) type Tti = u64;

/// Duration of a subframe (TS 36.211, section 4.1).
pub(crate) const SUBFRAME: Duration = Duration::from_ms(1);

/// Returns the time at which subframe `tti` begins.
pub(crate) const fn begins(tti: Tti) -> Instant {
    Instant::from_ps(SUBFRAME.ps() * tti)
}

/// Returns the first subframe that begins after `now`. An event exactly at the beginning of a subframe comes too late
/// for it.
pub(crate) const fn after(now: Instant) -> Tti {
    now.ps() / SUBFRAME.ps() + 1
}

/// Removes the first entry of `queue` if `due` is true of it; returns the entry.
#[inline]
pub(crate) fn pop_if<T>(queue: &mut VecDeque<T>, due: impl FnOnce(&T) -> bool) -> Option<T> {
    if queue.front().is_some_and(due) { queue.pop_front() } else { None }
}
