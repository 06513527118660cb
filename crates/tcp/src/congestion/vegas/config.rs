//! What Vegas is called, and its parameters.

use crate::congestion::algorithm::{Algorithm, Parameter};
use crate::congestion::control::FineTimeout;

/// What Vegas says of itself.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "vegas",
    summary: "keeps a few segments in the bottleneck's queue, judged by the round-trip time",
    source: "Brakmo and Peterson 1995",
    aliases: &[],
    linux: true,
    parameters: &[
        Parameter {
            name: "alpha",
            unit: "segments",
            default: 1.0,
            min: 0.0,
            max: 1000.0,
            choices: &[],
            summary: "grow while fewer are queued",
        },
        Parameter {
            name: "beta",
            unit: "segments",
            default: 3.0,
            min: 0.0,
            max: 1000.0,
            choices: &[],
            summary: "shrink while more are queued",
        },
        Parameter {
            name: "gamma",
            unit: "segments",
            default: 1.0,
            min: 0.0,
            max: 1000.0,
            choices: &[],
            summary: "leave slow start when more are queued",
        },
        Parameter {
            name: "rounds",
            unit: "",
            default: 0.0,
            min: 0.0,
            max: 2.0,
            choices: &["mean", "least", "smoothed"],
            summary: "by which round trip a round is judged; least: as in Linux, with Reno's answer to losses; smoothed: as in ns-3, the least of the smoothed ones",
        },
        Parameter {
            name: "send_times",
            unit: "",
            default: 0.0,
            min: 0.0,
            max: 1.0,
            choices: &["segments", "slots"],
            summary: "with rounds mean, where times of sending are kept; slots: in as many as the window has segments, used in turn, of which an acknowledgment clears only that of its newest segment (ns-2)",
        },
        Parameter {
            name: "unsent",
            unit: "",
            default: 0.0,
            min: 0.0,
            max: 1.0,
            choices: &["waits", "expired"],
            summary: "with rounds mean, what the age of a segment is that was not sent yet; expired: it counts as sent long ago, and so is sent twice (ns-2)",
        },
        Parameter {
            name: "inflation",
            unit: "",
            default: 0.0,
            min: 0.0,
            max: 1.0,
            choices: &["removed", "kept"],
            summary: "with rounds mean, what becomes of the window's inflation if fast recovery ends without a further duplicate; kept: it stays in the window (ns-2)",
        },
    ],
};

/// Vegas's parameters, in segments but for the last.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Grow while fewer are queued.
    pub alpha: f64,
    /// Shrink while more are queued.
    pub beta: f64,
    /// Leave slow start when more are queued.
    pub gamma: f64,
    /// By which round trip a round is judged.
    pub rounds: Rounds,
    /// What comes with the fine-grained timeout, if rounds are judged by their mean.
    pub(crate) fine_timeout: FineTimeout,
}

/// By which round trip a round is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounds {
    /// The mean of the round.
    Mean,
    /// The least of the round, as in Linux.
    Least,
    /// The least that the smoothed round-trip time has in the round, as in ns-3.
    Smoothed,
}

impl Config {
    /// From values by parameter name.
    pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
        Self {
            alpha: value("alpha"),
            beta: value("beta"),
            gamma: value("gamma"),
            rounds: match value("rounds") {
                0.0 => Rounds::Mean,
                1.0 => Rounds::Least,
                _ => Rounds::Smoothed,
            },
            fine_timeout: FineTimeout {
                slots: value("send_times") != 0.0,
                unsent_expired: value("unsent") != 0.0,
                keeps_inflation: value("inflation") != 0.0,
            },
        }
    }

    /// Its values, in the order of [`ALGORITHM`]'s parameters.
    pub fn values(&self) -> [f64; 7] {
        let Self { alpha, beta, gamma, rounds, fine_timeout } = *self;
        let FineTimeout { slots, unsent_expired, keeps_inflation } = fine_timeout;
        let [slots, unsent, inflation] =
            [slots, unsent_expired, keeps_inflation].map(|set| f64::from(u8::from(set)));
        [alpha, beta, gamma, f64::from(rounds as u8), slots, unsent, inflation]
    }
}

/// The window is never cut below this, segments.
pub(super) const MIN_WINDOW: f64 = 2.0;
