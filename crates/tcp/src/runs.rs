//! Out-of-order segments at a receiver, as runs. Runs are indexed by their first segment and by the time of
//! their last change, so that adding a segment takes logarithmic time in the number of holes.

use std::collections::BTreeMap;

/// Runs of successive segments that do not touch each other. Takes eight bytes while there is no run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs {
    held: Option<Box<Held>>,
}

#[derive(Clone, Debug, Default)]
struct Held {
    /// Each run by its first segment: one more than its last segment, and the number of its last change.
    runs: BTreeMap<u64, (u64, u64)>,
    /// First segment of each run, by the number of the run's last change.
    touched: BTreeMap<u64, u64>,
    /// Number of changes since there was no run.
    count: u64,
}

impl Runs {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.held.is_none()
    }

    /// Returns true if segment `seq` is in a run.
    pub(crate) fn contain(&self, seq: u64) -> bool {
        let run = self.held.as_ref().and_then(|held| held.runs.range(..=seq).next_back());
        run.is_some_and(|(_, (to, _))| seq < *to)
    }

    /// Adds segment `seq`; returns the run that now contains it, which is the most recently changed.
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

    /// Removes the run that begins at `from`; returns one more than its last segment.
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
        /// The runs agree with a plain list of ranges after any steps.
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
