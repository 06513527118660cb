//! A station with a rate of its own, as a network keeps it.

use crate::phy::timing::Mode;
use radio::access::Station;

/// A station's own rate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StationRate {
    /// Whose it is.
    pub station: Station,
    /// Mode of data frames from and to it; with rate control the fastest of them.
    pub data: Mode,
}
