//! Loss episode: the last cut of the window, and the recovery that follows it.

use crate::recovery::reduction::ReductionInProgress;

/// Event that last cut the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum LastCut {
    /// The window has not been cut yet.
    #[default]
    None,
    /// A fast loss; its recovery may still go on.
    FastLoss,
    /// A fast loss whose recovery has ended.
    Recovered,
    /// A timeout.
    Timeout,
}

/// The last cut of the window, and the recovery that follows it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LossEpisode {
    recover: u64,
    last_cut: LastCut,
    reduction: Option<ReductionInProgress>,
    pipe: Option<u64>,
    last_pipe: u64,
}

impl LossEpisode {
    /// Returns RFC 6582's `recover`: one past the highest segment sent when the window was last cut.
    #[inline(always)]
    pub(crate) fn recover(&self) -> u64 {
        self.recover
    }

    /// Returns the event that last cut the window.
    #[inline(always)]
    pub(crate) fn last_cut(&self) -> LastCut {
        self.last_cut
    }

    /// Returns true from a timeout until all that was outstanding then is acknowledged.
    pub(crate) fn is_after_timeout(&self, una: u64) -> bool {
        una < self.recover && self.last_cut == LastCut::Timeout
    }

    /// Returns true while the recovery of a fast loss or a timeout goes on.
    pub(crate) fn is_repairing(&self, una: u64) -> bool {
        una < self.recover && matches!(self.last_cut, LastCut::FastLoss | LastCut::Timeout)
    }

    /// Begins an episode; `max` is one past the highest segment sent.
    pub(crate) fn begin(&mut self, max: u64, timeout: bool) {
        self.recover = max;
        self.last_cut = if timeout { LastCut::Timeout } else { LastCut::FastLoss };
        self.pipe = None;
    }

    /// Moves `recover` to `to`.
    pub(crate) fn move_recover(&mut self, to: u64) {
        self.recover = to;
    }

    /// Ends the recovery of a fast loss.
    pub(crate) fn end(&mut self) {
        self.last_cut = LastCut::Recovered;
    }

    /// Returns the reduction in progress, if the window is going down step by step.
    pub(crate) fn reduction(&self) -> Option<ReductionInProgress> {
        self.reduction
    }

    /// Begins, updates or ends the reduction in progress.
    pub(crate) fn set_reduction(&mut self, reduction: Option<ReductionInProgress>) {
        self.reduction = reduction;
    }

    /// Ends the reduction in progress, and returns it.
    pub(crate) fn take_reduction(&mut self) -> Option<ReductionInProgress> {
        self.reduction.take()
    }

    /// Counts a segment sent in the reduction in progress.
    #[inline(always)]
    pub(crate) fn on_sent(&mut self) {
        if let Some(reduction) = &mut self.reduction {
            reduction.on_sent();
        }
    }

    /// Returns RFC 6675's pipe at the loss at hand, if recovery has estimated it.
    pub(crate) fn pipe(&self) -> Option<u64> {
        self.pipe
    }

    /// Sets the pipe at the loss at hand, segments.
    pub(crate) fn set_pipe(&mut self, pipe: u64) {
        self.pipe = Some(pipe);
    }

    /// Records the pipe as a segment is sent, segments.
    pub(crate) fn record_pipe(&mut self, pipe: u64) {
        self.last_pipe = pipe;
    }

    /// Sets the pipe at the loss at hand to that of the last transmission: the timer has found the loss.
    pub(crate) fn use_last_pipe(&mut self) {
        self.pipe = Some(self.last_pipe);
    }
}
