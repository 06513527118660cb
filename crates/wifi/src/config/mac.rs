//! Settings of the MAC, in groups.

use super::access::MediumAccess;
use super::aggregation::Aggregation;
use super::bss::Bss;
use super::exchange::FrameExchange;
use settings::{Choice, Settings};

/// Settings of the MAC.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Mac {
    /// Contention for the medium.
    #[setting(flatten)]
    pub access: MediumAccess,
    /// Frame exchanges.
    #[setting(flatten)]
    pub exchange: FrameExchange,
    /// Limits of A-MPDUs with 802.11n, ac and ax.
    #[setting(default = Aggregation::default(), absent = "for n, ac and ax as below, otherwise none")]
    pub aggregation: Aggregation,
    /// After a lost Block ACK, send a Block ACK request; false: send the data frame again.
    #[setting(default = true)]
    pub block_ack_request: bool,
    /// Rate of a Block ACK request.
    #[setting(default = RequestRate::Control, absent = "\"control\", in profile \"ns3\" \"response\"")]
    pub block_ack_request_rate: RequestRate,
    /// Beacons and association.
    #[setting(flatten)]
    pub bss: Bss,
}

/// Rate of a Block ACK request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum RequestRate {
    /// at `control_rate`
    Control,
    /// at the rate of the Block ACK (ns-3)
    Response,
}
