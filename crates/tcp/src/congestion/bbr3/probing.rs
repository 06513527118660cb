//! The probing cycle (ProbeBW of draft-ietf-ccwg-bbr), and the long-term bound that it sets.

use super::control::{Bbr3, Phase, RENO_ROUNDS, Tells, UP_GAIN};
use crate::rate::RateSample;
use base::{Duration, Rng};

impl Bbr3 {
    pub(super) fn enter(&mut self, phase: Phase, sample: &RateSample) {
        self.phase = phase;
        self.phase_began = sample.now;
    }

    pub(super) fn start_down(&mut self, sample: &RateSample) {
        self.loss_in_round = false;
        self.bw_latest = 0.0;
        self.inflight_latest = 0.0;
        self.up_count = f64::INFINITY;
        // Time until the next probe, drawn so that flows do not probe at the same time.
        let [rounds, seconds] = [(); 2].map(|()| self.rng.as_mut().map_or(0.0, Rng::uniform));
        self.rounds_since_probe = u64::from(rounds >= 0.5);
        self.probe_wait = Duration::from_secs_f64(2.0 + seconds);
        self.tells = Tells::ProbeStopping;
        self.start_round(sample);
        self.enter(Phase::Down, sample);
    }

    fn start_refill(&mut self, sample: &RateSample) {
        self.bounds.bw_lo = f64::INFINITY;
        self.bounds.inflight_lo = f64::INFINITY;
        self.up_rounds = 0;
        self.up_acked = 0.0;
        self.tells = Tells::Refilling;
        self.start_round(sample);
        self.enter(Phase::Refill, sample);
    }

    fn start_up(&mut self, sample: &RateSample) {
        self.tells = Tells::ProbeStarting;
        self.probing = true;
        self.start_round(sample);
        self.enter(Phase::Up, sample);
        self.raise_slope();
    }

    pub(super) fn raise_slope(&mut self) {
        let growth = f64::from(1u32 << self.up_rounds.min(30));
        self.up_rounds = (self.up_rounds + 1).min(30);
        self.up_count = (self.window.cwnd / growth).max(1.0);
    }

    fn elapsed(&self, sample: &RateSample, span: Duration) -> bool {
        sample.now.since(self.phase_began) > span
    }

    /// Updates the long-term bound, and advances the phases of the probing cycle.
    pub(super) fn probe(&mut self, sample: &RateSample) {
        if !self.filled {
            return;
        }
        self.adapt_bound(sample);
        let in_flight = sample.in_flight as f64;
        match self.phase {
            Phase::Down | Phase::Cruise if self.time_to_probe(sample) => self.start_refill(sample),
            Phase::Down
                if in_flight <= self.with_headroom() && in_flight <= self.inflight(self.top_bw(), 1.0) =>
            {
                self.enter(Phase::Cruise, sample);
            }
            Phase::Refill if self.round_began => self.start_up(sample),
            Phase::Up => {
                let whole = self.min_rtt.is_some_and(|rtt| self.elapsed(sample, rtt));
                if whole && in_flight > self.inflight(self.top_bw(), UP_GAIN) {
                    self.start_down(sample);
                }
            }
            _ => {}
        }
    }

    fn time_to_probe(&self, sample: &RateSample) -> bool {
        self.elapsed(sample, self.probe_wait)
            || self.rounds_since_probe as f64 >= self.target().min(RENO_ROUNDS)
    }

    fn adapt_bound(&mut self, sample: &RateSample) {
        if self.round_began {
            match self.tells {
                Tells::ProbeStarting => self.tells = Tells::ProbeFeedback,
                Tells::ProbeStopping if self.cycles() && !sample.app_limited => {
                    self.tells = Tells::Init;
                    // The maximum of a cycle is kept during the next cycle, and until that one has a maximum
                    // too.
                    if self.max_bw[0] > 0.0 {
                        self.max_bw = [0.0, self.max_bw[0]];
                    }
                }
                _ => {}
            }
        }
        if self.too_high(sample) {
            if self.probing {
                self.probing = false;
                if !sample.app_limited {
                    let flight = sample.tx_in_flight as f64;
                    self.bounds.inflight_hi = flight.max(self.config.beta * self.target());
                }
                if self.phase == Phase::Up {
                    self.start_down(sample);
                }
            }
            return;
        }
        if self.bounds.inflight_hi.is_infinite() {
            return;
        }
        self.bounds.inflight_hi = self.bounds.inflight_hi.max(sample.tx_in_flight as f64);
        if self.phase == Phase::Up && self.window.cwnd >= self.bounds.inflight_hi {
            self.up_acked += sample.newly_delivered as f64;
            if self.up_acked >= self.up_count {
                let more = libm::floor(self.up_acked / self.up_count);
                self.up_acked -= more * self.up_count;
                self.bounds.inflight_hi += more;
            }
            if self.round_began {
                self.raise_slope();
            }
        }
    }
}
