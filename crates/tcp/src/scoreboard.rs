//! The SACK scoreboard: outstanding segments that have arrived, and others that are marked. The meaning of a
//! mark depends on the loss recovery: retransmitted (`sack`, `fack`), or lost and not retransmitted since
//! (`rack`).
//!
//! The sets are bits in a ring of words, so that the cost of a SACK block is its length divided by 64.

/// A set of segment numbers within a sliding window, as a ring of bits.
#[derive(Clone, Debug, Default)]
struct Bits {
    words: Vec<u64>,
    count: u64,
}

impl Bits {
    fn slot(&self, seq: u64) -> (usize, u64) {
        ((seq >> 6) as usize & (self.words.len() - 1), seq & 63)
    }

    /// Calls `f(word, mask)` for each word that contains segments of `from..to`; `mask` has the bits of these
    /// segments.
    fn each(&mut self, from: u64, to: u64, mut f: impl FnMut(&mut u64, u64)) {
        let mut at = from;
        while at < to {
            let end = ((at | 63) + 1).min(to);
            let (word, bit) = self.slot(at);
            let mask = (u64::MAX >> (64 - (end - at))) << bit;
            f(&mut self.words[word], mask);
            at = end;
        }
    }

    fn set(&mut self, from: u64, to: u64) -> u64 {
        let mut new = 0;
        self.each(from, to, |word, mask| {
            new += u64::from((mask & !*word).count_ones());
            *word |= mask;
        });
        self.count += new;
        new
    }

    /// Sets bits as [`Bits::set`] does, and calls `f` with each number that was not in the set.
    fn set_each(&mut self, from: u64, to: u64, mut f: impl FnMut(u64)) -> u64 {
        let mut at = from;
        let mut new = 0;
        while at < to {
            let end = ((at | 63) + 1).min(to);
            let (word, bit) = self.slot(at);
            let mask = (u64::MAX >> (64 - (end - at))) << bit;
            let mut fresh = mask & !self.words[word];
            self.words[word] |= mask;
            new += u64::from(fresh.count_ones());
            while fresh != 0 {
                f((at & !63) + u64::from(fresh.trailing_zeros()));
                fresh &= fresh - 1;
            }
            at = end;
        }
        self.count += new;
        new
    }

    fn clear(&mut self, from: u64, to: u64) {
        if self.count == 0 {
            return;
        }
        let mut gone = 0;
        self.each(from, to, |word, mask| {
            gone += u64::from((mask & *word).count_ones());
            *word &= !mask;
        });
        self.count -= gone;
    }

    fn get(&self, seq: u64) -> bool {
        let (word, bit) = self.slot(seq);
        self.words[word] >> bit & 1 == 1
    }

    fn word(&self, seq: u64) -> u64 {
        self.words[self.slot(seq).0]
    }
}

/// Scoreboard of the outstanding segments, which begin at `una`.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    una: u64,
    /// One more than the highest segment that has arrived out of order; `una` if there is none.
    top: u64,
    sacked: Bits,
    marked: Bits,
    /// All segments from `una` to `whole - 1` have arrived or are marked, so a search for a hole begins at
    /// `whole`.
    whole: u64,
    /// No segment from `una` to `unmarked - 1` is marked.
    unmarked: u64,
    /// The last SACK blocks; `None` before the first block. Their segments have been recorded, so only
    /// those segments of a new block that lie outside of them are recorded.
    seen: Option<Box<[(u64, u64); SEEN]>>,
}

/// Number of SACK blocks remembered; an acknowledgment has at most three blocks.
const SEEN: usize = 4;

/// DupThresh: number of segments that must have arrived above a missing one for it to count as lost (RFC 6675
/// section 4).
const DUP_THRESH: u64 = 3;

impl Scoreboard {
    /// Clears the scoreboard; outstanding segments now begin at `una`.
    pub fn clear(&mut self, una: u64) {
        self.sacked.clear(self.una, self.top);
        // Marks can be above every segment that has arrived, so the whole ring is cleared.
        if self.marked.count > 0 {
            self.marked.words.fill(0);
            self.marked.count = 0;
        }
        self.una = una;
        self.top = una;
        self.whole = una;
        self.unmarked = una;
        self.forget_blocks();
    }

    /// Forgets the SACK blocks, so that the next block records all its segments, even those of an earlier
    /// block.
    fn forget_blocks(&mut self) {
        if let Some(seen) = &mut self.seen {
            **seen = Default::default();
        }
    }

    /// Records that segments below `una` are acknowledged.
    #[inline]
    pub fn advance(&mut self, una: u64) {
        if una <= self.una {
            return;
        }
        if self.sacked.count > 0 || self.marked.count > 0 {
            let span = (self.sacked.words.len() as u64 * 64).min(una - self.una);
            self.sacked.clear(self.una, self.una + span);
            self.marked.clear(self.una, self.una + span);
        }
        self.una = una;
        self.top = self.top.max(una);
    }

    /// Records that segments `from` to `to - 1` have arrived; returns the number of those that had not been
    /// recorded.
    pub fn sack(&mut self, from: u64, to: u64) -> u64 {
        self.sack_each(from, to, |_| ())
    }

    /// Records arrivals like [`Scoreboard::sack`], and calls `f` with each segment that had not been
    /// recorded.
    pub fn sack_each(&mut self, from: u64, to: u64, mut f: impl FnMut(u64)) -> u64 {
        let from = from.max(self.una);
        if from >= to {
            return 0;
        }
        self.reserve(to);
        self.top = self.top.max(to);
        let known = self.remember(from, to);
        let mut news = 0;
        for (from, to) in [(from, known.0), (known.1, to)] {
            if from < to {
                // The mark of a segment that has arrived is removed.
                self.marked.clear(from, to);
                news += self.sacked.set_each(from, to, &mut f);
            }
        }
        news
    }

    /// Remembers the SACK block `from..to`; returns its longest part that a remembered block contained.
    /// Blocks normally grow at their ends, so only the segments outside this part need to be recorded.
    fn remember(&mut self, from: u64, to: u64) -> (u64, u64) {
        let seen = self.seen.get_or_insert_default();
        let mut known = (to, to);
        for block in seen.iter() {
            let (first, last) = (block.0.max(from), block.1.min(to));
            if first < last && last - first > known.1 - known.0 {
                known = (first, last);
            }
        }
        // The block replaces one that it contains, or otherwise the oldest.
        let inside = seen.iter().position(|block| from <= block.0 && block.1 <= to);
        seen[..=inside.unwrap_or(SEEN - 1)].rotate_right(1);
        seen[0] = (from, to);
        known
    }

    /// Marks segment `seq`.
    pub fn mark(&mut self, seq: u64) {
        self.reserve(seq + 1);
        if self.is_sacked(seq) {
            // The next SACK block that contains the segment must remove the mark.
            self.forget_blocks();
        }
        self.unmarked = self.unmarked.min(seq);
        self.marked.set(seq, seq + 1);
    }

    /// Unmarks segment `seq`.
    pub fn unmark(&mut self, seq: u64) {
        self.whole = self.whole.min(seq);
        self.marked.clear(seq, seq + 1);
    }

    /// Unmarks all segments.
    pub fn unmark_all(&mut self) {
        self.whole = self.una;
        self.marked.words.fill(0);
        self.marked.count = 0;
    }

    /// Returns true if segment `seq` has arrived.
    pub fn is_sacked(&self, seq: u64) -> bool {
        seq >= self.una && seq < self.top && self.sacked.get(seq)
    }

    /// Returns true if segment `seq` is marked and is not known to have arrived.
    pub fn is_marked(&self, seq: u64) -> bool {
        self.marked.count > 0 && seq >= self.una && self.marked.get(seq)
    }

    /// Returns the number of segments that have arrived out of order.
    pub fn sacked_count(&self) -> u64 {
        self.sacked.count
    }

    /// Returns the number of segments that have arrived out of order and follow another such segment.
    #[inline]
    pub fn merged_count(&self) -> u64 {
        if self.sacked.count == 0 { 0 } else { self.count_merged() }
    }

    #[cold]
    fn count_merged(&self) -> u64 {
        let (mut at, mut before, mut merged) = (self.una & !63, 0, 0);
        while at < self.top {
            // The ring's word may have segments beyond the window.
            let (first, last) = (self.una.saturating_sub(at), (at + 64).saturating_sub(self.top));
            let word = self.sacked.word(at) & (u64::MAX << first) & (u64::MAX >> last);
            merged += (word & (word << 1 | before)).count_ones();
            before = word >> 63;
            at += 64;
        }
        u64::from(merged)
    }

    /// Returns true if no segment has arrived out of order, and none is marked.
    #[inline]
    pub fn is_clear(&self) -> bool {
        self.sacked.count == 0 && self.marked.count == 0
    }

    /// Returns the number of marked segments that have not arrived.
    pub fn marked_count(&self) -> u64 {
        self.marked.count
    }

    /// Returns one more than the highest segment that has arrived out of order; `una` if there is none.
    pub fn top(&self) -> u64 {
        self.top
    }

    /// Returns the first segment in `from..to` that has neither arrived nor is marked. `to` is at most
    /// [`Scoreboard::top`], or the largest `end` given to [`Scoreboard::reserve`].
    pub fn first_hole(&mut self, from: u64, to: u64) -> Option<u64> {
        let from = from.max(self.una);
        let beyond = from <= self.whole.max(self.una);
        let hole = self.hole_between(if beyond { self.whole.max(from) } else { from }, to);
        if beyond {
            self.whole = hole.unwrap_or(to).max(self.whole);
        }
        hole
    }

    fn hole_between(&self, from: u64, to: u64) -> Option<u64> {
        let mut at = from;
        while at < to {
            let taken = (self.sacked.word(at) | self.marked.word(at)) >> (at & 63);
            let free = u64::from((!taken).trailing_zeros());
            let left = 64 - (at & 63);
            if free < left {
                return (at + free < to).then_some(at + free);
            }
            at += left;
        }
        None
    }

    /// Returns the highest segment in `from..to` that has not arrived.
    pub fn highest_missing(&self, from: u64, to: u64) -> Option<u64> {
        (from..to).rev().find(|&seq| !self.is_sacked(seq))
    }

    /// Returns the lowest marked segment; `None` if none is marked.
    pub fn first_marked(&mut self) -> Option<u64> {
        if self.marked.count == 0 {
            return None;
        }
        // No segment below `una` is marked.
        let mut at = self.una.max(self.unmarked);
        loop {
            let word = self.marked.word(at) >> (at & 63);
            if word != 0 {
                let first = at + u64::from(word.trailing_zeros());
                self.unmarked = first;
                return Some(first);
            }
            at = (at | 63) + 1;
        }
    }

    /// Returns the segment below which all segments that have not arrived are lost, because at least three
    /// segments above them have arrived (RFC 6675 section 4, IsLost).
    pub fn lost_edge(&self) -> u64 {
        if self.sacked.count < DUP_THRESH {
            return self.una;
        }
        // Searches the third highest segment that has arrived.
        let mut wanted = DUP_THRESH;
        let mut at = self.top;
        loop {
            let base = (at - 1) & !63;
            let upto = at - base;
            let mut word = self.sacked.word(base) & (u64::MAX >> (64 - upto));
            let ones = u64::from(word.count_ones());
            if ones >= wanted {
                for _ in 1..wanted {
                    word &= !(1 << (63 - word.leading_zeros()));
                }
                return base + 63 - u64::from(word.leading_zeros());
            }
            wanted -= ones;
            at = base;
        }
    }

    /// Returns the segment below which all segments that have not arrived are lost by the forward rule: a
    /// segment more than three above them has arrived (Mathis and Mahdavi 1996).
    pub fn forward_edge(&self) -> u64 {
        self.una.max(self.top.saturating_sub(DUP_THRESH + 1))
    }

    /// Returns the number of segments in `una..edge` that have not arrived.
    pub fn lost_count(&self, edge: u64) -> u64 {
        if edge == self.una { 0 } else { (edge - self.una) - self.sacked_below(edge) }
    }

    /// Returns the number of segments in `una..to` that have arrived.
    pub fn sacked_below(&self, to: u64) -> u64 {
        if to >= self.top {
            self.sacked.count
        } else if self.top - to < to.saturating_sub(self.una) {
            self.sacked.count - self.sacked_between(to, self.top)
        } else {
            self.sacked_between(self.una, to)
        }
    }

    /// Returns the number of segments in `from..to` that have arrived; the range must be within `una..top`.
    pub fn sacked_between(&self, from: u64, to: u64) -> u64 {
        let mut at = from;
        let mut n = 0;
        while at < to && self.sacked.count > 0 {
            let end = ((at | 63) + 1).min(to);
            let mask = (u64::MAX >> (64 - (end - at))) << (at & 63);
            n += u64::from((self.sacked.word(at) & mask).count_ones());
            at = end;
        }
        n
    }

    /// Extends the ring to segment `end`.
    pub fn reserve(&mut self, end: u64) {
        let need = ((end - self.una) / 64 + 2).next_power_of_two() as usize;
        if need <= self.sacked.words.len() {
            return;
        }
        let old = std::mem::take(self);
        self.una = old.una;
        self.top = old.top;
        self.whole = old.whole;
        self.unmarked = old.unmarked;
        self.seen = old.seen;
        self.sacked.words = vec![0; need];
        self.marked.words = vec![0; need];
        let span = old.sacked.words.len() as u64 * 64;
        for seq in old.una..old.una + span {
            if old.sacked.get(seq) {
                self.sacked.set(seq, seq + 1);
            }
            if old.marked.get(seq) {
                self.marked.set(seq, seq + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn agrees_with_a_set(start in 0u64..200, steps in prop::collection::vec((0u8..4, 0u64..300, 1u64..90), 1..60)) {
            let mut board = Scoreboard::default();
            board.clear(start);
            let (mut una, mut sacked, mut marked) = (start, BTreeSet::new(), BTreeSet::new());
            for (what, at, len) in steps {
                let from = una + at;
                match what {
                    0 => {
                        let news = (from..from + len).filter(|s| sacked.insert(*s)).count() as u64;
                        prop_assert_eq!(board.sack(from, from + len), news);
                        marked.retain(|s| !(from..from + len).contains(s));
                    }
                    1 => {
                        board.mark(from);
                        marked.insert(from);
                    }
                    2 => {
                        una += len;
                        board.advance(una);
                        sacked.retain(|s| *s >= una);
                        marked.retain(|s| *s >= una);
                    }
                    _ => {
                        board.clear(una);
                        sacked.clear();
                        marked.clear();
                    }
                }
                prop_assert_eq!(board.sacked_count(), sacked.len() as u64);
                let merged = sacked.iter().filter(|s| **s > una && sacked.contains(&(**s - 1))).count() as u64;
                prop_assert_eq!(board.merged_count(), merged);
                prop_assert_eq!(board.marked_count(), marked.len() as u64);
                prop_assert_eq!(board.first_marked(), marked.first().copied());
                let edge = sacked.iter().rev().nth(2).copied().unwrap_or(una);
                prop_assert_eq!(board.lost_edge(), edge);
                let lost = (una..edge).filter(|s| !sacked.contains(s)).count() as u64;
                prop_assert_eq!(board.lost_count(edge), lost);
                let top = sacked.last().map_or(una, |s| s + 1);
                board.reserve(top);
                let hole = (una..top).find(|s| !sacked.contains(s) && !marked.contains(s));
                prop_assert_eq!(board.first_hole(una, top), hole);
                let missing = (una..top + 2).rev().find(|s| !sacked.contains(s));
                prop_assert_eq!(board.highest_missing(una, top + 2), missing);
                let missing = (una..top).rev().find(|s| !sacked.contains(s));
                prop_assert_eq!(board.highest_missing(una, top), missing);
                prop_assert_eq!(board.sacked_below(una + 100), sacked.range(..una + 100).count() as u64);
            }
        }
    }
}
