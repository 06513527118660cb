//! What H-TCP is called, and its parameters.

use crate::congestion::algorithm::{Algorithm, Parameter};

/// What H-TCP says of itself.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "htcp",
    summary: "growth by the time since the last loss, cut by the path's queueing",
    source: "draft-leith-tcp-htcp-06",
    aliases: &["h-tcp", "tcp_htcp", "TcpHtcp", "ns3::TcpHtcp"],
    linux: true,
    parameters: &[
        Parameter {
            name: "delta_l",
            unit: "s",
            default: 1.0,
            min: 0.0,
            max: 1000.0,
            choices: &[],
            summary: "grows as Reno for so long after a loss",
        },
        Parameter {
            name: "delta_b",
            unit: "",
            default: 0.2,
            min: 0.0,
            max: 1000000000.0,
            choices: &[],
            summary: "relative change of throughput that calls for halving",
        },
        Parameter {
            name: "beta_min",
            unit: "",
            default: 0.5,
            min: 0.0,
            max: 1.0,
            choices: &[],
            summary: "a loss leaves at least this share of the window",
        },
        Parameter {
            name: "beta_max",
            unit: "",
            default: 0.8,
            min: 0.0,
            max: 1.0,
            choices: &[],
            summary: "a loss leaves at most this share of the window",
        },
        Parameter {
            name: "rtt_scaling",
            unit: "",
            default: 0.0,
            min: 0.0,
            max: 1.0,
            choices: &["off", "on"],
            summary: "growth in time does not depend on the round trip",
        },
        Parameter {
            name: "adaptive_backoff",
            unit: "",
            default: 1.0,
            min: 0.0,
            max: 1.0,
            choices: &["off", "on"],
            summary: "a loss leaves the ratio of round trips, rather than always `beta_max`, while throughput is steady",
        },
        Parameter::form(
            &["draft", "linux"],
            "as published; or as TCP-Linux has it: judged by the smoothed round trip, growth by whole segments",
        ),
    ],
};

/// Parameters of H-TCP.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Grows as Reno for so long after a loss, s.
    pub delta_l: f64,
    /// Relative change of throughput that calls for halving.
    pub delta_b: f64,
    /// A loss leaves at least this share of the window.
    pub beta_min: f64,
    /// A loss leaves at most this share of the window.
    pub beta_max: f64,
    /// Whether growth in time does not depend on the round trip.
    pub rtt_scaling: bool,
    /// Whether a loss leaves the ratio of round trips while throughput is steady, rather than always `beta_max`.
    pub adaptive_backoff: bool,
    /// As TCP-Linux has it.
    pub linux: bool,
}

impl Config {
    /// From values by parameter name.
    pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
        Self {
            delta_l: value("delta_l"),
            delta_b: value("delta_b"),
            beta_min: value("beta_min"),
            beta_max: value("beta_max"),
            rtt_scaling: value("rtt_scaling") != 0.0,
            adaptive_backoff: value("adaptive_backoff") != 0.0,
            linux: value("form") != 0.0,
        }
    }

    /// Its values, in the order of [`ALGORITHM`]'s parameters.
    pub fn values(&self) -> [f64; 7] {
        [
            self.delta_l,
            self.delta_b,
            self.beta_min,
            self.beta_max,
            f64::from(u8::from(self.rtt_scaling)),
            f64::from(u8::from(self.adaptive_backoff)),
            f64::from(u8::from(self.linux)),
        ]
    }
}
