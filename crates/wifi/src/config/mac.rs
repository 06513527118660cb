//! Settings of the MAC, in groups.

use super::access::MediumAccess;
use super::aggregation::Aggregation;
use super::bss::Bss;
use super::exchange::FrameExchange;
use settings::{Choice, Settings};

/// The MAC.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Mac {
    /// Contention for the medium.
    #[setting(flatten)]
    pub access: MediumAccess,
    /// Frame exchanges.
    #[setting(flatten)]
    pub exchange: FrameExchange,
    /// Limits of an aggregate of n, ac and ax.
    #[setting(default = Aggregation::default(), absent = "of n and ac as below, else none")]
    pub aggregation: Aggregation,
    /// A lost Block ACK is asked for by a request; else the frame is sent again.
    #[setting(default = true)]
    pub block_ack_request: bool,
    /// Rate of that request.
    #[setting(default = RequestRate::Control, absent = "\"control\", in profile \"ns3\" \"response\"")]
    pub block_ack_request_rate: RequestRate,
    /// Beacons and association.
    #[setting(flatten)]
    pub bss: Bss,
}

/// Rate of a request for a Block ACK.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum RequestRate {
    /// at `control_rate`
    Control,
    /// at that of the Block ACK (ns-3)
    Response,
}
