//! Entry in the list of congestion controls, and parameters of Westwood.

use crate::congestion::algorithm::{Algorithm, Form, parameters};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "westwood",
    summary: "a loss sets the window to the bandwidth estimated from acknowledgments times the least round-trip time",
    source: "Mascolo et al. 2001",
    aliases: &[
        "tcpw",
        "TCP/Westwood",
        "Agent/TCP/Westwood",
        "TcpWestwood",
        "ns3::TcpWestwood",
        "tcp_westwood",
    ],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of Westwood.
    tau: f64 = number("s", 0.5, 0.001, 1000.0; "time constant of the bandwidth filter"),
    m: f64 = number("", 2.0, 2.0, 1000.0; "tau / m without an acknowledgment counts as a bandwidth sample of zero"),
    form: Form = words(&["paper", "tcp-linux", "linux"], 0; "as published; tcp-linux: Reno whose window in recovery is at least the estimated capacity, with another filter; linux: as Linux 6.12, with that filter, Reno until the end of recovery sets the window to the estimated capacity"),
}
