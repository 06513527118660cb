//! Copa: aims at a rate that falls with the queueing delay (Arun and Balakrishnan, NSDI 2018).
//!
//! With each delivery, `least` the least round trip of the last 10 s and `standing` that of the last half smoothed round
//! trip, `queueing = standing - least` (section 2):
//!
//! ```text
//! target rate = 1 / (delta * queueing)       current rate = cwnd / standing
//! below it:  cwnd += v / (delta * cwnd) per segment     above it:  cwnd -= v / (delta * cwnd)
//! ```
//!
//! The velocity `v` doubles each round trip in which the window keeps its direction, from the third such on, and is 1
//! again when the direction changes. Segments leave at `2 cwnd / standing`. Slow start doubles until the target is
//! passed.
//!
//! The queue counts as nearly empty below a tenth of the span of round trips; here also at one segment or less, which
//! on slow paths is longer than that. If it has not been nearly empty for five round trips, others are assumed to fill
//! it: `1 / delta` then grows by 1 each round trip and halves with a loss, never below its default (section 2.2).
//! Otherwise losses do not cut the window; a timeout leaves one segment.
//!
//! Left out: nothing of the paper's algorithm; its pacing has no burst allowance here. Validated: the standing queue of one
//! flow, `1 / delta` segments on average, in `tests/it/copa.rs`.

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::signals::{AckSample, Congestion, LossClassification, LossSample, Reaction};
use super::window::Window;
use crate::rate::RateSample;
use base::{Duration, Instant};
use std::collections::VecDeque;

/// Registry entry.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "copa",
    summary: "aims at a rate that falls with the queueing delay; competes where others fill the queue",
    source: "Arun and Balakrishnan 2018",
    aliases: &["TcpCopa"],
    linux: false,
    parameters: PARAMETERS,
};

/// Time for which the least round trip is remembered.
const LEAST_WINDOW: Duration = Duration::from_secs(10);
/// Round trips without a nearly empty queue after which others are assumed to fill it.
const PATIENCE: u32 = 5;
/// Share of the span of round trips in the last four below which the queue counts as nearly empty.
const NEARLY_EMPTY: f64 = 0.1;
const SPAN_ROUNDS: f64 = 4.0;
/// Round trips in one direction after which the velocity doubles.
const STEADY: u32 = 3;
const MIN_WINDOW: f64 = 2.0;
/// Relative difference up to which rates count as equal.
const EQUAL: f64 = 0.05;
/// Windows sent per round trip.
const PACE: f64 = 2.0;

parameters! {
    /// Copa's parameters.
    delta: f64 = number("", 0.5, 0.004, 10.0; "weight of delay: 1 / delta segments are queued on average"),
    fixed as "mode": bool = words(&["switching", "default"], 0; "whether delta falls where others fill the queue, or stays"),
}

/// The least (or, of negated values, the most) over a window of time: candidates in rising order, oldest first.
#[derive(Clone, Debug, Default)]
struct Least(VecDeque<(Instant, f64)>);

impl Least {
    fn enter(&mut self, now: Instant, value: f64, window: Duration) {
        while self.0.back().is_some_and(|last| last.1 >= value) {
            self.0.pop_back();
        }
        self.0.push_back((now, value));
        while self.0.front().is_some_and(|first| now.since(first.0) > window) {
            self.0.pop_front();
        }
    }

    fn get(&self) -> Option<f64> {
        self.0.front().map(|first| first.1)
    }
}

/// Copa's state. Round trips are in seconds.
#[derive(Clone, Debug)]
pub struct Copa {
    pub(super) window: Window,
    config: Config,
    smoothed: Option<f64>,
    least: Least,
    standing: Least,
    /// The largest of the last four round trips, negated.
    most: Least,
    delta: f64,
    slow_start: bool,
    velocity: f64,
    /// True if the window rose in the last round trip; and the number of round trips in this direction.
    rises: bool,
    steady: u32,
    /// A round trip ends with the delivery of a segment that was sent after this number of deliveries.
    round_ends: u64,
    window_before: f64,
    /// Round trips since the queue was nearly empty.
    full_rounds: u32,
    lost_in_round: bool,
}

impl Copa {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            smoothed: None,
            least: Least::default(),
            standing: Least::default(),
            most: Least::default(),
            delta: config.delta,
            slow_start: true,
            velocity: 1.0,
            rises: true,
            steady: 0,
            round_ends: 0,
            window_before: window.cwnd,
            full_rounds: 0,
            lost_in_round: false,
        }
    }

    fn measured(&mut self, now: Instant, rtt: f64) {
        let smoothed = self.smoothed.map_or(rtt, |mean| mean + (rtt - mean) / 8.0);
        self.smoothed = Some(smoothed);
        self.least.enter(now, rtt, LEAST_WINDOW);
        self.standing.enter(now, rtt, Duration::from_secs_f64(smoothed / 2.0));
        self.most.enter(now, -rtt, Duration::from_secs_f64(SPAN_ROUNDS * smoothed));
    }

    /// Ends a round trip: updates the velocity, and detects others that fill the queue.
    fn end_round(&mut self) {
        let rises = self.window.cwnd > self.window_before;
        if rises == self.rises && !self.slow_start {
            self.steady += 1;
            if self.steady >= STEADY {
                self.velocity *= 2.0;
            }
        } else {
            self.turn(rises);
        }
        self.window_before = self.window.cwnd;
        self.full_rounds += 1;
        if !self.config.fixed && self.full_rounds > PATIENCE {
            let inverse = 1.0 / self.delta;
            let next = if self.lost_in_round { inverse / 2.0 } else { inverse + 1.0 };
            self.delta = 1.0 / next.max(1.0 / self.config.delta);
        } else {
            self.delta = self.config.delta;
        }
        self.lost_in_round = false;
    }

    fn turn(&mut self, rises: bool) {
        self.rises = rises;
        self.steady = 0;
        self.velocity = 1.0;
    }

    fn step(&mut self, delivered: f64) {
        let (Some(least), Some(standing)) = (self.least.get(), self.standing.get()) else { return };
        let queueing = standing - least;
        let most = self.most.get().map_or(standing, |negated| -negated);
        let segment = standing / self.window.cwnd;
        if queueing <= (NEARLY_EMPTY * (most - least)).max(segment) {
            self.full_rounds = 0;
        }
        let cwnd = self.window.cwnd;
        // current rate < target rate, without dividing by an empty queue. The paper also rises if both are equal; with
        // whole segments on a slow path that is often so, and the queue would never empty.
        let below = cwnd * self.delta * queueing < standing * (1.0 - EQUAL);
        if self.slow_start {
            if below {
                self.window.cwnd += delivered;
                return;
            }
            self.slow_start = false;
            self.window_before = cwnd;
        }
        let change = self.velocity * delivered / (self.delta * cwnd);
        if below != self.rises && self.velocity > 1.0 {
            // The direction changes within the round trip: no overshoot at speed.
            self.turn(below);
        }
        let change = change.min(delivered);
        self.window.cwnd = if below { cwnd + change } else { (cwnd - change).max(MIN_WINDOW) };
    }
}

impl CongestionControl for Copa {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { rates: true, ..Needs::default() }
    }

    fn on_ack(&mut self, _ack: &AckSample) {}

    fn on_rate(&mut self, sample: &RateSample) {
        if let Some(rtt) = sample.rtt {
            self.measured(sample.now, rtt.secs());
        }
        if sample.newly_delivered > 0 {
            if sample.prior_delivered >= self.round_ends {
                self.round_ends = sample.delivered;
                self.end_round();
            }
            self.step(sample.newly_delivered as f64);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        self.lost_in_round = true;
        if loss.why == Congestion::Timeout {
            self.window.cwnd = 1.0;
            self.slow_start = false;
            self.turn(true);
            return Reaction::CUT;
        }
        // Delay signals congestion; a loss counts only while others fill the queue.
        let competes = self.delta < self.config.delta;
        Reaction::to(if competes { LossClassification::Congestion } else { LossClassification::Random })
    }

    fn pacing_rate(&self) -> Option<f64> {
        let rtt = self.standing.get().unwrap_or(FIRST_RTT_S);
        Some(PACE * self.window.cwnd / rtt)
    }

    fn state(&self) -> &'static str {
        if self.slow_start {
            "slow-start"
        } else if self.delta < self.config.delta {
            "competitive"
        } else {
            "default"
        }
    }
}

/// Assumed round trip for the first pacing rate.
const FIRST_RTT_S: f64 = 0.001;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_a_window() {
        let mut least = Least::default();
        let at = |s| Instant::ZERO + Duration::from_secs(s);
        for (now, value, expected) in
            [(0, 5.0, 5.0), (1, 7.0, 5.0), (2, 6.0, 5.0), (4, 9.0, 6.0), (6, 9.5, 9.0)]
        {
            least.enter(at(now), value, Duration::from_secs(3));
            assert_eq!(least.get(), Some(expected), "at {now}");
        }
    }

    /// cwnd 20, least 40 ms, standing 50 ms, delta 1/2: the target is 1 / (0.5 * 10 ms) = 200 per second, the rate 400.
    #[test]
    fn above_the_target_the_window_falls() {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        let mut copa = Copa::new(&config, Window { cwnd: 20.0, ssthresh: f64::INFINITY });
        copa.slow_start = false;
        copa.measured(Instant::ZERO, 0.04);
        copa.measured(Instant::ZERO + Duration::from_secs(1), 0.05);
        copa.step(1.0);
        assert!((copa.window.cwnd - (20.0 - 2.0 / 20.0)).abs() < 1e-12, "{}", copa.window.cwnd);
        copa.window.cwnd = 8.0;
        copa.turn(true);
        copa.step(1.0);
        assert!((copa.window.cwnd - (8.0 + 2.0 / 8.0)).abs() < 1e-12, "{}", copa.window.cwnd);
    }
}
