//! TCPW-I: Westwood that estimates the number of queued segments, to distinguish losses and to grow more
//! slowly (Huang and Li, "Study on Westwood Algorithm Optimization", sections 3.1 and 3.2).
//!
//! ```text
//! Expected = cwnd / RTTmin                    (1)
//! Actual   = cwnd / RTTc                      (2)
//! RTTc     = sumRTT / cntRTT                  (3)      over samples of the round-trip time
//! Diff     = Expected - Actual                (4)
//! RTTc     = RTTmin + N / Actual              (5)
//! N        = Diff RTTmin                      (6)      segments queued
//!
//! slow start          as Reno
//! avoidance           N < beta: cwnd += 1 / cwnd for each acknowledgment        else for every second one
//! ACK-detected loss   N < beta: random, ssthresh = cwnd
//!                     else congestion, ssthresh = BWE RTTmin, cwnd = min(cwnd, ssthresh)
//! timeout             as Westwood: ssthresh = BWE RTTmin, cwnd = 1
//! ```
//!
//! `BWE` is Westwood's estimate ([`super::westwood`]). The paper leaves three points open. When the sums of
//! (3) restart is the parameter `rttc` ("cumulative": never; "round": each round trip). ssthresh for N >=
//! beta is Westwood's. Timeouts are handled as by Westwood, and always count as congestion.
//!
//! Before the first sample of the round-trip time N is unknown, and a loss is handled as by Reno. The paper
//! also calls RTTc the smoothed RTT, which (3) is not; `rttc = "smoothed"` uses that of RFC 6298.
//!
//! Left out: the paper's gateway, which is a node of the scenario here. Validated: numbers of (1) to (6)
//! worked by hand (below); the golden trace grows half as fast as Westwood's from a backlog of 3 on. No
//! independent run on wired paths exists (docs/reference/controls/tcpw-i.md).

use super::algorithm::{Algorithm, Form, Parameter};
use super::control::{CongestionControl, Needs, own_window};
use super::signals::{AckSample, Arrival, Congestion, LossClassification, LossSample, Reaction};
use super::westwood::{self, Estimate};
use super::window::Window;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "tcpw-i",
    summary: "Westwood that estimates the number of queued segments, to distinguish losses and to grow more slowly",
    source: "Huang and Li",
    aliases: &["TcpWI", "westwood-i", "ns3::TcpWI"],
    // The paper's authors ran it as a module of TCP-Linux.
    linux: true,
    parameters: &[
        Parameter::number(
            "beta",
            "segments",
            3.0,
            0.0,
            1000.0,
            "number of queued segments below which a loss counts as random, and from which the window grows half as fast",
        ),
        Parameter::words(
            "rttc",
            &["cumulative", "round", "smoothed"],
            0,
            "mean of the round-trip time RTTc: over the connection, over each round trip, or RFC 6298's smoothed value",
        ),
        westwood::PARAMETERS[0],
        westwood::PARAMETERS[1],
    ],
};

/// Method by which round-trip times are averaged. The discriminant of a variant is the index of its value in the
/// list of allowed values of parameter `rttc`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Averaging {
    /// Mean over the whole connection.
    Connection,
    /// Mean over each round trip.
    Round,
    /// Exponential, with weight 1/8 for a new sample (RFC 6298 section 2.3).
    Smoothed,
}

impl Averaging {
    const ALL: [Self; 3] = [Self::Connection, Self::Round, Self::Smoothed];
}

/// Parameters of TCPW-I.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Number of queued segments from which the path counts as congested.
    pub beta: f64,
    /// Averaging of the round-trip time RTTc.
    pub rttc: Averaging,
    /// Parameters of the bandwidth estimate.
    pub westwood: westwood::Config,
}

impl Config {
    /// Creates the parameters; `value` returns a parameter's value by its name.
    pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
        let rttc = Averaging::ALL[value("rttc") as usize];
        Self {
            beta: value("beta"),
            rttc,
            westwood: westwood::Config { tau: value("tau"), m: value("m"), form: Form::Published },
        }
    }

    /// Returns the values in the order of [`ALGORITHM`]'s parameters.
    pub fn values(&self) -> Vec<f64> {
        vec![self.beta, f64::from(self.rttc as u8), self.westwood.tau, self.westwood.m]
    }
}

/// State of TCPW-I.
#[derive(Clone, Debug)]
pub struct TcpwI {
    pub(super) window: Window,
    config: Config,
    estimate: Estimate,
    /// sumRTT (seconds) and cntRTT of equation (3).
    sum: f64,
    count: f64,
    /// The first sample of an acknowledgment beyond this segment restarts the sums.
    round_end: u64,
    /// Acknowledgments since the last increase of the window, counted while only every second one increases
    /// it.
    waiting: f64,
}

impl TcpwI {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            estimate: Estimate::new(&config.westwood),
            sum: 0.0,
            count: 0.0,
            round_end: 0,
            waiting: 0.0,
        }
    }

    /// Returns N of equation (6), the segments queued; `None` before the first sample of the round-trip time.
    fn backlog(&self) -> Option<f64> {
        if self.count == 0.0 {
            return None;
        }
        let (cwnd, rtt_min) = (self.window.cwnd, self.estimate.rtt_min);
        let rttc = self.sum / self.count;
        let expected = cwnd / rtt_min;
        let actual = cwnd / rttc;
        Some((expected - actual) * rtt_min)
    }

    fn measure(&mut self, ack: &AckSample) {
        let Some(rtt) = ack.rtt else { return };
        let kept = match self.config.rttc {
            Averaging::Connection => 1.0,
            Averaging::Round if ack.una > self.round_end => {
                self.round_end = ack.next;
                0.0
            }
            Averaging::Round => 1.0,
            // The sums represent 8 samples, all of which equal the first sample at the beginning.
            Averaging::Smoothed if self.count == 0.0 => {
                self.sum = 7.0 * rtt.secs();
                self.count = 7.0;
                1.0
            }
            Averaging::Smoothed => 0.875,
        };
        self.estimate.measured(rtt);
        self.sum = kept * self.sum + rtt.secs();
        self.count = kept * self.count + 1.0;
    }
}

impl CongestionControl for TcpwI {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { arrivals: true, segment_times: true, ..Needs::default() }
    }

    fn on_arrival(&mut self, arrival: &Arrival) {
        self.estimate.arrived(arrival);
    }

    fn on_ack(&mut self, ack: &AckSample) {
        self.measure(ack);
        if !ack.grow {
            return;
        }
        let backlogged = self.backlog().is_some_and(|n| n >= self.config.beta);
        if backlogged && self.window.cwnd >= self.window.ssthresh {
            self.waiting += ack.count;
            let pairs = libm::floor(self.waiting / 2.0);
            self.waiting -= 2.0 * pairs;
            self.window.cwnd += pairs / self.window.cwnd;
        } else {
            self.waiting = 0.0;
            self.window.grow(ack.count, 1.0);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        if matches!(loss.why, Congestion::FastLoss | Congestion::Restart)
            && self.backlog().is_some_and(|n| n < self.config.beta)
        {
            self.window.ssthresh = loss.threshold(self.window.cwnd);
            if loss.why == Congestion::Restart {
                self.window.cwnd = 1.0;
            }
            return Reaction::to(LossClassification::Random);
        }
        let estimate = self.estimate.window().unwrap_or(loss.reduced(0.5));
        self.window.westwood(loss, estimate);
        Reaction::CUT
    }

    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        if let Some(bandwidth) = self.estimate.bandwidth() {
            show("bandwidth", bandwidth);
        }
        if let Some(backlog) = self.backlog() {
            show("backlog", backlog);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, at, close, loss};

    fn tcpwi(rttc: Averaging, cwnd: f64) -> TcpwI {
        let westwood = westwood::Config { tau: 0.5, m: 2.0, form: Form::Published };
        let config = Config { beta: 3.0, rttc, westwood };
        TcpwI::new(&config, Window { cwnd, ssthresh: 2.0 })
    }

    /// The paper's equations for round trips of 100, 120 and 140 ms and cwnd 24:
    ///
    /// - (3) RTTc = 0.36 / 3 = 0.12 s
    /// - (1) Expected = 24 / 0.1 = 240/s
    /// - (2) Actual = 24 / 0.12 = 200/s
    /// - (4) Diff = 40/s
    /// - (6) N = 40 * 0.1 = 4 = 200 * (0.12 - 0.1)
    /// - (5) 0.1 + 4 / 200 = 0.12 s
    ///
    /// With cwnd 15 in place of 24, N = 2.5.
    #[test]
    fn the_equations_by_hand() {
        let mut control = tcpwi(Averaging::Connection, 24.0);
        [0.1, 0.12, 0.14].iter().for_each(|rtt| control.measure(&ack(0.0, *rtt, 1, 20)));
        let rttc = control.sum / control.count;
        assert!(close(rttc, 0.12));
        let n = control.backlog().unwrap();
        assert!(close(n, 4.0));
        assert!((control.estimate.rtt_min + n / (24.0 / rttc) - rttc).abs() < 1e-12);
        control.window.cwnd = 15.0;
        assert!(close(control.backlog().unwrap(), 2.5));
    }

    /// With N = 4 >= 3 the first acknowledgment adds nothing, the second 1/24, the third nothing. With N =
    /// 2.5 < 3 each acknowledgment increases the window.
    #[test]
    fn a_backlog_halves_the_growth() {
        let mut control = tcpwi(Averaging::Connection, 24.0);
        [0.1, 0.12, 0.14].iter().for_each(|rtt| control.measure(&ack(0.0, *rtt, 1, 20)));
        let grown = [(); 3].map(|()| {
            control.on_ack(&AckSample { rtt: None, ..ack(0.0, 0.0, 1, 20) });
            control.window.cwnd
        });
        assert_eq!(grown, [24.0, 24.0 + 1.0 / 24.0, 24.0 + 1.0 / 24.0]);
        control.window.cwnd = 15.0;
        control.on_ack(&AckSample { rtt: None, ..ack(0.0, 0.0, 1, 20) });
        assert_eq!(control.window.cwnd, 15.0 + 1.0 / 15.0);
        // The backlog has no effect in slow start.
        control.window = Window { cwnd: 24.0, ssthresh: 100.0 };
        control.on_ack(&AckSample { rtt: None, ..ack(0.0, 0.0, 1, 20) });
        assert_eq!(control.window.cwnd, 25.0);
    }

    /// With N = 2.5 the loss is random and the window stays. With N = 4 it is congestion, and the path
    /// carries 100/s * 0.1 s = 10 segments.
    #[test]
    fn a_loss_is_judged_by_the_backlog() {
        for (cwnd, why, left, threshold, classification) in [
            (15.0, Congestion::FastLoss, 15.0, 15.0, LossClassification::Random),
            (24.0, Congestion::FastLoss, 10.0, 10.0, LossClassification::Congestion),
            (15.0, Congestion::Timeout, 1.0, 10.0, LossClassification::Congestion),
            (24.0, Congestion::Timeout, 1.0, 10.0, LossClassification::Congestion),
        ] {
            let mut control = tcpwi(Averaging::Connection, cwnd);
            [0.1, 0.12, 0.14].iter().for_each(|rtt| control.measure(&ack(0.0, *rtt, 1, 20)));
            // A segment arrives every 10 ms for 20 time constants, so the estimate is 100 segments per
            // second.
            for k in 0..=1000 {
                let now = at(0.01 * f64::from(k));
                control.on_arrival(&Arrival {
                    now,
                    acked: 1,
                    outstanding: 10,
                    segment: 1000,
                    srtt: None,
                    marked: false,
                });
            }
            assert_eq!(
                control.on_congestion(&LossSample { why, ..loss(cwnd, 0, 10) }),
                Reaction::to(classification)
            );
            assert!((control.window.cwnd - left).abs() < 1e-3, "{cwnd} {why:?}: {}", control.window.cwnd);
            assert!((control.window.ssthresh - threshold).abs() < 1e-3, "{cwnd} {why:?}");
        }
    }

    /// The mean over the connection still counts the past queue: N = 20 (1 - 100 / 140) = 5.71. The mean over
    /// the round trip no longer counts it. In the smoothed time 20 samples have left (7/8)^20 = 7 % of it.
    #[test]
    fn the_mean_is_of_the_connection_of_the_round_trip_or_smoothed() {
        let smoothed = 0.1 + 0.08 * libm::pow(0.875, 20.0);
        for (rttc, expected) in [
            (Averaging::Connection, 20.0 * (1.0 - 0.1 / 0.14)),
            (Averaging::Round, 0.0),
            (Averaging::Smoothed, 20.0 * (1.0 - 0.1 / smoothed)),
        ] {
            let mut control = tcpwi(rttc, 20.0);
            // Segments 1 to 20 queue, 21 to 40 belong to the next round trip and do not.
            for una in 1..=40 {
                control.measure(&ack(0.0, if una <= 20 { 0.18 } else { 0.1 }, una, 20 + una));
            }
            assert!(close(control.backlog().unwrap(), expected), "{rttc:?}");
        }
    }

    #[test]
    fn without_a_round_trip_a_loss_is_congestion() {
        let mut control = tcpwi(Averaging::Connection, 10.0);
        assert_eq!(control.on_congestion(&loss(10.0, 0, 10)), Reaction::CUT);
        assert_eq!((control.window.cwnd, control.window.ssthresh), (5.0, 5.0));
    }
}
