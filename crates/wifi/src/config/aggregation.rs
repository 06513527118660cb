//! Settings of A-MPDU and A-MSDU aggregation.

use base::Duration;
use settings::Settings;
use settings::Size;

/// Limits of an A-MPDU.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
#[settings(expecting = "a table: { frames = 32 }")]
pub struct Aggregation {
    /// Most MPDUs in an A-MPDU, and the window of a Block ACK; 1: no aggregation. More than 64 are allowed in
    /// 802.11ax only, where the Block ACK then has a bitmap of 256 bits.
    #[setting(default = 64, range = 1..=256, absent = "64, for ax 256, in profile \"ns3\" 64")]
    pub frames: u32,
    /// Most bytes of an A-MPDU. Unless given, 802.11ac and 802.11ax have the most that a station may announce
    /// (802.11ax-2021, 26.6.1).
    #[setting(default = 65_535, range = 0..=6_500_631, form = Size, absent = "\"65535B\", for ac \"1048575B\", for ax \"6500631B\", for ax in profile \"ns3\" \"65535B\"")]
    pub bytes: u32,
    /// Longest duration of an A-MPDU on the air; unless given, the longest that a legacy preamble can announce.
    #[setting(default = Duration::from_us(5484), source = "20.3.2")]
    pub duration: Duration,
    /// Most bytes of an A-MSDU, the packets of one MPDU with their headers; in an A-MPDU of 802.11n fewer than 4095.
    /// "0B": each packet has an MPDU of its own.
    #[setting(default = 0, range = 0..=7935, form = Size)]
    pub amsdu: u32,
}

impl Aggregation {
    /// Most MPDUs that a Block ACK with a bitmap of 64 bits covers.
    pub const FRAMES: u32 = 64;
    /// Longest A-MPDU of VHT, bytes.
    pub const VHT_BYTES: u32 = 1_048_575;

    /// Returns limits that allow one MPDU in a frame.
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

    /// Returns true if a frame may have more than one MPDU.
    pub fn is_on(&self) -> bool {
        self.frames > 1
    }
}
