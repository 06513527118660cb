//! What BBRv3 is called, and its parameters.

use crate::congestion::algorithm::{Algorithm, Parameter};

/// What BBRv3 says of itself.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "bbr3",
    summary: "sends at the delivery rate it measures, within what losses show to be too much",
    source: "draft-ietf-ccwg-bbr",
    aliases: &["bbrv3", "bbr-v3", "TcpBbr3", "tcp_bbr3"],
    linux: false,
    parameters: &[
        Parameter {
            name: "loss_threshold",
            unit: "",
            default: 0.02,
            min: 0.0001,
            max: 1.0,
            choices: &[],
            summary: "share of a flight whose loss shows that it was too much",
        },
        Parameter {
            name: "beta",
            unit: "",
            default: 0.7,
            min: 0.01,
            max: 1.0,
            choices: &[],
            summary: "what losses multiply the bounds of the model with",
        },
        Parameter {
            name: "headroom",
            unit: "",
            default: 0.15,
            min: 0.0,
            max: 0.9,
            choices: &[],
            summary: "share of the long-term bound that is left to others between probes",
        },
    ],
};

/// BBRv3's parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Share of a flight whose loss shows that it was too much.
    pub loss_threshold: f64,
    /// What losses multiply the bounds with.
    pub beta: f64,
    /// Share of the long-term bound left to others.
    pub headroom: f64,
}

impl Config {
    /// From values by parameter name.
    pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
        Self { loss_threshold: value("loss_threshold"), beta: value("beta"), headroom: value("headroom") }
    }

    /// Its values, in the order of [`ALGORITHM`]'s parameters.
    pub fn values(&self) -> [f64; 3] {
        [self.loss_threshold, self.beta, self.headroom]
    }
}
