//! Segments that the last acknowledgment or timer allows to leave.

/// Segments that may leave now, beside or within the window.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Allowance {
    burst: u32,
    resend: Option<u64>,
    extra: bool,
    extra_sent: u64,
}

impl Allowance {
    /// Sets the burst to at most `burst` segments, within the window.
    #[inline(always)]
    pub(crate) fn set_burst(&mut self, burst: u32) {
        self.burst = burst;
    }

    /// Raises the burst to `segments`, but not above `most`.
    pub(crate) fn raise_burst(&mut self, segments: u32, most: u32) {
        self.burst = self.burst.max(segments).min(most);
    }

    /// Returns true if the window may let a segment go.
    #[inline(always)]
    pub(crate) fn has_burst(&self) -> bool {
        self.burst > 0
    }

    /// Uses up one segment of the burst.
    #[inline(always)]
    pub(crate) fn use_burst(&mut self) {
        self.burst -= 1;
    }

    /// Clears the burst and the permission of Limited Transmit: an acknowledgment decides anew.
    #[inline(always)]
    pub(crate) fn withdraw(&mut self) {
        self.burst = 0;
        self.extra = false;
    }

    /// Makes segment `seq` leave next, whatever the window says.
    pub(crate) fn resend(&mut self, seq: u64) {
        self.resend = Some(seq);
    }

    /// Returns true if a segment is to be sent again whatever the window says.
    pub(crate) fn has_resend(&self) -> bool {
        self.resend.is_some()
    }

    /// Takes the segment to send again; `None` if it is below `una`, hence acknowledged since.
    #[inline(always)]
    pub(crate) fn take_resend(&mut self, una: u64) -> Option<u64> {
        self.resend.take().filter(|seq| *seq >= una)
    }

    /// Clears the permissions that recovery gave: the retransmission timer has expired.
    pub(crate) fn withdraw_repair(&mut self) {
        self.resend = None;
        self.extra = false;
    }

    /// Sets the permission for one segment beyond the window (Limited Transmit, RFC 3042).
    pub(crate) fn set_extra(&mut self, extra: bool) {
        self.extra = extra;
    }

    /// Takes the permission of Limited Transmit; returns true if there was one.
    #[inline(always)]
    pub(crate) fn take_extra(&mut self) -> bool {
        std::mem::take(&mut self.extra)
    }

    /// Counts a segment sent by Limited Transmit.
    pub(crate) fn count_extra(&mut self) {
        self.extra_sent += 1;
    }

    /// Returns the segments sent by Limited Transmit since new data was last acknowledged.
    pub(crate) fn extra_sent(&self) -> u64 {
        self.extra_sent
    }

    /// Begins to count anew: new data is acknowledged.
    #[inline(always)]
    pub(crate) fn clear_extra_sent(&mut self) {
        self.extra_sent = 0;
    }
}
