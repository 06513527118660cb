//! TCP-Illinois: growth and decrease depend on the queueing delay (Liu, Basar and Srikant 2008).
//!
//! Once per round trip, with Ta its mean round-trip time, da = Ta - Tmin, dm = Tmax - Tmin and d1, d2, d3 =
//! eta1 dm, eta2 dm, eta3 dm:
//!
//! ```text
//! alpha = alpha_max                 da <= d1; after da > d1, only from the theta-th successive round trip on
//!       = k1 / (k2 + da)            else; alpha_max at d1, alpha_min at dm
//! beta  = beta_min                  da <= d2
//!       = k3 + k4 da                between d2 and d3, linear
//!       = beta_max                  da >= d3
//! acknowledgment: cwnd += alpha / cwnd          ACK-detected loss: cwnd *= 1 - beta
//! cwnd < small_window: alpha = 1, beta = 1/2
//! ```
//!
//! A loss in slow start and a timeout halve the window as in Reno, because the paper describes congestion
//! avoidance only. After a timeout alpha is 1 and beta 1/2 until the next round trip has ended. The window
//! does not grow while it does not limit the sender (RFC 7661). In the form `tcp-linux` a loss detected by
//! acknowledgments multiplies the window by beta, in whole 64ths, as in runs of ns-2's TCP-Linux: the
//! reduction is largest when the delay is small.
//!
//! Left out: nothing of the paper.

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::round_trips::{RoundTrips, Rounds};
use super::signals::{AckSample, LossSample, Reaction};
use super::window::Window;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "illinois",
    summary: "growth and decrease depend on the queueing delay",
    source: "Liu, Basar and Srikant 2008",
    aliases: &["tcp-illinois", "tcp_illinois", "TcpIllinois", "ns3::TcpIllinois"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of TCP-Illinois.
    alpha_min: f64 = number("segments per round trip", 0.3, 0.001, 1000.0; "growth at the largest queueing delay"),
    alpha_max: f64 = number("segments per round trip", 10.0, 0.001, 1000.0; "growth at a queueing delay near zero"),
    beta_min: f64 = number("", 0.125, 0.0, 1.0; "share by which a loss reduces the window at a small queueing delay"),
    beta_max: f64 = number("", 0.5, 0.0, 1.0; "share by which a loss reduces the window at a large queueing delay"),
    small_window: f64 = number("segments", 10.0, 0.0, 1000000000.0; "below this window as Reno; TCP-Linux: 15"),
    eta1: f64 = number("", 0.01, 0.0, 1.0; "queueing delay up to which growth is alpha_max, as a share of the largest"),
    eta2: f64 = number("", 0.1, 0.0, 1.0; "queueing delay up to which the decrease is beta_min, as a share of the largest"),
    eta3: f64 = number("", 0.8, 0.0, 1.0; "queueing delay from which the decrease is beta_max, as a share of the largest"),
    theta: f64 = number("round trips", 5.0, 0.0, 1000.0; "after a larger delay, number of successive round trips of small delay from which growth is alpha_max again"),
    linux as "form": bool = words(&["paper", "tcp-linux"], 0; "a loss multiplies the window by 1 - beta; or by beta, as in TCP-Linux"),
}

/// Form `tcp-linux`: beta is a multiple of 1 / `PARTS`.
const PARTS: f64 = 64.0;

/// State of TCP-Illinois.
#[derive(Clone, Debug)]
pub struct Illinois {
    pub(super) window: Window,
    config: Config,
    trips: RoundTrips,
    rounds: Rounds,
    /// Round-trip times of the current round trip: sum (seconds) and number.
    sum: f64,
    samples: u32,
    /// Growth of the window, segments per round trip.
    alpha: f64,
    /// Share by which a loss reduces the window.
    beta: f64,
    /// True if the delay exceeded d1 and has not been below d1 for theta round trips since.
    above: bool,
    /// Number of successive round trips with a delay below d1.
    low: f64,
}

impl Illinois {
    /// Creates the state with alpha = 1 and beta = 0.5, which hold until delays have been measured.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            trips: RoundTrips::NONE,
            rounds: Rounds::default(),
            sum: 0.0,
            samples: 0,
            alpha: 1.0,
            beta: 0.5,
            above: false,
            low: 0.0,
        }
    }

    /// Computes alpha and beta for the next round trip, if the last one gave samples.
    fn adapt(&mut self) {
        if self.samples == 0 {
            return;
        }
        let delay = (self.sum / f64::from(self.samples) - self.trips.min).max(0.0);
        let most = self.trips.max - self.trips.min;
        self.sum = 0.0;
        self.samples = 0;
        self.alpha = self.growth(delay, most);
        self.beta = self.decrease(delay, most);
    }

    fn growth(&mut self, delay: f64, most: f64) -> f64 {
        let Config { alpha_min, alpha_max, eta1, theta, .. } = self.config;
        let d1 = eta1 * most;
        if delay <= d1 {
            self.low += 1.0;
            if self.low >= theta {
                self.above = false;
            }
            return if self.above { self.alpha } else { alpha_max };
        }
        self.above = true;
        self.low = 0.0;
        if alpha_max <= alpha_min {
            return alpha_max;
        }
        // k1 / (k2 + delay), with k1 and k2 such that the value is alpha_max at d1 and alpha_min at `most`.
        let k1 = (most - d1) * alpha_min * alpha_max / (alpha_max - alpha_min);
        let k2 = (most - d1) * alpha_min / (alpha_max - alpha_min) - d1;
        k1 / (k2 + delay)
    }

    fn decrease(&self, delay: f64, most: f64) -> f64 {
        let Config { beta_min, beta_max, eta2, eta3, .. } = self.config;
        let (d2, d3) = (eta2 * most, eta3 * most);
        if delay <= d2 {
            beta_min
        } else if delay >= d3 {
            beta_max
        } else {
            beta_min + (beta_max - beta_min) * (delay - d2) / (d3 - d2)
        }
    }
}

impl CongestionControl for Illinois {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { segment_times: true, ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(rtt) = self.trips.take(ack) {
            self.sum += rtt;
            self.samples += 1;
        }
        if self.rounds.ends(ack) {
            self.adapt();
        }
        let cwnd = self.window.cwnd;
        if ack.grow && ack.window_limited(cwnd) {
            let alpha = if cwnd < self.config.small_window { 1.0 } else { self.alpha };
            self.window.grow(ack.count, alpha);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        if !loss.why.goes_on() {
            self.alpha = 1.0;
            self.beta = 0.5;
        }
        let factor = if loss.base < self.config.small_window {
            0.5
        } else if self.config.linux {
            // Rounding errors must not turn a whole number of parts into the next smaller one.
            libm::floor(PARTS * self.beta + 1e-9) / PARTS
        } else {
            1.0 - self.beta
        };
        self.window.cut_in_avoidance(loss, factor);
        self.trips.lost(loss);
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, close, loss};

    fn illinois(cwnd: f64) -> Illinois {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        Illinois::new(&config, Window { cwnd, ssthresh: 2.0 })
    }

    #[test]
    fn alpha_and_beta_follow_the_delay() {
        // With dm = 100 ms the thresholds are d1 = 1 ms, d2 = 10 ms and d3 = 80 ms.
        let mut control = illinois(20.0);
        assert!(close(control.growth(0.0, 0.1), 10.0));
        assert!(close(control.growth(0.1, 0.1), 0.3));
        // k1 = 0.099 * 3 / 9.7 and k2 = 0.099 * 0.3 / 9.7 - 0.001. At 50 ms alpha is k1 /
        // (k2 + 0.05) = 0.030618557 / 0.052061856.
        let alpha = control.growth(0.05, 0.1);
        assert!((alpha - 0.588118812).abs() < 1e-9, "{alpha}");
        assert!(close(control.decrease(0.01, 0.1), 0.125));
        assert!(close(control.decrease(0.045, 0.1), 0.3125), "half way");
        assert!(close(control.decrease(0.08, 0.1), 0.5));
    }

    #[test]
    fn alpha_is_the_largest_again_after_theta_round_trips_of_small_delay() {
        let mut control = illinois(20.0);
        control.alpha = control.growth(0.05, 0.1);
        let before = control.alpha;
        for _ in 0..4 {
            control.alpha = control.growth(0.0, 0.1);
            assert_eq!(control.alpha, before);
        }
        assert_eq!(control.growth(0.0, 0.1), 10.0, "the fifth");
    }

    #[test]
    fn windows_grow_and_shrink_by_them() {
        let mut control = illinois(20.0);
        // Two rounds of one acknowledgment each, with RTTs of 100 and 200 ms. The second has the largest delay so far,
        // so alpha becomes 0.3 and beta 0.5.
        control.on_ack(&ack(0.1, 0.1, 1, 20));
        assert!(close(control.window.cwnd, 20.0 + 10.0 / 20.0), "no delay yet");
        let before = control.window.cwnd;
        control.on_ack(&ack(0.3, 0.2, 21, 40));
        assert!(close(control.window.cwnd, before + 0.3 / before));
        control.on_congestion(&loss(20.0, 21, 40));
        assert_eq!(control.window.cwnd, 10.0);
        let mut small = illinois(8.0);
        small.on_ack(&ack(0.1, 0.1, 1, 20));
        assert!(close(small.window.cwnd, 8.125), "Reno below ten segments");
    }

    /// A delay of 45 ms is half way between d2 = 10 and d3 = 80 ms, so beta = 1/8 + 3/8 * 35 / 70 = 0.3125. In the
    /// paper a loss leaves 1 - beta of the window, in TCP-Linux beta, which is 20 / 64.
    #[test]
    fn as_tcp_linux_has_it() {
        for (form, left) in [(0.0, 68.75), (1.0, 31.25)] {
            let config = Config::new(&|name| if name == "form" { form } else { ALGORITHM.default_of(name) });
            let mut control = Illinois::new(&config, Window { cwnd: 100.0, ssthresh: 2.0 });
            control.beta = control.decrease(0.045, 0.1);
            control.on_congestion(&loss(100.0, 1, 101));
            assert!(close(control.window.cwnd, left), "{form}");
        }
    }
}
