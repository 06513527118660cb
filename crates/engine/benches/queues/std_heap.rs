//! The standard library's binary heap.

use super::{Entry, Queue};
use base::Stamp;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Default)]
pub struct StdHeap(BinaryHeap<Reverse<Entry>>);

impl Queue for StdHeap {
    const NAME: &'static str = "std BinaryHeap";

    #[inline(always)]
    fn push(&mut self, stamp: Stamp, event: u32) {
        self.0.push(Reverse(Entry::new(stamp, event)));
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(Stamp, u32)> {
        self.0.pop().map(|Reverse(entry)| entry.get())
    }
}
