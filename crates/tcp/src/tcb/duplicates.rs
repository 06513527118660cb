//! Duplicate acknowledgments, and the inflation of the window that they cause (RFC 5681 section 3.2).

/// Count of duplicate acknowledgments, and inflation of the window in segments.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Duplicates {
    acks: u32,
    inflation: u64,
}

impl Duplicates {
    /// Returns the count of duplicate acknowledgments.
    #[inline(always)]
    pub(crate) fn acks(&self) -> u32 {
        self.acks
    }

    /// Counts one more duplicate acknowledgment; returns the new count.
    pub(crate) fn count(&mut self) -> u32 {
        self.acks += 1;
        self.acks
    }

    /// Overwrites the count of duplicate ACKs; the window inflation stays unchanged.
    pub(crate) fn set(&mut self, acks: u32) {
        self.acks = acks;
    }

    /// Returns true if there is neither a duplicate nor an inflation.
    pub(crate) fn is_calm(&self) -> bool {
        let Self { acks, inflation } = self;
        *acks == 0 && *inflation == 0
    }

    /// Resets the count of duplicate acknowledgments, at an acknowledgment of new data.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.acks = 0;
    }

    /// Returns the inflation of the window in segments: duplicates show that these segments have left the
    /// network.
    #[inline(always)]
    pub(crate) fn inflation(&self) -> u64 {
        self.inflation
    }

    /// Begins the inflation with one segment for each duplicate so far (RFC 5681 section 3.2, step 3).
    pub(crate) fn begin_inflation(&mut self) {
        self.inflation = u64::from(self.acks);
    }

    /// Inflates the window by one segment (RFC 5681 section 3.2, step 4).
    pub(crate) fn inflate(&mut self) {
        self.inflation += 1;
    }

    /// Ends the inflation (RFC 5681 section 3.2, step 6); returns what it was, segments.
    pub(crate) fn deflate(&mut self) -> u64 {
        std::mem::take(&mut self.inflation)
    }

    /// Deflates the window for a partial acknowledgment of `acked` segments, and adds one segment back (RFC
    /// 6582 section 3.2, step 3). If the inflation is at most `acked`, returns the difference, by which the
    /// caller must reduce cwnd.
    pub(crate) fn deflate_partially(&mut self, acked: u64) -> Option<u64> {
        if self.inflation > acked {
            self.inflation -= acked - 1;
            return None;
        }
        let rest = acked - self.inflation;
        self.inflation = 1;
        Some(rest)
    }
}
