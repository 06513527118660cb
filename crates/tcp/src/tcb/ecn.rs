//! Explicit congestion notification at the sender (RFC 3168 section 6.1.2).

/// ECN state of one sender.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EcnState {
    /// First segment sent after the last reduction for a mark, which has CWR. Until it is acknowledged, ECE
    /// belongs to that reduction.
    cut_until: u64,
    /// Next new segment when the window was last reduced for a mark.
    reduced_until: u64,
    cwr_due: bool,
    waits: bool,
    /// True while the window is gradually reduced after a mark.
    reduces: bool,
}

impl EcnState {
    /// Handles ECE; `una` is the oldest unacknowledged segment and `max` the next new one. Returns true if
    /// the window must be reduced, because it was not reduced for a mark in the last round trip.
    pub(crate) fn on_echo(&mut self, una: u64, max: u64) -> bool {
        if una <= self.cut_until {
            return false;
        }
        self.cwr_due = true;
        self.cut_until = max;
        true
    }

    /// Records that congestion control reduces the window by itself; `max` is the next new segment.
    pub(crate) fn on_back_off(&mut self, max: u64) {
        self.cut_until = max;
    }

    /// Records that the window is reduced for a mark; `max` is the next new segment at that time.
    pub(crate) fn on_reduction(&mut self, max: u64) {
        self.reduced_until = max;
    }

    /// Returns true if segment `seq` had been sent when the window was last reduced for a mark, so that its
    /// loss belongs to the same window of data.
    pub(crate) fn has_reduced_for(&self, seq: u64) -> bool {
        seq < self.reduced_until
    }

    /// Records that the window is reduced for a loss: CWR is due after any reduction (RFC 3168 section 6.1.2).
    pub(crate) fn on_loss(&mut self) {
        self.cwr_due = true;
    }

    /// Returns true if CWR is due.
    #[inline(always)]
    pub(crate) fn owes_cwr(&self) -> bool {
        self.cwr_due
    }

    /// Records that a segment with CWR is sent.
    pub(crate) fn on_cwr(&mut self) {
        self.cwr_due = false;
    }

    /// Returns true if no mark is being answered; `una` is the oldest unacknowledged segment.
    pub(crate) fn is_calm(&self, una: u64) -> bool {
        let Self { cut_until: _, reduced_until: _, cwr_due, waits, reduces } = self;
        !cwr_due && !waits && !reduces && !self.is_answering(una)
    }

    /// Returns true until a segment sent after the last cut for a mark is acknowledged; `una` is the oldest
    /// unacknowledged segment.
    #[inline]
    pub(crate) fn is_answering(&self, una: u64) -> bool {
        una <= self.cut_until
    }

    /// Returns true while the window is gradually reduced after a mark.
    #[inline]
    pub(crate) fn reduces(&self) -> bool {
        self.reduces
    }

    /// Begins or ends the gradual reduction after a mark.
    pub(crate) fn set_reduces(&mut self, reduces: bool) {
        self.reduces = reduces;
    }

    /// Returns true while a mark at a window of one segment prevents sending until the timer expires.
    #[inline(always)]
    pub(crate) fn waits(&self) -> bool {
        self.waits
    }

    /// Begins or ends the state of [`EcnState::waits`].
    pub(crate) fn set_waits(&mut self, waits: bool) {
        self.waits = waits;
    }
}
