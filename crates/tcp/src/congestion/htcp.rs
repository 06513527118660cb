//! H-TCP: growth by the time since the last loss, cut by the path's queueing (Leith and Shorten, draft-leith-tcp-htcp-06).
//!
//! With D the time since the last loss, B the largest throughput of a round trip since then:
//!
//! ```text
//! alpha = 1 for D <= delta_l, else 1 + 10 (D - delta_l) + (D - delta_l)^2 / 4
//! with rtt_scaling: alpha *= RTTmin / 100 ms, this factor within 0.5 to 10
//! alpha = 2 (1 - beta) alpha                           acknowledgment: cwnd += alpha / cwnd
//! loss: beta = beta_min where B changed by more than delta_b since the loss before,
//!              else RTTmin / RTTmax within beta_min to beta_max; beta_max without adaptive_backoff
//!       cwnd *= beta
//! ```
//!
//! RTTmin and RTTmax are those of the connection. A window that is not used does not grow (RFC 7661). A loss in slow start
//! and a timeout halve as in Reno. The form `linux` has rules of its own (`htcp_linux.rs`). Left out: nothing that the draft demands.

use super::htcp_linux::Smoothed;
use super::round_trips::{RoundTrips, Rounds};
use super::{AckSample, Algorithm, CongestionControl, LossSample, Parameter, Reaction, Window};
use base::Instant;

/// What H-TCP says of itself.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "htcp",
    summary: "growth by the time since the last loss, cut by the path's queueing",
    source: "draft-leith-tcp-htcp-06",
    aliases: &["h-tcp", "tcp_htcp", "TcpHtcp", "ns3::TcpHtcp"],
    linux: true,
    parameters: &[
        Parameter {
            name: "delta_l",
            unit: "s",
            default: 1.0,
            min: 0.0,
            max: 1000.0,
            choices: &[],
            summary: "grows as Reno for so long after a loss",
        },
        Parameter {
            name: "delta_b",
            unit: "",
            default: 0.2,
            min: 0.0,
            max: 1000000000.0,
            choices: &[],
            summary: "relative change of throughput that calls for halving",
        },
        Parameter {
            name: "beta_min",
            unit: "",
            default: 0.5,
            min: 0.0,
            max: 1.0,
            choices: &[],
            summary: "a loss leaves at least this share of the window",
        },
        Parameter {
            name: "beta_max",
            unit: "",
            default: 0.8,
            min: 0.0,
            max: 1.0,
            choices: &[],
            summary: "a loss leaves at most this share of the window",
        },
        Parameter {
            name: "rtt_scaling",
            unit: "",
            default: 0.0,
            min: 0.0,
            max: 1.0,
            choices: &["off", "on"],
            summary: "growth in time does not depend on the round trip",
        },
        Parameter {
            name: "adaptive_backoff",
            unit: "",
            default: 1.0,
            min: 0.0,
            max: 1.0,
            choices: &["off", "on"],
            summary: "a loss leaves the ratio of round trips, rather than always `beta_max`, while throughput is steady",
        },
        Parameter::form(
            &["draft", "linux"],
            "as published; or as TCP-Linux has it: judged by the smoothed round trip, growth by whole segments",
        ),
    ],
};

/// Parameters of H-TCP.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Grows as Reno for so long after a loss, s.
    pub delta_l: f64,
    /// Relative change of throughput that calls for halving.
    pub delta_b: f64,
    /// A loss leaves at least this share of the window.
    pub beta_min: f64,
    /// A loss leaves at most this share of the window.
    pub beta_max: f64,
    /// Whether growth in time does not depend on the round trip.
    pub rtt_scaling: bool,
    /// Whether a loss leaves the ratio of round trips while throughput is steady, rather than always `beta_max`.
    pub adaptive_backoff: bool,
    /// As TCP-Linux has it.
    pub linux: bool,
}

impl Config {
    /// From values by parameter name.
    pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
        Self {
            delta_l: value("delta_l"),
            delta_b: value("delta_b"),
            beta_min: value("beta_min"),
            beta_max: value("beta_max"),
            rtt_scaling: value("rtt_scaling") != 0.0,
            adaptive_backoff: value("adaptive_backoff") != 0.0,
            linux: value("form") != 0.0,
        }
    }

    /// Its values, in the order of [`ALGORITHM`]'s parameters.
    pub fn values(&self) -> [f64; 7] {
        [
            self.delta_l,
            self.delta_b,
            self.beta_min,
            self.beta_max,
            f64::from(u8::from(self.rtt_scaling)),
            f64::from(u8::from(self.adaptive_backoff)),
            f64::from(u8::from(self.linux)),
        ]
    }
}

/// Round trip at which scaled growth is unscaled growth, seconds, and the bounds of the factor.
const SCALE: (f64, f64, f64) = (0.1, 0.5, 10.0);

/// H-TCP's state.
#[derive(Clone, Debug)]
pub struct Htcp {
    pub(super) window: Window,
    config: Config,
    trips: RoundTrips,
    rounds: Rounds,
    /// When the window was last cut; the first round trip's beginning before any loss.
    cut_at: Option<Instant>,
    /// What a loss leaves of the window.
    beta: f64,
    /// When this round began, and the first unacknowledged segment then.
    round_began: Option<(Instant, u64)>,
    /// Largest throughput of a round since the last loss, and of the losses before: segments per second.
    throughput: f64,
    throughput_before: f64,
    /// In its place in the form `linux`.
    linux: Option<Smoothed>,
}

impl Htcp {
    /// At the start of a connection.
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
            linux: config.linux.then(|| Smoothed::new(config)),
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

    /// alpha: growth, segments per round trip.
    fn alpha(&self, now: Instant) -> f64 {
        let since = self.cut_at.map_or(0.0, |cut| now.since(cut).secs()) - self.config.delta_l;
        let mut alpha = if since <= 0.0 { 1.0 } else { 1.0 + 10.0 * since + 0.25 * since * since };
        if self.config.rtt_scaling && self.trips.min.is_finite() {
            let (reference, least, most) = SCALE;
            alpha *= (self.trips.min / reference).clamp(least, most);
        }
        2.0 * (1.0 - self.beta) * alpha
    }

    /// Chooses beta at a loss.
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

    fn on_recovered(&mut self, now: Instant) {
        if let Some(linux) = &mut self.linux {
            linux.on_recovered(now);
        }
    }

    fn times_segments(&self) -> bool {
        !self.config.linux
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::samples::{ack, at, close, loss};

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
        // beta = 0.5: the factor 2 (1 - beta) is 1.
        assert!(close(control.alpha(at(1.0)), 1.0));
        // 1 + 10 * 2 + 2^2 / 4
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

    /// An epoch with round trips of 100 ms at first and `rtt` s then, and a throughput of `rate` segments a second, up to
    /// a loss; returns what the loss leaves of 100 segments.
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
        /// A segment that begins a new round in which round trips are believed.
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
