//! Values that a program sets in a sender while the run is paused.

use super::connection::Sender;
use crate::congestion::{CongestionControl, LARGEST_ANSWER, LEAST};

impl Sender {
    /// Sets the congestion window to `segments`, limited to 1 to 10^9; the connection's control continues
    /// from there. Has no effect while a window is held.
    pub fn set_cwnd(&mut self, segments: f64) {
        self.tcb.control.window_mut().cwnd = bounded(segments);
        self.released();
    }

    /// Holds the congestion window at `segments`, limited to 1 to 10^9; after a timeout it starts from one
    /// segment and returns to that value. `None`: the connection's control continues from the held window.
    pub fn hold_cwnd(&mut self, segments: Option<f64>) {
        self.tcb.episode.set_reduction(None);
        self.tcb.growth.end_hystart();
        self.tcb.control.steered().hold(segments.map(bounded));
        self.released();
    }

    /// Sets the pacing rate, segments per second; `None`, or a number that is not positive and finite,
    /// restores the rate of the connection's control.
    pub fn set_pacing_rate(&mut self, rate: Option<f64>) {
        let rate = rate.filter(|rate| rate.is_finite() && *rate > 0.0);
        self.tcb.control.steered().pace(rate);
        self.tcb.pacing.enable();
        self.released();
    }

    /// Allows the segments that the new window permits, without waiting for an acknowledgment.
    fn released(&mut self) {
        self.calm = false;
        self.tcb.allowance.set_burst(self.tcb.most_burst());
    }
}

/// Returns `segments` limited to 1 to 10^9; 1 for NaN.
fn bounded(segments: f64) -> f64 {
    if segments >= LEAST { segments.min(LARGEST_ANSWER) } else { LEAST }
}
