//! A station's own rate, in the configuration of a network.

use crate::phy::timing::Mode;
use radio::access::Station;

/// Own rate of a station.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StationRate {
    /// The station.
    pub station: Station,
    /// Mode of data frames from and to the station; with rate control the mode with the highest rate.
    pub data: Mode,
}
