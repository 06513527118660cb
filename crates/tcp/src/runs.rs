//! The segments that a receiver holds out of order, as runs. Runs are found by their beginning and by their last
//! change, so that one more segment costs little however many holes there are.

use std::collections::BTreeMap;

/// Runs of segments that do not touch each other. Eight bytes while there is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs {
    held: Option<Box<Held>>,
}

#[derive(Clone, Debug, Default)]
struct Held {
    /// By first segment: one past the last, and the time of the last change.
    runs: BTreeMap<u64, (u64, u64)>,
    /// The first segment of each, by the time of the last change.
    touched: BTreeMap<u64, u64>,
    /// Number of changes since there was no run.
    count: u64,
}

impl Runs {
    /// Returns true if there is none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.held.is_none()
    }

    /// Returns true if segment `seq` is in one.
    pub(crate) fn contain(&self, seq: u64) -> bool {
        let run = self.held.as_ref().and_then(|held| held.runs.range(..=seq).next_back());
        run.is_some_and(|(_, (to, _))| seq < *to)
    }

    /// Adds segment `seq`; returns the run that it is in now, which is the most recent.
    pub(crate) fn add(&mut self, seq: u64) -> (u64, u64) {
        let held = self.held.get_or_insert_default();
        let (mut from, mut to) = (seq, seq + 1);
        while let Some((&first, &(last, touched))) = held.runs.range(..=to).next_back()
            && last >= from
        {
            held.runs.remove(&first);
            held.touched.remove(&touched);
            from = from.min(first);
            to = to.max(last);
        }
        held.runs.insert(from, (to, held.count));
        held.touched.insert(held.count, from);
        held.count += 1;
        (from, to)
    }

    /// Removes the run that begins at `from`; returns one past its last segment.
    #[inline]
    pub(crate) fn take(&mut self, from: u64) -> Option<u64> {
        let held = self.held.as_mut()?;
        let (to, touched) = held.runs.remove(&from)?;
        held.touched.remove(&touched);
        if held.runs.is_empty() {
            self.held = None;
        }
        Some(to)
    }

    /// Returns the runs, the most recently changed first (RFC 2018 section 4).
    pub(crate) fn recent(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let held = self.held.iter();
        held.flat_map(|held| held.touched.values().rev().map(move |from| (*from, held.runs[from].0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against the list that it stands for.
        #[test]
        fn agree_with_a_list(steps in prop::collection::vec((prop::bool::weighted(0.9), 0u64..60), 1..200)) {
            let (mut runs, mut list): (Runs, Vec<(u64, u64)>) = (Runs::default(), Vec::new());
            for (adds, seq) in steps {
                let within = list.iter().any(|run| run.0 <= seq && seq < run.1);
                prop_assert_eq!(runs.contain(seq), within);
                if adds {
                    let (mut from, mut to) = (seq, seq + 1);
                    list.retain(|run| {
                        let touches = run.0 <= to && from <= run.1;
                        if touches {
                            from = from.min(run.0);
                            to = to.max(run.1);
                        }
                        !touches
                    });
                    list.insert(0, (from, to));
                    prop_assert_eq!(runs.add(seq), (from, to));
                } else {
                    let at = list.iter().position(|run| run.0 == seq);
                    prop_assert_eq!(runs.take(seq), at.map(|at| list.remove(at).1));
                }
                prop_assert_eq!(runs.recent().collect::<Vec<_>>(), list.clone());
                prop_assert_eq!(runs.is_empty(), list.is_empty());
            }
        }
    }
}
