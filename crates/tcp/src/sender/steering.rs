//! The values that a program sets in a sender while the run is paused.

use super::connection::Sender;
use crate::congestion::{CongestionControl, LEAST};

impl Sender {
    /// Sets the congestion window to `segments`, at least one, at once; the connection's control goes on from there.
    pub fn set_cwnd(&mut self, segments: f64) {
        self.tcb.control.window_mut().cwnd = segments.max(LEAST);
        self.released();
    }

    /// Holds the congestion window at `segments`, except that a timeout begins again below it. `None`: the connection's
    /// control goes on from the held window.
    pub fn hold_cwnd(&mut self, segments: Option<f64>) {
        self.tcb.episode.set_reduction(None);
        self.tcb.growth.end_hystart();
        self.tcb.control.steered().hold(segments);
        self.released();
    }

    /// Sends at `rate` segments per second at most; `None`: at the rate of the connection's control.
    pub fn set_pacing_rate(&mut self, rate: Option<f64>) {
        self.tcb.control.steered().pace(rate);
        self.tcb.pacing.enable();
        self.released();
    }

    /// Lets segments that the new window allows leave at once.
    fn released(&mut self) {
        self.tcb.allowance.set_burst(self.tcb.most_burst());
    }
}
