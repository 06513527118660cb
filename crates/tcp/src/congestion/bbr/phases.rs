//! Phases: their ends, and the gain cycle of probe-bw.

use super::state::{Bbr, Phase};
use super::window::MIN_WINDOW;
use crate::rate::RateSample;
use base::{Duration, Instant};

/// Pacing gains of the phases of probe-bw (section 4.3.4.1).
pub(super) const CYCLE: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
/// Startup ends after `FULL_ROUNDS` round trips in which the rate grew by less than the factor `FULL_GROWTH`.
const FULL_GROWTH: f64 = 1.25;
const FULL_ROUNDS: u32 = 3;
/// ProbeRTTDuration: least time that probe-rtt lasts.
const PROBE_RTT: Duration = Duration::from_ms(200);

impl Bbr {
    pub(super) fn pacing_gain(&self) -> f64 {
        match self.phase {
            Phase::Startup => self.config.high_gain,
            Phase::Drain => 1.0 / self.config.high_gain,
            Phase::ProbeBw => CYCLE[self.cycle_at],
            Phase::ProbeRtt => 1.0,
        }
    }

    pub(super) fn enter_probe_bw(&mut self, now: Instant) {
        self.phase = Phase::ProbeBw;
        // The first phase is any but the second, whose gain is 3/4.
        let drawn = self.rng.as_mut().map_or(0, |rng| (rng.uniform() * 7.0) as usize);
        self.cycle_at = if drawn == 0 { 0 } else { drawn + 1 };
        self.cycle_began = now;
    }

    /// Advances the gain cycle (section 4.3.4.3). A phase lasts one RTprop. Phase 5/4 also lasts until its
    /// target is in flight or segments are lost; phase 3/4 ends early when at most the BDP is in flight.
    pub(super) fn advance_cycle(&mut self, sample: &RateSample) {
        let whole = self.rtprop.is_some_and(|rtprop| sample.now.since(self.cycle_began) > rtprop);
        let before = self.in_network(sample.in_flight + sample.newly_delivered);
        let gain = CYCLE[self.cycle_at];
        let over = if gain > 1.0 {
            whole && (sample.lost > self.lost || before >= self.inflight(gain))
        } else if gain < 1.0 {
            whole || before <= self.inflight(1.0)
        } else {
            whole
        };
        if over {
            self.cycle_at = (self.cycle_at + 1) % CYCLE.len();
            self.cycle_began = sample.now;
        }
    }

    /// Returns the number of segments in the network, of which `in_flight` are outstanding.
    ///
    /// Form `linux` counts for the time at which the pacer lets the next segments depart (Dumazet and Cardwell 2018, IETF
    /// 102). Segments delivered until then do not count. If the phase is to raise the data in flight, those that depart
    /// count.
    pub(super) fn in_network(&self, in_flight: u64) -> f64 {
        if !self.config.linux {
            return in_flight as f64;
        }
        let delivered = libm::floor(self.bottleneck() * self.wait.secs());
        let departing = if self.pacing_gain() > 1.0 { self.quantum() } else { 0.0 };
        (in_flight as f64 + departing - delivered).max(0.0)
    }

    /// Counts round trips in which the delivery rate grows by less than `FULL_GROWTH`; after `FULL_ROUNDS` of
    /// them in a row the pipe is full (section 4.3.2.2).
    pub(super) fn check_full(&mut self, sample: &RateSample) {
        if self.filled || sample.app_limited {
            return;
        }
        if self.bottleneck() >= self.full_rate * FULL_GROWTH {
            self.full_rate = self.bottleneck();
            self.full_rounds = 0;
        } else {
            self.full_rounds += 1;
            self.filled = self.full_rounds >= FULL_ROUNDS;
        }
    }

    /// Updates RTprop, and enters or leaves probe-rtt (sections 4.1.2.3 and 4.3.5).
    pub(super) fn update_rtprop(&mut self, sample: &RateSample, round_began: bool) {
        let now = sample.now;
        let old = self.rtprop.is_some() && now.since(self.rtprop_at).secs() > self.config.rtprop_window;
        if let Some(rtt) = sample.rtt
            && (old || self.rtprop.is_none_or(|least| rtt <= least))
        {
            self.rtprop = Some(rtt);
            self.rtprop_at = now;
        }
        let idle = std::mem::replace(&mut self.idle_restart, false);
        if self.phase == Phase::ProbeRtt {
            self.limited.extend(sample.delivered, sample.in_flight);
        }
        if self.phase != Phase::ProbeRtt {
            if old && !idle {
                self.phase = Phase::ProbeRtt;
                self.save_window();
                self.probe_until = None;
            }
            return;
        }
        match self.probe_until {
            None if sample.in_flight as f64 <= MIN_WINDOW => {
                self.probe_until = Some(now + PROBE_RTT);
                self.probe_round_over = false;
                self.round_ends = sample.delivered;
            }
            None => {}
            Some(until) => {
                self.probe_round_over |= round_began;
                if self.probe_round_over && now > until {
                    self.rtprop_at = now;
                    self.window.cwnd = self.window.cwnd.max(self.prior);
                    if self.filled {
                        self.enter_probe_bw(now);
                    } else {
                        self.phase = Phase::Startup;
                    }
                }
            }
        }
    }
}
