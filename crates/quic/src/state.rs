//! The ends of a connection, and the state that a transfer shows.

use std::io::Write;

/// End of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// End that opens the connection and sends.
    Client,
    /// End that accepts the connection and receives.
    Server,
}

/// State of the client's path. A segment here is the UDP payload that quinn uses for the path: 1200 bytes at
/// first, 1452 bytes once path MTU discovery has found that such datagrams arrive (RFC 8899).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct State {
    /// Congestion window, segments.
    pub cwnd: f64,
    /// Slow-start threshold, segments; `None` before the first loss, and always for controls without a
    /// threshold.
    pub ssthresh: Option<f64>,
    /// Smoothed round-trip time, seconds; before the first sample, quinn's initial value.
    pub srtt_s: f64,
    /// Packets that the client declared lost, including those that arrived later.
    pub lost_packets: u64,
    /// Congestion events that were reported to congestion control.
    pub congestion_events: u64,
}

/// Writer to which an end's qlog goes.
pub type Log = Box<dyn Write + Send + Sync>;
