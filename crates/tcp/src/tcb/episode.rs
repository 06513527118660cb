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
#[derive(Clone, Debug, Default)]
pub(crate) struct LossEpisode {
    recover: u64,
    last_cut: LastCut,
    /// Allocated when first needed, so that a connection without losses stays small.
    rare: Option<Box<Rare>>,
}

/// Parts of a loss episode that only losses, and few settings, need.
#[derive(Clone, Copy, Debug, Default)]
struct Rare {
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

    /// Returns true if neither a recovery nor a gradual reduction of the window is in progress.
    pub(crate) fn is_calm(&self, una: u64) -> bool {
        let Self { recover: _, last_cut: _, rare: _ } = self;
        self.reduction().is_none() && !self.is_repairing(una)
    }

    /// Begins an episode at a loss; `timeout` is true if the retransmission timer detected it, and `max` is
    /// one more than the highest segment sent.
    pub(crate) fn begin(&mut self, max: u64, timeout: bool) {
        self.recover = max;
        self.last_cut = if timeout { LastCut::Timeout } else { LastCut::FastLoss };
        if let Some(rare) = &mut self.rare {
            rare.pipe = None;
        }
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
    #[inline]
    pub(crate) fn reduction(&self) -> Option<ReductionInProgress> {
        self.rare.as_ref()?.reduction
    }

    /// Sets the state of a gradual reduction; `None` ends the reduction.
    pub(crate) fn set_reduction(&mut self, reduction: Option<ReductionInProgress>) {
        if reduction.is_some() || self.rare.is_some() {
            self.rare().reduction = reduction;
        }
    }

    /// Ends a gradual reduction and returns its state.
    pub(crate) fn take_reduction(&mut self) -> Option<ReductionInProgress> {
        self.rare.as_mut()?.reduction.take()
    }

    /// Records that a segment is sent during a gradual reduction.
    #[inline(always)]
    pub(crate) fn on_sent(&mut self) {
        if let Some(reduction) = self.rare.as_mut().and_then(|rare| rare.reduction.as_mut()) {
            reduction.on_sent();
        }
    }

    /// Returns RFC 6675's pipe at the current loss, segments; `None` if recovery does not estimate it.
    pub(crate) fn pipe(&self) -> Option<u64> {
        self.rare.as_ref()?.pipe
    }

    /// Sets pipe at the current loss, segments.
    pub(crate) fn set_pipe(&mut self, pipe: u64) {
        self.rare().pipe = Some(pipe);
    }

    /// Records pipe when a segment is sent, segments.
    pub(crate) fn record_pipe(&mut self, pipe: u64) {
        self.rare().last_pipe = pipe;
    }

    /// Sets pipe at the current loss to that of the last transmission, because the timer detected the loss.
    pub(crate) fn use_last_pipe(&mut self) {
        let rare = self.rare();
        rare.pipe = Some(rare.last_pipe);
    }

    fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }
}
