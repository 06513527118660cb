//! Methods of the TCB that increase its window.

use crate::calm::special;
use crate::config::{Growth as Rules, Syn};
use crate::congestion::{AckSample, CongestionControl, LEAST, Window};
use crate::tcb::block::Tcb;
use base::{AckHeader, Instant};

impl Tcb {
    /// Increases the window for an acknowledgment by the parameters `growth`, with `window_clamp` at most to
    /// the limit.
    #[inline]
    pub(crate) fn grow<const CALM: bool>(&mut self, sample: &AckSample) {
        let Rules { whole_growth, avoidance_by_segments, slow_start_at_threshold, .. } = self.config.growth;
        if whole_growth || avoidance_by_segments || slow_start_at_threshold {
            self.grow_stepwise(sample);
        } else {
            self.answer::<CALM>(sample);
        }
        if self.config.windows.window_clamp {
            let clamp = self.growth.limit.max(LEAST);
            let window = self.control.window_mut();
            window.cwnd = window.cwnd.min(clamp);
        }
    }

    /// Passes an acknowledgment of new data to congestion control, in the first slow start through HyStart if
    /// that is on.
    #[inline]
    fn answer<const CALM: bool>(&mut self, sample: &AckSample) {
        if special::<CALM>(self.growth.hystart.is_some()) {
            self.answer_in_slow_start(sample);
        } else {
            self.control.on_ack(sample);
        }
    }

    /// Passes an acknowledgment in slow start to HyStart, and any other to congestion control; HyStart ends
    /// when slow start does.
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

    /// Increases the window by the rules of `slow_start_at_threshold`, `avoidance_by_segments` and
    /// `whole_growth`.
    fn grow_stepwise(&mut self, sample: &AckSample) {
        let Window { cwnd, ssthresh } = *self.control.window();
        let raised = ssthresh + 1.0;
        if self.config.growth.slow_start_at_threshold && cwnd == ssthresh {
            // The rule counts a window at ssthresh as slow start. Congestion control applies slow start below
            // ssthresh, so ssthresh is raised by one segment for this call.
            self.control.window_mut().ssthresh = raised;
        }
        let avoiding = cwnd > ssthresh && self.config.growth.avoidance_by_segments;
        let count = if avoiding { (sample.una - sample.una_before) as f64 } else { sample.count };
        self.answer::<false>(&AckSample { count, ..*sample });
        let window = self.control.window_mut();
        if window.ssthresh == raised {
            window.ssthresh = ssthresh;
        }
        let fraction = &mut self.growth.fraction;
        if self.config.growth.whole_growth && window.cwnd >= cwnd {
            // A sum of n times 1/n may differ from 1 by rounding.
            *fraction += window.cwnd - cwnd;
            let sum = *fraction + 1e-9;
            let whole = if sum < 1.0 { 0.0 } else { libm::floor(sum) };
            window.cwnd = cwnd + whole;
            // The remaining fraction stands for a number of acknowledged segments. That number is a smaller
            // fraction of the larger window.
            *fraction = (*fraction - whole).max(0.0) * cwnd / window.cwnd.max(1.0);
        } else {
            *fraction = 0.0;
            if self.needs.gradual && self.reduces_for_marks() {
                self.back_off(cwnd);
            }
        }
    }

    /// Increases the window. If the SYN is a separate segment, its acknowledgment sets the initial window, or
    /// for controls that open late the next one does.
    #[inline]
    pub(crate) fn open_window<const CALM: bool>(&mut self, sample: &AckSample) {
        // The SYN is segment 0, so only the first two acknowledgments can open the window.
        let opens = special::<CALM>(sample.una_before <= 1);
        let packet = opens && self.config.connection.syn == Syn::Packet && !self.config.connection.early_data;
        if packet && sample.una_before == 1 && self.needs.opens_late {
            self.control.window_mut().cwnd = self.growth.initial_window;
        }
        self.grow::<CALM>(sample);
        if packet && self.snd.una() == 1 && !self.needs.opens_late {
            self.control.window_mut().cwnd = self.growth.initial_window;
        }
    }

    /// Handles an acknowledgment of new data outside recovery, or with `fack` also in recovery, and lets
    /// congestion control increase the window.
    #[inline]
    pub(crate) fn acknowledge<const CALM: bool>(&mut self, now: Instant, ack: &AckHeader) {
        let sample = self.advance::<CALM>(now, ack);
        self.open_window::<CALM>(&sample);
    }

    /// Handles the acknowledgment that ends fast recovery; increases the window only if `exit_growth` is set.
    pub(crate) fn acknowledge_last(&mut self, now: Instant, ack: &AckHeader) {
        let sample = self.advance::<false>(now, ack);
        self.grow_after_recovery(&sample, false);
    }

    /// Increases the window for the acknowledgment that ends fast recovery, if `exit_growth` is set and this
    /// acknowledgment does not begin the next recovery (`goes_on`).
    pub(crate) fn grow_after_recovery(&mut self, sample: &AckSample, goes_on: bool) {
        let grow = sample.grow && self.config.fast_recovery.exit_growth && !goes_on;
        self.open_window::<false>(&AckSample { grow, ..*sample });
    }

    /// Restarts from the initial window if no segment was sent for longer than a retransmission timeout (RFC
    /// 5681 section 4.1), because the old window may no longer fit the path. Controls that set a pacing rate
    /// handle idle times themselves.
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
