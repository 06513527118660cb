//! A binary heap whose popped root stays as a hole that the next push fills: one way down instead of two. The earlier
//! of two children is found without a branch.

use super::entry::Entry;

/// Entries in heap order, the root at 0.
#[derive(Clone)]
pub(super) struct Heap<E> {
    heap: Vec<Entry<E>>,
    /// True if the root has been popped and waits to be replaced.
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

    /// Returns the first entry, if any.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Option<Entry<E>> {
        self.fill_hole();
        self.heap.first().copied()
    }

    /// Takes the first entry: call it only right after [`Self::peek`] has shown one.
    #[inline(always)]
    pub(super) fn remove(&mut self) {
        self.hole = true;
    }

    /// Takes every entry, in no order.
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

    /// Puts `entry` at the root and moves it down to its place.
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
        // The last child has no sibling.
        if let Some(&child) = heap.get(2 * at + 1)
            && child.before(&entry)
        {
            heap[at] = child;
            at = 2 * at + 1;
        }
        heap[at] = entry;
    }
}
