//! The event queues that are compared, one per file; each pops in the total order of (stamp, event).

pub mod calendar;
pub mod dary;
pub mod fused;
pub mod pairing;
pub mod std_heap;
pub mod tournament;

use base::{Instant, Stamp};

/// An event queue under test.
pub trait Queue: Default {
    /// Name in the printed table.
    const NAME: &'static str;
    /// Schedules `event`.
    fn push(&mut self, stamp: Stamp, event: u32);
    /// Removes and returns the first event.
    fn pop(&mut self) -> Option<(Stamp, u32)>;
}

/// A pending event: 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    pub at: u64,
    pub since: u64,
    pub event: u32,
}

/// An entry that sorts after every real one.
pub const LAST: Entry = Entry { at: u64::MAX, since: u64::MAX, event: u32::MAX };

impl Entry {
    #[inline(always)]
    pub fn new(stamp: Stamp, event: u32) -> Self {
        Self { at: stamp.at.ps(), since: stamp.since.ps(), event }
    }

    #[inline(always)]
    pub fn get(self) -> (Stamp, u32) {
        (Stamp::new(Instant::from_ps(self.at), Instant::from_ps(self.since)), self.event)
    }

    /// Returns true if this entry comes before `other`, computed without a branch.
    #[inline(always)]
    pub fn before(&self, other: &Self) -> bool {
        let (a, b) = (self.key(), other.key());
        (a < b) | ((a == b) & (self.event < other.event))
    }

    #[inline(always)]
    fn key(&self) -> u128 {
        (u128::from(self.at) << 64) | u128::from(self.since)
    }
}

// The queue that the engine uses is one of the candidates.
impl Queue for engine::EventQueue<u32> {
    const NAME: &'static str = "engine::EventQueue";

    #[inline(always)]
    fn push(&mut self, stamp: Stamp, event: u32) {
        Self::push(self, stamp, event);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(Stamp, u32)> {
        Self::pop(self)
    }
}
