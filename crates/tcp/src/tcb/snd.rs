//! Send sequence variables (RFC 9293 section 3.3.1), counted in segments.

/// Send sequence variables of one connection.
///
/// SND.UNA never decreases, and SND.NXT is never below it. After a timeout SND.NXT is below the highest
/// segment sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SendSequence {
    una: u64,
    nxt: u64,
    max: u64,
}

impl SendSequence {
    /// Returns SND.UNA, the oldest unacknowledged segment.
    #[inline(always)]
    pub(crate) fn una(&self) -> u64 {
        self.una
    }

    /// Returns SND.NXT, the next segment to send.
    #[inline(always)]
    pub(crate) fn nxt(&self) -> u64 {
        self.nxt
    }

    /// Returns one more than the highest segment sent (HighData of RFC 6675, plus one).
    #[inline(always)]
    pub(crate) fn max(&self) -> u64 {
        self.max
    }

    /// Returns the number of segments from SND.UNA up to SND.NXT.
    #[inline(always)]
    pub(crate) fn outstanding(&self) -> u64 {
        self.nxt - self.una
    }

    /// Returns the number of segments sent and not cumulatively acknowledged.
    #[inline(always)]
    pub(crate) fn unacknowledged(&self) -> u64 {
        self.max - self.una
    }

    /// Returns true if every segment sent is acknowledged.
    #[inline(always)]
    pub(crate) fn all_acknowledged(&self) -> bool {
        self.una == self.max
    }

    /// Sets SND.UNA to `ack`, and SND.NXT as well if it is below `ack`.
    #[inline(always)]
    pub(crate) fn acknowledge(&mut self, ack: u64) {
        debug_assert!(ack >= self.una, "SND.UNA would go back from {} to {ack}", self.una);
        self.una = ack;
        self.nxt = self.nxt.max(ack);
    }

    /// Moves SND.NXT up to `to`; has no effect if SND.NXT is at `to` or beyond.
    #[inline(always)]
    pub(crate) fn advance(&mut self, to: u64) {
        self.nxt = self.nxt.max(to);
    }

    /// Sets SND.NXT to SND.UNA.
    pub(crate) fn rewind(&mut self) {
        self.nxt = self.una;
    }

    /// Records that segment `seq` is sent; returns true if it was sent before.
    #[inline(always)]
    pub(crate) fn transmit(&mut self, seq: u64) -> bool {
        let again = seq < self.max;
        if !again {
            self.max = seq + 1;
        }
        again
    }
}
