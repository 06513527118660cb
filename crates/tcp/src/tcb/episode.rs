//! Loss episode: the last reduction of the window, and the recovery that follows it.

use crate::recovery::reduction::ReductionInProgress;

/// Cause of the last reduction of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum LastCut {
    /// The window has not been reduced.
    #[default]
    None,
    /// A loss detected by acknowledgments or by RACK's timer; its recovery may still be in progress.
    FastLoss,
    /// A loss detected by acknowledgments or by RACK's timer, whose recovery has ended.
    Recovered,
    /// A loss detected by the retransmission timer.
    Timeout,
}

/// The last reduction of the window, and the recovery that follows it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LossEpisode {
    recover: u64,
    last_cut: LastCut,
    reduction: Option<ReductionInProgress>,
    pipe: Option<u64>,
    last_pipe: u64,
}

impl LossEpisode {
    /// Returns `recover` of RFC 6582: one more than the highest segment sent when the window was last
    /// reduced.
    #[inline(always)]
    pub(crate) fn recover(&self) -> u64 {
        self.recover
    }

    /// Returns the cause of the last reduction of the window.
    #[inline(always)]
    pub(crate) fn last_cut(&self) -> LastCut {
        self.last_cut
    }

    /// Returns true after a timeout, until all segments outstanding at that time are acknowledged.
    pub(crate) fn is_after_timeout(&self, una: u64) -> bool {
        una < self.recover && self.last_cut == LastCut::Timeout
    }

    /// Returns true until all segments outstanding at the last reduction are acknowledged, unless recovery
    /// has ended before; `una` is the oldest unacknowledged segment.
    pub(crate) fn is_repairing(&self, una: u64) -> bool {
        una < self.recover && matches!(self.last_cut, LastCut::FastLoss | LastCut::Timeout)
    }

    /// Begins an episode at a loss; `timeout` is true if the retransmission timer detected it, and `max` is
    /// one more than the highest segment sent.
    pub(crate) fn begin(&mut self, max: u64, timeout: bool) {
        self.recover = max;
        self.last_cut = if timeout { LastCut::Timeout } else { LastCut::FastLoss };
        self.pipe = None;
    }

    /// Sets `recover`, the segment whose acknowledgment ends the loss episode, to `to`.
    pub(crate) fn move_recover(&mut self, to: u64) {
        self.recover = to;
    }

    /// Ends the recovery from a loss.
    pub(crate) fn end(&mut self) {
        self.last_cut = LastCut::Recovered;
    }

    /// Returns the state of a gradual reduction; `None` if none is in progress.
    pub(crate) fn reduction(&self) -> Option<ReductionInProgress> {
        self.reduction
    }

    /// Sets the state of a gradual reduction; `None` ends the reduction.
    pub(crate) fn set_reduction(&mut self, reduction: Option<ReductionInProgress>) {
        self.reduction = reduction;
    }

    /// Ends a gradual reduction and returns its state.
    pub(crate) fn take_reduction(&mut self) -> Option<ReductionInProgress> {
        self.reduction.take()
    }

    /// Records that a segment is sent during a gradual reduction.
    #[inline(always)]
    pub(crate) fn on_sent(&mut self) {
        if let Some(reduction) = &mut self.reduction {
            reduction.on_sent();
        }
    }

    /// Returns RFC 6675's pipe at the current loss, segments; `None` if recovery does not estimate it.
    pub(crate) fn pipe(&self) -> Option<u64> {
        self.pipe
    }

    /// Sets pipe at the current loss, segments.
    pub(crate) fn set_pipe(&mut self, pipe: u64) {
        self.pipe = Some(pipe);
    }

    /// Records pipe when a segment is sent, segments.
    pub(crate) fn record_pipe(&mut self, pipe: u64) {
        self.last_pipe = pipe;
    }

    /// Sets pipe at the current loss to that of the last transmission, because the timer detected the loss.
    pub(crate) fn use_last_pipe(&mut self) {
        self.pipe = Some(self.last_pipe);
    }
}
