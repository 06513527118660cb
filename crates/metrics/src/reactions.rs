//! Ground truth against guess: what each loss that a sender reacted to was, and what the sender took it for.

use crate::table::{Column, Table};
use base::{DropCause, Instant};
use serde::Serialize;

/// What had happened to the segment that a sender took for lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// A queue had dropped it: [`DropCause::is_congestion`].
    Congestion,
    /// It was lost otherwise: corrupted, listed, in an outage.
    Random,
    /// It was not lost: late, overtaken, or its acknowledgment was.
    NotLost,
}

const TRUTHS: [(Truth, &str); 3] =
    [(Truth::Congestion, "congestion"), (Truth::Random, "random"), (Truth::NotLost, "not-lost")];
const FOUND_BY: [&str; 2] = ["acks", "timeout"];
const TAKEN_FOR: [&str; 2] = ["congestion", "random"];

/// A lost segment.
#[derive(Clone, Copy, Debug)]
struct Lost {
    seq: u64,
    at: Instant,
    cause: DropCause,
}

/// Counts of one flow's reactions, and the losses that are not answered yet.
#[derive(Clone, Debug, Default)]
pub struct Reactions {
    lost: Vec<Lost>,
    /// By how it was found, what it was, what it was taken for.
    counts: [[[u64; 2]; 3]; 2],
}

impl Reactions {
    /// Segment `seq` is lost at `at`.
    pub fn on_lost(&mut self, seq: u64, at: Instant, cause: DropCause) {
        // Sent again and lost again: the later loss is what the sender finds next.
        self.lost.retain(|lost| lost.seq != seq);
        self.lost.push(Lost { seq, at, cause });
    }

    /// The sender reacts at `now` to the loss of `seq`, its oldest outstanding segment; `timeout`: its timer found the loss,
    /// `random`: it took it for random.
    pub fn on_reaction(&mut self, now: Instant, seq: u64, timeout: bool, random: bool) {
        let found = self.lost.iter().find(|lost| lost.seq == seq && lost.at <= now);
        let truth = found.map_or(Truth::NotLost, |lost| {
            if lost.cause.is_congestion() { Truth::Congestion } else { Truth::Random }
        });
        self.lost.retain(|lost| lost.seq >= seq);
        self.counts[usize::from(timeout)][truth as usize][usize::from(random)] += 1;
    }

    /// What there is to report: the counts that are not zero.
    pub fn summary(&self) -> Vec<LossReaction> {
        let mut rows = Vec::new();
        for (found_by, truths) in FOUND_BY.into_iter().zip(&self.counts) {
            for ((_, truth), guesses) in TRUTHS.into_iter().zip(truths) {
                for (taken_for, count) in TAKEN_FOR.into_iter().zip(guesses) {
                    if *count > 0 {
                        rows.push(LossReaction { found_by, truth, taken_for, count: *count });
                    }
                }
            }
        }
        rows
    }
}

/// How often a flow's sender took a loss of one kind for another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "each field is defined in the glossary under its name")]
pub struct LossReaction {
    pub found_by: &'static str,
    pub truth: &'static str,
    pub taken_for: &'static str,
    pub count: u64,
}

/// The rows of every flow as a table.
pub fn loss_reactions_table<'a>(flows: impl Iterator<Item = &'a [LossReaction]> + Clone) -> Table {
    let rows =
        || (0i32..).zip(flows.clone()).flat_map(|(flow, rows)| rows.iter().map(move |row| (flow, row)));
    let text =
        |of: fn(&LossReaction) -> &'static str| Column::Text(rows().map(|(_, r)| of(r).to_owned()).collect());
    Table::new()
        .with("flow", Column::Int32(rows().map(|(flow, _)| flow).collect()))
        .with("found_by", text(|r| r.found_by))
        .with("truth", text(|r| r.truth))
        .with("taken_for", text(|r| r.taken_for))
        .with("count", Column::Int(rows().map(|(_, r)| r.count as i64).collect()))
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
        // Known ahead, but not happened yet; and never lost.
        reactions.on_lost(9, at(70), DropCause::Queue);
        reactions.on_reaction(at(60), 9, false, false);
        reactions.on_reaction(at(80), 11, false, true);
        let row = |found_by, truth, taken_for| LossReaction { found_by, truth, taken_for, count: 1 };
        let expected = [
            row("acks", "congestion", "congestion"),
            row("acks", "random", "random"),
            row("acks", "not-lost", "congestion"),
            row("acks", "not-lost", "random"),
            row("timeout", "random", "congestion"),
        ];
        assert_eq!(reactions.summary(), expected);
        assert!(reactions.lost.is_empty());
    }
}
