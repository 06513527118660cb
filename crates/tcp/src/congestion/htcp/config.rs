//! Entry in the list of congestion controls, and parameters of H-TCP.

use crate::congestion::algorithm::{Algorithm, Form, parameters};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "htcp",
    summary: "growth depends on the time since the last loss, decrease on the path's queueing delay",
    source: "draft-leith-tcp-htcp-06",
    aliases: &["h-tcp", "tcp_htcp", "TcpHtcp", "ns3::TcpHtcp"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of H-TCP.
    delta_l: f64 = number("s", 1.0, 0.0, 1000.0; "time after a loss during which the window grows as in Reno"),
    delta_b: f64 = number("", 0.2, 0.0, 1000000000.0; "relative change of throughput above which a loss multiplies the window by beta_min"),
    beta_min: f64 = number("", 0.5, 0.0, 1.0; "least factor by which a loss multiplies the window"),
    beta_max: f64 = number("", 0.8, 0.0, 1.0; "largest factor by which a loss multiplies the window"),
    rtt_scaling: bool = words(&["off", "on"], 0; "growth per second does not depend on the round-trip time"),
    adaptive_backoff: bool = words(&["off", "on"], 1; "with steady throughput, a loss multiplies the window by RTTmin / RTTmax; if off, by `beta_max`"),
    form: Form = words(&["draft", "tcp-linux", "linux"], 0; "as published; or as in TCP-Linux, by the smoothed round-trip time, with growth by whole segments; or as in Linux 6.12, the same with `rtt_scaling`"),
}
