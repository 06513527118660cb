//! The event queue: an implicit 4-ary heap with a lazily removed root.
//!
//! A handler nearly always schedules the successor of the event it handles, so a popped root is left as a hole that the
//! next push fills: one sift instead of two. Chosen by `benches/event_queue.rs`.

use base::{Instant, Stamp};

const ARITY: usize = 4;

#[derive(Clone, Copy)]
struct Entry<E> {
    key: u128,
    event: E,
}

impl<E: Copy + Ord> Entry<E> {
    #[inline(always)]
    fn before(&self, other: &Self) -> bool {
        if self.key != other.key { self.key < other.key } else { self.event < other.event }
    }
}

/// Pending events in order of [`Stamp`], equal stamps in order of the event.
pub struct EventQueue<E> {
    heap: Vec<Entry<E>>,
    /// The root has been popped and waits to be replaced.
    hole: bool,
}

impl<E: Copy + Ord> Default for EventQueue<E> {
    fn default() -> Self {
        Self { heap: Vec::new(), hole: false }
    }
}

impl<E: Copy + Ord> EventQueue<E> {
    /// An empty queue with room for `capacity` pending events.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { heap: Vec::with_capacity(capacity), hole: false }
    }

    /// Events pending.
    pub fn len(&self) -> usize {
        self.heap.len() - usize::from(self.hole)
    }

    /// Whether no event is pending.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Schedules `event`.
    #[inline]
    pub fn push(&mut self, stamp: Stamp, event: E) {
        let entry = Entry { key: stamp.key(), event };
        if self.hole {
            self.hole = false;
            self.sift_down(entry);
        } else {
            self.heap.push(entry);
            self.sift_up(self.heap.len() - 1, entry);
        }
    }

    /// Takes the first event not after `end`.
    #[inline]
    pub fn pop_until(&mut self, end: Instant) -> Option<(Stamp, E)> {
        self.fill_hole();
        let first = *self.heap.first()?;
        let stamp =
            Stamp::new(Instant::from_ps((first.key >> 64) as u64), Instant::from_ps(first.key as u64));
        if stamp.at > end {
            return None;
        }
        self.hole = true;
        Some((stamp, first.event))
    }

    /// Takes the first event.
    pub fn pop(&mut self) -> Option<(Stamp, E)> {
        self.pop_until(Instant::MAX)
    }

    #[inline]
    fn fill_hole(&mut self) {
        if self.hole {
            self.hole = false;
            if let Some(last) = self.heap.pop()
                && !self.heap.is_empty()
            {
                self.sift_down(last);
            }
        }
    }

    #[inline]
    fn sift_up(&mut self, mut at: usize, entry: Entry<E>) {
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if !entry.before(&self.heap[parent]) {
                break;
            }
            self.heap[at] = self.heap[parent];
            at = parent;
        }
        self.heap[at] = entry;
    }

    /// Puts `entry` at the root and moves it down to its place.
    #[inline]
    fn sift_down(&mut self, entry: Entry<E>) {
        let heap = &mut self.heap[..];
        let len = heap.len();
        let mut at = 0;
        loop {
            let first = at * ARITY + 1;
            if first >= len {
                break;
            }
            let mut best = first;
            for child in first + 1..(first + ARITY).min(len) {
                if heap[child].before(&heap[best]) {
                    best = child;
                }
            }
            if !heap[best].before(&entry) {
                break;
            }
            heap[at] = heap[best];
            at = best;
        }
        heap[at] = entry;
    }
}
