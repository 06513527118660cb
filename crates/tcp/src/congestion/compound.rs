//! Compound TCP: a delay window on top of Reno's (Tan et al. 2006; draft-sridharan-tcpm-ctcp-02).
//!
//! The window is win = cwnd + dwnd. With base the least round-trip time of the connection, and RTT the mean
//! of the last round trip:
//!
//! ```text
//! acknowledgment: cwnd += 1 / win
//! once per round trip, win >= low_window: diff = win * (RTT - base) / RTT          segments queued
//!   diff < gamma:   dwnd += max(alpha win^k - 1, 0)
//!   diff >= gamma:  dwnd = max(dwnd - zeta diff, 0)
//! ACK-detected loss: win *= 1 - beta, cwnd /= 2, dwnd = win - cwnd      timeout: dwnd = 0, otherwise as in Reno
//! slow start: dwnd = 0, cwnd as in Reno
//! ```
//!
//! gamma adapts (draft, section on gamma tuning). At a loss gamma = (1 - tuning) gamma + tuning * 3/4 of the
//! backlog of Reno's part, cwnd * (RTT - base) / RTT, within gamma_low to gamma_high. The draft gives no
//! value for `tuning`. The window does not grow while it does not limit the sender (RFC 7661). Left out: the
//! implementation's limits on memory.

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::round_trips::{RoundTrips, Rounds};
use super::signals::{AckSample, LossSample, Reaction};
use super::window::Window;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "compound",
    summary: "the sum of Reno's window and a delay window",
    source: "Tan, Song, Zhang and Sridharan 2006",
    aliases: &["ctcp", "compound-tcp", "tcp_compound", "TcpCompound"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of Compound TCP.
    alpha: f64 = number("", 0.125, 0.0, 1000.0; "factor alpha in the growth of the delay window per round trip, alpha win^k - 1"),
    beta: f64 = number("", 0.5, 0.0, 1.0; "share by which a loss reduces the window"),
    k: f64 = number("", 0.75, 0.0, 1.0; "exponent k in the growth of the delay window per round trip, alpha win^k - 1"),
    zeta: f64 = number("", 1.0, 0.0, 1000.0; "above gamma queued segments, reduction of the delay window per round trip for each queued segment"),
    gamma_high: f64 = number("segments", 30.0, 0.0, 1000000000.0; "initial and largest gamma: queued segments above which the delay window shrinks"),
    gamma_low: f64 = number("segments", 5.0, 0.0, 1000000000.0; "least gamma"),
    tuning: f64 = number("", 0.5, 0.0, 1.0; "weight of the backlog at a loss in the adaptation of gamma; 0: gamma is constant"),
    low_window: f64 = number("segments", 38.0, 0.0, 1000000000.0; "window from which the delay window grows"),
}

/// Factor by which gamma tuning multiplies the backlog of Reno's part.
const TUNED_SHARE: f64 = 0.75;

/// State of Compound TCP; [`Window::cwnd`] is the sum of both windows.
#[derive(Clone, Debug)]
pub struct Compound {
    pub(super) window: Window,
    config: Config,
    /// Delay window (dwnd), segments.
    delay_window: f64,
    /// gamma: backlog up to which the delay window grows, segments.
    gamma: f64,
    trips: RoundTrips,
    rounds: Rounds,
    /// Round-trip times of the current round trip: sum (seconds) and number; and their mean in the last round
    /// trip.
    sum: f64,
    samples: u32,
    rtt: f64,
}

impl Compound {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            delay_window: 0.0,
            gamma: config.gamma_high,
            trips: RoundTrips::NONE,
            rounds: Rounds::default(),
            sum: 0.0,
            samples: 0,
            rtt: 0.0,
        }
    }

    /// Returns the delay window, limited to the whole window, which the endpoint may have reduced.
    fn delay_window(&self) -> f64 {
        self.delay_window.min(self.window.cwnd)
    }

    /// Returns the number of queued segments of a window of `window` segments.
    fn backlog(&self, window: f64) -> f64 {
        if self.rtt > 0.0 { window * (self.rtt - self.trips.min).max(0.0) / self.rtt } else { 0.0 }
    }

    /// Computes RTT at the end of a round trip; updates the delay window in congestion avoidance from
    /// `low_window` on.
    fn end_round(&mut self) {
        if self.samples == 0 {
            return;
        }
        self.rtt = self.sum / f64::from(self.samples);
        self.sum = 0.0;
        self.samples = 0;
        let win = self.window.cwnd;
        let Config { alpha, k, zeta, low_window, .. } = self.config;
        if win < self.window.ssthresh || win < low_window {
            return;
        }
        let dwnd = self.delay_window();
        let diff = self.backlog(win);
        self.delay_window = if diff < self.gamma {
            dwnd + (alpha * libm::pow(win, k) - 1.0).max(0.0)
        } else {
            (dwnd - zeta * diff).max(0.0)
        };
        self.window.cwnd = win - dwnd + self.delay_window;
    }
}

impl CongestionControl for Compound {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { segment_times: true, ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(rtt) = self.trips.take(ack) {
            self.sum += rtt;
            self.samples += 1;
        }
        let limited = ack.window_limited(self.window.cwnd);
        if self.rounds.ends(ack) && limited {
            self.end_round();
        }
        if ack.grow && limited {
            self.window.grow(ack.count, 1.0);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let Config { beta, gamma_low, gamma_high, tuning, .. } = self.config;
        let reno = self.window.cwnd - self.delay_window();
        let own = TUNED_SHARE * self.backlog(reno);
        self.gamma = ((1.0 - tuning) * self.gamma + tuning * own).min(gamma_high).max(gamma_low);
        if loss.why.goes_on() {
            self.window.cut(loss, 1.0 - beta);
            self.delay_window = (self.window.cwnd - reno / 2.0).max(0.0);
        } else {
            self.window.cut(loss, 0.5);
            self.delay_window = 0.0;
        }
        self.trips.lost(loss);
        self.rtt = 0.0;
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, close, loss};

    /// Returns Compound TCP with a window of 256 segments (56 of them delay window) and a base RTT of 100 ms, after a round with
    /// an RTT of `rtt` s.
    fn compound(rtt: f64) -> Compound {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        let mut control = Compound::new(&config, Window { cwnd: 256.0, ssthresh: 2.0 });
        control.delay_window = 56.0;
        control.trips.min = 0.1;
        control.sum = rtt;
        control.samples = 1;
        control
    }

    #[test]
    fn the_delay_window_grows_while_little_is_queued() {
        // With diff = 256 * 10 / 110 = 23.3 < 30 the delay window grows by 256^0.75 / 8 - 1 = 7 segments.
        let mut control = compound(0.11);
        control.end_round();
        assert!(close(control.delay_window, 63.0) && close(control.window.cwnd, 263.0));
    }

    #[test]
    fn it_gives_way_while_much_is_queued() {
        // With diff = 256 * 28 / 128 = 56 the whole delay window of 56 segments is given up.
        let mut control = compound(0.128);
        control.end_round();
        assert!(close(control.delay_window, 0.0) && close(control.window.cwnd, 200.0));
        // With diff = 256 * 15 / 115 = 33.4 that many segments of the delay window are given up.
        let mut control = compound(0.115);
        control.end_round();
        assert!(close(control.delay_window, 56.0 - 256.0 * 15.0 / 115.0));
    }

    #[test]
    fn acknowledgments_open_the_loss_window_by_the_sum() {
        let mut control = compound(0.11);
        control.rounds.ends(&ack(0.9, 0.11, 1, 300));
        control.on_ack(&ack(1.0, 0.11, 2, 300));
        assert!(close(control.window.cwnd, 256.0 + 1.0 / 256.0));
        assert_eq!(control.delay_window, 56.0);
    }

    #[test]
    fn a_loss_halves_the_sum_and_tunes_gamma() {
        let mut control = compound(0.11);
        control.end_round();
        // With win = 263 and cwnd = 200 Reno's backlog is 200 * 10 / 110 = 18.18, of which three quarters are
        // 13.64. So gamma becomes (30 + 13.64) / 2.
        control.on_congestion(&loss(263.0, 1, 264));
        assert!(close(control.window.cwnd, 131.5) && close(control.delay_window, 31.5));
        assert!(close(control.gamma, (30.0 + 150.0 / 11.0) / 2.0));
    }

    #[test]
    fn small_windows_are_renos() {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        let mut control = Compound::new(&config, Window { cwnd: 37.0, ssthresh: 2.0 });
        for una in 1..3 {
            control.on_ack(&ack(una as f64, 0.1, una, una));
        }
        assert!((control.window.cwnd - (37.0 + 2.0 / 37.0)).abs() < 1e-4, "{}", control.window.cwnd);
        assert_eq!(control.delay_window, 0.0);
    }
}
