//! What BIC is called, and its parameters.

use crate::congestion::algorithm::{Algorithm, Parameter};

/// What BIC says of itself.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "bic",
    summary: "binary search for the window at which the path lost",
    source: "Xu, Harfoush and Rhee 2004",
    aliases: &["bic-tcp", "bictcp", "tcp_bic", "TcpBic", "ns3::TcpBic"],
    linux: true,
    parameters: &[
        Parameter {
            name: "low_window",
            unit: "segments",
            default: 14.0,
            min: 1.0,
            max: 1000000000.0,
            choices: &[],
            summary: "below this window it is Reno",
        },
        Parameter {
            name: "max_increment",
            unit: "segments per round trip",
            default: 32.0,
            min: 0.001,
            max: 1000000000.0,
            choices: &[],
            summary: "growth is at most this (Smax); TCP-Linux: 16",
        },
        Parameter {
            name: "min_increment",
            unit: "segments per round trip",
            default: 0.01,
            min: 0.0,
            max: 1000000000.0,
            choices: &[],
            summary: "growth is at least this (Smin)",
        },
        Parameter {
            name: "decrease",
            unit: "",
            default: 0.125,
            min: 0.0,
            max: 1.0,
            choices: &[],
            summary: "share of the window that a loss takes (beta); TCP-Linux: 0.2",
        },
        Parameter {
            name: "search",
            unit: "",
            default: 2.0,
            min: 1.0,
            max: 1000000000.0,
            choices: &[],
            summary: "goes 1/search of the way to the last loss in a round trip; TCP-Linux: 4",
        },
        Parameter {
            name: "near",
            unit: "segments",
            default: 0.0,
            min: 0.0,
            max: 1000000000.0,
            choices: &[],
            summary: "so near to the last loss growth is the least",
        },
        Parameter {
            name: "fast_convergence",
            unit: "",
            default: 1.0,
            min: 0.0,
            max: 1.0,
            choices: &["off", "on"],
            summary: "gives way where the loss before came at a larger window",
        },
        Parameter::form(&["paper", "linux"], "as published; or as in TCP-Linux, in whole segments"),
    ],
};

/// Parameters of BIC.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Below this window it is Reno, segments.
    pub low_window: f64,
    /// Growth is at most this, segments per round trip.
    pub max_increment: f64,
    /// Growth is at least this, segments per round trip.
    pub min_increment: f64,
    /// Share of the window that a loss takes.
    pub decrease: f64,
    /// It goes 1/search of the way to the last loss in a round trip.
    pub search: f64,
    /// So near to the last loss growth is the least, segments.
    pub near: f64,
    /// Whether it gives way where the loss before came at a larger window.
    pub fast_convergence: bool,
    /// As TCP-Linux has it.
    pub linux: bool,
}

impl Config {
    /// From values by parameter name.
    pub fn new(value: &dyn Fn(&str) -> f64) -> Self {
        Self {
            low_window: value("low_window"),
            max_increment: value("max_increment"),
            min_increment: value("min_increment"),
            decrease: value("decrease"),
            search: value("search"),
            near: value("near"),
            fast_convergence: value("fast_convergence") != 0.0,
            linux: value("form") != 0.0,
        }
    }

    /// Its values, in the order of [`ALGORITHM`]'s parameters.
    pub fn values(&self) -> [f64; 8] {
        [
            self.low_window,
            self.max_increment,
            self.min_increment,
            self.decrease,
            self.search,
            self.near,
            f64::from(u8::from(self.fast_convergence)),
            f64::from(u8::from(self.linux)),
        ]
    }
}
