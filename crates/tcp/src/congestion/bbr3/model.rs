//! Model of the path: round trips, delivery rate, round-trip time, aggregation, and the bounds that losses set.

use super::state::{Bbr3, Phase};
use crate::rate::RateSample;
use base::Duration;

/// BBR.MinRTTFilterLen: time after which the least round-trip time is replaced.
const MIN_RTT_WINDOW: Duration = Duration::from_secs(10);
/// BBR.ProbeRTTInterval: time without a shorter round-trip time after which probe-rtt is due.
const PROBE_RTT_INTERVAL: Duration = Duration::from_secs(5);
/// BBR.ExtraAckedFilterLen: round trips over which the maximum of aggregation is taken.
const EXTRA_ROUNDS: u64 = 10;

impl Bbr3 {
    /// Returns true if the sample is application-limited, by the application or by probe-rtt.
    pub(super) fn is_limited(&self, sample: &RateSample) -> bool {
        sample.app_limited || self.limited.contains(sample.prior_delivered)
    }

    /// Counts round trips, and records the largest rate and the largest amount delivered in each
    /// (UpdateLatestDeliverySignals, UpdateRound).
    pub(super) fn update_rounds(&mut self, sample: &RateSample) {
        self.delivered = sample.delivered;
        let delivered = (sample.delivered - sample.prior_delivered) as f64;
        let losses = &mut self.losses;
        losses.bw_latest = losses.bw_latest.max(sample.rate.unwrap_or(0.0));
        losses.inflight_latest = losses.inflight_latest.max(delivered);
        losses.start = sample.prior_delivered >= losses.ends;
        if losses.start {
            losses.ends = sample.delivered;
        }
        self.rounds.start = sample.prior_delivered >= self.rounds.ends;
        if self.rounds.start {
            self.start_round();
            self.rounds.count += 1;
            self.probe.rounds_since += 1;
        }
    }

    /// Updates `max_bw`, and the short-term bounds once in each round trip with losses, except in phases that
    /// accelerate (UpdateMaxBw, UpdateCongestionSignals).
    pub(super) fn update_bounds(&mut self, sample: &RateSample) {
        if let Some(rate) = sample.rate
            && (rate >= self.top_bw() || !self.is_limited(sample))
        {
            self.max_bw[0] = self.max_bw[0].max(rate);
        }
        if !self.losses.start {
            return;
        }
        if self.losses.lossy && !self.phase.accelerates() {
            let (top, cwnd, beta) = (self.top_bw(), self.window.cwnd, self.config.beta);
            let first = |bound: f64, start: f64| if bound.is_infinite() { start } else { bound };
            let bounds = &mut self.bounds;
            bounds.bw_shortterm = self.losses.bw_latest.max(beta * first(bounds.bw_shortterm, top));
            bounds.inflight_shortterm =
                self.losses.inflight_latest.max(beta * first(bounds.inflight_shortterm, cwnd));
        }
        self.losses.lossy = false;
    }

    /// Begins the signals of the next loss round with this sample, if a loss round has ended
    /// (AdvanceLatestDeliverySignals).
    pub(super) fn advance_latest(&mut self, sample: &RateSample) {
        if self.losses.start {
            self.losses.bw_latest = sample.rate.unwrap_or(0.0);
            self.losses.inflight_latest = (sample.delivered - sample.prior_delivered) as f64;
            self.losses.ranges = 0;
        }
    }

    /// Measures the aggregation of acknowledgments (UpdateACKAggregation).
    pub(super) fn update_aggregation(&mut self, sample: &RateSample) {
        let mut expected = self.bw * sample.now.since(self.extra_began).secs();
        if self.extra_delivered <= expected {
            self.extra_delivered = 0.0;
            self.extra_began = sample.now;
            expected = 0.0;
        }
        self.extra_delivered += sample.newly_delivered as f64;
        let extra = (self.extra_delivered - expected).min(self.window.cwnd);
        let window = if self.full.reached { EXTRA_ROUNDS } else { 1 };
        self.extra.enter(window, self.rounds.count, extra);
    }

    /// Updates the least round-trip times (UpdateMinRTT).
    pub(super) fn update_min_rtt(&mut self, sample: &RateSample) {
        let now = sample.now;
        let probe = &mut self.probe_rtt;
        probe.expired = probe.least.is_some() && now > probe.least_at + PROBE_RTT_INTERVAL;
        if let Some(rtt) = sample.rtt
            && (probe.expired || probe.least.is_none_or(|least| rtt < least))
        {
            probe.least = Some(rtt);
            probe.least_at = now;
        }
        let expired = now > self.min_rtt_at + MIN_RTT_WINDOW;
        if let Some(least) = probe.least
            && (expired || self.min_rtt.is_none_or(|min| least < min))
        {
            self.min_rtt = Some(least);
            self.min_rtt_at = probe.least_at;
        }
    }

    /// Returns `gain` times the bandwidth-delay product, or the initial window if there is no round-trip time
    /// yet (BDPMultiple).
    pub(super) fn bdp(&self, bw: f64, gain: f64) -> f64 {
        self.min_rtt.map_or(self.initial_cwnd, |rtt| gain * bw * rtt.secs())
    }

    /// Returns `gain` times the bandwidth-delay product, at least the quantization budget (Inflight).
    pub(super) fn inflight(&self, bw: f64, gain: f64) -> f64 {
        self.quantized(self.bdp(bw, gain))
    }

    /// Returns the long-term bound minus the headroom (InflightWithHeadroom).
    pub(super) fn with_headroom(&self) -> f64 {
        let most = self.bounds.inflight_longterm;
        if most.is_infinite() {
            return most;
        }
        (most - (self.config.headroom * most).max(1.0)).max(super::window::MIN_PIPE_CWND)
    }

    /// Returns the bandwidth-delay product, or the window if that is smaller (TargetInflight).
    pub(super) fn target(&self) -> f64 {
        self.bdp(self.bw, 1.0).min(self.window.cwnd)
    }

    /// Sets the bandwidth to `max_bw`, limited by the short-term bound (BoundBWForModel).
    pub(super) fn bound_bw(&mut self) {
        self.bw = self.top_bw().min(self.bounds.bw_shortterm);
    }

    /// Shows the variables of the model. A bound that is unset is infinite; the phases are numbered in the order
    /// of [`Phase`].
    pub(super) fn show(&self, show: &mut dyn FnMut(&str, f64)) {
        let flag = |set: bool| f64::from(u8::from(set));
        show("phase", f64::from(self.phase as u8));
        show("max_bw", self.top_bw());
        show("bw_shortterm", self.bounds.bw_shortterm);
        show("inflight_shortterm", self.bounds.inflight_shortterm);
        show("inflight_longterm", self.bounds.inflight_longterm);
        show("min_rtt", self.min_rtt.map_or(f64::INFINITY, Duration::secs));
        show("extra_acked", self.extra.get());
        show("pacing_gain", self.phase.pacing_gain());
        show("cwnd_gain", self.phase.cwnd_gain());
        show("full_bw_count", f64::from(self.full.count));
        show("full_bw_now", flag(self.full.now));
        show("full_bw_reached", flag(self.full.reached));
        show("round_count", self.rounds.count as f64);
        show("idle_restart", flag(self.idle_restart));
        show("inflight_target", self.inflight(self.bw, 1.0));
        show("inflight_headroom", self.with_headroom());
        show("bw_probe_wait", self.probe.wait.secs());
        let up = if self.phase == Phase::Up { 1.0 / self.probe.acked_per_inc } else { 0.0 };
        show("inflight_slope", up);
    }
}
