//! Values that a program sets in a sender while the run is paused.

use super::connection::Sender;
use crate::congestion::{CongestionControl, LEAST};

impl Sender {
    /// Sets the congestion window to `segments`, at least one; the connection's control continues from there.
    pub fn set_cwnd(&mut self, segments: f64) {
        self.tcb.control.window_mut().cwnd = segments.max(LEAST);
        self.released();
    }

    /// Holds the congestion window at `segments`; after a timeout it starts below and returns to that value.
    /// `None`: the connection's control continues from the held window.
    pub fn hold_cwnd(&mut self, segments: Option<f64>) {
        self.tcb.episode.set_reduction(None);
        self.tcb.growth.end_hystart();
        self.tcb.control.steered().hold(segments);
        self.released();
    }

    /// Sets the pacing rate, segments per second; `None`: restores that of the connection's control.
    pub fn set_pacing_rate(&mut self, rate: Option<f64>) {
        self.tcb.control.steered().pace(rate);
        self.tcb.pacing.enable();
        self.released();
    }

    /// Allows segments that the new window permits to be sent at once.
    fn released(&mut self) {
        self.tcb.allowance.set_burst(self.tcb.most_burst());
    }
}
