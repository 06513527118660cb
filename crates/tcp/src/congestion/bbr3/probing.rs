//! The probing cycle (ProbeBW), and the long-term bound of the data in flight.

use super::state::{AckPhase, Bbr3, Phase};
use crate::rate::RateSample;
use base::{Duration, Instant, Rng};

/// Limit on the round trips between probes. Up to it, the next probe comes when Reno would have filled the
/// pipe again.
const RENO_ROUNDS: f64 = 63.0;
/// Largest exponent n of the growth of the long-term bound in probe-up, which is 2^n segments per round trip.
const MOST_DOUBLINGS: u32 = 30;

impl Bbr3 {
    /// Begins probe-down, and draws the time until the next probe (StartProbeBW_DOWN).
    pub(super) fn start_down(&mut self, now: Instant) {
        self.losses.reset();
        self.probe.acked_per_inc = f64::INFINITY;
        // The draft's PickProbeWait draws the time until the next probe.
        let [rounds, seconds] = [(); 2].map(|()| self.rng.as_mut().map_or(0.0, Rng::uniform));
        self.probe.rounds_since = u64::from(rounds >= 0.5);
        self.probe.wait = Duration::from_secs_f64(2.0 + seconds);
        self.probe.cycle_began = now;
        self.probe.ack_phase = AckPhase::ProbeStopping;
        self.start_round();
        self.phase = Phase::Down;
    }

    /// Begins probe-refill (StartProbeBW_REFILL).
    pub(super) fn start_refill(&mut self) {
        self.bounds.reset_short_term();
        self.probe.up_rounds = 0;
        self.probe.acked = 0.0;
        self.probe.was_precautionary = false;
        self.probe.ack_phase = AckPhase::Refilling;
        self.start_round();
        self.phase = Phase::Refill;
    }

    fn start_up(&mut self, sample: &RateSample) {
        self.probe.ack_phase = AckPhase::ProbeStarting;
        self.start_round();
        self.full.reset(sample.rate.unwrap_or(0.0));
        self.phase = Phase::Up;
        self.raise_slope();
    }

    /// Doubles the growth of the long-term bound (RaiseInflightLongtermSlope).
    fn raise_slope(&mut self) {
        let growth = f64::from(1u32 << self.probe.up_rounds);
        self.probe.up_rounds = (self.probe.up_rounds + 1).min(MOST_DOUBLINGS);
        self.probe.acked_per_inc = (self.window.cwnd / growth).max(1.0);
    }

    /// Advances the probing cycle, once the pipe has been full (UpdateProbeBWCyclePhase).
    pub(super) fn update_cycle(&mut self, sample: &RateSample) {
        if !self.full.reached || self.adapt_long_term(sample) {
            return;
        }
        match self.phase {
            Phase::Down | Phase::Cruise if self.is_time_to_probe(sample.now) => self.start_refill(),
            Phase::Down if self.is_time_to_cruise(sample) => self.phase = Phase::Cruise,
            Phase::Refill if self.rounds.start => {
                self.probe.sampling = true;
                self.start_up(sample);
            }
            Phase::Up => self.check_up(sample),
            _ => {}
        }
    }

    /// Ends probe-up if the pipe is full, or if a precautionary probe has reached the long-term bound.
    fn check_up(&mut self, sample: &RateSample) {
        if self.is_time_to_go_down(sample) {
            self.probe.was_too_high = false;
            self.start_down(sample.now);
        }
    }

    fn is_time_to_probe(&self, now: Instant) -> bool {
        now > self.probe.cycle_began + self.probe.wait
            || self.probe.rounds_since as f64 >= self.target().min(RENO_ROUNDS)
    }

    fn is_time_to_cruise(&self, sample: &RateSample) -> bool {
        let in_flight = sample.in_flight as f64;
        in_flight <= self.with_headroom() && in_flight <= self.inflight(self.top_bw(), 1.0)
    }

    fn is_time_to_go_down(&mut self, sample: &RateSample) -> bool {
        let most = self.bounds.inflight_longterm;
        // Counts the data in flight before this acknowledgment, when they were largest; they are whole
        // segments.
        let in_flight = (sample.in_flight + sample.newly_delivered) as f64;
        if self.probe.was_too_high && in_flight >= libm::floor(most) {
            self.probe.was_precautionary = true;
            return true;
        }
        if sample.cwnd_limited && self.window.cwnd >= most {
            self.full.reset(sample.rate.unwrap_or(0.0));
            return false;
        }
        self.full.now
    }

    /// Updates the long-term bound; returns true if that has begun another phase (AdaptLongTermModel).
    fn adapt_long_term(&mut self, sample: &RateSample) -> bool {
        if self.rounds.start && self.probe.ack_phase == AckPhase::ProbeStarting {
            self.probe.ack_phase = AckPhase::ProbeFeedback;
        }
        if self.rounds.start && self.probe.ack_phase == AckPhase::ProbeStopping && self.stop_sampling(sample)
        {
            return true;
        }
        if self.is_too_high(sample.lost - sample.prior_lost, sample.tx_in_flight) {
            return false;
        }
        let most = &mut self.bounds.inflight_longterm;
        if most.is_finite() {
            *most = most.max(sample.tx_in_flight as f64);
            if self.phase == Phase::Up {
                self.probe_upward(sample);
            }
        }
        false
    }

    /// Ends the sampling of a probe, one round trip after the probe; returns true if the next probe begins at
    /// once.
    fn stop_sampling(&mut self, sample: &RateSample) -> bool {
        self.probe.sampling = false;
        self.probe.ack_phase = AckPhase::Init;
        if !self.phase.is_probe_bw() {
            return false;
        }
        if !self.is_limited(sample) {
            // The next probing cycle has a maximum of its own (AdvanceMaxBwFilter).
            self.max_bw = [0.0, self.max_bw[0]];
        }
        let again = self.probe.was_precautionary && !self.probe.was_too_high;
        if again {
            self.start_refill();
        }
        again
    }

    /// Raises the long-term bound while it limits the window (ProbeInflightLongtermUpward).
    fn probe_upward(&mut self, sample: &RateSample) {
        if !sample.cwnd_limited || self.window.cwnd < self.bounds.inflight_longterm {
            return;
        }
        self.probe.acked += sample.newly_delivered as f64;
        if self.probe.acked >= self.probe.acked_per_inc {
            let more = libm::floor(self.probe.acked / self.probe.acked_per_inc);
            self.probe.acked -= more * self.probe.acked_per_inc;
            self.bounds.inflight_longterm += more;
        }
        if self.rounds.start {
            self.raise_slope();
        }
    }
}
