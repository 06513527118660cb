//! A pending event with its stamp.

use base::{Instant, Stamp};
use std::cmp::Ordering;

/// An entry of the queue. It takes 24 bytes if the event takes at most 8.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<E> {
    /// Time of the event, picoseconds.
    pub(super) at: u64,
    since: u64,
    event: E,
}

impl<E: Copy + Ord> Entry<E> {
    #[inline(always)]
    pub(super) fn new(stamp: Stamp, event: E) -> Self {
        Self { at: stamp.at.ps(), since: stamp.since.ps(), event }
    }

    #[inline(always)]
    pub(super) fn get(&self) -> (Stamp, E) {
        (Stamp::new(Instant::from_ps(self.at), Instant::from_ps(self.since)), self.event)
    }

    /// Returns true if `self` comes before `other`. The one branch is nearly always predicted, because equal
    /// times are rare; the comparison of two times needs no branch.
    #[inline(always)]
    pub(super) fn before(&self, other: &Self) -> bool {
        if self.at == other.at { self.rest() < other.rest() } else { self.at < other.at }
    }

    #[inline(always)]
    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        self.at.cmp(&other.at).then_with(|| self.rest().cmp(&other.rest()))
    }

    /// Returns the key that orders entries of equal times.
    #[inline(always)]
    fn rest(&self) -> (u64, E) {
        (self.since, self.event)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn entries_stay_small() {
        assert_eq!(size_of::<super::Entry<u64>>(), 24);
    }
}
