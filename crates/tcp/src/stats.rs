//! A sender's counters and reports.

use crate::congestion::LossClassification;

/// A sender's answer to a loss, for comparison with the actual cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassifiedLoss {
    /// The segment taken for lost.
    pub seq: u64,
    /// True if the retransmission timer found it, false if acknowledgments did.
    pub timeout: bool,
    /// Congestion control's classification of the loss.
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
