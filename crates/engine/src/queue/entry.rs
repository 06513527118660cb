//! A pending event with its stamp.

use base::{Instant, Stamp};

/// What the queue stores: 24 bytes with an event of up to 8.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<E> {
    /// When it happens, picoseconds.
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

    /// Both times as one number, then the event.
    #[inline(always)]
    pub(super) fn key(&self) -> (u128, E) {
        ((u128::from(self.at) << 64) | u128::from(self.since), self.event)
    }

    /// Whether it comes first. One branch, nearly always foreseen: equal stamps are rare, and which of two is the earlier
    /// is a flag, not a jump.
    #[inline(always)]
    pub(super) fn before(&self, other: &Self) -> bool {
        let (a, b) = (self.key(), other.key());
        if a.0 == b.0 { a.1 < b.1 } else { a.0 < b.0 }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn entries_stay_small() {
        assert_eq!(size_of::<super::Entry<u64>>(), 24);
    }
}
