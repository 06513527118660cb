//! A binary heap that fuses a pop with the next push (replace-top). The earlier child is chosen without a branch: the array is padded with
//! `LAST`, so that both children always exist. `BOTTOM_UP` moves the hole down to a leaf first, and moves the new entry up from there.

use super::{Entry, LAST, Queue};
use base::Stamp;

pub struct Fused<const BOTTOM_UP: bool> {
    /// The entries with the root at index 1; all entries from `len + 1` on are `LAST`.
    heap: Vec<Entry>,
    len: usize,
    hole: bool,
}

impl<const BOTTOM_UP: bool> Default for Fused<BOTTOM_UP> {
    fn default() -> Self {
        Self { heap: vec![LAST; 4], len: 0, hole: false }
    }
}

impl<const BOTTOM_UP: bool> Fused<BOTTOM_UP> {
    #[inline(always)]
    fn sift_down(&mut self, entry: Entry) {
        let heap = &mut self.heap[..];
        let mut at = 1;
        while 2 * at <= self.len {
            let pair: &[Entry; 2] = heap[2 * at..2 * at + 2].try_into().expect("two");
            let right = usize::from(pair[1].before(&pair[0]));
            let child = pair[right];
            if !BOTTOM_UP && !child.before(&entry) {
                break;
            }
            heap[at] = child;
            at = 2 * at + right;
        }
        if BOTTOM_UP {
            while at > 1 {
                let parent = heap[at / 2];
                if !entry.before(&parent) {
                    break;
                }
                heap[at] = parent;
                at /= 2;
            }
        }
        heap[at] = entry;
    }
}

impl<const BOTTOM_UP: bool> Queue for Fused<BOTTOM_UP> {
    const NAME: &'static str =
        if BOTTOM_UP { "2-ary, branch-free, bottom-up" } else { "2-ary, branch-free, replace-top" };

    #[inline(always)]
    fn push(&mut self, stamp: Stamp, event: u32) {
        let entry = Entry::new(stamp, event);
        if self.hole {
            self.hole = false;
            self.sift_down(entry);
            return;
        }
        self.len += 1;
        if 2 * self.len + 2 > self.heap.len() {
            self.heap.resize(4 * self.len + 4, LAST);
        }
        let mut at = self.len;
        while at > 1 && entry.before(&self.heap[at / 2]) {
            self.heap[at] = self.heap[at / 2];
            at /= 2;
        }
        self.heap[at] = entry;
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(Stamp, u32)> {
        if self.hole {
            self.hole = false;
            let last = std::mem::replace(&mut self.heap[self.len], LAST);
            self.len -= 1;
            if self.len > 0 {
                self.sift_down(last);
            }
        }
        if self.len == 0 {
            return None;
        }
        self.hole = true;
        Some(self.heap[1].get())
    }
}
