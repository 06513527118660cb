//! Registry entry and parameters of BBRv3.

use crate::congestion::algorithm::{Algorithm, parameters};

/// Registry entry.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "bbr3",
    summary: "sends at the delivery rate it measures; keeps the data in flight below the level at which losses exceeded 2 %",
    source: "draft-ietf-ccwg-bbr",
    aliases: &["bbrv3", "bbr-v3", "TcpBbr3", "tcp_bbr3"],
    linux: false,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of BBRv3.
    loss_threshold: f64 = number("", 0.02, 0.0001, 1.0; "share of a flight whose loss shows that it was too much"),
    beta: f64 = number("", 0.7, 0.01, 1.0; "what losses multiply the bounds of the model with"),
    headroom: f64 = number("", 0.15, 0.0, 0.9; "share of the long-term bound that is left to others between probes"),
}
