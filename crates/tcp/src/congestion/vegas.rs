//! Vegas: keeps a few segments in the bottleneck's queue (Brakmo and Peterson 1995).

use super::{Algorithm, Parameter};

/// What Vegas says of itself.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "vegas",
    summary: "keeps a few segments in the bottleneck's queue, judged by the round-trip time",
    source: "Brakmo and Peterson 1995",
    parameters: &[
        Parameter {
            name: "alpha",
            unit: "segments",
            default: 1.0,
            min: 0.0,
            max: 1000.0,
            summary: "grow while fewer are queued",
        },
        Parameter {
            name: "beta",
            unit: "segments",
            default: 3.0,
            min: 0.0,
            max: 1000.0,
            summary: "shrink while more are queued",
        },
        Parameter {
            name: "gamma",
            unit: "segments",
            default: 1.0,
            min: 0.0,
            max: 1000.0,
            summary: "leave slow start when more are queued",
        },
    ],
};

/// Vegas's parameters, all in segments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Grow while fewer are queued.
    pub alpha: f64,
    /// Shrink while more are queued.
    pub beta: f64,
    /// Leave slow start when more are queued.
    pub gamma: f64,
}

impl Config {
    /// From values by parameter name.
    pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
        Self { alpha: value("alpha"), beta: value("beta"), gamma: value("gamma") }
    }
}
