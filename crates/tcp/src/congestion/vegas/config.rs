//! Entry in the list of congestion controls, and parameters of Vegas.

use crate::congestion::algorithm::{Algorithm, Value, parameters};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "vegas",
    summary: "keeps a few segments in the bottleneck's queue, estimated from the round-trip time",
    source: "Brakmo and Peterson 1995",
    aliases: &[],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of Vegas.
    alpha: f64 = number("segments", 1.0, 0.0, 1000.0; "number of queued segments below which the window grows"),
    beta: f64 = number("segments", 3.0, 0.0, 1000.0; "number of queued segments above which the window shrinks"),
    gamma: f64 = number("segments", 1.0, 0.0, 1000.0; "number of queued segments above which slow start ends"),
    rounds: Rounds = words(&["mean", "least", "smoothed", "linux"], 0; "round-trip time of a round; mean: as published; least: as in TCP-Linux, with Reno's reaction to losses; smoothed: as in ns-3, the least smoothed one; linux: as in Linux 6.12, the least, compared with the current window"),
    slots as "send_times": bool = words(&["segments", "slots"], 0; "with rounds mean, storage of sending times; segments: one per segment; slots: as many as the window has segments, reused cyclically, and an acknowledgment clears the slots of its segments, or none if these wrap around the end (ns-2)"),
    unsent_expired as "unsent": bool = words(&["waits", "expired"], 0; "with rounds mean, check of the fine-grained timeout for a segment not yet sent; waits: the segment has not timed out; expired: the segment has timed out, and is therefore sent twice (ns-2)"),
    keeps_inflation as "inflation": bool = words(&["removed", "kept"], 0; "with rounds mean, inflation of the window if fast recovery ends without a further duplicate; kept: the inflation stays in the window, and after a timeout the window closes until the timer expires again (ns-2)"),
}

/// Statistic of a round's round-trip times from which the queue is estimated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounds {
    /// Mean round-trip time of the round, as published.
    Mean,
    /// Least round-trip time of the round, as in TCP-Linux; the queue is estimated for the segments
    /// outstanding at the beginning of the round.
    Least,
    /// Least value of the smoothed round-trip time in the round, as in ns-3; the queue is estimated for the
    /// current window.
    Smoothed,
    /// Least round-trip time of the round, as in Linux 6.12; the queue is estimated for the current window.
    Linux,
}

impl Rounds {
    /// Returns true if the queue is estimated for the current window and that window is changed, false if
    /// both refer to the beginning of the round.
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
