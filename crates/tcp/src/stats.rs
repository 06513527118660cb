//! What a sender counts and reports.

use crate::congestion::LossClassification;

/// A sender's answer to a loss, to be held against the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassifiedLoss {
    /// The segment taken for lost.
    pub seq: u64,
    /// Whether the retransmission timer found it, rather than acknowledgments.
    pub timeout: bool,
    /// What congestion control took the loss for.
    pub classification: LossClassification,
}

/// Counters of one sender.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SenderStats {
    /// Segments with payload acknowledged.
    pub acked_packets: u64,
    /// Payload acknowledged, bytes.
    pub acked_bytes: u64,
    /// Retransmission timeouts.
    pub timeouts: u64,
    /// Losses seen from acknowledgments.
    pub fast_retransmits: u64,
    /// Cuts of the window for echoed marks.
    pub ecn_reductions: u64,
}
