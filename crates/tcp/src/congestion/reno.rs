//! Reno: additive increase, multiplicative decrease (RFC 5681).
//!
//! - slow start, `cwnd < ssthresh`: `cwnd += 1` for each acknowledgment (section 3.1, equation 2)
//! - congestion avoidance: `cwnd += increase / cwnd` for each acknowledgment (equation 3)
//! - loss detected by acknowledgments: `ssthresh = cwnd = decrease * flight` (equation 4)
//! - mark: as for a loss, or by ABE's factor 0.8 (RFC 8511 section 3.1)
//! - timeout: `ssthresh = decrease * flight`, `cwnd = 1`
//! - with `early_halving`, 0.5 replaces `decrease` in the first reduction, in slow start and after a timeout
//!   (ns-2)
//!
//! Parameters of the endpoint determine the meaning of "flight", how acknowledgments are counted, and whether
//! windows are whole segments. Left out: nothing of the RFC. Validated packet by packet against ns-2 (see
//! docs/explanation/validation.md).

use super::algorithm::{Algorithm, parameters};
use super::control::{CongestionControl, own_window};
use super::signals::{AckSample, LossSample, Reaction};
use super::window::Window;

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "reno",
    summary: "additive increase, multiplicative decrease",
    source: "RFC 5681",
    aliases: &[],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of Reno.
    increase: f64 = number("segments per round trip", 1.0, 0.001, 1000.0; "increase of the window in congestion avoidance"),
    decrease: f64 = number("", 0.5, 0.0, 1.0; "factor by which a loss multiplies the window"),
}

/// State of Reno, which is only the window.
#[derive(Clone, Debug)]
pub struct Reno {
    pub(super) window: Window,
    config: Config,
}

impl Reno {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self { window, config: *config }
    }
}

impl CongestionControl for Reno {
    own_window!();

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
