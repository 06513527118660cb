//! Entry in the list of congestion controls, and parameters of Vegas.

use crate::congestion::algorithm::{Algorithm, Value, parameters};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "vegas",
    summary: "keeps a few segments in the bottleneck's queue, judged by the round-trip time",
    source: "Brakmo and Peterson 1995",
    aliases: &[],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of Vegas.
    alpha: f64 = number("segments", 1.0, 0.0, 1000.0; "grow while fewer are queued"),
    beta: f64 = number("segments", 3.0, 0.0, 1000.0; "shrink while more are queued"),
    gamma: f64 = number("segments", 1.0, 0.0, 1000.0; "leave slow start when more are queued"),
    rounds: Rounds = words(&["mean", "least", "smoothed", "linux"], 0; "by which round trip a round is judged; least: as in TCP-Linux, with Reno's answer to losses; smoothed: as in ns-3, the least of the smoothed ones; linux: as in Linux 6.12, the least, which judges the window of now"),
    slots as "send_times": bool = words(&["segments", "slots"], 0; "with rounds mean, where times of sending are kept; slots: in as many as the window has segments, used in turn; an acknowledgment clears those of its segments, or none if these wrap around the end (ns-2)"),
    unsent_expired as "unsent": bool = words(&["waits", "expired"], 0; "with rounds mean, what the age of a segment is that was not sent yet; expired: it counts as sent long ago, and so is sent twice (ns-2)"),
    keeps_inflation as "inflation": bool = words(&["removed", "kept"], 0; "with rounds mean, what becomes of the window's inflation if fast recovery ends without a further duplicate; kept: it stays in the window, and after a timeout the window closes until the timer expires again (ns-2)"),
}

/// Round-trip time of a round with which the queue is estimated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounds {
    /// Mean of the round.
    Mean,
    /// Least of the round, as in TCP-Linux.
    Least,
    /// Least value of the smoothed round-trip time in the round, as in ns-3.
    Smoothed,
    /// The least of the round, as in Linux 6.12: it judges the current window.
    Linux,
}

impl Rounds {
    /// Returns true if a round judges the current window, not that with which it began.
    pub(super) fn judge_current(self) -> bool {
        matches!(self, Self::Smoothed | Self::Linux)
    }
}

impl Value for Rounds {
    fn of(number: f64) -> Self {
        match number {
            0.0 => Self::Mean,
            1.0 => Self::Least,
            2.0 => Self::Smoothed,
            _ => Self::Linux,
        }
    }
    fn number(self) -> f64 {
        f64::from(self as u8)
    }
}

/// Least window after a reduction, segments.
pub(super) const MIN_WINDOW: f64 = 2.0;
