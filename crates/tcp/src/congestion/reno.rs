//! Reno: additive increase, multiplicative decrease (RFC 5681).
//!
//! - slow start, `cwnd < ssthresh`: `cwnd += 1` for each acknowledgment (section 3.1, equation 2)
//! - congestion avoidance: `cwnd += increase / cwnd` for each acknowledgment (equation 3)
//! - loss seen from acknowledgments: `ssthresh = cwnd = decrease * flight` (equation 4)
//! - mark: as a loss, or by ABE's factor 0.8 (RFC 8511 section 3.1)
//! - timeout: `ssthresh = decrease * flight`, `cwnd = 1`
//! - with `early_halving`, 0.5 in place of `decrease` in the first cut, in slow start and after a timeout (ns-2)
//!
//! What "flight" is, how acknowledgments are counted and whether windows are whole segments are the endpoint's
//! parameters. Left out: nothing of the RFC. Validated packet by packet against ns-2 (see docs/validation.md).

use super::{AckSample, Algorithm, Congestion, CongestionControl, LossSample, Parameter, Reaction, Window};

/// What Reno says of itself.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "reno",
    summary: "additive increase, multiplicative decrease",
    source: "RFC 5681",
    aliases: &[],
    linux: true,
    parameters: &[
        Parameter {
            name: "increase",
            unit: "segments per round trip",
            default: 1.0,
            min: 0.001,
            max: 1000.0,
            choices: &[],
            summary: "growth of the window in congestion avoidance",
        },
        Parameter {
            name: "decrease",
            unit: "",
            default: 0.5,
            min: 0.0,
            max: 1.0,
            choices: &[],
            summary: "what a loss multiplies the window with",
        },
    ],
};

/// Reno's parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Growth in congestion avoidance, segments per round trip.
    pub increase: f64,
    /// What a loss multiplies the window with.
    pub decrease: f64,
}

impl Config {
    /// From values by parameter name.
    pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
        Self { increase: value("increase"), decrease: value("decrease") }
    }

    /// Its values, in the order of [`ALGORITHM`]'s parameters.
    pub fn values(&self) -> [f64; 2] {
        [self.increase, self.decrease]
    }
}

/// Reno's state: nothing beyond the window.
#[derive(Clone, Debug)]
pub struct Reno {
    pub(super) window: Window,
    config: Config,
}

impl Reno {
    /// At the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self { window, config: *config }
    }
}

impl Window {
    /// Growth as in RFC 5681: one segment for each counted acknowledgment below ssthresh, `increase` segments per round
    /// trip above it.
    #[inline]
    pub fn grow(&mut self, count: f64, increase: f64) {
        if self.cwnd < self.ssthresh {
            let slow = count.min((self.ssthresh - self.cwnd).max(1.0));
            self.cwnd += slow;
            if slow < count {
                self.cwnd += increase * (count - slow) / self.cwnd;
            }
        } else {
            self.cwnd += increase * count / self.cwnd;
        }
    }

    /// A cut as in RFC 5681, to `factor` of what is reduced (a mark's own factor where RFC 8511 gives one): ssthresh takes
    /// what is left, the window too where recovery goes on with it, else one segment.
    pub fn cut(&mut self, loss: &LossSample, factor: f64) {
        self.leave(loss, loss.reduced(loss.abe.unwrap_or(factor)));
    }

    /// A cut that leaves `left` segments.
    pub fn leave(&mut self, loss: &LossSample, left: f64) {
        if !loss.keep_ssthresh {
            self.ssthresh = loss.threshold(left);
        }
        self.cwnd = match loss.why {
            Congestion::FastLoss | Congestion::Mark => left.max(loss.floor),
            Congestion::Restart | Congestion::Timeout => 1.0,
        };
    }

    /// A cut to `factor` of what is reduced where congestion avoidance met the loss. Where the timer expired or slow start
    /// met it, to no more than half: slow start had doubled the window in the last round trip, and with a milder cut much
    /// of what recovery sends is lost again. What is reduced is the window at most: as recovery ends, more may be
    /// outstanding, and a mild factor of that would be no cut. A mark never takes more than a loss.
    pub fn cut_in_avoidance(&mut self, loss: &LossSample, factor: f64) {
        let avoiding = loss.why.goes_on() && self.cwnd >= self.ssthresh;
        let factor = if avoiding || !loss.halve_in_slow_start { factor } else { factor.min(0.5) };
        let abe = loss.abe.map(|marked| marked.max(factor));
        self.cut(&LossSample { base: loss.base.min(self.cwnd), abe, ..*loss }, factor);
    }
}

impl CongestionControl for Reno {
    #[inline]
    fn on_ack(&mut self, ack: &AckSample) {
        if ack.grow {
            self.window.grow(ack.count, self.config.increase);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let decrease = if loss.early { 0.5 } else { self.config.decrease };
        self.window.cut(loss, decrease);
        Reaction::CUT
    }
}
