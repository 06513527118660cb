//! Unsorted store of entries that are not due soon: buckets of equal width in time, and one list of entries
//! due after the last bucket. When all buckets have been emptied, the list is spread over new buckets. Their
//! width is adapted to how full the old buckets were.

use super::entry::Entry;

const NONE: u32 = u32::MAX;
/// Target number of entries per bucket.
const AIM: u64 = 8;
/// The number of buckets is at most 2 to this power.
const MOST_BUCKETS: u32 = 16;

#[derive(Clone, Copy)]
struct Node<E> {
    entry: Entry<E>,
    next: u32,
}

/// Store of entries that are due after the horizon, which is the end of the bucket that was emptied last.
#[derive(Clone)]
pub(super) struct Wheel<E> {
    /// First node of each bucket's list.
    buckets: Vec<u32>,
    /// One bit per bucket, set if the bucket is not empty.
    used: Vec<u64>,
    /// Beginning of the first bucket, picoseconds.
    start: u64,
    /// Width of a bucket as a power of two: `1 << shift` picoseconds.
    shift: u32,
    /// Index of the next bucket to empty.
    cursor: usize,
    /// First node of the list of entries due after the last bucket.
    far: u32,
    nodes: Vec<Node<E>>,
    free: u32,
    len: usize,
    /// Counts since entries were last distributed to the buckets, from which the next width is computed:
    /// entries distributed, entries taken from buckets since, and buckets emptied since.
    spread: u64,
    taken: u64,
    emptied: u64,
}

impl<E: Copy + Ord> Wheel<E> {
    pub(super) fn new() -> Self {
        Self {
            buckets: Vec::new(),
            used: Vec::new(),
            start: 0,
            shift: 0,
            cursor: 0,
            far: NONE,
            nodes: Vec::new(),
            free: NONE,
            len: 0,
            spread: 0,
            taken: 0,
            emptied: 0,
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Stores an entry, which must be due after the horizon.
    #[inline(always)]
    pub(super) fn push(&mut self, entry: Entry<E>) {
        self.len += 1;
        let bucket = ((entry.at - self.start) >> self.shift) as usize;
        let head = match self.buckets.get_mut(bucket) {
            Some(head) => {
                self.used[bucket / 64] |= 1 << (bucket % 64);
                head
            }
            None => &mut self.far,
        };
        let node = Node { entry, next: *head };
        match self.nodes.get_mut(self.free as usize) {
            Some(free) => {
                *head = self.free;
                self.free = free.next;
                *free = node;
            }
            None => {
                *head = self.nodes.len() as u32;
                self.nodes.push(node);
            }
        }
    }

    /// Moves the entries of the next bucket that is not empty to `out`; returns the new horizon, which is the
    /// end of that bucket. `None` if all buckets are empty.
    #[inline(always)]
    pub(super) fn take_bucket(&mut self, out: &mut Vec<Entry<E>>) -> Option<u64> {
        let mut word = self.cursor / 64;
        let mut bits = self.used.get(word)? & (u64::MAX << (self.cursor % 64));
        while bits == 0 {
            word += 1;
            bits = *self.used.get(word)?;
        }
        let bucket = word * 64 + bits.trailing_zeros() as usize;
        self.cursor = bucket + 1;
        let before = out.len();
        let list = std::mem::replace(&mut self.buckets[bucket], NONE);
        self.take_list(list, out);
        self.taken += (out.len() - before) as u64;
        self.emptied += 1;
        Some(self.start.saturating_add(((bucket as u64 + 1) << self.shift) - 1))
    }

    /// Moves all entries to `out`.
    pub(super) fn drain_into(&mut self, out: &mut Vec<Entry<E>>) {
        for bucket in self.cursor..self.buckets.len() {
            let list = std::mem::replace(&mut self.buckets[bucket], NONE);
            self.take_list(list, out);
        }
        let list = std::mem::replace(&mut self.far, NONE);
        self.take_list(list, out);
    }

    /// Replaces the contents by `entries`, which must not all be at the same time; the first bucket begins at
    /// the earliest. With `afresh` the width of buckets is estimated from `entries`, otherwise adapted from
    /// the last width.
    pub(super) fn begin(&mut self, entries: &mut Vec<Entry<E>>, afresh: bool) {
        let total = entries.len();
        let start = entries.iter().map(|entry| entry.at).min().unwrap_or(0);
        let buckets = total.next_power_of_two().clamp(64, 1 << MOST_BUCKETS);
        // All buckets together span less than 2^63 ps, so that computing their ends cannot overflow.
        let widest = 62 - MOST_BUCKETS;
        self.shift = if afresh { spacing(entries, start) } else { self.learn() }.min(widest);
        self.start = start;
        self.cursor = 0;
        self.spread = total as u64;
        self.taken = 0;
        self.emptied = 0;
        self.buckets.clear();
        self.buckets.resize(buckets, NONE);
        self.used.clear();
        self.used.resize(buckets / 64, 0);
        for entry in entries.drain(..) {
            self.push(entry);
        }
    }

    /// Returns the new width of a bucket, as a power of two, from the counts since the last spread.
    fn learn(&self) -> u32 {
        let each = self.taken / self.emptied.max(1);
        if self.taken < self.spread / 2 {
            // Buckets are so narrow that spreading entries costs more than it saves.
            self.shift + 1 + (self.spread / (2 * self.taken.max(1))).max(1).ilog2()
        } else if each < AIM / 2 {
            self.shift + 1
        } else if each > 2 * AIM {
            self.shift.saturating_sub((each / AIM).ilog2())
        } else {
            self.shift
        }
    }

    #[inline(always)]
    fn take_list(&mut self, mut list: u32, out: &mut Vec<Entry<E>>) {
        while let Some(node) = self.nodes.get_mut(list as usize) {
            out.push(node.entry);
            let next = std::mem::replace(&mut node.next, self.free);
            self.free = list;
            list = next;
            self.len -= 1;
        }
    }
}

/// Returns the width of a bucket, as a power of two, at which the earlier half of the entries would be
/// [`AIM`] per bucket. If these are all at one time, all entries are used.
fn spacing<E: Copy + Ord>(entries: &mut [Entry<E>], start: u64) -> u32 {
    let last = entries.len() - 1;
    let middle = entries.select_nth_unstable_by_key(last / 2, |entry| entry.at).1.at;
    let (span, count) = if middle > start {
        (middle - start, last / 2)
    } else {
        (entries.iter().map(|entry| entry.at).max().unwrap_or(start) - start, last)
    };
    (span / count.max(1) as u64).saturating_mul(AIM).max(1).ilog2()
}
