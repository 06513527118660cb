//! Settings of the MAC, in groups.

use super::access::MediumAccess;
use super::aggregation::Aggregation;
use super::bss::Bss;
use super::exchange::FrameExchange;
use settings::Settings;

/// The MAC.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Mac {
    /// How stations contend for the medium.
    #[setting(flatten)]
    pub access: MediumAccess,
    /// How frames are exchanged.
    #[setting(flatten)]
    pub exchange: FrameExchange,
    /// Limits of an aggregate of n and ac.
    #[setting(default = Aggregation::default(), absent = "of n and ac as below, else none")]
    pub aggregation: Aggregation,
    /// Whether a lost Block ACK is asked for by a request; else the frame is sent again.
    #[setting(default = true)]
    pub block_ack_request: bool,
    /// Beacons and association.
    #[setting(flatten)]
    pub bss: Bss,
}
