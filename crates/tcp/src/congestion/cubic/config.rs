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
    c: f64 = number("segments per s^3", 0.4, 0.0001, 1000.0; "how fast the window grows far from the last loss"),
    beta: f64 = number("", 0.7, 0.01, 0.99; "what a loss multiplies the window with"),
    fast_convergence: bool = words(&["off", "on"], 1; "whether a window that shrinks from loss to loss leaves room for others"),
    reno_friendly: bool = words(&["off", "on"], 1; "whether the window is at least what Reno would have"),
    acks as "friendly_counting": bool = words(&["segments", "acks"], 0; "what W_est counts: acknowledged segments (section 4.3), or acknowledgments as ack_counting says"),
    form: Form = words(&["rfc", "tcp-linux", "linux"], 0; "as in the RFC; or in whole segments and milliseconds, as in TCP-Linux or in Linux 6.12"),
}
