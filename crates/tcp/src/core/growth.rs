//! How the window grows: slow start with and without HyStart++, whole steps, the clamp.

use super::Core;
use crate::config::Syn;
use crate::congestion::{AckSample, CongestionControl, Window};

impl Core {
    /// Lets the window grow for an acknowledgment.
    #[inline]
    pub fn grow(&mut self, sample: &AckSample) {
        if self.config.whole_growth || self.config.slow_start_at_threshold {
            self.grow_stepwise(sample);
        } else {
            self.answer(sample);
        }
        let clamp = if self.config.window_clamp { self.limit } else { f64::INFINITY };
        let window = self.control.window_mut();
        if window.cwnd > clamp {
            window.cwnd = clamp;
        }
    }

    /// What congestion control does on an acknowledgment of new data.
    #[inline]
    fn answer(&mut self, sample: &AckSample) {
        if self.hystart.is_some() {
            self.answer_in_slow_start(sample);
        } else {
            self.control.on_ack(sample);
        }
    }

    /// As [`Core::answer`] with HyStart++, while it watches.
    fn answer_in_slow_start(&mut self, sample: &AckSample) {
        let Window { cwnd, ssthresh } = *self.control.window();
        if cwnd >= ssthresh {
            self.hystart = None;
            self.control.on_ack(sample);
        } else if let Some(hystart) = &mut self.hystart
            && !hystart.on_ack(&mut self.control, sample)
        {
            self.hystart = None;
        }
    }

    /// As [`Core::grow`], by the rules of `slow_start_at_threshold` and `whole_growth`.
    fn grow_stepwise(&mut self, sample: &AckSample) {
        let Window { cwnd, ssthresh } = *self.control.window();
        let raised = ssthresh + 1.0;
        if self.config.slow_start_at_threshold && cwnd == ssthresh {
            // Seen from a threshold one segment above, it is still slow start.
            self.control.window_mut().ssthresh = raised;
        }
        // Slow start counts acknowledgments.
        let avoiding = cwnd > ssthresh && self.config.whole_growth;
        let count = if avoiding { (sample.una - sample.una_before) as f64 } else { sample.count };
        self.answer(&AckSample { count, ..*sample });
        let window = self.control.window_mut();
        if window.ssthresh == raised {
            window.ssthresh = ssthresh;
        }
        if self.config.whole_growth && window.cwnd >= cwnd {
            // Sums of n parts of 1/n may miss 1 by their rounding.
            self.kept += window.cwnd - cwnd;
            let whole = libm::floor(self.kept + 1e-9);
            window.cwnd = cwnd + whole;
            // What is kept are segments acknowledged: in a larger window they are a smaller part of its next step.
            self.kept = (self.kept - whole).max(0.0) * cwnd / window.cwnd;
        } else {
            self.kept = 0.0;
        }
    }

    /// Lets the window grow; opens it where the SYN that is a segment of its own is what was acknowledged.
    #[inline]
    pub fn open_window(&mut self, sample: &AckSample) {
        let packet = self.config.syn == Syn::Packet && !self.config.early_data;
        if packet && sample.una_before == 1 && self.needs.fine_timeout {
            self.control.window_mut().cwnd = self.initial_window;
        }
        self.grow(sample);
        if packet && self.una == 1 && !self.needs.fine_timeout {
            self.control.window_mut().cwnd = self.initial_window;
        }
    }
}
