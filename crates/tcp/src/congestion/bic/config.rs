//! Entry in the list of congestion controls, and parameters of BIC.

use crate::congestion::algorithm::{Algorithm, Form, parameters};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "bic",
    summary: "binary search for the window at which the path lost",
    source: "Xu, Harfoush and Rhee 2004",
    aliases: &["bic-tcp", "bictcp", "tcp_bic", "TcpBic", "ns3::TcpBic"],
    linux: true,
    parameters: PARAMETERS,
};

parameters! {
    /// Parameters of BIC.
    low_window: f64 = number("segments", 14.0, 1.0, 1000000000.0; "below this window as Reno"),
    max_increment: f64 = number("segments per round trip", 32.0, 0.001, 1000000000.0; "largest growth (Smax); TCP-Linux: 16"),
    min_increment: f64 = number("segments per round trip", 0.01, 0.0, 1000000000.0; "least growth (Smin)"),
    decrease: f64 = number("", 0.125, 0.0, 1.0; "share by which a loss reduces the window (beta); TCP-Linux: 0.2"),
    search: f64 = number("", 2.0, 1.0, 1000000000.0; "per round trip the window grows by 1/search of the distance to the window of the last loss; TCP-Linux: 4"),
    near: f64 = number("segments", 0.0, 0.0, 1000000000.0; "distance from the window of the last loss within which growth is min_increment"),
    fast_convergence: bool = words(&["off", "on"], 1; "if the loss before occurred at a larger window, the target of the search is lowered"),
    form: Form = words(&["paper", "tcp-linux", "linux"], 0; "as published; or in whole segments, as in TCP-Linux or in Linux 6.12"),
}
