//! Duplicate acknowledgments, and the window inflation that they cause (RFC 5681 section 3.2).

/// Duplicate acknowledgments in a row, and the segments by which they inflate the window.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Duplicates {
    acks: u32,
    inflation: u64,
}

impl Duplicates {
    /// Returns the duplicate acknowledgments in a row.
    #[inline(always)]
    pub(crate) fn acks(&self) -> u32 {
        self.acks
    }

    /// Counts one more duplicate acknowledgment; returns how many there are in a row.
    pub(crate) fn count(&mut self) -> u32 {
        self.acks += 1;
        self.acks
    }

    /// Sets the count to `acks`, as though so many had come.
    pub(crate) fn set(&mut self, acks: u32) {
        self.acks = acks;
    }

    /// Restarts the counts.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.acks = 0;
    }

    /// Returns the segments on top of cwnd, for duplicates that show that segments have left the network.
    #[inline(always)]
    pub(crate) fn inflation(&self) -> u64 {
        self.inflation
    }

    /// Begins to inflate the window: a segment for each duplicate so far (RFC 5681 section 3.2, step 3).
    pub(crate) fn begin_inflation(&mut self) {
        self.inflation = u64::from(self.acks);
    }

    /// Raises the inflation by one segment (RFC 5681 section 3.2, step 4).
    pub(crate) fn inflate(&mut self) {
        self.inflation += 1;
    }

    /// Takes the whole inflation back (RFC 5681 section 3.2, step 6); returns it.
    pub(crate) fn deflate(&mut self) -> u64 {
        std::mem::take(&mut self.inflation)
    }

    /// Reduces the inflation for a partial acknowledgment of `acked` segments, and adds back one (RFC 6582 section 3.2, step 3). If
    /// the inflation is no larger than that, returns the rest, which comes off cwnd.
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
