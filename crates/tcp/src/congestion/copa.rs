//! Copa: keeps the sending rate near a target that decreases with the queueing delay (Arun and Balakrishnan,
//! NSDI 2018).
//!
//! `least` is the least round-trip time of the last 10 s, and `standing` the least of the last half of a
//! smoothed round-trip time. On each delivery, with `queueing = standing - least` (section 2):
//!
//! ```text
//! target rate = 1 / (delta * queueing)       current rate = cwnd / standing
//! current < target:  cwnd += v / (delta * cwnd) per segment     otherwise:  cwnd -= v / (delta * cwnd)
//! ```
//!
//! The velocity `v` is 1 when the window changes direction. It doubles in each round trip from the third in
//! the same direction on. Segments are paced at `2 cwnd / standing`. Slow start doubles the window per round
//! trip until the target rate is reached.
//!
//! The queue counts as nearly empty if the queueing delay is below a tenth of the range of round-trip times,
//! or at most `standing / cwnd`, the time of one segment. The paper does not have the second condition; it is
//! needed on slow paths, where a segment takes longer than that tenth. If the queue has not been nearly empty
//! for five round trips, Copa assumes buffer-filling competitors. Then `1 / delta` grows by 1 in each round
//! trip and halves on a loss, and never falls below its configured value (section 2.2). Without such
//! competitors losses do not reduce the window; a timeout sets it to one segment.
//!
//! Left out: nothing of the paper's algorithm; pacing here has no burst allowance. Validated: the standing
//! queue of one flow, `1 / delta` segments on average, in `tests/it/copa.rs`.

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::signals::{AckSample, Congestion, LossClassification, LossSample, Reaction};
use super::window::Window;
use crate::rate::RateSample;
use base::{Duration, Instant};
use std::collections::VecDeque;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "copa",
    summary: "keeps the rate near a target that decreases with the queueing delay; competes with flows that fill the queue",
    source: "Arun and Balakrishnan 2018",
    aliases: &["TcpCopa"],
    linux: false,
    parameters: PARAMETERS,
};

/// Time over which the least round-trip time is taken.
const LEAST_WINDOW: Duration = Duration::from_secs(10);
/// Round trips without a nearly empty queue after which Copa assumes buffer-filling competitors.
const PATIENCE: u32 = 5;
/// Share of the range of round-trip times in the last `SPAN_ROUNDS` round trips below which the queue counts
/// as nearly empty.
const NEARLY_EMPTY: f64 = 0.1;
const SPAN_ROUNDS: f64 = 4.0;
/// Round trips in one direction after which the velocity doubles.
const STEADY: u32 = 3;
const MIN_WINDOW: f64 = 2.0;
/// Relative difference below which current and target rate count as equal.
const EQUAL: f64 = 0.05;
/// Pacing rate, in windows per standing round-trip time.
const PACE: f64 = 2.0;

parameters! {
    /// Parameters of Copa.
    delta: f64 = number("", 0.5, 0.004, 10.0; "weight of the delay: on average 1 / delta segments of the flow are queued"),
    fixed as "mode": bool = words(&["switching", "default"], 0; "switching: delta decreases while other flows fill the queue; default: delta is constant"),
}

/// Minimum over a window of time (or maximum, of negated values): candidates in ascending order, oldest
/// first.
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

/// State of Copa. Round-trip times are in seconds.
#[derive(Clone, Debug)]
pub struct Copa {
    pub(super) window: Window,
    config: Config,
    smoothed: Option<f64>,
    least: Least,
    standing: Least,
    /// Largest round-trip time of the last four round trips, negated.
    most: Least,
    delta: f64,
    slow_start: bool,
    velocity: f64,
    /// True if the window grew in the last round trip, and number of round trips since the direction changed.
    rises: bool,
    steady: u32,
    /// The round trip ends with the acknowledgment of a segment that was sent when at least this number of
    /// segments had been delivered.
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

    /// Ends a round trip: updates the velocity, and delta if other flows fill the buffer.
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
        // Tests current rate < target rate without a division by an empty queue. The paper increases the
        // window also if both are equal. With whole segments on a slow path both are often equal; then the
        // queue would never empty.
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
            // The direction changes within a round trip, so that the window does not overshoot at high
            // velocity.
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
        // Queueing delay signals congestion. A loss does so only in competitive mode.
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

/// Round-trip time assumed for the first pacing rate, seconds.
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

    /// With cwnd 20, least 40 ms, standing 50 ms and delta 1/2, the target is 1 / (0.5 * 10 ms) = 200
    /// segments per second and the current rate 400.
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
