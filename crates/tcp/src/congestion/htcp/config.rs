//! Entry in the list of congestion controls, and parameters of H-TCP.

use crate::congestion::algorithm::{Algorithm, Form, parameters};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "htcp",
    summary: "growth by the time since the last loss, cut by the path's queueing",
    source: "draft-leith-tcp-htcp-06",
    aliases: &["h-tcp", "tcp_htcp", "TcpHtcp", "ns3::TcpHtcp"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of H-TCP.
    delta_l: f64 = number("s", 1.0, 0.0, 1000.0; "grows as Reno for so long after a loss"),
    delta_b: f64 = number("", 0.2, 0.0, 1000000000.0; "relative change of throughput that calls for halving"),
    beta_min: f64 = number("", 0.5, 0.0, 1.0; "a loss leaves at least this share of the window"),
    beta_max: f64 = number("", 0.8, 0.0, 1.0; "a loss leaves at most this share of the window"),
    rtt_scaling: bool = words(&["off", "on"], 0; "growth in time does not depend on the round trip"),
    adaptive_backoff: bool = words(&["off", "on"], 1; "a loss leaves the ratio of round trips, rather than always `beta_max`, while throughput is steady"),
    form: Form = words(&["draft", "tcp-linux", "linux"], 0; "as published; or as TCP-Linux has it: judged by the smoothed round trip, growth by whole segments; or as Linux 6.12, the same with `rtt_scaling`"),
}
