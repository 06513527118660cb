//! Permissions to send that the last acknowledgment or timer gave.

/// Permissions to send segments, within the window or beyond it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    burst: u32,
    extra_sent: u32,
    /// Segment to retransmit; `NONE` if there is none.
    resend: u64,
    extra: bool,
}

/// Number of no segment.
const NONE: u64 = u64::MAX;

impl Default for Allowance {
    fn default() -> Self {
        Self { burst: 0, extra_sent: 0, resend: NONE, extra: false }
    }
}

impl Allowance {
    /// Allows at most `burst` segments, as far as the window permits.
    #[inline(always)]
    pub(crate) fn set_burst(&mut self, burst: u32) {
        self.burst = burst;
    }

    /// Raises the allowed burst to `segments`, limited to `most`.
    pub(crate) fn raise_burst(&mut self, segments: u32, most: u32) {
        self.burst = self.burst.max(segments).min(most);
    }

    /// Returns true if the burst allows one more segment; the window must permit it too.
    #[inline(always)]
    pub(crate) fn has_burst(&self) -> bool {
        self.burst > 0
    }

    /// Returns the number of segments that the burst still allows.
    #[inline(always)]
    pub(crate) fn burst(&self) -> u32 {
        self.burst
    }

    /// Uses one segment of the burst.
    #[inline(always)]
    pub(crate) fn use_burst(&mut self) {
        self.burst -= 1;
    }

    /// Withdraws the burst and the permission of Limited Transmit; a new acknowledgment sets both anew.
    #[inline(always)]
    pub(crate) fn withdraw(&mut self) {
        self.burst = 0;
        self.extra = false;
    }

    /// Allows segment `seq` to be retransmitted next, whatever the window.
    pub(crate) fn resend(&mut self, seq: u64) {
        self.resend = seq;
    }

    /// Returns true if a retransmission is allowed whatever the window.
    #[inline(always)]
    pub(crate) fn has_resend(&self) -> bool {
        self.resend != NONE
    }

    /// Removes and returns the segment to retransmit; `None` if there is none, or if it is below `una` and so
    /// acknowledged.
    #[inline(always)]
    pub(crate) fn take_resend(&mut self, una: u64) -> Option<u64> {
        let seq = std::mem::replace(&mut self.resend, NONE);
        (seq != NONE && seq >= una).then_some(seq)
    }

    /// Withdraws the permission to retransmit and that of Limited Transmit, at a retransmission timeout.
    pub(crate) fn withdraw_repair(&mut self) {
        self.resend = NONE;
        self.extra = false;
    }

    /// Returns true if nothing beyond the window is allowed.
    pub(crate) fn is_calm(&self) -> bool {
        let Self { burst: _, resend, extra, extra_sent: _ } = self;
        *resend == NONE && !extra
    }

    /// Sets or withdraws the permission for one segment beyond the window (Limited Transmit, RFC 3042).
    pub(crate) fn set_extra(&mut self, extra: bool) {
        self.extra = extra;
    }

    /// Returns true if Limited Transmit may send one segment beyond the window.
    #[inline(always)]
    pub(crate) fn has_extra(&self) -> bool {
        self.extra
    }

    /// Counts a segment sent by Limited Transmit.
    pub(crate) fn count_extra(&mut self) {
        self.extra_sent += 1;
    }

    /// Returns the number of segments sent by Limited Transmit since the last acknowledgment of new data.
    pub(crate) fn extra_sent(&self) -> u64 {
        self.extra_sent.into()
    }

    /// Restarts the count of [`Allowance::extra_sent`] at an acknowledgment of new data.
    #[inline(always)]
    pub(crate) fn clear_extra_sent(&mut self) {
        self.extra_sent = 0;
    }
}
