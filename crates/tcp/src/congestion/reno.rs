//! Reno: additive increase, multiplicative decrease (RFC 5681).

use super::{Algorithm, Parameter};

/// What Reno says of itself.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "reno",
    summary: "additive increase, multiplicative decrease",
    source: "RFC 5681",
    parameters: &[
        Parameter {
            name: "increase",
            unit: "segments per round trip",
            default: 1.0,
            min: 0.001,
            max: 1000.0,
            summary: "growth of the window in congestion avoidance",
        },
        Parameter {
            name: "decrease",
            unit: "",
            default: 0.5,
            min: 0.0,
            max: 1.0,
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
}
