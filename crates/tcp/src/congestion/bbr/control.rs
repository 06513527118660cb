//! Methods that the endpoint calls: acknowledgments, losses, recovery.

use super::state::{Bbr, Phase, RATE_ROUNDS, Repair};
use crate::congestion::control::{CongestionControl, Needs, RecoveryStep, own_window};
use crate::congestion::signals::{AckSample, Congestion, LossClassification, LossSample, Reaction};
use crate::rate::RateSample;
use base::{Duration, Instant, Rng};

/// Form `linux`: pacing rate as a share of pacing_gain times BtlBw.
const MARGIN: f64 = 0.99;
/// Form `linux`: unit of BtlBw, segments per second: 2^-24 segments per microsecond.
const UNIT: f64 = 1e6 / 16_777_216.0;

impl Bbr {
    /// Returns a measured rate, segments per second, as BtlBw counts it: form `linux` rounds down to a whole unit.
    fn counted(&self, rate: f64) -> f64 {
        if self.config.linux { libm::floor(rate / UNIT) * UNIT } else { rate }
    }

    fn margin(&self) -> f64 {
        if self.config.linux { MARGIN } else { 1.0 }
    }

    /// Continues a recovery that ended at `now`, if the same acknowledgment begins the next recovery; returns true if it
    /// does. Linux's BBR does not notice such an end, and therefore does not begin packet conservation anew: with half a BDP
    /// of buffer the kernel's window stays at 101 segments in the second round trip with losses.
    fn resumes(&mut self, now: Instant) -> bool {
        let Some((_, repair, cwnd)) = self.ended.take().filter(|(ended, ..)| *ended == now) else {
            return false;
        };
        self.repair = repair;
        self.window.cwnd = cwnd;
        self.save_window();
        true
    }

    /// Sets the pacing rate; before the pipe is full, only raises it (BBRSetPacingRateWithGain, section
    /// 4.2.1).
    fn set_pacing_rate(&mut self, gain: f64) {
        let rate = self.margin() * gain * self.bottleneck();
        if rate > 0.0 && (self.filled || rate > self.pacing_rate) {
            self.pacing_rate = rate;
        }
    }
}

impl CongestionControl for Bbr {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { rates: true, ..Needs::default() }
    }

    fn on_handshake(&mut self, now: Instant, rtt: Duration) {
        if !rtt.is_zero() {
            self.rtprop = Some(rtt);
            self.rtprop_at = now;
            self.seen_rtt = true;
            self.pacing_rate = self.margin() * self.config.high_gain * self.window.cwnd / rtt.secs();
        }
    }

    fn on_restart(&mut self, _now: Instant) {
        self.idle_restart = true;
        if self.phase == Phase::ProbeBw {
            self.set_pacing_rate(1.0);
        }
    }

    fn on_ack(&mut self, _ack: &AckSample) {}

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        if loss.why == Congestion::FastLoss && self.resumes(loss.now) {
            return Reaction::to(LossClassification::Random);
        }
        if loss.why != Congestion::Mark {
            self.save_window();
        }
        match loss.why {
            Congestion::FastLoss | Congestion::Restart => self.repair = Repair::Begins,
            Congestion::Timeout => {
                self.repair = Repair::None;
                self.window.cwnd = 1.0;
            }
            // Version 1 does not react to ECN marks.
            Congestion::Mark => {}
        }
        Reaction::to(LossClassification::Random)
    }

    fn on_recovery(&mut self, now: Instant, step: RecoveryStep) {
        if step != RecoveryStep::End {
            return;
        }
        self.ended = self.config.linux.then_some((now, self.repair, self.window.cwnd));
        self.repair = Repair::None;
        self.window.cwnd = self.window.cwnd.max(self.prior);
    }

    fn on_rate(&mut self, sample: &RateSample) {
        let round_began = sample.newly_delivered > 0 && sample.prior_delivered >= self.round_ends;
        if round_began {
            self.round_ends = sample.delivered;
            self.rounds += 1;
        }
        let limited = sample.app_limited || self.limited.contains(sample.prior_delivered);
        if let Some(rate) = sample.rate.map(|rate| self.counted(rate))
            && (rate >= self.bottleneck() || !limited)
        {
            self.rates.enter(RATE_ROUNDS, self.rounds, rate);
        }
        if self.config.linux {
            let (newly, cwnd) = (sample.newly_delivered as f64, self.window.cwnd);
            self.aggregation.add(sample.now, newly, self.bottleneck(), cwnd, round_began);
        }
        if self.phase == Phase::ProbeBw {
            self.advance_cycle(sample);
        }
        if round_began {
            self.check_full(sample);
        }
        if self.phase == Phase::Startup && self.filled {
            self.phase = Phase::Drain;
        }
        if self.phase == Phase::Drain && self.in_network(sample.in_flight) <= self.inflight(1.0) {
            self.enter_probe_bw(sample.now);
        }
        self.update_rtprop(sample, round_began);
        if let Some(rtt) = sample.rtt.filter(|rtt| !self.seen_rtt && !rtt.is_zero()) {
            self.seen_rtt = true;
            self.pacing_rate = self.config.high_gain * self.window.cwnd / rtt.secs();
        }
        self.set_pacing_rate(self.pacing_gain());
        self.set_window(sample);
        self.lost = sample.lost;
    }

    fn pacing_rate(&self) -> Option<f64> {
        Some(self.pacing_rate)
    }

    fn set_rng(&mut self, rng: Rng) {
        self.rng = Some(rng);
    }

    fn state(&self) -> &'static str {
        match self.phase {
            Phase::Startup => "startup",
            Phase::Drain => "drain",
            Phase::ProbeBw => "probe-bw",
            Phase::ProbeRtt => "probe-rtt",
        }
    }

    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        show("phase", f64::from(self.phase as u8));
        show("btlbw", self.bottleneck());
        show("rtprop", self.rtprop.map_or(f64::INFINITY, Duration::secs));
        show("extra", self.aggregation.extra(self.bottleneck()));
        show("pacing_gain", self.pacing_gain());
    }
}
