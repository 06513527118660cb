//! The event queue: a small heap for events due soon, and a wheel of buckets for the others.
//!
//! - While few events are pending, they are in a binary heap ([`heap`]). A handler nearly always schedules a
//!   successor of the event that it handles, so a removed root is left as a hole that the next push fills.
//! - While many are pending, events due after a horizon are put unsorted into buckets ([`wheel`]), and each
//!   bucket is sorted when its time has come. An event then costs two moves and a share in sorting about
//!   eight entries, however many are pending. Events that are pushed with a time before the horizon go to the
//!   heap. In the worst case, all events at one time, the cost is logarithmic, as with a heap.
//!
//! The order of events does not depend on which store they were in. This queue was chosen by `make bench`.
//! The table has rates as multiples of the rate of the standard library's heap on the same mix
//! (`benches/event_queue.rs` describes the mixes; measured on two busy vCPUs):
//!
//! | pending | links 3 | 30 | 1 000 | 10 000 | random 3 | 30 | 1 000 | 10 000 |
//! |---|---|---|---|---|---|---|---|---|
//! | this queue | 2.0 | 1.4 | 1.9 | 2.5 | 1.1 | 1.2 | 1.8 | 2.0 |
//! | binary heap, replace-top, branch-free | 1.5 | 1.2 | 1.1 | 1.1 | 1.3 | 1.1 | 0.9 | 0.9 |
//! | the same, hole to the bottom first | 1.4 | 0.6 | 0.8 | 1.0 | 1.2 | 0.9 | 0.7 | 0.8 |
//! | binary heap, replace-top | 1.6 | 1.0 | 0.6 | 0.8 | 1.1 | 0.8 | 0.6 | 0.6 |
//! | 4-ary heap, replace-top | 1.5 | 0.6 | 0.4 | 0.4 | 1.0 | 0.5 | 0.3 | 0.4 |
//! | tournament tree | 1.3 | 0.9 | 0.7 | 0.9 | 1.0 | 0.8 | 0.6 | 0.7 |
//! | pairing heap | 1.2 | 0.8 | 0.8 | 1.0 | 0.9 | 0.7 | 0.5 | 0.6 |
//! | calendar queue | 1.2 | 0.7 | 1.3 | 0.9 | 0.8 | 0.9 | 1.4 | 1.6 |

mod entry;
mod heap;
mod wheel;

use base::{Instant, Stamp};
use entry::Entry;
use heap::Heap;
use wheel::Wheel;

/// Number of pending events up to which the heap alone is fastest.
const FEW: usize = 32;
/// Size of the heap above which events that are not due soon are moved to the wheel.
const MANY: usize = 64;
/// Number of events passed to [`Model::foresee`](crate::Model::foresee) at a time.
const GROUP: usize = 8;

/// Pending events, ordered by [`Stamp`]; events with equal stamps by their own order.
#[derive(Clone)]
pub struct EventQueue<E> {
    /// All events due up to this time, picoseconds, are in `soon` or `run`; `u64::MAX` while the wheel is not
    /// used.
    horizon: u64,
    /// Events whose time was before the horizon when they were pushed.
    soon: Heap<E>,
    /// Entries of the bucket that was taken from the wheel last, in descending order, so that the next event
    /// is at the end.
    run: Vec<Entry<E>>,
    /// Events due after the horizon.
    wheel: Wheel<E>,
    /// Pushes left, while the heap is large, until all events are spread over the wheel again. The count
    /// starts at the number of events then pending, so that spreading costs constant time per push.
    patience: usize,
    scratch: Vec<Entry<E>>,
    /// True if the next group of events in `run` has not been offered for prefetching yet (see
    /// [`EventQueue::has_regrouped`]). Set when a bucket is moved into `run`, and whenever a pop leaves a multiple
    /// of [`GROUP`] events in it.
    regrouped: bool,
}

impl<E: Copy + Ord> Default for EventQueue<E> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl<E: Copy + Ord> EventQueue<E> {
    /// Creates an empty queue with memory for `capacity` pending events.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            horizon: u64::MAX,
            soon: Heap::with_capacity(capacity),
            run: Vec::new(),
            wheel: Wheel::new(),
            patience: MANY,
            scratch: Vec::new(),
            regrouped: false,
        }
    }

    /// Returns the number of pending events.
    pub fn len(&self) -> usize {
        self.soon.len() + self.run.len() + self.wheel.len()
    }

    /// Returns true if no event is pending.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Schedules `event` at `stamp`.
    #[inline(always)]
    pub fn push(&mut self, stamp: Stamp, event: E) {
        let entry = Entry::new(stamp, event);
        if entry.at <= self.horizon {
            self.soon.push(entry);
            if self.soon.len() > MANY {
                self.grow_impatient();
            }
        } else {
            self.wheel.push(entry);
        }
    }

    /// Removes and returns the first event, if its time is not after `end`.
    #[inline(always)]
    pub fn pop_until(&mut self, end: Instant) -> Option<(Stamp, E)> {
        loop {
            let (first, in_run) = match (self.soon.peek(), self.run.last().copied()) {
                (Some(soon), Some(next)) if next.before(&soon) => (next, true),
                (Some(soon), _) => (soon, false),
                (None, Some(next)) => (next, true),
                (None, None) => {
                    if self.refill() {
                        continue;
                    }
                    return None;
                }
            };
            if first.at > end.ps() {
                return None;
            }
            if in_run {
                self.run.pop();
                self.regrouped |= self.run.len().is_multiple_of(GROUP);
            } else {
                self.soon.remove();
            }
            return Some(first.get());
        }
    }

    /// Returns the stamp of the first event, which stays in the queue.
    pub fn next_stamp(&mut self) -> Option<Stamp> {
        loop {
            let soon = self.soon.peek();
            let first = match (soon, self.run.last().copied()) {
                (Some(soon), Some(next)) => Some(if next.before(&soon) { next } else { soon }),
                (soon, next) => soon.or(next),
            };
            match first {
                Some(first) => return Some(first.get().0),
                None if self.refill() => {}
                None => return None,
            }
        }
    }

    /// Returns true if [`EventQueue::upcoming`] has a new group of events since the last call: after a bucket was
    /// moved into `run`, and after each pop that left a multiple of [`GROUP`] events in it.
    #[inline(always)]
    pub(crate) fn has_regrouped(&mut self) -> bool {
        std::mem::take(&mut self.regrouped)
    }

    /// Returns the first events of `run`. Other events may still come before or between them.
    #[inline]
    pub(crate) fn upcoming(&self) -> impl Iterator<Item = E> + '_ {
        self.run.iter().rev().take(GROUP).map(|entry| entry.get().1)
    }

    /// Removes and returns the first event.
    pub fn pop(&mut self) -> Option<(Stamp, E)> {
        self.pop_until(Instant::MAX)
    }

    /// Moves the next events into `run` or `soon` when both are empty; returns false if no event is pending.
    #[inline(never)]
    fn refill(&mut self) -> bool {
        if self.next_bucket() {
            return true;
        }
        if self.wheel.len() == 0 {
            self.horizon = u64::MAX;
            return false;
        }
        self.wheel.drain_into(&mut self.scratch);
        self.spread(false);
        true
    }

    /// Moves the next bucket of the wheel into `run`, sorted; returns false if all buckets are empty.
    #[inline(always)]
    fn next_bucket(&mut self) -> bool {
        let Some(horizon) = self.wheel.take_bucket(&mut self.run) else { return false };
        self.horizon = horizon;
        self.regrouped = true;
        self.run.sort_unstable_by(|a, b| b.cmp(a));
        true
    }

    /// Counts a push to a large heap; after `patience` such pushes, spreads all pending events over the
    /// wheel.
    #[inline(never)]
    fn grow_impatient(&mut self) {
        self.patience = self.patience.saturating_sub(1);
        if self.patience > 0 {
            return;
        }
        self.soon.drain_into(&mut self.scratch);
        self.scratch.append(&mut self.run);
        self.wheel.drain_into(&mut self.scratch);
        self.spread(true);
    }

    /// Spreads the events in `scratch` over the wheel. If they are few, or all at one time, moves them to the
    /// heap.
    #[cold]
    fn spread(&mut self, afresh: bool) {
        self.patience = MANY.max(self.scratch.len());
        let first = self.scratch[0].at;
        if self.scratch.len() > FEW && self.scratch.iter().any(|entry| entry.at != first) {
            self.wheel.begin(&mut self.scratch, afresh);
            self.next_bucket();
        } else {
            self.horizon = u64::MAX;
            for entry in self.scratch.drain(..) {
                self.soon.push(entry);
            }
        }
    }
}

#[cfg(test)]
mod tests;
