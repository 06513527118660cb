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

use super::algorithm::{Algorithm, Parameter};
use super::control::CongestionControl;
use super::signals::{AckSample, LossSample, Reaction};
use super::window::Window;

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
