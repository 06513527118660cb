//! A binary heap that leaves a hole at the root when the first entry is removed. The next push fills the
//! hole, so that a removal and a push need one sift-down instead of two passes. The earlier of two children
//! is selected without a branch.

use super::entry::Entry;

/// Entries in heap order, the root at 0.
#[derive(Clone)]
pub(super) struct Heap<E> {
    heap: Vec<Entry<E>>,
    /// True if the root has been removed and not been replaced.
    hole: bool,
}

impl<E: Copy + Ord> Heap<E> {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { heap: Vec::with_capacity(capacity), hole: false }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.heap.len() - usize::from(self.hole)
    }

    #[inline(always)]
    pub(super) fn push(&mut self, entry: Entry<E>) {
        if self.hole {
            self.hole = false;
            self.sift_down(entry);
        } else {
            self.heap.push(entry);
            self.sift_up(self.heap.len() - 1, entry);
        }
    }

    /// Returns the first entry; `None` if the heap is empty.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Option<Entry<E>> {
        self.fill_hole();
        self.heap.first().copied()
    }

    /// Removes the first entry. Must be called directly after [`Self::peek`] has returned an entry.
    #[inline(always)]
    pub(super) fn remove(&mut self) {
        self.hole = true;
    }

    /// Moves all entries to `out`, in no particular order.
    pub(super) fn drain_into(&mut self, out: &mut Vec<Entry<E>>) {
        self.fill_hole();
        out.append(&mut self.heap);
    }

    #[inline(always)]
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

    #[inline(always)]
    fn sift_up(&mut self, mut at: usize, entry: Entry<E>) {
        let heap = &mut self.heap[..];
        while at > 0 {
            let parent = heap[(at - 1) / 2];
            if !entry.before(&parent) {
                break;
            }
            heap[at] = parent;
            at = (at - 1) / 2;
        }
        heap[at] = entry;
    }

    /// Puts `entry` at the root and moves it down until the heap order holds.
    #[inline(always)]
    fn sift_down(&mut self, entry: Entry<E>) {
        let heap = &mut self.heap[..];
        let mut at = 0;
        while let Some(pair) = heap.get(2 * at + 1..).and_then(<[_]>::first_chunk::<2>) {
            let right = usize::from(pair[1].before(&pair[0]));
            let child = pair[right];
            if !child.before(&entry) {
                heap[at] = entry;
                return;
            }
            heap[at] = child;
            at = 2 * at + 1 + right;
        }
        // The last child may have no sibling.
        if let Some(&child) = heap.get(2 * at + 1)
            && child.before(&entry)
        {
            heap[at] = child;
            at = 2 * at + 1;
        }
        heap[at] = entry;
    }
}
