//! Counters of a sender, and the report of its reaction to a loss.

use crate::congestion::LossClassification;

/// A sender's reaction to a loss, for comparison with the actual cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassifiedLoss {
    /// Number of the segment that counts as lost.
    pub seq: u64,
    /// True if the retransmission timer detected the loss, false if acknowledgments or RACK's timer did.
    pub timeout: bool,
    /// Congestion control's classification of the loss.
    pub classification: LossClassification,
}

/// Counters of one sender.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SenderStats {
    /// Segments with payload that were acknowledged.
    pub acked_packets: u64,
    /// Payload acknowledged, bytes.
    pub acked_bytes: u64,
    /// Expiries of the retransmission timer, the SYN included; not those of a zero window.
    pub timeouts: u64,
    /// Loss episodes detected by acknowledgments or by RACK's timer, each of one or more segments.
    pub fast_retransmits: u64,
    /// Reductions of the window because of ECE.
    pub ecn_reductions: u64,
}
