//! Table of loss reactions: the actual cause of each loss that a sender reacted to, and the cause that the
//! sender inferred.

use crate::row::{RUN, table};
use base::{DropCause, Duration, Instant};
use serde::Serialize;
use std::collections::BTreeMap;

/// Actual fate of a segment that a sender considered lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// The segment was dropped by a queue ([`DropCause::is_congestion`]).
    Congestion,
    /// Lost for another reason: corruption, a listed loss, an outage.
    Random,
    /// Not lost: the segment was late or overtaken, or its acknowledgment was lost.
    NotLost,
}

const TRUTHS: [(Truth, &str); 3] =
    [(Truth::Congestion, "congestion"), (Truth::Random, "random"), (Truth::NotLost, "not-lost")];
const FOUND_BY: [&str; 2] = ["acks", "timeout"];
const TAKEN_FOR: [&str; 2] = ["congestion", "random"];

/// Counts of one flow's loss reactions, and its losses so far to which the sender has not reacted.
#[derive(Clone, Debug, Default)]
pub struct Reactions {
    /// Causes of losses by segment number and time. A map stays fast if all segments of a window of 100 000 are lost
    /// together.
    lost: BTreeMap<(u64, Instant), DropCause>,
    /// Counts, indexed by detection ([`FOUND_BY`]), actual cause ([`TRUTHS`]) and inferred cause
    /// ([`TAKEN_FOR`]).
    counts: Option<Box<[[[u64; 2]; 3]; 2]>>,
}

impl Reactions {
    /// Records the loss of segment `seq` at `at`.
    pub fn on_lost(&mut self, seq: u64, at: Instant, cause: DropCause) {
        // A loss that lies in the future does not replace an earlier one: the sender may react before it happens.
        self.lost.insert((seq, at), cause);
    }

    /// Forgets the losses so far, because a new connection begins.
    pub fn forget(&mut self) {
        self.lost.clear();
    }

    /// Adds the counts of `other`, a connection of the same flow.
    pub fn merge(&mut self, other: &Self) {
        let Some(more) = &other.counts else { return };
        let counts = self.counts.get_or_insert_default();
        let each = counts.iter_mut().flatten().flatten().zip(more.iter().flatten().flatten());
        each.for_each(|(count, more)| *count += more);
    }

    /// Counts the sender's reaction at `now` to the loss of `seq`, its oldest outstanding segment. `timeout`
    /// is true if the retransmission timer detected the loss, `random` if the sender inferred a random loss.
    pub fn on_reaction(&mut self, now: Instant, seq: u64, timeout: bool, random: bool) {
        let latest = self.lost.range((seq, Instant::ZERO)..=(seq, now)).next_back();
        let truth = latest.map_or(Truth::NotLost, |(_, cause)| {
            if cause.is_congestion() { Truth::Congestion } else { Truth::Random }
        });
        self.lost = self.lost.split_off(&(seq, now + Duration::from_ps(1)));
        if self.lost.is_empty() {
            // The split leaves a map that has memory even if it is empty.
            self.lost = BTreeMap::new();
        }
        self.counts.get_or_insert_default()[usize::from(timeout)][truth as usize][usize::from(random)] += 1;
    }

    /// Returns the rows of flow number `flow` whose count is not zero.
    pub fn summary(&self, flow: u32) -> Vec<LossReaction> {
        let mut rows = Vec::new();
        let Some(counts) = &self.counts else { return rows };
        for (found_by, truths) in FOUND_BY.into_iter().zip(&**counts) {
            for ((_, actual_cause), guesses) in TRUTHS.into_iter().zip(truths) {
                for (inferred_cause, count) in TAKEN_FOR.into_iter().zip(guesses) {
                    if *count > 0 {
                        let count = *count;
                        rows.push(LossReaction { flow, found_by, actual_cause, inferred_cause, count });
                    }
                }
            }
        }
        rows
    }
}

table! {
    "loss_reactions", RUN;
    /// Losses to which senders reacted, by actual and inferred cause: a row for each combination that
    /// occurred; in JSON `loss_reactions` of each flow. The actual cause is known to the simulator only.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize)]
    pub struct LossReaction {
        /// the flow's number, from 0
        #[serde(skip)]
        flow: u32 ["", ""];
        /// way in which the sender detected the loss: `acks` (fast retransmit) or `timeout`
        found_by: &'static str ["", "transport, sender"];
        /// fate of the oldest outstanding segment: `congestion` (a queue dropped it), `random` (it was lost
        /// for another reason), `not-lost`
        actual_cause: &'static str ["", "link", was "truth"];
        /// cause inferred by congestion control: `congestion` or `random`. A control that does not
        /// distinguish causes infers congestion for every loss; one that does not reduce its window infers
        /// random
        inferred_cause: &'static str ["", "transport, sender", was "taken_for"];
        /// number of loss reactions with this combination
        count: u64 ["", "transport, sender"];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_loss_of_the_segment_counts() {
        let mut reactions = Reactions::default();
        let at = Instant::from_ps;
        reactions.on_lost(5, at(10), DropCause::Queue);
        reactions.on_lost(7, at(12), DropCause::Random);
        reactions.on_reaction(at(20), 5, false, false);
        reactions.on_lost(5, at(25), DropCause::Random);
        reactions.on_reaction(at(40), 5, true, false);
        reactions.on_reaction(at(50), 7, false, true);
        // A loss that lies in the future hides neither an earlier one nor, once the sender has reacted to that, that the
        // segment is not lost yet.
        reactions.on_lost(8, at(52), DropCause::Random);
        reactions.on_lost(8, at(57), DropCause::Queue);
        reactions.on_reaction(at(54), 8, false, true);
        reactions.on_reaction(at(55), 8, true, true);
        reactions.on_reaction(at(58), 8, true, true);
        // Reactions to a loss that is known in advance but lies in the future, and to a segment that is never lost.
        reactions.on_lost(9, at(70), DropCause::Queue);
        reactions.on_reaction(at(60), 9, false, false);
        reactions.on_reaction(at(80), 11, false, true);
        let row = |found_by, actual_cause, inferred_cause| LossReaction {
            flow: 3,
            found_by,
            actual_cause,
            inferred_cause,
            count: 1,
        };
        let expected = [
            row("acks", "congestion", "congestion"),
            LossReaction { count: 2, ..row("acks", "random", "random") },
            row("acks", "not-lost", "congestion"),
            row("acks", "not-lost", "random"),
            row("timeout", "congestion", "random"),
            row("timeout", "random", "congestion"),
            row("timeout", "not-lost", "random"),
        ];
        assert_eq!(reactions.summary(3), expected);
        assert!(reactions.lost.is_empty());
    }
}
