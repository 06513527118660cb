//! Settings of aggregation.

use base::Duration;
use settings::Settings;
use settings::Size;

/// Limits of an aggregate of frames (A-MPDU).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
#[settings(expecting = "a table: { frames = 32 }")]
pub struct Aggregation {
    /// Frames, which is also the window of a Block ACK; 1: no aggregation.
    #[setting(default = 64, range = 1..=64)]
    pub frames: u32,
    /// Length: of ac that of the longest A-MPDU that a station may be able to receive (IEEE Std 802.11ac-2013, 8.4.2.160.2).
    #[setting(default = 65_535, range = 0..=1_048_575, form = Size, absent = "\"65535B\", of ac \"1048575B\"")]
    pub bytes: u32,
    /// Time on the air: as long as a legacy header can announce.
    #[setting(default = Duration::from_us(5484), source = "20.3.2")]
    pub duration: Duration,
    /// Most bytes of packets with their headers in one MPDU (A-MSDU), in an A-MPDU of n fewer than 4095; "0B": each has its own.
    #[setting(default = 0, range = 0..=7935, form = Size)]
    pub amsdu: u32,
}

impl Aggregation {
    /// Each packet goes by itself.
    pub fn none() -> Self {
        Self { frames: 1, ..Self::default() }
    }

    /// The limits of VHT.
    pub fn vht() -> Self {
        Self { bytes: 1_048_575, ..Self::default() }
    }

    /// Whether frames have several MPDUs.
    pub fn is_on(&self) -> bool {
        self.frames > 1
    }
}
