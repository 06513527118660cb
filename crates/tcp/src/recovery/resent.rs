//! Retransmissions of one recovery in the order of sending, and detection of lost retransmissions.
//!
//! A retransmission is lost if it has not arrived, but enough segments sent after it have. There are two
//! rules, each with a number in [`Config`]. `lost_retransmission` = N: the N-th new segment after the
//! retransmission, or a later one, has arrived. `overtaken_retransmission` = N: the N-th retransmission
//! after it, or a later one, has arrived.
//!
//! The second rule is that of TCP-Linux, derived from packet traces of ns-2. At each acknowledgment it
//! compares each retransmission L that has not arrived with one retransmission A that has arrived. If SACK
//! blocks of this acknowledgment report retransmitted segments below L, A is the highest of them. Otherwise A
//! is the highest retransmitted segment that SACK blocks of an earlier acknowledgment reported, namely of the
//! last one that reported any. If a cumulatively acknowledged segment was retransmitted later than this
//! segment, A is the cumulatively acknowledged one. So an arrival counts at once for segments above it, but
//! for segments below it only from the next acknowledgment on.
//!
//! [`Config`]: crate::Config

use std::collections::{BTreeMap, VecDeque};

#[derive(Clone, Debug, Default)]
pub(super) struct Resent {
    /// Retransmissions in order of sending, each with its segment and one more than the highest segment sent
    /// before.
    sent: VecDeque<(u64, u64)>,
    /// Number of the first entry of `sent`; retransmissions are numbered from the beginning of recovery.
    first: u64,
    /// Outstanding retransmissions: for each segment, the index of its last retransmission, until that has arrived
    /// or been declared lost.
    out: BTreeMap<u64, u64>,
    /// One more than the number of the retransmission with which the second rule compares a segment, if the
    /// current acknowledgment shows no arrival below that segment.
    passed: u64,
    /// Retransmissions that the current acknowledgment shows to have arrived: segment and number, in
    /// ascending order of segments.
    arrived: Vec<(u64, u64)>,
}

impl Resent {
    /// Removes all retransmissions, at the end of recovery.
    pub(super) fn clear(&mut self) {
        self.sent.clear();
        self.out.clear();
        self.arrived.clear();
        self.first = 0;
        self.passed = 0;
    }

    /// Records the retransmission of segment `seq`; all segments below `max` have been sent.
    pub(super) fn push(&mut self, seq: u64, max: u64) {
        self.out.insert(seq, self.first + self.sent.len() as u64);
        self.sent.push_back((seq, max));
    }

    /// Records that segments below `una` are acknowledged.
    pub(super) fn advance(&mut self, una: u64) {
        while let Some(entry) = self.out.first_entry()
            && *entry.key() < una
        {
            self.passed = self.passed.max(entry.remove() + 1);
        }
    }

    /// Records that segments `from` to `to - 1` have arrived.
    pub(super) fn sack(&mut self, from: u64, to: u64) {
        while let Some((&seq, &number)) = self.out.range(from..to).next() {
            self.out.remove(&seq);
            self.arrived.push((seq, number));
        }
    }

    /// Calls `f` with each segment whose retransmission is lost, by the rule `lost_retransmission` with
    /// number `beyond` and by `overtaken_retransmission` with number `overtaken` (0: rule not used). `top` is
    /// one more than the highest segment that has arrived.
    pub(super) fn lost(&mut self, top: u64, beyond: u64, overtaken: u64, mut f: impl FnMut(u64)) {
        self.arrived.sort_unstable();
        let newest = self.arrived.iter().map(|&(_, number)| number + 1).fold(self.passed, u64::max);
        for (&(seq, max), number) in self.sent.iter().zip(self.first..) {
            let by_data = beyond > 0 && top >= max + beyond;
            let before = |last: u64| overtaken > 0 && number + overtaken < last;
            if !by_data && !before(newest) {
                break;
            }
            let below = self.arrived.partition_point(|&(other, _)| other < seq).checked_sub(1);
            let last = below.map_or(self.passed, |at| self.arrived[at].1 + 1);
            if self.out.get(&seq) == Some(&number) && (by_data || before(last)) {
                self.out.remove(&seq);
                f(seq);
            }
        }
        while let Some((seq, _)) = self.sent.front()
            && self.out.get(seq) != Some(&self.first)
        {
            self.sent.pop_front();
            self.first += 1;
        }
        self.passed = self.arrived.pop().map_or(self.passed, |(_, number)| number + 1);
        self.arrived.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(resent: &mut Resent, top: u64, beyond: u64, overtaken: u64) -> Vec<u64> {
        let mut found = Vec::new();
        resent.lost(top, beyond, overtaken, |seq| found.push(seq));
        found
    }

    /// Returns the list after `count` retransmissions: segments 10, 12, 14 and so on. The next new segment is 40.
    fn sent_again(count: u64) -> Resent {
        let mut resent = Resent::default();
        (0..count).for_each(|i| resent.push(10 + 2 * i, 40));
        resent
    }

    #[test]
    fn new_data_that_arrives_overtakes_what_was_sent_before_it() {
        let mut resent = sent_again(2);
        resent.push(14, 41);
        assert!(lost(&mut resent, 40, 1, 0).is_empty());
        // 40 has arrived: it was sent after 10 and 12, before 14.
        assert_eq!(lost(&mut resent, 41, 1, 0), [10, 12]);
        assert_eq!(lost(&mut resent, 42, 1, 0), [14]);
        assert!(lost(&mut resent, 43, 1, 0).is_empty());
    }

    #[test]
    fn the_fifth_retransmission_after_it_shows_a_lower_one_lost_with_the_next_acknowledgment() {
        let mut resent = sent_again(7);
        resent.sack(18, 19);
        assert!(lost(&mut resent, 40, 1, 5).is_empty());
        // The retransmission of 20 is the fifth after that of 10.
        resent.sack(20, 21);
        assert!(lost(&mut resent, 40, 1, 5).is_empty());
        assert_eq!(lost(&mut resent, 40, 1, 5), [10]);
        assert!(lost(&mut resent, 40, 1, 5).is_empty());
    }

    #[test]
    fn it_shows_a_higher_one_lost_at_once() {
        let mut resent = sent_again(5);
        // 8 is retransmitted as the fifth after 10; 18 was the fourth.
        resent.push(8, 40);
        resent.sack(8, 9);
        assert_eq!(lost(&mut resent, 40, 1, 5), [10]);
        // The same holds if 8, which is below all others, is acknowledged cumulatively.
        let mut resent = sent_again(5);
        resent.push(8, 40);
        resent.advance(10);
        assert_eq!(lost(&mut resent, 40, 1, 5), [10]);
    }

    #[test]
    fn the_arrival_found_last_is_what_counts() {
        let mut resent = sent_again(8);
        resent.sack(24, 25);
        assert!(lost(&mut resent, 40, 1, 5).is_empty());
        // 24 is the seventh retransmission after 10. This acknowledgment reports 12, the first after 10, so
        // 14 is compared with 12 and not with 24.
        resent.sack(12, 13);
        assert_eq!(lost(&mut resent, 40, 1, 5), [10]);
        assert!(lost(&mut resent, 40, 1, 5).is_empty());
    }

    #[test]
    fn what_is_sent_yet_again_counts_by_its_last_sending() {
        let mut resent = sent_again(2);
        resent.push(10, 40);
        (0..4).for_each(|i| resent.push(14 + 2 * i, 40));
        // 20 is the fourth retransmission after the second one of 10, and the fifth after that of 12.
        resent.sack(20, 21);
        assert!(lost(&mut resent, 40, 1, 5).is_empty());
        assert_eq!(lost(&mut resent, 40, 1, 5), [12]);
    }
}
