//! Explicit congestion notification at the sender (RFC 3168 section 6.1.2).

/// ECN state of one sender.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EcnState {
    /// First segment sent after the last cut for a mark, which carries CWR: echoes up to its acknowledgment belong to that cut.
    cut_until: u64,
    cwr_due: bool,
    waits: bool,
}

impl EcnState {
    /// Handles an echo of a mark when `una` is the oldest unacknowledged segment and `max` the next new one. Returns true
    /// if the window is to be cut: it was not since the last round trip.
    pub(crate) fn on_echo(&mut self, una: u64, max: u64) -> bool {
        if una <= self.cut_until {
            return false;
        }
        self.cwr_due = true;
        self.cut_until = max;
        true
    }

    /// Takes the CWR flag for a segment that carries `new_data`; returns true if the segment has to carry it.
    #[inline(always)]
    pub(crate) fn take_cwr(&mut self, new_data: bool) -> bool {
        let cwr = self.cwr_due && new_data;
        if cwr {
            self.cwr_due = false;
        }
        cwr
    }

    /// Returns true while a mark at a window of one segment holds everything back until the timer expires.
    #[inline(always)]
    pub(crate) fn waits(&self) -> bool {
        self.waits
    }

    /// Begins or ends that wait.
    pub(crate) fn set_waits(&mut self, waits: bool) {
        self.waits = waits;
    }
}
