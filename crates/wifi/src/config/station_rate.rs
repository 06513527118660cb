//! A station with a rate of its own, in a network's configuration.

use crate::phy::timing::Mode;
use radio::access::Station;

/// A station's own rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StationRate {
    /// The station.
    pub station: Station,
    /// Mode of data frames from and to it; with rate control the fastest of them.
    pub data: Mode,
}
