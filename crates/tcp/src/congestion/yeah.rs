//! YeAH-TCP: grows fast while the queue is short, and as Reno while it is long (Baiocchi, Castellani and
//! Vacirca 2007).
//!
//! Once per round trip, with RTTmin the least round-trip time of that round trip and RTTbase the least of the
//! connection:
//!
//! ```text
//! Q = (RTTmin - RTTbase) * cwnd / RTTmin         segments queued          L = (RTTmin - RTTbase) / RTTbase
//! fast (Q < max_queue and L < 1 / phi): cwnd += max(0.01, 1 / cwnd) for each acknowledgment (Scalable TCP)
//! slow (else):                          cwnd += 1 / cwnd (Reno)
//! Q > max_queue and cwnd > reno:        cwnd -= min(Q / gamma, cwnd / 2), ssthresh = cwnd    precautionary decongestion
//! slow: reno += 1 per round trip, and the slow round trips are counted
//! after `fast_rounds` fast round trips, successive or not: reno = cwnd / 2, both counts become 0
//! ACK-detected loss: cwnd -= clamp(Q, cwnd / 8, cwnd / 2) if fewer than `slow_rounds` slow round trips are counted,
//!            else cwnd / 2; reno = reno / 2, at least 2
//! ```
//!
//! In form `linux` a fast round trip resets the count of slow ones. The first slow round trip sets `reno` to
//! cwnd / 2, and enough fast ones set it to 2.
//!
//! `reno` estimates the window of competing Reno connections; decongestion must not reduce cwnd below it. A
//! loss in slow start and a timeout halve the window as in Reno, because the paper describes congestion
//! avoidance only. The window does not grow while it does not limit the sender (RFC 7661). Left out: nothing
//! of the paper.

use super::algorithm::{Algorithm, Form, parameters};
use super::control::{CongestionControl, Needs, RecoveryStep, own_window};
use super::round_trips::{RoundTrips, Rounds};
use super::signals::{AckSample, LossSample, Reaction};
use super::steps::Steps;
use super::window::Window;
use base::Instant;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "yeah",
    summary: "fast growth while the queue is short, Reno while the queue is long",
    source: "Baiocchi, Castellani and Vacirca 2007",
    aliases: &["yeah-tcp", "tcp_yeah", "TcpYeah", "ns3::TcpYeah"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of YeAH-TCP.
    max_queue: f64 = number("segments", 80.0, 0.0, 1000000000.0; "largest number of queued segments in the fast mode (Qmax)"),
    phi: f64 = number("", 8.0, 0.001, 1000000000.0; "fast mode while the queueing delay is below 1/phi of the least round-trip time"),
    gamma: f64 = number("", 1.0, 1.0, 1000000000.0; "decongestion reduces the window by 1/gamma of the queued segments per round trip"),
    slow_rounds: f64 = number("round trips", 16.0, 0.0, 1000000000.0; "number of slow round trips from which a loss halves the window, because Reno competes (rho)"),
    fast_rounds: f64 = number("round trips", 50.0, 1.0, 1000000000.0; "number of fast round trips after which Reno is assumed not to compete (zeta)"),
    segments as "fast_counting": bool = words(&["acks", "segments"], 0; "quantity by which the window grows in the fast mode: acknowledgments counted as by ack_counting, or acknowledged segments (ns-3)"),
    form: Form = words(&["paper", "tcp-linux", "linux"], 0; "as published; or as in TCP-Linux, with growth by whole segments; or as in Linux 6.12, which counts successive slow round trips only"),
}

/// Growth of Scalable TCP, segments per acknowledged segment (Kelly 2003).
const FAST_GROWTH: f64 = 0.01;
/// Forms `tcp-linux` and `linux`: acknowledged segments per increase of the window in fast mode; the window
/// itself if that is less.
const STEP: f64 = 100.0;
/// Least fraction by which a loss reduces the window.
const LEAST_CUT: f64 = 0.125;
/// Least estimate of a Reno connection's window, segments.
const LEAST_RENO: f64 = 2.0;

/// State of YeAH-TCP.
#[derive(Clone, Debug)]
pub struct Yeah {
    pub(super) window: Window,
    config: Config,
    trips: RoundTrips,
    rounds: Rounds,
    /// Least round-trip time of the current round trip, seconds.
    round_min: f64,
    /// Segments queued at the end of the last round trip.
    queue: f64,
    /// True if the last round trip was fast.
    fast: bool,
    /// Estimated window of competing Reno connections, segments.
    reno: f64,
    /// Number of slow round trips since Reno was last assumed not to compete; in form `linux`, since the last
    /// fast round trip.
    slow_rounds: f64,
    /// Number of fast round trips since Reno was last assumed not to compete, or since the last loss. Slow
    /// round trips do not reset it.
    fast_rounds: f64,
    /// State of the forms `tcp-linux` and `linux`.
    steps: Steps,
    /// Form `linux`: true if recovery has ended, so that the next acknowledgment begins a round trip.
    restarts: bool,
}

impl Yeah {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            trips: RoundTrips::NONE,
            rounds: Rounds::default(),
            round_min: f64::INFINITY,
            queue: 0.0,
            fast: true,
            reno: LEAST_RENO,
            slow_rounds: 0.0,
            fast_rounds: 0.0,
            steps: Steps::default(),
            restarts: false,
        }
    }

    /// Ends a round trip: chooses fast or slow growth, and decongests if the queue is long.
    fn end_round(&mut self) {
        let (rtt, base) = (self.round_min, self.trips.min);
        self.round_min = f64::INFINITY;
        if !rtt.is_finite() {
            return;
        }
        let Config { max_queue, phi, gamma, fast_rounds, .. } = self.config;
        let window = &mut self.window;
        self.queue = (rtt - base) * window.cwnd / rtt;
        self.fast = self.queue < max_queue && (rtt - base) / base < 1.0 / phi;
        if window.cwnd < window.ssthresh {
            return;
        }
        let linux = self.config.form == Form::Linux;
        if self.fast {
            self.fast_rounds += 1.0;
            if linux {
                self.slow_rounds = 0.0;
            }
            if self.fast_rounds >= fast_rounds + f64::from(u8::from(linux)) {
                let half = if linux { LEAST_RENO } else { window.cwnd / 2.0 };
                self.reno = half.max(LEAST_RENO);
                self.slow_rounds = 0.0;
                self.fast_rounds = 0.0;
            }
            return;
        }
        if self.queue > max_queue && window.cwnd > self.reno {
            window.cwnd -= (self.queue / gamma).min(window.cwnd / 2.0);
            window.cwnd = window.cwnd.max(self.reno);
            window.ssthresh = window.cwnd;
        }
        let first = linux && self.reno <= LEAST_RENO;
        self.reno = if first { libm::floor(window.cwnd / 2.0).max(LEAST_RENO) } else { self.reno + 1.0 };
        self.slow_rounds += 1.0;
    }
}

impl CongestionControl for Yeah {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { segment_times: true, ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(rtt) = self.trips.take(ack) {
            self.round_min = self.round_min.min(rtt);
        }
        if std::mem::take(&mut self.restarts) {
            self.rounds.begin(ack.next);
            self.round_min = f64::INFINITY;
        }
        // In the forms `tcp-linux` and `linux` no round trip ends in fast recovery.
        let asked = ack.grow || self.config.form == Form::Published;
        if asked && self.rounds.ends(ack) {
            self.end_round();
        }
        let cwnd = self.window.cwnd;
        if ack.grow && ack.window_limited(cwnd) {
            let every = if self.fast { cwnd.min(STEP) } else { cwnd };
            let (steps, window) = (&mut self.steps, &mut self.window.cwnd);
            match self.config.form {
                Form::TcpLinux if cwnd >= self.window.ssthresh => {
                    return steps.count(window, ack.count, every);
                }
                Form::Linux if cwnd >= self.window.ssthresh => {
                    return steps.count_with_rest(window, ack.count, every);
                }
                _ => {}
            }
            let growth = if self.fast { (FAST_GROWTH * cwnd).max(1.0) } else { 1.0 };
            let by_segments = self.fast && self.config.segments && cwnd >= self.window.ssthresh;
            let count = if by_segments { (ack.una - ack.una_before) as f64 } else { ack.count };
            self.window.grow(count, growth);
        }
    }

    fn on_recovery(&mut self, _now: Instant, step: RecoveryStep) {
        self.restarts |= step == RecoveryStep::End && self.config.form == Form::Linux;
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let competes = self.slow_rounds >= self.config.slow_rounds;
        let share =
            if competes || loss.base <= 0.0 { 0.5 } else { (self.queue / loss.base).clamp(LEAST_CUT, 0.5) };
        if self.config.form != Form::Published {
            self.steps.clear();
            self.window.leave(loss, loss.within(self.window.cwnd).less(share));
        } else {
            self.window.cut_in_avoidance(loss, 1.0 - share);
        }
        self.reno = (self.reno / 2.0).max(LEAST_RENO);
        self.fast_rounds = 0.0;
        self.trips.lost(loss);
        Reaction::CUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, close, loss};

    /// Returns YeAH with 400 segments, a base RTT of 100 ms and a minimum RTT of `rtt` s in the last round.
    fn yeah(rtt: f64) -> Yeah {
        let config = Config::new(&|name| ALGORITHM.default_of(name));
        let mut control = Yeah::new(&config, Window { cwnd: 400.0, ssthresh: 2.0 });
        control.trips.min = 0.1;
        control.round_min = rtt;
        control
    }

    #[test]
    fn it_is_scalable_while_the_queue_is_short() {
        // With L = 0.05 < 1/8 and Q = 5 / 105 * 400 = 19.05 < 80 the mode is fast.
        let mut control = yeah(0.105);
        control.end_round();
        assert!(control.fast && close(control.queue, 400.0 * 0.005 / 0.105));
        control.on_ack(&ack(1.0, 0.105, 1, 400));
        assert!(close(control.window.cwnd, 400.01));
    }

    #[test]
    fn it_is_reno_while_the_queue_is_long() {
        // With L = 0.2 the mode is slow, but a queue of Q = 66.7 is not drained.
        let mut control = yeah(0.12);
        control.end_round();
        assert!(!control.fast && close(control.window.cwnd, 400.0));
        assert_eq!((control.reno, control.slow_rounds), (3.0, 1.0));
        control.rounds.ends(&ack(1.0, 0.12, 1, 400));
        control.on_ack(&ack(1.0, 0.12, 2, 400));
        assert!(close(control.window.cwnd, 400.0 + 1.0 / 400.0));
    }

    /// In Linux 6.12 a fast round trip resets the count of slow round trips, and the first slow round trip
    /// sets `reno` to half of cwnd. Each of the 19 others adds one.
    #[test]
    fn the_form_linux_counts_successive_slow_round_trips() {
        let mut control = yeah(0.12);
        control.config.form = Form::Linux;
        for _ in 0..20 {
            control.round_min = 0.12;
            control.end_round();
        }
        assert_eq!((control.reno, control.slow_rounds), (219.0, 20.0));
        control.round_min = 0.101;
        control.end_round();
        assert_eq!(control.slow_rounds, 0.0);
        control.on_congestion(&loss(400.0, 1, 401));
        assert!(close(control.window.cwnd, 350.0), "an eighth, since no Reno competes");
    }

    /// In Linux 6.12 a round trip begins with the end of recovery. The acknowledgment that ends recovery therefore
    /// ends no round trip, and a sample from before the loss does not count.
    #[test]
    fn the_form_linux_begins_a_round_trip_after_recovery() {
        for (form, fast) in [(Form::Linux, true), (Form::TcpLinux, false)] {
            let mut control = yeah(0.12);
            control.config.form = form;
            control.on_recovery(Instant::ZERO, RecoveryStep::End);
            control.on_ack(&ack(1.0, 0.12, 1, 400));
            assert_eq!(control.fast, fast, "an RTT of 120 ms is slow");
            control.on_ack(&ack(1.1, 0.12, 200, 401));
            control.on_ack(&ack(1.2, 0.12, 401, 800));
            assert!(!control.fast);
        }
    }

    #[test]
    fn a_queue_too_long_is_drained() {
        // At a round-trip time of 125 ms Q would be 25 / 125 * 400 = 80, which is not too long; at 130 ms it
        // is 30 / 130 * 400 = 92.3.
        let mut control = yeah(0.13);
        control.end_round();
        assert!(close(control.window.cwnd, 400.0 - 400.0 * 0.03 / 0.13));
        assert_eq!(control.window.cwnd, control.window.ssthresh);
        let mut against_reno = yeah(0.13);
        against_reno.reno = 400.0;
        against_reno.end_round();
        assert_eq!(against_reno.window.cwnd, 400.0, "not below what Reno has");
    }

    #[test]
    fn a_loss_takes_the_queue_or_half_where_reno_competes() {
        let mut control = yeah(0.12);
        control.end_round();
        control.on_congestion(&loss(400.0, 1, 401));
        assert!(close(control.window.cwnd, 400.0 - 400.0 * 0.02 / 0.12));
        let mut control = yeah(0.101);
        control.end_round();
        control.on_congestion(&loss(400.0, 1, 401));
        assert!(close(control.window.cwnd, 350.0), "an eighth at least");
        let mut control = yeah(0.101);
        control.slow_rounds = 16.0;
        control.on_congestion(&loss(400.0, 1, 401));
        assert!(close(control.window.cwnd, 200.0));
    }
}
