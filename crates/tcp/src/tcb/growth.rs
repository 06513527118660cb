//! Growth of the window: slow start with and without HyStart++, whole steps, the clamp.

use super::block::Tcb;
use super::pacing::{PACE, SLOW_START_PACE};
use crate::config::{Growth, Syn};
use crate::congestion::{AckSample, CongestionControl, LEAST, Window};
use base::{AckHeader, Duration, Instant};

impl Tcb {
    /// Lets the window grow for an acknowledgment.
    #[inline]
    pub(crate) fn grow(&mut self, sample: &AckSample) {
        let Growth { whole_growth, avoidance_by_segments, slow_start_at_threshold, .. } = self.config.growth;
        if whole_growth || avoidance_by_segments || slow_start_at_threshold {
            self.grow_stepwise(sample);
        } else {
            self.answer(sample);
        }
        let clamp = if self.config.windows.window_clamp { self.limit.max(LEAST) } else { f64::INFINITY };
        let window = self.control.window_mut();
        if window.cwnd > clamp {
            window.cwnd = clamp;
        }
    }

    /// Lets congestion control answer an acknowledgment of new data.
    #[inline]
    fn answer(&mut self, sample: &AckSample) {
        if self.hystart.is_some() {
            self.answer_in_slow_start(sample);
        } else {
            self.control.on_ack(sample);
        }
    }

    /// Answers as [`Tcb::answer`] does, with HyStart++ while it runs.
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

    /// Grows as [`Tcb::grow`] does, by the rules of `slow_start_at_threshold`, `avoidance_by_segments` and
    /// `whole_growth`.
    fn grow_stepwise(&mut self, sample: &AckSample) {
        let Window { cwnd, ssthresh } = *self.control.window();
        let raised = ssthresh + 1.0;
        if self.config.growth.slow_start_at_threshold && cwnd == ssthresh {
            // Seen from a threshold one segment above, it is still slow start.
            self.control.window_mut().ssthresh = raised;
        }
        let avoiding = cwnd > ssthresh && self.config.growth.avoidance_by_segments;
        let count = if avoiding { (sample.una - sample.una_before) as f64 } else { sample.count };
        self.answer(&AckSample { count, ..*sample });
        let window = self.control.window_mut();
        if window.ssthresh == raised {
            window.ssthresh = ssthresh;
        }
        if self.config.growth.whole_growth && window.cwnd >= cwnd {
            // Sums of n parts of 1/n may miss 1 by their rounding.
            self.fraction += window.cwnd - cwnd;
            let whole = libm::floor(self.fraction + 1e-9);
            window.cwnd = cwnd + whole;
            // The rest consists of acknowledged segments: in a larger window they are a smaller part of its next step.
            self.fraction = (self.fraction - whole).max(0.0) * cwnd / window.cwnd.max(1.0);
        } else {
            self.fraction = 0.0;
        }
    }

    /// Grows the window; opens it if the acknowledged segment is a SYN that is a segment of its own.
    #[inline]
    pub(crate) fn open_window(&mut self, sample: &AckSample) {
        let packet = self.config.connection.syn == Syn::Packet && !self.config.connection.early_data;
        if packet && sample.una_before == 1 && self.needs.opens_late {
            self.control.window_mut().cwnd = self.initial_window;
        }
        self.grow(sample);
        if packet && self.una == 1 && !self.needs.opens_late {
            self.control.window_mut().cwnd = self.initial_window;
        }
    }

    /// Applies an acknowledgment of new data outside recovery, and grows the window.
    #[inline]
    pub(crate) fn acknowledge(&mut self, now: Instant, ack: &AckHeader) {
        let sample = self.advance(now, ack);
        self.open_window(&sample);
    }

    /// Applies the acknowledgment that ends fast recovery.
    pub(crate) fn acknowledge_last(&mut self, now: Instant, ack: &AckHeader) {
        let sample = self.advance(now, ack);
        self.open_window(&AckSample { grow: sample.grow && self.config.fast_recovery.exit_growth, ..sample });
    }

    /// Restarts a connection that has sent nothing for longer than a timeout with its first window, since the old one
    /// says nothing of the path any more (RFC 5681 section 4.1). A control with a rate of its own does that itself.
    pub(crate) fn restart_after_idle(&mut self, now: Instant) {
        let idle = self.una == self.max && self.max > self.stream.first_payload();
        if idle && now.since(self.last_sent) > self.rtt.rto() && self.control.pacing_rate().is_none() {
            let first = self.config.windows.initial_window;
            let window = self.control.window_mut();
            window.cwnd = window.cwnd.min(first);
        }
    }

    /// Sets the time of the next segment: when one of `wire` bytes, which leaves now, would be sent out at the pacing
    /// rate.
    #[inline(always)]
    pub(crate) fn pace(&mut self, now: Instant, wire: u32) {
        if self.pacer.is_some() {
            self.pace_next(now, wire);
        }
    }

    #[inline(never)]
    fn pace_next(&mut self, now: Instant, wire: u32) {
        let Some(pacer) = &mut self.pacer else { return };
        let window = self.control.window();
        let rate = self.control.pacing_rate().or_else(|| {
            let gain = if window.cwnd < window.ssthresh { SLOW_START_PACE } else { PACE };
            self.rtt.srtt().filter(|_| self.paces).map(|srtt| gain * window.cwnd / srtt.secs())
        });
        if let Some(rate) = rate {
            let full = f64::from(self.config.sizes.segment + self.config.sizes.header);
            let gap = Duration::from_secs_f64(f64::from(wire) / (full * rate));
            let ready = self.overhead.as_ref().map_or(now, |overhead| overhead.ready(now));
            pacer.sent(ready, gap.min(self.config.timers.max_rto));
        }
    }
}
