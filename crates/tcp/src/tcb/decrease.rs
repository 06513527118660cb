//! Cuts of the window: congestion control's sample of a loss or a mark, and the way down to the reduced window.

use super::block::{LastCut, Tcb};
use crate::config::{Ecn, Reduction, Rounding, WindowReduction};
use crate::congestion::{Congestion, CongestionControl, LEAST, LossSample, RecoveryStep, Window};
use crate::recovery::reduction::ReductionInProgress;
use crate::stats::ClassifiedLoss;
use base::Instant;

/// ABE's factor for a window of AIMD (RFC 8511 section 3.1); CUBIC has its own.
const ABE: f64 = 0.8;

impl Tcb {
    /// Answers a mark echoed by an acknowledgment: the window is cut once until the receiver knows, and not if a loss
    /// of the same window has cut it (RFC 3168 section 6.1.2).
    #[cold]
    pub(crate) fn echoed(&mut self, now: Instant) {
        if self.una <= self.marked_until {
            return;
        }
        self.cwr_due = true;
        self.marked_until = self.max;
        let repairing =
            self.una < self.recover && matches!(self.last_cut, LastCut::FastLoss | LastCut::Timeout);
        if !repairing {
            self.hystart = None;
            let sample = self.loss(now, Congestion::Mark);
            self.control.on_congestion(&sample);
            self.stats.ecn_reductions += 1;
            if sample.base < 2.0 && self.control_window() <= LEAST {
                self.wait_for_timer();
            }
        }
    }

    /// Waits for the timer, since the window cannot be cut below a segment: the connection sends nothing until it
    /// expires (RFC 3168 section 6.1.2), or new data is acknowledged without a mark.
    fn wait_for_timer(&mut self) {
        self.waits = true;
        self.limit = 0.0;
    }

    /// Ends that wait.
    #[cold]
    pub(crate) fn wait_no_longer(&mut self) {
        self.waits = false;
        self.limit = self.config.windows.most();
    }

    /// Returns the segments that may leave now, as far as the window allows.
    #[inline]
    pub(crate) fn most_burst(&self) -> u32 {
        match self.config.windows.max_burst {
            0 => u32::MAX,
            most => most,
        }
    }

    /// Returns the duplicate acknowledgments that mean a loss.
    #[inline]
    pub(crate) fn duplicates(&self) -> u32 {
        self.config.detection.duplicates
    }

    /// Returns true if a loss seen now may cut the window: not before all segments sent before the last cut have
    /// arrived (RFC 6582 section 3.2, step 2). A control that judges by age knows by itself which losses are old.
    pub(crate) fn may_cut(&self) -> bool {
        let anew = self.config.detection.repeated_recovery && self.config.options.ecn == Ecn::Off;
        anew || self.una > self.recover
            || (self.needs.fine_timeout.is_some() && self.last_cut != LastCut::Timeout)
    }

    /// Returns congestion control's sample of a loss or a mark.
    fn loss(&self, now: Instant, why: Congestion) -> LossSample {
        let base = match self.config.decrease.reduction {
            // Without the segments of Limited Transmit (RFC 5681 section 3.2 step 2, RFC 6675 section 5 step 4.2). If
            // the timer ends a recovery, duplicates may have let far more go than the window: that has left the
            // network, whose data counts (section 3.1).
            Reduction::Flight => {
                let outstanding = (self.next - self.una).saturating_sub(self.extra_sent) as f64;
                let ends_recovery = why == Congestion::Timeout && self.una < self.recover;
                if ends_recovery { outstanding.min(self.window()) } else { outstanding }
            }
            Reduction::Window => self.window(),
            Reduction::Pipe => self.pipe.unwrap_or(self.next - self.una) as f64,
        };
        // The segment that was lost or marked was in the network.
        let base = base.max(1.0);
        LossSample {
            now,
            why,
            base,
            whole: self.config.decrease.window_rounding == Rounding::Integer,
            whole_ssthresh: self.config.decrease.ssthresh_rounding == Rounding::Integer,
            floor: self.config.decrease.loss_floor,
            halve_in_slow_start: self.config.decrease.halve_in_slow_start,
            early: self.config.decrease.early_halving && self.is_early(why),
            keep_ssthresh: why == Congestion::Timeout
                && self.config.decrease.backoff_keeps_ssthresh
                && self.rtt.backed_off(),
            oldest: self.oldest(),
            una: self.una,
            abe: (self.config.decrease.abe && why == Congestion::Mark).then_some(ABE),
            outstanding: self.next - self.una,
        }
    }

    /// Returns true if a cut is the connection's first, or met slow start, or begins it.
    fn is_early(&self, why: Congestion) -> bool {
        let Window { cwnd, ssthresh } = *self.control.window();
        self.last_cut == LastCut::None || cwnd < ssthresh || why == Congestion::Timeout
    }

    /// Lets congestion control answer a loss; returns true if the loss is answered by itself, false if it was answered
    /// before.
    pub(crate) fn cut(&mut self, now: Instant, why: Congestion) -> bool {
        self.cut_for(now, why, self.una)
    }

    /// Cuts as [`Tcb::cut`] does; the lost segment is `seq`.
    pub(crate) fn cut_for(&mut self, now: Instant, why: Congestion, seq: u64) -> bool {
        let timeout = why == Congestion::Timeout;
        if let Some(reduction) = self.reduction.take() {
            let own = self.control.halving().map(|halving| halving.floor);
            self.control.window_mut().cwnd =
                if timeout { own.unwrap_or(reduction.abandoned()) } else { reduction.target() };
        }
        let sample = self.loss(now, why);
        self.pipe = None;
        self.fraction = 0.0;
        self.hystart = None;
        self.recover = self.max;
        self.last_cut = if timeout { LastCut::Timeout } else { LastCut::FastLoss };
        let before = self.control_window().min(self.limit);
        let reaction = self.control.on_congestion(&sample);
        if why == Congestion::FastLoss {
            self.begin_reduction(before);
        }
        self.loss = Some(ClassifiedLoss { seq, timeout, classification: reaction.classification });
        if timeout {
            self.stats.timeouts += 1;
        } else {
            self.stats.fast_retransmits += 1;
        }
        reaction.answered
    }

    /// Begins a gradual reduction, if the window is to be reduced so: it was `before`, and congestion control has cut
    /// it.
    fn begin_reduction(&mut self, before: f64) {
        let config = &self.config;
        // A control with a rate of its own has a recovery of its own.
        if config.decrease.window_reduction == WindowReduction::AtOnce || self.control.pacing_rate().is_some()
        {
            return;
        }
        // Without a segment in the network no acknowledgment would come back.
        let target = self.control_window().max(1.0);
        let own = self.control.halving();
        let before = before + own.map_or(0.0, |halving| halving.first);
        let floor = own.map_or(target * config.decrease.halving_floor, |halving| halving.floor);
        let floor =
            if config.decrease.window_rounding == Rounding::Integer { libm::floor(floor) } else { floor };
        // Rate halving keeps the window close to the data in the network even if there is nothing to take off.
        let reduces = target < before || config.decrease.window_reduction == WindowReduction::RateHalving;
        if reduces {
            self.reduction = ReductionInProgress::new(
                config.decrease.window_reduction,
                target,
                floor.min(before).max(1.0),
            );
        }
        self.control.window_mut().cwnd = if reduces { before } else { target };
    }

    /// Returns the window at the end of fast recovery.
    pub(crate) fn target(&self) -> f64 {
        self.reduction.map_or(self.control_window(), |reduction| reduction.target())
    }

    /// Ends fast recovery.
    pub(crate) fn recovered(&mut self, now: Instant) {
        if let Some(reduction) = self.reduction.take() {
            let kept = self.control.halving().map_or(0.0, |_| self.control.window().cwnd);
            self.control.window_mut().cwnd = reduction.target().max(kept);
        }
        self.last_cut = LastCut::Recovered;
        self.control.on_recovery(now, RecoveryStep::End);
    }
}
