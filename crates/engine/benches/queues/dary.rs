//! An implicit heap of any arity; a popped root stays as a hole that the next push fills.

use super::{Entry, Queue};
use base::Stamp;

#[derive(Default)]
pub struct Dary<const D: usize> {
    heap: Vec<Entry>,
    hole: bool,
}

impl<const D: usize> Dary<D> {
    #[inline(always)]
    fn sift_down(&mut self, entry: Entry) {
        let heap = &mut self.heap[..];
        let len = heap.len();
        let mut at = 0;
        loop {
            let first = at * D + 1;
            if first >= len {
                break;
            }
            let mut best = first;
            for child in first + 1..(first + D).min(len) {
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

impl<const D: usize> Queue for Dary<D> {
    const NAME: &'static str = match D {
        2 => "2-ary heap, replace-top",
        4 => "4-ary heap, replace-top",
        _ => "8-ary heap, replace-top",
    };

    #[inline(always)]
    fn push(&mut self, stamp: Stamp, event: u32) {
        let entry = Entry::new(stamp, event);
        if self.hole {
            self.hole = false;
            self.sift_down(entry);
            return;
        }
        self.heap.push(entry);
        let mut at = self.heap.len() - 1;
        while at > 0 {
            let parent = (at - 1) / D;
            if !entry.before(&self.heap[parent]) {
                break;
            }
            self.heap[at] = self.heap[parent];
            at = parent;
        }
        self.heap[at] = entry;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(Stamp, u32)> {
        if self.hole {
            self.hole = false;
            if let Some(last) = self.heap.pop()
                && !self.heap.is_empty()
            {
                self.sift_down(last);
            }
        }
        let first = *self.heap.first()?;
        self.hole = true;
        Some(first.get())
    }
}
