//! What CUBIC is called, and its parameters.

use crate::congestion::algorithm::{Algorithm, Parameter};

/// What CUBIC says of itself.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "cubic",
    summary: "the window is a cubic function of the time since the last loss",
    source: "RFC 9438",
    aliases: &["TcpCubic", "ns3::TcpCubic", "tcp_cubic"],
    linux: true,
    parameters: &[
        Parameter {
            name: "c",
            unit: "segments per s^3",
            default: 0.4,
            min: 0.0001,
            max: 1000.0,
            choices: &[],
            summary: "how fast the window grows far from the last loss",
        },
        Parameter {
            name: "beta",
            unit: "",
            default: 0.7,
            min: 0.01,
            max: 0.99,
            choices: &[],
            summary: "what a loss multiplies the window with",
        },
        Parameter {
            name: "fast_convergence",
            unit: "",
            default: 1.0,
            min: 0.0,
            max: 1.0,
            choices: &["off", "on"],
            summary: "whether a window that shrinks from loss to loss leaves room for others",
        },
        Parameter {
            name: "reno_friendly",
            unit: "",
            default: 1.0,
            min: 0.0,
            max: 1.0,
            choices: &["off", "on"],
            summary: "whether the window is at least what Reno would have",
        },
        Parameter::form(
            &["rfc", "linux"],
            "as in the RFC; or as in TCP-Linux, in whole segments and milliseconds",
        ),
    ],
};

/// CUBIC's parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// The constant C, segments per second cubed.
    pub c: f64,
    /// What a loss multiplies the window with.
    pub beta: f64,
    /// Section 4.7 is in force.
    pub fast_convergence: bool,
    /// Section 4.3 is in force.
    pub reno_friendly: bool,
    /// As TCP-Linux has it.
    pub linux: bool,
}

impl Config {
    /// From values by parameter name.
    pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
        let on = |name| value(name) == 1.0;
        Self {
            c: value("c"),
            beta: value("beta"),
            fast_convergence: on("fast_convergence"),
            reno_friendly: on("reno_friendly"),
            linux: on("form"),
        }
    }

    /// Its values, in the order of [`ALGORITHM`]'s parameters.
    pub fn values(&self) -> [f64; 5] {
        let index = |on: bool| f64::from(u8::from(on));
        [self.c, self.beta, index(self.fast_convergence), index(self.reno_friendly), index(self.linux)]
    }
}
