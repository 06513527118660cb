//! Pacing rate, quantum and window.

use super::state::{Bbr3, Phase};
use crate::rate::RateSample;

/// BBR.MinPipeCwnd: least window, segments.
pub(super) const MIN_PIPE_CWND: f64 = 4.0;
/// BBR.PacingMarginPercent: pacing rate as a share of pacing_gain times bw.
const PACING_MARGIN: f64 = 0.99;
/// C.send_quantum: seconds that a quantum takes, least quantum, and largest quantum (64 KB in segments of
/// 1448 bytes).
const QUANTUM_S: f64 = 0.001;
const LEAST_QUANTUM: f64 = 2.0;
const MOST_QUANTUM: f64 = 45.0;
/// Quanta of the offload budget: one in the sender's queue, one in transmission, one at the receiver.
const QUANTA: f64 = 3.0;

impl Bbr3 {
    /// Sets the pacing rate; before the pipe is full, only raises it (SetPacingRateWithGain).
    pub(super) fn set_pacing_rate(&mut self, gain: f64) {
        let rate = PACING_MARGIN * gain * self.bw;
        if rate > 0.0 && (self.full.reached || rate > self.pacing_rate) {
            self.pacing_rate = rate;
        }
    }

    /// Returns `inflight`, at least the offload budget, plus two segments in probe-up (QuantizationBudget).
    pub(super) fn quantized(&self, inflight: f64) -> f64 {
        let quantum = (self.pacing_rate * QUANTUM_S).clamp(LEAST_QUANTUM, MOST_QUANTUM);
        let least = (QUANTA * quantum).max(MIN_PIPE_CWND);
        inflight.max(least) + if self.phase == Phase::Up { 2.0 } else { 0.0 }
    }

    /// Returns the window in probe-rtt (ProbeRTTCwnd).
    pub(super) fn probe_rtt_cwnd(&self) -> f64 {
        self.bdp(self.bw, Phase::ProbeRtt.cwnd_gain()).max(MIN_PIPE_CWND)
    }

    /// Sets the window, within the bounds of the model (SetCwnd, BoundCwndForModel).
    pub(super) fn set_cwnd(&mut self, sample: &RateSample) {
        let most = self.quantized(self.bdp(self.bw, self.phase.cwnd_gain()) + self.extra.get());
        let newly = sample.newly_delivered as f64;
        let cwnd = &mut self.window.cwnd;
        if self.full.reached {
            *cwnd = (*cwnd + newly).min(most);
        } else if *cwnd < most || (sample.delivered as f64) < self.initial_cwnd {
            *cwnd += newly;
        }
        *cwnd = cwnd.max(MIN_PIPE_CWND);
        if self.phase == Phase::ProbeRtt {
            self.window.cwnd = self.window.cwnd.min(self.probe_rtt_cwnd());
        }
        // The bounds of the model limit the window (BoundCwndForModel).
        let cap = match self.phase {
            Phase::ProbeRtt | Phase::Cruise => self.with_headroom(),
            Phase::Down | Phase::Refill | Phase::Up => self.bounds.inflight_longterm,
            Phase::Startup | Phase::Drain => f64::INFINITY,
        };
        let cap = cap.min(self.bounds.inflight_shortterm).max(MIN_PIPE_CWND);
        self.window.cwnd = self.window.cwnd.min(cap);
    }
}
