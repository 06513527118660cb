//! What a program sets of a sender while the run stands still.

use super::connection::Sender;
use crate::congestion::{CongestionControl, LEAST};

impl Sender {
    /// Sets the congestion window to `segments`, at least one, at once; the connection's control goes on from there.
    pub fn set_cwnd(&mut self, segments: f64) {
        self.tcb.control.window_mut().cwnd = segments.max(LEAST);
        self.released();
    }

    /// Holds the congestion window at `segments`, save that a timeout begins again below it, or (`None`) lets the connection's control go on from the
    /// window that was held.
    pub fn hold_cwnd(&mut self, segments: Option<f64>) {
        self.tcb.reduction = None;
        self.tcb.hystart = None;
        self.tcb.control.steered().hold(segments);
        self.released();
    }

    /// Sends at `rate` segments per second at most, or (`None`) as the connection's control says.
    pub fn set_pacing_rate(&mut self, rate: Option<f64>) {
        self.tcb.control.steered().pace(rate);
        self.tcb.pacer.get_or_insert_default();
        self.released();
    }

    /// What the new window allows may leave at once.
    fn released(&mut self) {
        self.tcb.burst = self.tcb.most_burst();
    }
}
