//! Entry in the list of congestion controls, and parameters of CUBIC.

use crate::congestion::algorithm::{Algorithm, Form, parameters};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "cubic",
    summary: "the window is a cubic function of the time since the last loss",
    source: "RFC 9438",
    aliases: &["TcpCubic", "ns3::TcpCubic", "tcp_cubic"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of CUBIC.
    c: f64 = number("segments per s^3", 0.4, 0.0001, 1000.0; "coefficient C of the cubic function"),
    beta: f64 = number("", 0.7, 0.01, 0.99; "factor by which a loss multiplies the window"),
    fast_convergence: bool = words(&["off", "on"], 1; "if the loss before occurred at a larger window, W_max is lowered to release capacity (section 4.7)"),
    reno_friendly: bool = words(&["off", "on"], 1; "the window is at least the estimate of Reno's window, W_est (section 4.3)"),
    acks as "friendly_counting": bool = words(&["segments", "acks"], 0; "quantity by which W_est grows: acknowledged segments (section 4.3), or acknowledgments counted as by ack_counting"),
    form: Form = words(&["rfc", "tcp-linux", "linux"], 0; "as in the RFC; or in whole segments and milliseconds, as in TCP-Linux or in Linux 6.12"),
}
