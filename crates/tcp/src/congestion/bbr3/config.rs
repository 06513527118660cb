//! Entry in the list of congestion controls, and parameters of BBRv3.

use crate::congestion::algorithm::{Algorithm, parameters};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "bbr3",
    summary: "sends at the delivery rate it measures; keeps the data in flight below the level at which losses exceeded 2 %",
    source: "draft-ietf-ccwg-bbr-06",
    aliases: &["bbrv3", "bbr-v3", "TcpBbr3", "tcp_bbr3"],
    linux: false,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of BBRv3.
    loss_threshold: f64 = number("", 0.02, 0.0001, 1.0; "ratio of losses to data in flight above which the volume in flight counts as too large (BBR.LossThresh)"),
    beta: f64 = number("", 0.7, 0.01, 1.0; "factor by which losses multiply the short-term bounds of bandwidth and volume in flight (BBR.Beta)"),
    headroom: f64 = number("", 0.15, 0.0, 0.9; "share of the long-term bound of the volume in flight left to other flows between probes (BBR.Headroom)"),
}
