//! BBR, version 1: sends at the delivery rate of the path, with about two bandwidth-delay products in flight
//! (Cardwell, Cheng, Gunn, Yeganeh and Jacobson 2016; draft-cardwell-iccrg-bbr-congestion-control-00).
//!
//! `BtlBw` is the largest delivery rate of the last 10 round trips, `RTprop` the least round-trip time of the
//! last 10 s, and `BDP = BtlBw * RTprop`:
//!
//! ```text
//! pacing rate = pacing_gain * BtlBw          cwnd = cwnd_gain * BDP + 3 segments, at least 4
//! startup    gains 2/ln 2, 2/ln 2   until BtlBw has grown by less than a quarter in each of three round trips
//! drain      gains ln 2/2, 2/ln 2   until at most BDP is in flight
//! probe-bw   pacing gains 5/4, 3/4, 1, 1, 1, 1, 1, 1, one RTprop each, repeated; cwnd gain 2
//! probe-rtt  when RTprop is 10 s old: at most 4 segments in flight for 200 ms and a round trip
//! ```
//!
//! A loss detected by acknowledgments changes no estimate. For one round trip at most as many segments are
//! sent as are delivered; then the window is restored. A timeout sets the window to one segment. The phase in
//! which probe-bw begins is drawn from the connection's random stream (any phase but 3/4).
//!
//! The form `linux` is that of Linux 6.12, derived from experiments and from its authors' descriptions. A
//! quantum is the number of whole segments sent in about 1 ms. `extra` counts aggregated acknowledgments: the
//! largest number of segments acknowledged beyond `BtlBw` times the elapsed time, in the last 5 to 10 round
//! trips; at most the segments that `BtlBw` delivers in 100 ms:
//!
//! ```text
//! pacing rate = 0.99 * pacing_gain * BtlBw
//! cwnd        = ceil(cwnd_gain * BDP) + 3 quanta + extra after startup, rounded up to even, 2 more in phase
//! 5/4
//! quantum     = max(floor(pacing rate / 1024), 2), 1 below 1.2 Mb/s
//! ```
//!
//! The handshake gives the first RTprop and the first pacing rate, and rates measured in probe-rtt do not count.
//!
//! Left out: detection of token-bucket policers, which later code has but not the draft; pacing in batches. Validated:
//! states, gains and their durations on an unloaded path (`tests/it/bbr.rs`).

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, RecoveryStep, own_window};
use super::signals::{AckSample, Congestion, LossClassification, LossSample, Reaction};
use super::window::Window;
use crate::rate::RateSample;
use base::{Duration, Instant, Rng};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "bbr",
    summary: "sends at the measured delivery rate, with two bandwidth-delay products in flight",
    source: "draft-cardwell-iccrg-bbr-congestion-control-00",
    aliases: &["bbr1", "bbrv1", "bbr-v1", "TcpBbr", "ns3::TcpBbr", "tcp_bbr"],
    linux: false,
    parameters: PARAMETERS,
};

/// BBRHighGain, 2 / ln 2: doubles the rate in each round trip (section 4.3.2.1).
const HIGH_GAIN: f64 = 2.885_390_081_777_927;
/// Pacing gains of the phases of probe-bw (section 4.3.4.1).
const CYCLE: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
/// BBRBtlBwFilterLen: round trips over which the maximum of the delivery rate is taken.
const RATE_ROUNDS: u64 = 10;
/// Startup ends after `FULL_ROUNDS` round trips in which the rate grew by less than the factor `FULL_GROWTH`.
const FULL_GROWTH: f64 = 1.25;
const FULL_ROUNDS: u32 = 3;
/// BBRMinPipeCwnd: least window, and the window in probe-rtt, segments.
const MIN_WINDOW: f64 = 4.0;
/// ProbeRTTDuration: least time that probe-rtt lasts.
const PROBE_RTT: Duration = Duration::from_ms(200);
/// Segments in the window beyond the bandwidth-delay product, for delayed and aggregated acknowledgments.
const QUANTA: f64 = 3.0;
/// Round-trip time assumed for the first pacing rate, seconds.
const FIRST_RTT_S: f64 = 0.001;
/// Form `linux`: pacing rate as a share of pacing_gain times BtlBw.
const MARGIN: f64 = 0.99;
/// Form `linux`: number of quanta per second, least quantum in segments, and the rate below which the quantum
/// is one segment (1.2 Mb/s of payload in segments of 1448 bytes per second).
const QUANTA_PER_SECOND: f64 = 1024.0;
const LEAST_QUANTUM: f64 = 2.0;
const SLOW: f64 = 1.2e6 / 8.0 / 1448.0;
/// Form `linux`: length in round trips of each of the two windows over which the maximum for `extra` is
/// taken, and the seconds of deliveries to which `extra` is limited.
const EXTRA_ROUNDS: u64 = 5;
const EXTRA_S: f64 = 0.1;

parameters! {
    /// Parameters of BBR.
    high_gain: f64 = number("", HIGH_GAIN, 1.0, 10.0; "pacing gain and window gain in startup; the pacing gain in drain is the inverse"),
    cwnd_gain: f64 = number("", 2.0, 1.0, 10.0; "window gain in probe-bw: window in bandwidth-delay products"),
    rtprop_window: f64 = number("s", 10.0, 0.1, 1000.0; "time after which the least round-trip time is measured again (RTpropFilterLen)"),
    linux as "form": bool = words(&["draft", "linux"], 0; "as in the draft; or as in Linux: pacing rate 1 % lower, window in whole quanta and enlarged for aggregated acknowledgments"),
}

/// States of section 4.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Startup,
    Drain,
    ProbeBw,
    ProbeRtt,
}

/// Effect of loss recovery on the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Repair {
    /// No recovery.
    None,
    /// Recovery began since the last acknowledgment.
    Begins,
    /// First round trip of recovery (packet conservation), until this number of segments is delivered: at
    /// most as many segments are sent as are delivered.
    Conserves(u64),
    /// Later round trips of recovery.
    GoesOn,
}

/// Form `linux`: estimate of the aggregation of acknowledgments.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Aggregation {
    /// Beginning of the interval, and segments delivered in it.
    began: Instant,
    delivered: f64,
    /// Largest number of segments delivered beyond the expected number, in the current window of round trips
    /// and in the window before.
    most: [f64; 2],
    /// Round trips of the current window so far.
    rounds: u64,
}

impl Aggregation {
    const NONE: Self = Self { began: Instant::ZERO, delivered: 0.0, most: [0.0; 2], rounds: 0 };

    /// Takes an acknowledgment of `newly` segments, when BtlBw is `rate` segments per second and the window
    /// `cwnd` segments.
    fn add(&mut self, now: Instant, newly: f64, rate: f64, cwnd: f64, round_began: bool) {
        if round_began {
            self.rounds += 1;
            if self.rounds >= EXTRA_ROUNDS {
                self.rounds = 0;
                self.most = [0.0, self.most[0]];
            }
        }
        if newly == 0.0 {
            return;
        }
        let mut expected = rate * now.since(self.began).secs();
        if self.delivered <= expected {
            (self.began, self.delivered, expected) = (now, 0.0, 0.0);
        }
        self.delivered += newly;
        let extra = libm::floor(self.delivered - expected).clamp(0.0, cwnd);
        self.most[0] = self.most[0].max(extra);
    }

    /// Returns `extra`, segments.
    fn extra(&self, rate: f64) -> f64 {
        self.most[0].max(self.most[1]).min(libm::floor(rate * EXTRA_S))
    }
}

/// State of BBR.
#[derive(Clone, Debug)]
pub struct Bbr {
    pub(super) window: Window,
    config: Config,
    phase: Phase,
    rng: Option<Rng>,
    /// Windowed maximum of the delivery rate: up to three (round, segments per second), in descending order
    /// of rates.
    rates: [(u64, f64); 3],
    rtprop: Option<Duration>,
    rtprop_at: Instant,
    rounds: u64,
    /// next_round_delivered: the round trip ends when a segment is acknowledged that was sent after this
    /// number of deliveries.
    round_ends: u64,
    /// True once the pacing rate is based on a measured round-trip time.
    seen_rtt: bool,
    filled: bool,
    full_rate: f64,
    full_rounds: u32,
    pacing_rate: f64,
    cycle_at: usize,
    cycle_began: Instant,
    /// probe_rtt_done_stamp: earliest end of probe-rtt; `None` while the data in flight exceed its window.
    probe_until: Option<Instant>,
    probe_round_over: bool,
    /// prior_cwnd: the window before recovery or probe-rtt.
    prior: f64,
    repair: Repair,
    lost: u64,
    aggregation: Aggregation,
    /// Form `linux`: a sample counts as application-limited if its segment was sent before this number
    /// of segments had been delivered.
    limited_until: u64,
}

impl Bbr {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            phase: Phase::Startup,
            rng: None,
            rates: [(0, 0.0); 3],
            rtprop: None,
            rtprop_at: Instant::ZERO,
            rounds: 0,
            round_ends: 0,
            seen_rtt: false,
            filled: false,
            full_rate: 0.0,
            full_rounds: 0,
            pacing_rate: config.high_gain * window.cwnd.max(1.0) / FIRST_RTT_S,
            cycle_at: 0,
            cycle_began: Instant::ZERO,
            probe_until: None,
            probe_round_over: false,
            prior: 0.0,
            repair: Repair::None,
            lost: 0,
            aggregation: Aggregation::NONE,
            limited_until: 0,
        }
    }

    /// Returns BtlBw, segments per second.
    fn bottleneck(&self) -> f64 {
        self.rates[0].1
    }

    /// Adds a sample to the windowed maximum, which keeps the best of the whole window, of its later part,
    /// and of the latest part.
    fn enter_rate(&mut self, rate: f64) {
        let now = self.rounds;
        let fresh = (now, rate);
        let best = &mut self.rates;
        if rate >= best[0].1 || now - best[2].0 > RATE_ROUNDS {
            *best = [fresh; 3];
            return;
        }
        if rate >= best[1].1 {
            (best[1], best[2]) = (fresh, fresh);
        } else if rate >= best[2].1 {
            best[2] = fresh;
        }
        let age = now - best[0].0;
        if age > RATE_ROUNDS {
            *best = [best[1], best[2], fresh];
            if now - best[0].0 > RATE_ROUNDS {
                *best = [best[1], best[2], fresh];
            }
        } else if best[1].0 == best[0].0 && age > RATE_ROUNDS / 4 {
            (best[1], best[2]) = (fresh, fresh);
        } else if best[2].0 == best[1].0 && age > RATE_ROUNDS / 2 {
            best[2] = fresh;
        }
    }

    /// Returns `gain` times the bandwidth-delay product, segments; `None` without an estimate.
    fn bdp(&self, gain: f64) -> Option<f64> {
        let rtprop = self.rtprop.filter(|_| self.bottleneck() > 0.0)?;
        Some(gain * self.bottleneck() * rtprop.secs())
    }

    /// Returns BBRInflight: the target of data in flight at `gain`, segments (section 4.2.3.2).
    fn inflight(&self, gain: f64) -> f64 {
        let Some(bdp) = self.bdp(gain) else { return f64::INFINITY };
        if self.config.linux { self.quantized(libm::ceil(bdp)) } else { bdp + QUANTA }
    }

    /// Returns `bdp` segments plus three quanta, rounded up to an even number, and 2 more in phase 5/4. With
    /// this margin `bdp` segments are in the network although sender and receiver work in batches.
    fn quantized(&self, bdp: f64) -> f64 {
        let quantum = if self.pacing_rate < SLOW {
            1.0
        } else {
            libm::floor(self.pacing_rate / QUANTA_PER_SECOND).max(LEAST_QUANTUM)
        };
        let probes = self.phase == Phase::ProbeBw && CYCLE[self.cycle_at] > 1.0;
        2.0 * libm::ceil((bdp + QUANTA * quantum) / 2.0) + if probes { 2.0 } else { 0.0 }
    }

    /// Returns the target of the window at `gain`, segments.
    fn target(&self, gain: f64) -> f64 {
        match self.bdp(gain) {
            Some(bdp) if self.config.linux && self.filled => {
                self.quantized(libm::ceil(bdp) + self.aggregation.extra(self.bottleneck()))
            }
            _ => self.inflight(gain),
        }
    }

    fn pacing_gain(&self) -> f64 {
        match self.phase {
            Phase::Startup => self.config.high_gain,
            Phase::Drain => 1.0 / self.config.high_gain,
            Phase::ProbeBw => CYCLE[self.cycle_at],
            Phase::ProbeRtt => 1.0,
        }
    }

    fn enter_probe_bw(&mut self, now: Instant) {
        self.phase = Phase::ProbeBw;
        // Any phase but the second, 3/4.
        let drawn = self.rng.as_mut().map_or(0, |rng| (rng.uniform() * 7.0) as usize);
        self.cycle_at = if drawn == 0 { 0 } else { drawn + 1 };
        self.cycle_began = now;
    }

    /// Advances the gain cycle (section 4.3.4.3). A phase lasts one RTprop. Phase 5/4 also lasts until its
    /// target is in flight or segments are lost; phase 3/4 ends early when at most the BDP is in flight.
    fn advance_cycle(&mut self, sample: &RateSample) {
        let whole = self.rtprop.is_some_and(|rtprop| sample.now.since(self.cycle_began) > rtprop);
        let before = (sample.in_flight + sample.newly_delivered) as f64;
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

    /// Checks if the pipe is full, which means that the delivery rate no longer grows (section 4.3.2.2).
    fn check_full(&mut self, sample: &RateSample) {
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
    fn update_rtprop(&mut self, sample: &RateSample, round_began: bool) {
        let now = sample.now;
        let old = now.since(self.rtprop_at).secs() > self.config.rtprop_window;
        if let Some(rtt) = sample.rtt
            && (old || self.rtprop.is_none_or(|least| rtt <= least))
        {
            self.rtprop = Some(rtt);
            self.rtprop_at = now;
        }
        if self.phase == Phase::ProbeRtt && self.config.linux {
            self.limited_until = sample.delivered + sample.in_flight;
        }
        if self.phase != Phase::ProbeRtt {
            if old {
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

    fn save_window(&mut self) {
        let keeps = self.repair == Repair::None && self.phase != Phase::ProbeRtt;
        self.prior = if keeps { self.window.cwnd } else { self.prior.max(self.window.cwnd) };
    }

    /// Sets the window (sections 4.2.3.3 to 4.2.3.6).
    fn set_window(&mut self, sample: &RateSample) {
        let gain = match self.phase {
            Phase::Startup | Phase::Drain => self.config.high_gain,
            Phase::ProbeBw => self.config.cwnd_gain,
            Phase::ProbeRtt => 1.0,
        };
        let target = self.target(gain);
        let newly = sample.newly_delivered as f64;
        let newly_lost = sample.lost.saturating_sub(self.lost) as f64;
        let in_flight = sample.in_flight as f64;
        let cwnd = &mut self.window.cwnd;
        match self.repair {
            Repair::Begins => {
                *cwnd = in_flight + newly.max(1.0);
                self.repair = Repair::Conserves(sample.delivered);
            }
            Repair::Conserves(until) => {
                *cwnd = (*cwnd - newly_lost).max(in_flight + newly).max(1.0);
                if sample.prior_delivered >= until && sample.newly_delivered > 0 {
                    self.repair = Repair::GoesOn;
                }
            }
            Repair::GoesOn | Repair::None => {
                if self.repair == Repair::GoesOn && newly_lost > 0.0 {
                    *cwnd = (*cwnd - newly_lost).max(1.0);
                }
                if self.filled {
                    *cwnd = (*cwnd + newly).min(target);
                } else if *cwnd < target {
                    *cwnd += newly;
                }
                *cwnd = cwnd.max(MIN_WINDOW);
            }
        }
        if self.phase == Phase::ProbeRtt {
            *cwnd = cwnd.min(MIN_WINDOW);
        }
    }
}

impl CongestionControl for Bbr {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { rates: true, ..Needs::default() }
    }

    fn on_handshake(&mut self, now: Instant, rtt: Duration) {
        if self.config.linux && !rtt.is_zero() {
            self.rtprop = Some(rtt);
            self.rtprop_at = now;
            self.seen_rtt = true;
            self.pacing_rate = MARGIN * self.config.high_gain * self.window.cwnd / rtt.secs();
        }
    }

    fn on_ack(&mut self, _ack: &AckSample) {}

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
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

    fn on_recovery(&mut self, _now: Instant, step: RecoveryStep) {
        if step != RecoveryStep::End {
            return;
        }
        self.repair = Repair::None;
        self.window.cwnd = self.window.cwnd.max(self.prior);
    }

    fn on_rate(&mut self, sample: &RateSample) {
        let round_began = sample.newly_delivered > 0 && sample.prior_delivered >= self.round_ends;
        if round_began {
            self.round_ends = sample.delivered;
            self.rounds += 1;
        }
        let limited = sample.app_limited || sample.prior_delivered < self.limited_until;
        if let Some(rate) = sample.rate
            && (rate >= self.bottleneck() || !limited)
        {
            self.enter_rate(rate);
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
        if self.phase == Phase::Drain && sample.in_flight as f64 <= self.inflight(1.0) {
            self.enter_probe_bw(sample.now);
        }
        self.update_rtprop(sample, round_began);
        if let Some(rtt) = sample.rtt.filter(|rtt| !self.seen_rtt && !rtt.is_zero()) {
            self.seen_rtt = true;
            self.pacing_rate = self.config.high_gain * self.window.cwnd / rtt.secs();
        }
        let margin = if self.config.linux { MARGIN } else { 1.0 };
        let rate = margin * self.pacing_gain() * self.bottleneck();
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
            Phase::ProbeBw => "probe-bw",
            Phase::ProbeRtt => "probe-rtt",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bbr() -> Bbr {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        Bbr::new(&config, Window { cwnd: 10.0, ssthresh: f64::INFINITY })
    }

    #[test]
    fn the_rate_is_the_maximum_of_ten_rounds() {
        let mut bbr = bbr();
        let mut entered: Vec<f64> = Vec::new();
        for round in 0..100u64 {
            bbr.rounds = round;
            // Falls for long, then rises.
            let rate = if round < 60 { 100.0 - round as f64 } else { round as f64 };
            entered.push(rate);
            bbr.enter_rate(rate);
            let from = entered.len().saturating_sub(RATE_ROUNDS as usize + 1);
            let exact = entered[from..].iter().copied().fold(0.0, f64::max);
            // Three candidates stand for the window: never below the youngest, never older than the window.
            assert!(bbr.bottleneck() <= exact && bbr.bottleneck() >= rate, "{round}: {}", bbr.bottleneck());
        }
        assert_eq!(bbr.bottleneck(), 99.0);
    }

    /// The candidates of Linux's minmax filter: the second is renewed after a quarter of the ten rounds (2), the third after half
    /// of them (5), and each moves up once the first is older than ten.
    #[test]
    fn younger_candidates_take_the_place_of_the_oldest() {
        let mut bbr = bbr();
        let steps = [
            (0, 100.0, [(0, 100.0), (0, 100.0), (0, 100.0)]),
            (2, 80.0, [(0, 100.0), (0, 100.0), (0, 100.0)]),
            (3, 80.0, [(0, 100.0), (3, 80.0), (3, 80.0)]),
            (4, 85.0, [(0, 100.0), (4, 85.0), (4, 85.0)]),
            (5, 70.0, [(0, 100.0), (4, 85.0), (4, 85.0)]),
            (6, 75.0, [(0, 100.0), (4, 85.0), (6, 75.0)]),
            (7, 78.0, [(0, 100.0), (4, 85.0), (7, 78.0)]),
            (8, 78.0, [(0, 100.0), (4, 85.0), (8, 78.0)]),
            (10, 60.0, [(0, 100.0), (4, 85.0), (8, 78.0)]),
            (11, 60.0, [(4, 85.0), (8, 78.0), (11, 60.0)]),
            (12, 78.0, [(4, 85.0), (12, 78.0), (12, 78.0)]),
            (16, 50.0, [(12, 78.0), (12, 78.0), (16, 50.0)]),
            // The first two candidates are too old.
            (25, 40.0, [(16, 50.0), (25, 40.0), (25, 40.0)]),
            // All three are too old.
            (36, 30.0, [(36, 30.0), (36, 30.0), (36, 30.0)]),
            (37, 30.0, [(37, 30.0), (37, 30.0), (37, 30.0)]),
        ];
        for (round, rate, rates) in steps {
            bbr.rounds = round;
            bbr.enter_rate(rate);
            assert_eq!(bbr.rates, rates, "round {round}");
        }
    }

    fn linux() -> Bbr {
        let draft = Config::new(&|name| ALGORITHM.default_of(name));
        let config = Config { linux: true, ..draft };
        Bbr::new(&config, Window { cwnd: 10.0, ssthresh: f64::INFINITY })
    }

    /// At 833 segments per second and 40.1 ms the BDP is 33.4 segments, and twice the BDP 66.8. Rounded up to
    /// 67, plus three quanta of 2 segments, this gives 73, even 74, and 76 with 2 segments of `extra`. At
    /// 8333 segments per second and 20.1 ms, paced at 8250, twice the BDP rounds up to 336, and three quanta
    /// are 24.
    #[test]
    fn the_form_linux_counts_in_quanta() {
        let mut bbr = linux();
        bbr.enter_rate(833.0);
        bbr.rtprop = Some(Duration::from_us(40_100));
        (bbr.pacing_rate, bbr.filled, bbr.phase, bbr.cycle_at) = (0.99 * 833.0, true, Phase::ProbeBw, 2);
        assert_eq!(bbr.inflight(2.0), 74.0);
        bbr.aggregation.most = [2.0, 0.0];
        assert_eq!((bbr.inflight(2.0), bbr.target(2.0)), (74.0, 76.0));
        bbr.cycle_at = 0;
        assert_eq!(bbr.target(2.0), 78.0);
        bbr.enter_rate(8333.0);
        bbr.rtprop = Some(Duration::from_us(20_105));
        (bbr.pacing_rate, bbr.cycle_at) = (8250.0, 2);
        assert_eq!(bbr.inflight(2.0), 360.0);
        // 100 segments per second are below 1.2 Mb/s, so a quantum is one segment.
        (bbr.pacing_rate, bbr.rates) = (99.0, [(0, 100.0); 3]);
        bbr.rtprop = Some(Duration::from_ms(40));
        assert_eq!(bbr.inflight(2.0), 12.0);
    }

    /// A handshake of 40 ms and a window of 10 segments give 250 segments per second, times the gain 2.885
    /// and 0.99.
    #[test]
    fn the_form_linux_begins_with_the_handshake() {
        let mut bbr = linux();
        bbr.on_handshake(Instant::ZERO, Duration::from_ms(40));
        assert!((bbr.pacing_rate - 0.99 * HIGH_GAIN * 250.0).abs() < 1e-9);
        assert_eq!(bbr.rtprop, Some(Duration::from_ms(40)));
    }

    /// At 100 segments per second ten segments arrive at once, and ten more after 50 ms: 20 segments, of
    /// which 5 were expected, so `extra` is 15. After 200 ms without arrivals the expected number exceeds the
    /// delivered one, and the interval begins anew. `extra` ends 5 to 10 round trips later.
    #[test]
    fn aggregation_is_what_arrives_beyond_the_rate() {
        let at = |ms: u64| Instant::ZERO + Duration::from_ms(ms);
        let mut aggregation = Aggregation::NONE;
        aggregation.add(at(1000), 10.0, 100.0, 50.0, false);
        assert_eq!(aggregation.most[0], 10.0);
        aggregation.add(at(1050), 10.0, 100.0, 50.0, false);
        assert_eq!((aggregation.most[0], aggregation.extra(100.0)), (15.0, 10.0));
        assert_eq!(aggregation.extra(1000.0), 15.0);
        aggregation.add(at(1250), 3.0, 100.0, 50.0, false);
        assert_eq!((aggregation.began, aggregation.delivered), (at(1250), 3.0));
        for round in 1..=9 {
            aggregation.add(at(2000 + 100 * round), 2.0, 100.0, 50.0, true);
        }
        assert_eq!(aggregation.extra(1000.0), 15.0);
        aggregation.add(at(3000), 2.0, 100.0, 50.0, true);
        assert_eq!(aggregation.extra(1000.0), 2.0);
    }

    /// 1000 segments per second and 50 ms: 50 segments; two of that and three on top.
    #[test]
    fn what_is_in_flight() {
        let mut bbr = bbr();
        bbr.enter_rate(1000.0);
        bbr.rtprop = Some(Duration::from_ms(50));
        assert!((bbr.inflight(2.0) - 103.0).abs() < 1e-9);
        bbr.phase = Phase::ProbeBw;
        assert!((bbr.pacing_gain() * bbr.bottleneck() - 1250.0).abs() < 1e-9);
    }
}
