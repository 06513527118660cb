//! Methods that the endpoint calls: acknowledgments, losses, recovery.

use super::state::{Bbr3, Phase, STARTUP_PACING_GAIN};
use crate::congestion::control::{CongestionControl, Needs, RecoveryStep, own_window};
use crate::congestion::signals::{AckSample, Congestion, LossClassification, LossSample, Reaction};
use crate::congestion::window::Window;
use crate::rate::{LostSegment, RateSample};
use base::{Duration, Instant, Rng};

impl Bbr3 {
    /// Sets the first pacing rate from the first round-trip time (InitPacingRate).
    fn init_pacing_rate(&mut self, rtt: Duration) {
        self.seen_rtt = true;
        self.pacing_rate = STARTUP_PACING_GAIN * self.initial_cwnd / rtt.secs();
    }
}

impl CongestionControl for Bbr3 {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { rates: true, ..Needs::default() }
    }

    fn on_handshake(&mut self, now: Instant, rtt: Duration) {
        if rtt.is_zero() {
            return;
        }
        self.min_rtt = Some(rtt);
        self.min_rtt_at = now;
        self.init_pacing_rate(rtt);
    }

    fn on_ack(&mut self, _ack: &AckSample) {}

    fn on_lost(&mut self, lost: &LostSegment) {
        self.handle_lost(lost);
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        // The draft does not react to ECN marks. A single loss does not count as congestion; the bounds are
        // reduced only if many segments of one flight are lost.
        if loss.why == Congestion::Mark {
            return Reaction::to(LossClassification::Random);
        }
        self.save_state();
        if loss.why == Congestion::Timeout {
            self.repair.fast = false;
            self.repair.timeout = Some(loss.una + loss.outstanding);
            self.window.cwnd = 1.0;
            return Reaction::to(LossClassification::Congestion);
        }
        self.repair.fast = true;
        Reaction::to(LossClassification::Random)
    }

    fn on_recovery(&mut self, _now: Instant, step: RecoveryStep) {
        if step == RecoveryStep::End {
            self.end_repair();
        }
    }

    fn on_undo(&mut self, now: Instant, _before: &Window) {
        self.handle_spurious(now);
    }

    fn on_restart(&mut self, now: Instant) {
        self.idle_restart = true;
        self.extra_began = now;
        if self.phase.is_probe_bw() {
            self.set_pacing_rate(1.0);
        } else if self.phase == Phase::ProbeRtt {
            self.check_probe_rtt_done(now);
        }
    }

    fn on_rate(&mut self, sample: &RateSample) {
        if self.repair.timeout.is_some_and(|end| sample.una >= end) {
            self.end_repair();
        }
        if sample.newly_delivered == 0 {
            return;
        }
        self.update_rounds(sample);
        self.update_bounds(sample);
        self.update_aggregation(sample);
        self.check_full(sample);
        self.check_startup(sample);
        self.check_drain(sample);
        self.update_cycle(sample);
        self.update_min_rtt(sample);
        self.check_probe_rtt(sample);
        self.advance_latest(sample);
        self.bound_bw();
        if let Some(rtt) = sample.rtt.filter(|rtt| !self.seen_rtt && !rtt.is_zero()) {
            self.init_pacing_rate(rtt);
        }
        self.set_pacing_rate(self.phase.pacing_gain());
        self.set_cwnd(sample);
    }

    fn pacing_rate(&self) -> Option<f64> {
        Some(self.pacing_rate)
    }

    fn set_rng(&mut self, rng: Rng) {
        self.rng = Some(rng);
    }

    fn state(&self) -> &'static str {
        self.phase.name()
    }

    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        self.show(show);
    }
}
