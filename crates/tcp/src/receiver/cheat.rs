//! State of a receiver that misbehaves.

use crate::config::{Config, Misbehaviour};
use base::{AckHeader, DataHeader};
use std::collections::VecDeque;

/// A receiver's misbehaviour and its state.
#[derive(Clone, Debug)]
pub(super) struct Cheat {
    pub(super) rules: Misbehaviour,
    /// Acknowledgments that are still to be sent at this time, with their sizes, bytes.
    pub(super) waiting: VecDeque<(AckHeader, u32)>,
    /// Runs of segments that were acknowledged and have not arrived: first segment, and one more than the last.
    missing: Vec<(u64, u64)>,
    /// Payload that has arrived, each segment once, bytes.
    arrived: u64,
}

impl Cheat {
    /// Returns the misbehaviour of a connection's receiver; `None` if its acknowledgments are honest.
    pub(super) fn new(config: &Config) -> Option<Self> {
        let rules = config.misbehaviour;
        let cheats = rules.ack_division > 1 || rules.dupack_spoofing > 0 || rules.conceals_losses();
        cheats.then(|| Self { rules, waiting: VecDeque::new(), missing: Vec::new(), arrived: 0 })
    }

    /// Returns the payload that has arrived if losses are concealed, bytes.
    pub(super) fn arrived_bytes(&self) -> Option<u64> {
        self.conceals_losses().then_some(self.arrived)
    }

    /// Returns true if the receiver acknowledges segments that have not arrived.
    pub(super) fn conceals_losses(&self) -> bool {
        self.rules.conceals_losses()
    }

    /// Counts an arriving segment, unless it is a duplicate; RCV.NXT is `expected`, and the segments from there to an
    /// arriving one are missing. Returns true if the segment has not arrived before.
    pub(super) fn arrives(&mut self, segment: &DataHeader, expected: u64) -> bool {
        let first = segment.seq >= expected || self.fill(segment.seq);
        if first {
            self.arrived += u64::from(segment.payload);
        }
        if segment.seq > expected {
            self.missing.push((expected, segment.seq));
        }
        first
    }

    /// Returns the number of segments that were acknowledged although they have not arrived.
    pub(super) fn missing(&self) -> u64 {
        self.missing.iter().map(|(from, to)| to - from).sum()
    }

    /// Records the arrival of segment `seq`; returns true if it was missing.
    fn fill(&mut self, seq: u64) -> bool {
        let at = self.missing.partition_point(|run| run.1 <= seq);
        let Some(run) = self.missing.get(at).copied().filter(|run| run.0 <= seq) else { return false };
        let rest = [(run.0, seq), (seq + 1, run.1)].into_iter().filter(|(from, to)| from < to);
        self.missing.splice(at..=at, rest);
        true
    }
}
