//! State of H-TCP, and its reaction to acknowledgments and losses.

use super::config::Config;
use super::linux::Smoothed;
use crate::congestion::algorithm::Form;
use crate::congestion::control::{CongestionControl, Needs, RecoveryStep, own_window};
use crate::congestion::round_trips::{RoundTrips, Rounds};
use crate::congestion::signals::{AckSample, LossSample, Reaction};
use crate::congestion::window::Window;
use base::Instant;

/// RTT scaling: round-trip time at which the factor is 1 (seconds), and the bounds of the factor.
const SCALE: (f64, f64, f64) = (0.1, 0.5, 10.0);

/// State of H-TCP.
#[derive(Clone, Debug)]
pub struct Htcp {
    pub(crate) window: Window,
    config: Config,
    trips: RoundTrips,
    rounds: Rounds,
    /// Time of the last reduction; `None` before the first, while alpha does not grow.
    cut_at: Option<Instant>,
    /// Factor by which a loss multiplies the window.
    beta: f64,
    /// Beginning of the current round trip, and the first unacknowledged segment at that time.
    round_began: Option<(Instant, u64)>,
    /// Largest throughput of a round trip since the last loss, and between the two last losses; segments per
    /// second.
    throughput: f64,
    throughput_before: f64,
    /// State of the forms `tcp-linux` and `linux`, which replaces the fields above.
    linux: Option<Smoothed>,
}

impl Htcp {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            trips: RoundTrips::NONE,
            rounds: Rounds::default(),
            cut_at: None,
            beta: config.beta_min,
            round_began: None,
            throughput: 0.0,
            throughput_before: 0.0,
            linux: (config.form != Form::Published).then(|| Smoothed::new(config)),
        }
    }

    fn measure(&mut self, ack: &AckSample) {
        self.trips.take(ack);
        if self.rounds.ends(ack) {
            if let Some((began, una)) = self.round_began {
                let passed = ack.now.since(began).secs();
                if passed > 0.0 {
                    self.throughput = self.throughput.max((ack.una - una) as f64 / passed);
                }
            }
            self.round_began = Some((ack.now, ack.una));
        }
    }

    /// Returns alpha, the growth in segments per round trip.
    fn alpha(&self, now: Instant) -> f64 {
        let since = self.cut_at.map_or(0.0, |cut| now.since(cut).secs()) - self.config.delta_l;
        let mut alpha = if since <= 0.0 { 1.0 } else { 1.0 + 10.0 * since + 0.25 * since * since };
        if self.config.rtt_scaling && self.trips.min.is_finite() {
            let (reference, least, most) = SCALE;
            alpha *= (self.trips.min / reference).clamp(least, most);
        }
        2.0 * (1.0 - self.beta) * alpha
    }

    /// Sets beta at a loss, and begins the next epoch's largest throughput.
    fn adapt(&mut self) {
        let Config { beta_min, beta_max, delta_b, adaptive_backoff, .. } = self.config;
        let change = (self.throughput - self.throughput_before).abs();
        let steady = self.throughput_before > 0.0 && change <= delta_b * self.throughput_before;
        self.beta = match steady {
            true if !adaptive_backoff => beta_max,
            true if self.trips.max > 0.0 => (self.trips.min / self.trips.max).min(beta_max).max(beta_min),
            _ => beta_min,
        };
        self.throughput_before = self.throughput;
        self.throughput = 0.0;
    }
}

impl CongestionControl for Htcp {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { segment_times: self.linux.is_none(), ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(linux) = &mut self.linux {
            return linux.on_ack(&mut self.window, &self.config, ack);
        }
        self.measure(ack);
        let cwnd = self.window.cwnd;
        if ack.grow && ack.window_limited(cwnd) {
            let alpha = self.alpha(ack.now);
            self.window.grow(ack.count, alpha);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        if let Some(linux) = &mut self.linux {
            let beta = linux.on_congestion(&self.config, loss.now);
            self.window.cut_in_avoidance(loss, beta);
            return Reaction::CUT;
        }
        self.adapt();
        self.trips.lost(loss);
        self.round_began = None;
        self.cut_at = Some(loss.now);
        self.window.cut_in_avoidance(loss, self.beta);
        Reaction::CUT
    }

    fn on_recovery(&mut self, now: Instant, step: RecoveryStep) {
        if step != RecoveryStep::End {
            return;
        }
        if let Some(linux) = &mut self.linux {
            linux.on_recovered(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::ALGORITHM;
    use super::*;
    use crate::congestion::fixtures::{ack, at, close, loss};

    fn htcp(change: &[(&str, f64)]) -> Htcp {
        let config = Config::new(&|name| {
            change.iter().find(|(n, _)| *n == name).map_or_else(|| ALGORITHM.default_of(name), |(_, v)| *v)
        });
        Htcp::new(&config, Window { cwnd: 100.0, ssthresh: 2.0 })
    }

    #[test]
    fn growth_follows_the_time_since_the_last_loss() {
        let mut control = htcp(&[]);
        control.on_congestion(&loss(100.0, 1, 101));
        // With beta = 0.5 the factor 2 (1 - beta) is 1.
        assert!(close(control.alpha(at(1.0)), 1.0));
        // Three seconds after the loss the factor is 1 + 10 * 2 + 2^2 / 4.
        assert!(close(control.alpha(at(3.0)), 22.0));
        control.beta = 0.8;
        assert!(close(control.alpha(at(3.0)), 8.8));
    }

    #[test]
    fn scaled_growth_is_in_proportion_to_the_round_trip() {
        for (rtt, factor) in [(0.2, 2.0), (0.01, 0.5), (2.0, 10.0)] {
            let mut control = htcp(&[("rtt_scaling", 1.0)]);
            control.on_ack(&ack(rtt, rtt, 1, 100));
            control.on_congestion(&loss(100.0, 1, 101));
            assert!(close(control.alpha(at(3.0)), 22.0 * factor), "{rtt} s");
        }
    }

    /// Plays a congestion epoch with RTTs of 100 ms, then `rtt` s, and a throughput of `rate` segments per second.
    ///
    /// Returns the window that the loss at its end leaves of 100 segments.
    fn epoch(control: &mut Htcp, begin: f64, rtt: f64, rate: f64) -> f64 {
        let una = control.trips_end();
        let segments = (rate * 0.1) as u64;
        control.on_ack(&ack(begin, 0.1, una + 1, una + 1 + segments));
        control.on_ack(&ack(begin + 0.1, rtt, una + 2 + segments, una + 2 + 2 * segments));
        let end = una + 2 + 2 * segments;
        control.window = Window { cwnd: 100.0, ssthresh: 2.0 };
        control.on_congestion(&loss(100.0, una + 2 + segments, end));
        control.window.cwnd
    }

    impl Htcp {
        /// Returns a segment number that begins a new round in which RTT samples count.
        fn trips_end(&self) -> u64 {
            10_000 * (1 + self.throughput_before as u64 + self.window.cwnd as u64)
        }
    }

    #[test]
    fn a_loss_leaves_the_ratio_of_round_trips_while_throughput_is_steady() {
        let mut control = htcp(&[]);
        assert_eq!(epoch(&mut control, 1.0, 0.15, 1000.0), 50.0, "nothing to compare with");
        let left = epoch(&mut control, 2.0, 0.15, 1100.0);
        assert!(close(left, 100.0 * 0.1 / 0.15), "10 % more throughput: {left}");
        assert_eq!(epoch(&mut control, 3.0, 0.15, 1500.0), 50.0, "36 % more");
        let mut control = htcp(&[]);
        epoch(&mut control, 1.0, 0.11, 1000.0);
        assert_eq!(epoch(&mut control, 2.0, 0.11, 1000.0), 80.0, "at most 0.8");
        let mut control = htcp(&[("adaptive_backoff", 0.0)]);
        epoch(&mut control, 1.0, 0.15, 1000.0);
        assert_eq!(epoch(&mut control, 2.0, 0.15, 1000.0), 80.0, "whatever the round trips");
    }
}
