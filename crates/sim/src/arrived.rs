//! Numbers of datagrams that have arrived, so that a copy that a link made is not delivered again.

const BITS: u64 = u64::BITS as u64;

/// A set of datagram numbers as a bitmap. Words at the front in which all bits are set are dropped. A flow without
/// losses therefore needs a few words; after a loss there is one bit for each datagram since the first missing one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrived {
    /// Number of full words dropped from the front.
    full: u64,
    words: std::collections::VecDeque<u64>,
}

impl Arrived {
    /// Adds datagram `seq`; returns true if it is new.
    pub(crate) fn add(&mut self, seq: u64) -> bool {
        let Some(word) = (seq / BITS).checked_sub(self.full) else { return false };
        let (word, bit) = (word as usize, 1 << (seq % BITS));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        while self.words.front() == Some(&u64::MAX) {
            self.words.pop_front();
            self.full += 1;
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn every_number_is_new_once() {
        let mut rng = Rng::stream(1, "arrived");
        let (mut arrived, mut known) = (Arrived::default(), BTreeSet::new());
        for step in 0..20_000u64 {
            // Numbers are less than 300 below and less than 30 above the step; from 4000 on, some numbers
            // never occur.
            let seq = (step + rng.bits() % 30).saturating_sub(rng.bits() % 300);
            if seq % 97 != 5 || seq < 4_000 {
                assert_eq!(arrived.add(seq), known.insert(seq), "{seq} at step {step}");
            }
        }
    }

    #[test]
    fn a_flow_without_losses_needs_few_words() {
        let mut arrived = Arrived::default();
        assert!((0..100_000).all(|seq| arrived.add(seq)));
        assert!(arrived.words.len() <= 1 && !arrived.add(0) && !arrived.add(99_999));
    }
}
