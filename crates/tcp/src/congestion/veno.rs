//! Veno: Reno that estimates the number of queued segments, to distinguish losses and to grow more slowly (Fu
//! and Liew 2003).
//!
//! ```text
//! N = (cwnd / BaseRTT - cwnd / RTT) BaseRTT       segments queued
//!
//! slow start          as Reno
//! avoidance           N < beta: cwnd += 1 / cwnd for each acknowledgment     else for every second one
//! ACK-detected loss   N < beta: random, ssthresh = cwnd = 4/5 cwnd           else congestion, 1/2 cwnd
//! timeout             as Reno: ssthresh = 1/2 cwnd, cwnd = 1
//! ```
//!
//! `RTT` is the smoothed round-trip time (RFC 6298, gain 1/8, of each segment). `BaseRTT` is the least
//! round-trip time since the last loss. Before the first sample N is unknown, and a loss counts as
//! congestion; so do a timeout and a mark. The endpoint's parameter `reduction` selects whether the factors
//! apply to the window or to FlightSize.
//!
//! The form `tcp-linux` is derived from runs of ns-2's TCP-Linux. N is computed from the newest round-trip
//! time, and `BaseRTT` is the least of the connection. The window grows by one whole segment per window of
//! acknowledged segments. While the path is congested, only every second such increase is made, beginning
//! with the first.
//!
//! Left out: nothing of the paper. Validated: numbers worked by hand (below); against ns-2's TCP-Linux, alone
//! and in competition, the window segment by segment (docs/reference/controls/veno.md).

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, Needs, own_window};
use super::signals::{AckSample, Congestion, LossClassification, LossSample, Reaction};
use super::window::Window;
use base::Duration;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "veno",
    summary: "Reno that estimates the number of queued segments, to distinguish losses and to grow more slowly",
    source: "Fu and Liew 2003",
    aliases: &["TcpVeno", "ns3::TcpVeno", "tcp_veno"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of Veno.
    beta: f64 = number("segments", 3.0, 0.0, 1000.0; "number of queued segments below which a loss counts as random, and from which the window grows half as fast"),
    random: f64 = number("", 0.8, 0.0, 1.0; "factor by which a random loss multiplies the window"),
    congestion: f64 = number("", 0.5, 0.0, 1.0; "factor by which a loss from congestion multiplies the window"),
    linux as "form": bool = words(&["paper", "tcp-linux"], 0; "as published; or as in TCP-Linux, with the newest instead of the smoothed round-trip time, and growth by whole segments"),
}

/// Gain of the smoothed round-trip time (RFC 6298 section 2).
const GAIN: f64 = 1.0 / 8.0;

/// State of Veno.
#[derive(Clone, Debug)]
pub struct Veno {
    pub(super) window: Window,
    config: Config,
    /// Smoothed round-trip time, seconds; in the form `tcp-linux` the newest sample.
    rtt: Option<f64>,
    /// BaseRTT: least round-trip time, seconds.
    base: f64,
    /// Acknowledgments since the last increase of the window, counted while only every second one increases
    /// it; in the form `tcp-linux` always counted, in acknowledged segments.
    waiting: f64,
    /// Form `tcp-linux`: true if the next increase is skipped while the path is congested.
    skip: bool,
    /// Form `tcp-linux`: the last N outside of recovery, with which a loss is classified.
    seen: Option<f64>,
}

impl Veno {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            rtt: None,
            base: f64::INFINITY,
            waiting: 0.0,
            skip: false,
            seen: None,
        }
    }

    /// Returns N, the segments queued; `None` if there has been no sample of the round-trip time since the
    /// last loss.
    fn backlog(&self) -> Option<f64> {
        let rtt = self.rtt.filter(|_| self.base.is_finite())?;
        Some((self.window.cwnd / self.base - self.window.cwnd / rtt) * self.base)
    }

    fn measured(&mut self, rtt: Duration) {
        let rtt = rtt.secs();
        let gain = if self.config.linux { 1.0 } else { GAIN };
        self.rtt = Some(self.rtt.map_or(rtt, |smooth| smooth + gain * (rtt - smooth)));
        self.base = self.base.min(rtt);
    }

    /// Grows the window in congestion avoidance in the form `tcp-linux`.
    fn step(&mut self, count: f64, congested: bool) {
        if self.waiting < self.window.cwnd {
            self.waiting += count;
            return;
        }
        self.waiting = 0.0;
        if congested && self.skip {
            self.skip = false;
        } else {
            self.window.cwnd += 1.0;
            self.skip |= congested;
        }
    }
}

impl CongestionControl for Veno {
    own_window!();

    fn needs(&self) -> Needs {
        Needs { segment_times: true, ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(rtt) = ack.rtt {
            self.measured(rtt);
        }
        if !ack.grow {
            return;
        }
        self.seen = self.backlog();
        let backlogged = self.seen.is_some_and(|n| n >= self.config.beta);
        let avoids = self.window.cwnd >= self.window.ssthresh;
        if self.config.linux && avoids {
            self.step(ack.count, backlogged);
        } else if backlogged && avoids {
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
        let by_acks = matches!(loss.why, Congestion::FastLoss | Congestion::Restart);
        let backlog = if self.config.linux { self.seen } else { self.backlog() };
        let random = by_acks && backlog.is_some_and(|n| n < self.config.beta);
        let Config { random: mild, congestion, .. } = self.config;
        let factor = if random { mild } else { loss.abe.unwrap_or(congestion) };
        let reduced = loss.within(self.window.cwnd).reduced(factor);
        self.window.leave(loss, reduced);
        if self.config.linux {
            self.waiting = 0.0;
        } else {
            self.base = f64::INFINITY;
        }
        Reaction::to(if random { LossClassification::Random } else { LossClassification::Congestion })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::{ack, close, loss};

    /// Returns Veno after RTTs of 100 and 180 ms.
    ///
    /// RTT = 100 + 80 / 8 = 110 ms and BaseRTT = 100 ms, so N = cwnd (1 - 100 / 110) = cwnd / 11: 4 for a window of 44
    /// segments, 2 for 22.
    fn veno(cwnd: f64) -> Veno {
        formed(cwnd, false)
    }

    fn formed(cwnd: f64, linux: bool) -> Veno {
        let config = Config { beta: 3.0, random: 0.8, congestion: 0.5, linux };
        let mut control = Veno::new(&config, Window { cwnd: 10.0, ssthresh: 2.0 });
        control.on_ack(&ack(0.0, 0.1, 1, 20));
        control.on_ack(&ack(0.0, 0.18, 2, 20));
        control.window.cwnd = cwnd;
        control.waiting = 0.0;
        control
    }

    fn grows(control: &mut Veno) -> f64 {
        control.on_ack(&AckSample { rtt: None, ..ack(0.0, 0.0, 3, 20) });
        control.window.cwnd
    }

    #[test]
    fn the_backlog_by_hand() {
        assert!(close(veno(44.0).backlog().unwrap(), 4.0));
        assert!(close(veno(22.0).backlog().unwrap(), 2.0));
    }

    #[test]
    fn a_backlog_halves_the_growth() {
        let mut control = veno(44.0);
        assert_eq!([(); 3].map(|()| grows(&mut control)), [44.0, 44.0 + 1.0 / 44.0, 44.0 + 1.0 / 44.0]);
        assert_eq!(grows(&mut veno(22.0)), 22.0 + 1.0 / 22.0);
    }

    #[test]
    fn a_loss_is_judged_by_the_backlog() {
        for (cwnd, why, left, threshold, classification) in [
            (22.0, Congestion::FastLoss, 17.6, 17.6, LossClassification::Random),
            (44.0, Congestion::FastLoss, 22.0, 22.0, LossClassification::Congestion),
            (22.0, Congestion::Timeout, 1.0, 11.0, LossClassification::Congestion),
        ] {
            let mut control = veno(cwnd);
            let reaction = control.on_congestion(&LossSample { why, ..loss(cwnd, 0, 20) });
            assert_eq!(reaction, Reaction::to(classification));
            assert!(close(control.window.cwnd, left) && close(control.window.ssthresh, threshold), "{cwnd}");
        }
    }

    /// A loss discards BaseRTT. The next RTT, 110 ms, becomes BaseRTT, so no segment counts as queued.
    #[test]
    fn a_loss_begins_the_base_anew() {
        let mut control = veno(44.0);
        control.on_congestion(&loss(44.0, 0, 20));
        assert_eq!(control.backlog(), None);
        control.on_ack(&ack(1.0, 0.11, 3, 20));
        assert!(control.backlog().unwrap().abs() < 1e-9);
    }

    /// N is computed from the newest RTT: for 44 segments 44 (1 - 100 / 180) = 19.6, so every second increase is left
    /// out. An increase takes one acknowledgment more than the window has segments. For 4 segments N is 1.8, and no
    /// increase is left out. A loss does not discard BaseRTT.
    #[test]
    fn as_tcp_linux_has_it() {
        let mut control = formed(44.0, true);
        assert!(close(control.backlog().unwrap(), 44.0 * 80.0 / 180.0));
        let mut steps = |acks: usize| {
            (0..acks).for_each(|_| _ = grows(&mut control));
            control.window.cwnd
        };
        assert_eq!([steps(44), steps(1), steps(46), steps(45), steps(1)], [44.0, 45.0, 45.0, 45.0, 46.0]);
        let mut free = formed(4.0, true);
        assert_eq!(
            [(); 11].map(|()| grows(&mut free)),
            [4.0, 4.0, 4.0, 4.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 6.0]
        );
        free.on_congestion(&loss(6.0, 0, 20));
        assert!(free.backlog().is_some());
    }
}
