//! Startup, drain and probe-rtt, and the estimate of a full pipe.

use super::state::{AckPhase, Bbr3, Phase, UndoState};
use crate::rate::RateSample;
use base::Duration;

/// Growth factor of the delivery rate below which the pipe may be full, and the number of such round trips
/// after which it counts as full.
const FULL_GROWTH: f64 = 1.25;
const FULL_ROUNDS: u32 = 3;
/// BBRStartupFullLossCnt: number of discontiguous ranges, lost in a round trip, that can end startup.
const FULL_RANGES: u32 = 6;
/// Round trips after which drain ends even if too much is in flight.
const DRAIN_ROUNDS: u64 = 3;
/// BBR.ProbeRTTDuration: least time that probe-rtt lasts with few segments in flight.
const PROBE_RTT: Duration = Duration::from_ms(200);

impl Bbr3 {
    /// Counts round trips in which the delivery rate does not grow (CheckFullBWReached).
    pub(super) fn check_full(&mut self, sample: &RateSample) {
        if self.full.now || !self.rounds.start || self.is_limited(sample) {
            return;
        }
        let rate = sample.rate.unwrap_or(0.0);
        if rate >= self.full.bw * FULL_GROWTH {
            self.full.reset(rate);
            return;
        }
        self.full.count += 1;
        self.full.now = self.full.count >= FULL_ROUNDS;
        self.full.reached |= self.full.now;
    }

    /// Ends startup if the pipe is full or too much is lost (CheckStartupDone).
    pub(super) fn check_startup(&mut self, sample: &RateSample) {
        if self.phase != Phase::Startup {
            return;
        }
        // The draft asks for at least one whole round trip in fast recovery.
        let lossy = self.losses.start && self.repair.fast && self.losses.ranges >= FULL_RANGES;
        if lossy && self.is_too_high(sample.lost - sample.prior_lost, sample.tx_in_flight) {
            self.repair.undo_state = UndoState::Startup;
            self.full.now = true;
            self.full.reached = true;
            self.bounds.inflight_longterm = self.bdp(self.bw, 1.0).max(self.losses.inflight_latest);
        }
        if self.full.reached {
            self.phase = Phase::Drain;
            self.drain_start_round = self.rounds.count;
        }
    }

    /// Ends drain if the queue is drained, or after `DRAIN_ROUNDS` round trips (CheckDrainDone).
    pub(super) fn check_drain(&mut self, sample: &RateSample) {
        let drained = sample.in_flight as f64 <= self.inflight(self.bw, 1.0);
        if self.phase == Phase::Drain
            && (drained || self.rounds.count > self.drain_start_round + DRAIN_ROUNDS)
        {
            self.start_down(sample.now);
        }
    }

    /// Begins probe-rtt when it is due, and handles it (CheckProbeRTT).
    pub(super) fn check_probe_rtt(&mut self, sample: &RateSample) {
        if self.phase != Phase::ProbeRtt && self.probe_rtt.expired && !self.idle_restart {
            self.save_cwnd();
            self.phase = Phase::ProbeRtt;
            self.probe_rtt.until = None;
            self.probe.ack_phase = AckPhase::ProbeStopping;
            self.start_round();
        }
        if self.phase == Phase::ProbeRtt {
            self.handle_probe_rtt(sample);
        }
        self.idle_restart = false;
    }

    fn handle_probe_rtt(&mut self, sample: &RateSample) {
        // MarkConnectionAppLimited: low rates during probe-rtt do not count.
        self.limited.extend(sample.delivered, sample.in_flight);
        match self.probe_rtt.until {
            None if sample.in_flight as f64 <= self.probe_rtt_cwnd() => {
                self.probe_rtt.until = Some(sample.now + PROBE_RTT);
                self.probe_rtt.round_done = false;
                self.start_round();
            }
            None => {}
            Some(_) => {
                self.probe_rtt.round_done |= self.rounds.start;
                if self.probe_rtt.round_done {
                    self.check_probe_rtt_done(sample.now);
                }
            }
        }
    }

    /// Ends probe-rtt when its time is over (CheckProbeRTTDone, ExitProbeRTT).
    pub(super) fn check_probe_rtt_done(&mut self, now: base::Instant) {
        if self.probe_rtt.until.is_none_or(|until| now <= until) {
            return;
        }
        self.probe_rtt.least_at = now;
        self.restore_cwnd();
        self.bounds.reset_short_term();
        if self.full.reached {
            self.start_down(now);
            self.phase = Phase::Cruise;
        } else {
            self.phase = Phase::Startup;
        }
    }
}
