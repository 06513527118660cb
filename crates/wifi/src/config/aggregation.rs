//! Settings of aggregation.

use base::Duration;

/// Limits of an A-MPDU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aggregation {
    /// Bytes: 65 535 in HT.
    pub bytes: u32,
    /// Frames, which is also the window of a Block ACK: at most 64.
    pub frames: u32,
    /// Duration on the air: 5.484 ms where stations without HT read the legacy header.
    pub duration: Duration,
}

impl Aggregation {
    /// The limits of HT, as long as a legacy header can announce (20.3.2).
    pub const HT: Self = Self { bytes: 65_535, frames: 64, duration: Duration::from_us(5484) };
    /// The limits of VHT: the longest A-MPDU that a station may be able to receive (IEEE Std 802.11ac-2013, 8.4.2.160.2), for as long
    /// as a legacy header can announce.
    pub const VHT: Self = Self { bytes: 1_048_575, ..Self::HT };
}
