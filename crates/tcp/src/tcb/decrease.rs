//! Decrease of the window: samples of losses and marks, the reduction by congestion control, and how the
//! reduced window is reached.

use super::block::Tcb;
use super::episode::LastCut;
use crate::config::{Ecn, Reduction, Rounding, WindowReduction};
use crate::congestion::{Congestion, CongestionControl, LEAST, LossSample, Reaction, RecoveryStep, Window};
use crate::recovery::reduction::ReductionInProgress;
use crate::stats::ClassifiedLoss;
use base::Instant;

/// Factor by which a mark multiplies the window with ABE (RFC 8511 section 3.1). CUBIC defines a factor of
/// its own.
const ABE: f64 = 0.8;

impl Tcb {
    /// Handles ECE. The window is reduced once per round trip, and not if a loss has reduced it in that time
    /// (RFC 3168 section 6.1.2).
    #[cold]
    pub(crate) fn echoed(&mut self, now: Instant) {
        if !self.ecn.on_echo(self.snd.una(), self.snd.max()) {
            return;
        }
        self.undo = None;
        if !self.episode.is_repairing(self.snd.una()) {
            if self.config.decrease.pause_after_mark {
                self.growth.on_cut();
            } else {
                self.growth.end_hystart();
            }
            let sample = self.loss(now, Congestion::Mark);
            let full = self.control_window().min(self.growth.limit());
            self.control.on_congestion(&sample);
            self.ecn.on_reduction(self.snd.max());
            if self.reduces_for_marks() {
                self.begin_reduction(full);
                self.ecn.set_reduces(self.episode.reduction().is_some());
            }
            self.stats.ecn_reductions += 1;
            if sample.base < 2.0 && self.control_window() <= LEAST {
                self.wait_for_timer();
            }
        }
    }

    /// Begins the gradual reduction of a window that congestion control has reduced by itself, from `before`, as after a mark.
    /// The window does not grow until the data outstanding now are acknowledged. In Linux this is state CWR.
    #[cold]
    pub(crate) fn back_off(&mut self, before: f64) {
        let window = self.control.window_mut();
        if self.config.decrease.window_rounding == Rounding::Integer {
            *window = Window { cwnd: libm::floor(window.cwnd), ssthresh: libm::floor(window.ssthresh) };
        }
        self.ecn.on_back_off(self.snd.max());
        self.begin_reduction(before);
        self.ecn.set_reduces(self.episode.reduction().is_some());
    }

    /// Returns true if a mark reduces the window gradually, as a loss does.
    #[inline]
    pub(crate) fn reduces_for_marks(&self) -> bool {
        let decrease = &self.config.decrease;
        decrease.pause_after_mark && decrease.window_reduction != WindowReduction::AtOnce
    }

    /// Ends the gradual reduction after a mark once data sent after it are acknowledged.
    pub(crate) fn end_mark_reduction(&mut self) {
        if self.ecn.reduces() && !self.ecn.is_answering(self.snd.una()) {
            self.ecn.set_reduces(false);
            if let Some(reduction) = self.episode.take_reduction() {
                self.control.window_mut().cwnd = reduction.target();
            }
        }
    }

    /// Stops sending after a mark, because the window cannot be reduced below one segment. Sending resumes
    /// when the timer expires (RFC 3168 section 6.1.2) or new data are acknowledged without ECE.
    fn wait_for_timer(&mut self) {
        self.ecn.set_waits(true);
        self.growth.set_limit(0.0);
    }

    /// Resumes sending after [`Tcb::wait_for_timer`].
    #[cold]
    pub(crate) fn wait_no_longer(&mut self) {
        self.ecn.set_waits(false);
        self.growth.set_limit(self.config.windows.most());
    }

    /// Returns the sample of a loss or mark for congestion control.
    fn loss(&self, now: Instant, why: Congestion) -> LossSample {
        let base = match self.config.decrease.reduction {
            // Segments sent by Limited Transmit do not count (RFC 5681 section 3.2 step 2, RFC 6675 section 5
            // step 4.2). If the timer ends a recovery, duplicates may have released far more segments than
            // the window. These have left the network, and FlightSize is the data in the network (section
            // 3.1).
            Reduction::Flight => {
                let outstanding = self.snd.outstanding().saturating_sub(self.allowance.extra_sent()) as f64;
                let ends_recovery = why == Congestion::Timeout && self.snd.una() < self.episode.recover();
                if ends_recovery { outstanding.min(self.window()) } else { outstanding }
            }
            Reduction::Window => self.window(),
            Reduction::Pipe => self.episode.pipe().unwrap_or(self.snd.outstanding()) as f64,
        };
        // The segment that was lost or marked counts, so the base is at least one segment.
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
                && self.round_trips.backed_off(),
            oldest: self.oldest(),
            una: self.snd.una(),
            abe: (self.config.decrease.abe && why == Congestion::Mark).then_some(ABE),
            outstanding: self.snd.outstanding(),
        }
    }

    /// Returns true if a reduction is the connection's first, or occurs in slow start or at a timeout.
    fn is_early(&self, why: Congestion) -> bool {
        let Window { cwnd, ssthresh } = *self.control.window();
        self.episode.last_cut() == LastCut::None || cwnd < ssthresh || why == Congestion::Timeout
    }

    /// Lets congestion control react to the loss of the oldest segment. Returns false if congestion control
    /// counts the loss as a part of an earlier one to which it has already reacted.
    pub(crate) fn cut(&mut self, now: Instant, why: Congestion) -> bool {
        self.cut_for(now, why, self.snd.una())
    }

    /// Lets congestion control react to the loss of segment `seq`, as [`Tcb::cut`] does.
    pub(crate) fn cut_for(&mut self, now: Instant, why: Congestion, seq: u64) -> bool {
        let timeout = why == Congestion::Timeout;
        let before = (*self.control.window(), self.episode.clone());
        self.ecn.set_reduces(false);
        if let Some(reduction) = self.episode.take_reduction() {
            let own = self.control.halving().map(|halving| halving.floor);
            self.control.window_mut().cwnd =
                if timeout { own.unwrap_or(reduction.abandoned()) } else { reduction.target() };
        }
        let marked = self.is_answered_as_mark(seq);
        if self.config.options.ecn != Ecn::Off {
            self.ecn.on_loss();
        }
        let mut sample = self.loss(now, why);
        sample.keep_ssthresh |= marked && why == Congestion::Restart;
        self.growth.on_cut();
        self.episode.begin(self.snd.max(), timeout);
        let full = self.control_window().min(self.growth.limit());
        let reaction = if marked && why == Congestion::FastLoss {
            Reaction::CUT
        } else {
            self.control.on_congestion(&sample)
        };
        if why == Congestion::FastLoss {
            self.begin_reduction(full);
        }
        if self.can_undo() {
            self.remember(before, why);
        }
        self.unreported_loss = Some(ClassifiedLoss { seq, timeout, classification: reaction.classification });
        if timeout {
            self.stats.timeouts += 1;
        } else {
            self.stats.fast_retransmits += 1;
        }
        reaction.answered
    }

    /// Returns true if the window was reduced for a mark in the window of data that has segment `seq`. A loss in that
    /// window of data then causes no second reduction (RFC 3168 section 6.1.2), unless marks reduce the window less
    /// than losses do (ABE, DCTCP).
    fn is_answered_as_mark(&self, seq: u64) -> bool {
        let as_loss = self.config.options.ecn == Ecn::Classic && !self.config.decrease.abe;
        as_loss && self.ecn.has_reduced_for(seq)
    }

    /// Begins a gradual reduction of the window from `before`, if the parameters ask for one. Congestion
    /// control has already set the target.
    fn begin_reduction(&mut self, before: f64) {
        let config = &self.config;
        // A control that sets a pacing rate handles recovery itself.
        if config.decrease.window_reduction == WindowReduction::AtOnce || self.control.pacing_rate().is_some()
        {
            return;
        }
        // A window below one segment would allow no segment, so that no acknowledgment would arrive.
        let target = self.control_window().max(1.0);
        let own = self.control.halving();
        let before = before + own.map_or(0.0, |halving| halving.first);
        let floor = own.map_or(target * config.decrease.halving_floor, |halving| halving.floor);
        let floor =
            if config.decrease.window_rounding == Rounding::Integer { libm::floor(floor) } else { floor };
        // Rate halving keeps the window close to pipe, even if the window is not reduced.
        let reduces = target < before || config.decrease.window_reduction == WindowReduction::RateHalving;
        if reduces {
            let floor = floor.min(before).max(1.0);
            let kind = config.decrease.window_reduction;
            let reduction = ReductionInProgress::new(kind, target, floor, config.sizes.segment);
            self.episode.set_reduction(reduction);
        }
        self.control.window_mut().cwnd = if reduces { before } else { target };
    }

    /// Returns the window at the end of fast recovery.
    pub(crate) fn target(&self) -> f64 {
        self.episode.reduction().map_or(self.control_window(), |reduction| reduction.target())
    }

    /// Ends fast recovery, and sets the window to the target of a gradual reduction. A control that has its
    /// own parameters of rate halving keeps a larger window.
    pub(crate) fn recovered(&mut self, now: Instant) {
        if let Some(reduction) = self.episode.take_reduction() {
            let kept = self.control.halving().map_or(0.0, |_| self.control.window().cwnd);
            self.control.window_mut().cwnd = reduction.target().max(kept);
        }
        self.episode.end();
        if let Some(undo) = &mut self.undo {
            undo.recovered(self.snd.max());
        }
        self.control.on_recovery(now, RecoveryStep::End);
    }
}
