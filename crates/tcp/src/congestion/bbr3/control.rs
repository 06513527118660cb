//! State of BBRv3, and its reaction to acknowledgments and losses.

use super::config::Config;
use crate::congestion::control::{CongestionControl, Needs, RecoveryStep, own_window};
use crate::congestion::signals::{AckSample, Congestion, LossClassification, LossSample, Reaction};
use crate::congestion::window::Window;
use crate::rate::RateSample;
use base::{Duration, Instant, Rng};

const STARTUP_GAIN: f64 = 2.772_588_722_239_781;
const DRAIN_GAIN: f64 = 0.5;
const CWND_GAIN: f64 = 2.0;
const UP_CWND_GAIN: f64 = 2.25;
pub(super) const UP_GAIN: f64 = 1.25;
const DOWN_GAIN: f64 = 0.9;
const PROBE_RTT_GAIN: f64 = 0.5;
const PACING_MARGIN: f64 = 0.99;
const FULL_GROWTH: f64 = 1.25;
const FULL_ROUNDS: u32 = 3;
/// StartupFullLossCnt: loss events in a round trip that end startup.
const FULL_LOSSES: u32 = 6;
const MIN_WINDOW: f64 = 4.0;
const QUANTA: f64 = 3.0;
const PROBE_RTT: Duration = Duration::from_ms(200);
const PROBE_RTT_INTERVAL: Duration = Duration::from_secs(5);
const MIN_RTT_WINDOW: Duration = Duration::from_secs(10);
/// Largest number of round trips between probes: those in which Reno would fill the pipe again.
pub(super) const RENO_ROUNDS: f64 = 63.0;
/// Round trips over which the maximum of extra_acked is taken.
const EXTRA_ROUNDS: u64 = 10;
const FIRST_RTT_S: f64 = 0.001;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Startup,
    Drain,
    Down,
    Cruise,
    Refill,
    Up,
    ProbeRtt,
}

/// ack_phase: the kind of data that current acknowledgments cover, sent during the latest probe or before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tells {
    Init,
    Refilling,
    ProbeStarting,
    ProbeFeedback,
    ProbeStopping,
}

/// Bounds of the model that losses have set, segments and segments per second; infinite if unset.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bounds {
    pub(super) inflight_hi: f64,
    pub(super) inflight_lo: f64,
    pub(super) bw_lo: f64,
}

/// State of BBRv3. Amounts are in segments, rates in segments per second.
#[derive(Clone, Debug)]
pub struct Bbr3 {
    pub(crate) window: Window,
    pub(super) config: Config,
    pub(super) rng: Option<Rng>,
    pub(super) phase: Phase,
    pub(super) tells: Tells,
    pub(super) bounds: Bounds,
    /// Largest delivery rate of this probing cycle and of the last one.
    pub(super) max_bw: [f64; 2],
    pub(super) min_rtt: Option<Duration>,
    min_rtt_at: Instant,
    /// probe_rtt_min_delay and its time: the least round-trip time since the last probe-rtt.
    probe_rtt_least: Option<Duration>,
    probe_rtt_at: Instant,
    probe_rtt_until: Option<Instant>,
    probe_rtt_round_over: bool,
    rounds: u64,
    round_ends: u64,
    pub(super) round_began: bool,
    loss_round_ends: u64,
    pub(super) loss_in_round: bool,
    loss_events: u32,
    pub(super) bw_latest: f64,
    pub(super) inflight_latest: f64,
    pub(super) filled: bool,
    full_bw: f64,
    full_rounds: u32,
    pacing_rate: f64,
    seen_rtt: bool,
    pub(super) phase_began: Instant,
    pub(super) rounds_since_probe: u64,
    pub(super) probe_wait: Duration,
    pub(super) probing: bool,
    pub(super) up_count: f64,
    pub(super) up_rounds: u32,
    pub(super) up_acked: f64,
    extra: [(u64, f64); 2],
    extra_began: Instant,
    extra_delivered: f64,
    prior: f64,
    recovering: bool,
    begins: bool,
    conserves_until: Option<u64>,
    lost: u64,
}

impl Bbr3 {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        let none = f64::INFINITY;
        Self {
            window,
            config: *config,
            rng: None,
            phase: Phase::Startup,
            tells: Tells::Init,
            bounds: Bounds { inflight_hi: none, inflight_lo: none, bw_lo: none },
            max_bw: [0.0; 2],
            min_rtt: None,
            min_rtt_at: Instant::ZERO,
            probe_rtt_least: None,
            probe_rtt_at: Instant::ZERO,
            probe_rtt_until: None,
            probe_rtt_round_over: false,
            rounds: 0,
            round_ends: 0,
            round_began: false,
            loss_round_ends: 0,
            loss_in_round: false,
            loss_events: 0,
            bw_latest: 0.0,
            inflight_latest: 0.0,
            filled: false,
            full_bw: 0.0,
            full_rounds: 0,
            pacing_rate: STARTUP_GAIN * window.cwnd.max(1.0) / FIRST_RTT_S,
            seen_rtt: false,
            phase_began: Instant::ZERO,
            rounds_since_probe: 0,
            probe_wait: Duration::ZERO,
            probing: false,
            up_count: none,
            up_rounds: 0,
            up_acked: 0.0,
            extra: [(0, 0.0); 2],
            extra_began: Instant::ZERO,
            extra_delivered: 0.0,
            prior: 0.0,
            recovering: false,
            begins: false,
            conserves_until: None,
            lost: 0,
        }
    }

    pub(super) fn top_bw(&self) -> f64 {
        self.max_bw[0].max(self.max_bw[1])
    }

    fn bw(&self) -> f64 {
        self.top_bw().min(self.bounds.bw_lo)
    }

    fn bdp(&self, bw: f64, gain: f64) -> f64 {
        self.min_rtt.filter(|_| bw > 0.0).map_or(f64::INFINITY, |rtt| gain * bw * rtt.secs())
    }

    pub(super) fn inflight(&self, bw: f64, gain: f64) -> f64 {
        let quanta = if self.phase == Phase::Up { QUANTA + 2.0 } else { QUANTA };
        self.bdp(bw, gain) + quanta
    }

    pub(super) fn with_headroom(&self) -> f64 {
        let hi = self.bounds.inflight_hi;
        if hi.is_infinite() { hi } else { (hi - (self.config.headroom * hi).max(1.0)).max(MIN_WINDOW) }
    }

    pub(super) fn target(&self) -> f64 {
        self.bdp(self.bw(), 1.0).min(self.window.cwnd)
    }

    pub(super) fn cycles(&self) -> bool {
        matches!(self.phase, Phase::Down | Phase::Cruise | Phase::Refill | Phase::Up)
    }

    /// Returns true if the losses in the flight of the acknowledged segment exceeded `loss_threshold`.
    pub(super) fn too_high(&self, sample: &RateSample) -> bool {
        let lost = sample.lost.saturating_sub(sample.prior_lost) as f64;
        lost > self.config.loss_threshold * sample.tx_in_flight as f64
    }

    pub(super) fn start_round(&mut self, sample: &RateSample) {
        self.round_ends = sample.delivered;
    }

    /// Updates delivery rate, round trips, and short-term bounds.
    fn update_model(&mut self, sample: &RateSample) {
        let rate = sample.rate.unwrap_or(0.0);
        let delivered = (sample.delivered - sample.prior_delivered) as f64;
        self.round_began = sample.newly_delivered > 0 && sample.prior_delivered >= self.round_ends;
        if self.round_began {
            self.start_round(sample);
            self.rounds += 1;
            self.rounds_since_probe += 1;
        }
        let loss_round = sample.newly_delivered > 0 && sample.prior_delivered >= self.loss_round_ends;
        self.bw_latest = self.bw_latest.max(rate);
        self.inflight_latest = self.inflight_latest.max(delivered);
        if rate > 0.0 && (rate >= self.top_bw() || !sample.app_limited) {
            self.max_bw[0] = self.max_bw[0].max(rate);
        }
        if sample.lost > self.lost {
            self.loss_in_round = true;
            self.loss_events += 1;
        }
        if loss_round {
            self.loss_round_ends = sample.delivered;
            let bounds = !matches!(self.phase, Phase::Startup | Phase::Refill | Phase::Up);
            if bounds && self.loss_in_round {
                let Bounds { bw_lo, inflight_lo, .. } = self.bounds;
                let bw = if bw_lo.is_infinite() { self.top_bw() } else { bw_lo };
                let inflight = if inflight_lo.is_infinite() { self.window.cwnd } else { inflight_lo };
                self.bounds.bw_lo = self.bw_latest.max(self.config.beta * bw);
                self.bounds.inflight_lo = self.inflight_latest.max(self.config.beta * inflight);
            }
        }
        self.update_extra(sample);
        self.check_startup(sample, loss_round);
        if loss_round {
            self.loss_in_round = false;
            self.loss_events = 0;
            self.bw_latest = rate;
            self.inflight_latest = delivered;
        }
    }

    /// Updates extra_acked: segments acknowledged beyond those that the delivery rate explains.
    fn update_extra(&mut self, sample: &RateSample) {
        let mut expected = self.bw() * sample.now.since(self.extra_began).secs();
        if self.extra_delivered <= expected {
            self.extra_delivered = 0.0;
            self.extra_began = sample.now;
            expected = 0.0;
        }
        self.extra_delivered += sample.newly_delivered as f64;
        let extra = (self.extra_delivered - expected).min(self.window.cwnd);
        let window = if self.filled { EXTRA_ROUNDS } else { 1 };
        // Each slot has the maximum over half the window of round trips; the larger of the two is used.
        if self.rounds >= self.extra[0].0 + window.div_ceil(2) {
            self.extra = [(self.rounds, 0.0), self.extra[0]];
        }
        self.extra[0].1 = self.extra[0].1.max(extra);
    }

    fn check_startup(&mut self, sample: &RateSample, loss_round: bool) {
        if self.filled {
            return;
        }
        if self.round_began && !sample.app_limited {
            if self.top_bw() >= self.full_bw * FULL_GROWTH {
                self.full_bw = self.top_bw();
                self.full_rounds = 0;
            } else {
                self.full_rounds += 1;
                self.filled = self.full_rounds >= FULL_ROUNDS;
            }
        }
        if loss_round && self.recovering && self.loss_events >= FULL_LOSSES && self.too_high(sample) {
            self.filled = true;
            self.bounds.inflight_hi = self.bdp(self.top_bw(), 1.0).max(self.inflight_latest);
        }
        if self.filled && self.phase == Phase::Startup {
            self.enter(Phase::Drain, sample);
        }
    }

    fn update_min_rtt(&mut self, sample: &RateSample) {
        let now = sample.now;
        let old = now.since(self.probe_rtt_at) > PROBE_RTT_INTERVAL;
        if let Some(rtt) = sample.rtt
            && (old || self.probe_rtt_least.is_none_or(|least| rtt < least))
        {
            self.probe_rtt_least = Some(rtt);
            self.probe_rtt_at = now;
        }
        let expired = now.since(self.min_rtt_at) > MIN_RTT_WINDOW;
        if expired || self.min_rtt.is_none() || self.probe_rtt_least < self.min_rtt {
            self.min_rtt = self.probe_rtt_least;
            self.min_rtt_at = self.probe_rtt_at;
        }
        if self.phase != Phase::ProbeRtt {
            if old {
                self.save_window();
                self.probe_rtt_until = None;
                self.tells = Tells::ProbeStopping;
                self.start_round(sample);
                self.enter(Phase::ProbeRtt, sample);
            }
            return;
        }
        match self.probe_rtt_until {
            None if sample.in_flight as f64 <= self.probe_rtt_window() => {
                self.probe_rtt_until = Some(now + PROBE_RTT);
                self.probe_rtt_round_over = false;
                self.start_round(sample);
            }
            None => {}
            Some(until) => {
                self.probe_rtt_round_over |= self.round_began;
                if self.probe_rtt_round_over && now > until {
                    self.probe_rtt_at = now;
                    self.window.cwnd = self.window.cwnd.max(self.prior);
                    self.bounds.bw_lo = f64::INFINITY;
                    self.bounds.inflight_lo = f64::INFINITY;
                    if self.filled {
                        self.start_down(sample);
                        self.enter(Phase::Cruise, sample);
                    } else {
                        self.enter(Phase::Startup, sample);
                    }
                }
            }
        }
    }

    fn probe_rtt_window(&self) -> f64 {
        let bdp = self.bdp(self.bw(), PROBE_RTT_GAIN);
        if bdp.is_infinite() { MIN_WINDOW } else { bdp.max(MIN_WINDOW) }
    }

    fn save_window(&mut self) {
        let keeps = !self.recovering && self.phase != Phase::ProbeRtt;
        self.prior = if keeps { self.window.cwnd } else { self.prior.max(self.window.cwnd) };
    }

    fn set_window(&mut self, sample: &RateSample) {
        let gain = if self.phase == Phase::Up { UP_CWND_GAIN } else { CWND_GAIN };
        let extra = self.extra[0].1.max(self.extra[1].1);
        let most = self.inflight(self.bw(), gain) + extra;
        let newly = sample.newly_delivered as f64;
        let in_flight = sample.in_flight as f64;
        let cwnd = &mut self.window.cwnd;
        if self.begins {
            self.begins = false;
            *cwnd = in_flight + newly.max(1.0);
            self.conserves_until = Some(sample.delivered);
        } else {
            if self.filled {
                *cwnd = (*cwnd + newly).min(most);
            } else if *cwnd < most {
                *cwnd += newly;
            }
            if let Some(until) = self.conserves_until {
                *cwnd = cwnd.min(in_flight + newly.max(1.0));
                if sample.newly_delivered > 0 && sample.prior_delivered >= until {
                    self.conserves_until = None;
                }
            }
        }
        *cwnd = cwnd.max(MIN_WINDOW);
        let cap = match self.phase {
            Phase::ProbeRtt => self.with_headroom().min(self.probe_rtt_window()),
            Phase::Cruise => self.with_headroom(),
            Phase::Down | Phase::Refill | Phase::Up => self.bounds.inflight_hi,
            Phase::Startup | Phase::Drain => f64::INFINITY,
        };
        let cap = cap.min(self.bounds.inflight_lo).max(MIN_WINDOW);
        self.window.cwnd = self.window.cwnd.min(cap);
    }
}

impl CongestionControl for Bbr3 {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { rates: true, ..Needs::default() }
    }

    fn on_ack(&mut self, _ack: &AckSample) {}

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        match loss.why {
            Congestion::FastLoss | Congestion::Restart => {
                self.save_window();
                self.recovering = true;
                self.begins = true;
            }
            Congestion::Timeout => {
                self.save_window();
                self.recovering = false;
                self.conserves_until = None;
                self.window.cwnd = 1.0;
            }
            // The draft does not react to ECN marks.
            Congestion::Mark => {}
        }
        // A single loss is not congestion. If many segments of one flight are lost, the bounds are reduced
        // later.
        Reaction::to(if loss.why == Congestion::Timeout {
            LossClassification::Congestion
        } else {
            LossClassification::Random
        })
    }

    fn on_recovery(&mut self, _now: Instant, step: RecoveryStep) {
        if step != RecoveryStep::End {
            return;
        }
        self.recovering = false;
        self.begins = false;
        self.conserves_until = None;
        self.window.cwnd = self.window.cwnd.max(self.prior);
    }

    fn on_rate(&mut self, sample: &RateSample) {
        self.update_model(sample);
        if self.phase == Phase::Drain && sample.in_flight as f64 <= self.inflight(self.top_bw(), 1.0) {
            self.start_down(sample);
        }
        self.probe(sample);
        self.update_min_rtt(sample);
        if let Some(rtt) = sample.rtt.filter(|rtt| !self.seen_rtt && !rtt.is_zero()) {
            self.seen_rtt = true;
            self.pacing_rate = STARTUP_GAIN * self.window.cwnd / rtt.secs();
        }
        let gain = match self.phase {
            Phase::Startup => STARTUP_GAIN,
            Phase::Drain => DRAIN_GAIN,
            Phase::Down => DOWN_GAIN,
            Phase::Up => UP_GAIN,
            Phase::Cruise | Phase::Refill | Phase::ProbeRtt => 1.0,
        };
        let rate = PACING_MARGIN * gain * self.bw();
        if rate > 0.0 && (self.filled || rate > self.pacing_rate) {
            self.pacing_rate = rate;
        }
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
            Phase::Down => "probe-down",
            Phase::Cruise => "probe-cruise",
            Phase::Refill => "probe-refill",
            Phase::Up => "probe-up",
            Phase::ProbeRtt => "probe-rtt",
        }
    }
}
