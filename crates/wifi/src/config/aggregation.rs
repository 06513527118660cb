//! Settings of aggregation.

use base::Duration;
use settings::Settings;
use settings::Size;

/// Limits of an aggregate of frames (A-MPDU).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
#[settings(expecting = "a table: { frames = 32 }")]
pub struct Aggregation {
    /// Frames, which is also the window of a Block ACK; 1: no aggregation. More than 64 in ax alone, where a Block ACK has 256 bits then.
    #[setting(default = 64, range = 1..=256, absent = "64, of ax 256, in profile \"ns3\" 64")]
    pub frames: u32,
    /// Length; of ac and ax the most that a station may announce (802.11ax-2021, 26.6.1).
    #[setting(default = 65_535, range = 0..=6_500_631, form = Size, absent = "\"65535B\", of ac \"1048575B\", of ax \"6500631B\", of ax in profile \"ns3\" \"65535B\"")]
    pub bytes: u32,
    /// Time on the air: the longest that a legacy header can announce.
    #[setting(default = Duration::from_us(5484), source = "20.3.2")]
    pub duration: Duration,
    /// Most bytes of packets with their headers in one MPDU (A-MSDU), in an A-MPDU of n fewer than 4095; "0B": each has its own.
    #[setting(default = 0, range = 0..=7935, form = Size)]
    pub amsdu: u32,
}

impl Aggregation {
    /// The most frames that a Block ACK of 64 bits covers.
    pub const FRAMES: u32 = 64;
    /// The longest A-MPDU of VHT, bytes.
    pub const VHT_BYTES: u32 = 1_048_575;

    /// Returns limits without aggregation: each packet goes by itself.
    pub fn none() -> Self {
        Self { frames: 1, ..Self::default() }
    }

    /// Returns the limits of VHT.
    pub fn vht() -> Self {
        Self { bytes: Self::VHT_BYTES, ..Self::default() }
    }

    /// Returns the limits of HE.
    pub fn he() -> Self {
        Self { frames: 256, bytes: 6_500_631, ..Self::default() }
    }

    /// Returns true if frames have several MPDUs.
    pub fn is_on(&self) -> bool {
        self.frames > 1
    }
}
