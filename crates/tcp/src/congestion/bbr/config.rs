//! Entry in the list of congestion controls, and parameters of BBR.

use crate::congestion::algorithm::{Algorithm, parameters};

/// Entry of this control in the list of congestion controls.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "bbr",
    summary: "sends at the measured delivery rate, with two bandwidth-delay products in flight",
    source: "draft-cardwell-iccrg-bbr-congestion-control-00",
    aliases: &["bbr1", "bbrv1", "bbr-v1", "TcpBbr", "ns3::TcpBbr", "tcp_bbr"],
    linux: false,
    parameters: PARAMETERS,
};

/// BBRHighGain, 2 / ln 2: doubles the rate in each round trip (section 4.3.2.1).
pub(super) const HIGH_GAIN: f64 = 2.885_390_081_777_927;

parameters! {
    /// Parameters of BBR.
    high_gain: f64 = number("", HIGH_GAIN, 1.0, 10.0; "pacing gain and window gain in startup; the pacing gain in drain is the inverse"),
    cwnd_gain: f64 = number("", 2.0, 1.0, 10.0; "window gain in probe-bw: window in bandwidth-delay products"),
    rtprop_window: f64 = number("s", 10.0, 0.1, 1000.0; "time after which the least round-trip time is measured again (RTpropFilterLen)"),
    linux as "form": bool = words(&["draft", "linux"], 0; "as in the draft; or as in Linux: pacing rate 1 % lower, window in whole quanta and enlarged for aggregated acknowledgments"),
}
