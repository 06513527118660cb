//! Verbs of the block that let its window grow.

use crate::config::{Growth as Rules, Syn};
use crate::congestion::{AckSample, CongestionControl, LEAST, Window};
use crate::tcb::block::Tcb;
use base::{AckHeader, Instant};

impl Tcb {
    /// Lets the window grow for an acknowledgment.
    #[inline]
    pub(crate) fn grow(&mut self, sample: &AckSample) {
        let Rules { whole_growth, avoidance_by_segments, slow_start_at_threshold, .. } = self.config.growth;
        if whole_growth || avoidance_by_segments || slow_start_at_threshold {
            self.grow_stepwise(sample);
        } else {
            self.answer(sample);
        }
        let clamp =
            if self.config.windows.window_clamp { self.growth.limit.max(LEAST) } else { f64::INFINITY };
        let window = self.control.window_mut();
        if window.cwnd > clamp {
            window.cwnd = clamp;
        }
    }

    /// Passes an acknowledgment of new data to congestion control.
    #[inline]
    fn answer(&mut self, sample: &AckSample) {
        if self.growth.hystart.is_some() {
            self.answer_in_slow_start(sample);
        } else {
            self.control.on_ack(sample);
        }
    }

    /// Does the same with HyStart++, and ends it with slow start.
    fn answer_in_slow_start(&mut self, sample: &AckSample) {
        let Window { cwnd, ssthresh } = *self.control.window();
        if cwnd >= ssthresh {
            self.growth.hystart = None;
            self.control.on_ack(sample);
        } else if let Some(hystart) = &mut self.growth.hystart
            && !hystart.on_ack(&mut self.control, sample)
        {
            self.growth.hystart = None;
        }
    }

    /// Lets the window grow by the rules of `slow_start_at_threshold`, `avoidance_by_segments` and `whole_growth`.
    fn grow_stepwise(&mut self, sample: &AckSample) {
        let Window { cwnd, ssthresh } = *self.control.window();
        let raised = ssthresh + 1.0;
        if self.config.growth.slow_start_at_threshold && cwnd == ssthresh {
            // A threshold one segment higher makes this slow start.
            self.control.window_mut().ssthresh = raised;
        }
        let avoiding = cwnd > ssthresh && self.config.growth.avoidance_by_segments;
        let count = if avoiding { (sample.una - sample.una_before) as f64 } else { sample.count };
        self.answer(&AckSample { count, ..*sample });
        let window = self.control.window_mut();
        if window.ssthresh == raised {
            window.ssthresh = ssthresh;
        }
        let fraction = &mut self.growth.fraction;
        if self.config.growth.whole_growth && window.cwnd >= cwnd {
            // The sum of n parts of 1/n may miss 1 by its rounding.
            *fraction += window.cwnd - cwnd;
            let whole = libm::floor(*fraction + 1e-9);
            window.cwnd = cwnd + whole;
            // The rest stands for segments acknowledged, which are a smaller part of a step of a larger window.
            *fraction = (*fraction - whole).max(0.0) * cwnd / window.cwnd.max(1.0);
        } else {
            *fraction = 0.0;
        }
    }

    /// Lets the window grow; opens it if the SYN, as a segment of its own, was acknowledged.
    #[inline]
    pub(crate) fn open_window(&mut self, sample: &AckSample) {
        let packet = self.config.connection.syn == Syn::Packet && !self.config.connection.early_data;
        if packet && sample.una_before == 1 && self.needs.opens_late {
            self.control.window_mut().cwnd = self.growth.initial_window;
        }
        self.grow(sample);
        if packet && self.snd.una() == 1 && !self.needs.opens_late {
            self.control.window_mut().cwnd = self.growth.initial_window;
        }
    }

    /// Handles an acknowledgment of new data outside recovery, and lets the window grow.
    #[inline]
    pub(crate) fn acknowledge(&mut self, now: Instant, ack: &AckHeader) {
        let sample = self.advance(now, ack);
        self.open_window(&sample);
    }

    /// Does the same for the acknowledgment that ends fast recovery.
    pub(crate) fn acknowledge_last(&mut self, now: Instant, ack: &AckHeader) {
        let sample = self.advance(now, ack);
        self.open_window(&AckSample { grow: sample.grow && self.config.fast_recovery.exit_growth, ..sample });
    }

    /// Restarts with the initial window if nothing was sent for longer than a timeout (RFC 5681 section 4.1): the old window
    /// is no estimate of the path any more. A control with a rate of its own handles idle times itself.
    pub(crate) fn restart_after_idle(&mut self, now: Instant) {
        let idle = self.snd.all_acknowledged() && self.snd.max() > self.stream.first_payload();
        if idle
            && now.since(self.last_sent()) > self.round_trips.rto()
            && self.control.pacing_rate().is_none()
        {
            let first = self.config.windows.initial_window;
            let window = self.control.window_mut();
            window.cwnd = window.cwnd.min(first);
        }
    }
}
