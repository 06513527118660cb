//! HT (clause 20), mixed format: MCS 0 to 15 (one and two streams, equal modulation), 20 and 40 MHz, BCC.

use super::ofdm;
use super::rounding::Rounding;
use base::Duration;
use settings::Choice;

/// Width of a channel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Choice)]
pub enum Width {
    /// every standard
    #[default]
    #[setting(name = "20MHz")]
    Mhz20,
    /// n and ac
    #[setting(name = "40MHz")]
    Mhz40,
    /// ac
    #[setting(name = "80MHz")]
    Mhz80,
}

impl Width {
    /// Hz.
    pub const fn hz(self) -> f64 {
        match self {
            Self::Mhz20 => 20e6,
            Self::Mhz40 => 40e6,
            Self::Mhz80 => 80e6,
        }
    }

    /// Subcarriers that carry data (tables 20-6 and 22-5).
    pub(super) const fn data_subcarriers(self) -> u64 {
        match self {
            Self::Mhz20 => 52,
            Self::Mhz40 => 108,
            Self::Mhz80 => 234,
        }
    }
}

/// The time between symbols: a symbol takes 4 us with the long one, 3.6 us with the short one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Choice)]
pub enum GuardInterval {
    /// 800 ns
    #[default]
    Long,
    /// 400 ns
    Short,
}

impl GuardInterval {
    /// A symbol with its guard interval.
    pub(super) const fn symbol(self) -> Duration {
        match self {
            Self::Long => Duration::from_ps(4_000_000),
            Self::Short => Duration::from_ps(3_600_000),
        }
    }

    /// So many symbols; a short interval ends on the grid of long ones (20.4.3), where `rounding` has that.
    pub(super) fn symbols(self, n: u64, rounding: Rounding) -> Duration {
        let time = self.symbol() * n;
        if rounding == Rounding::Standard {
            return Self::Long.symbol() * time.ps().div_ceil(Self::Long.symbol().ps());
        }
        time
    }
}

/// A mode of HT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ht {
    /// Modulation and coding scheme, 0 to 15: two streams from 8 on.
    pub mcs: u8,
    /// 20 or 40 MHz.
    pub width: Width,
    /// Guard interval.
    pub guard: GuardInterval,
    /// At 2.4 GHz, where a signal extension follows each frame (20.4.3).
    pub erp: bool,
}

/// Coded bits of a subcarrier in a symbol, and the coding rate as a fraction, of MCS 0 to 7 (table 20-30) and 8, 9 (22-30).
pub(super) const SCHEMES: [(u64, u64, u64); 10] = [
    (1, 1, 2),
    (2, 1, 2),
    (2, 3, 4),
    (4, 1, 2),
    (4, 3, 4),
    (6, 2, 3),
    (6, 3, 4),
    (6, 5, 6),
    (8, 3, 4),
    (8, 5, 6),
];

/// The non-HT reference rate of a scheme: same modulation and coding (table 9-4); 5/6 and 256-QAM count as 54 Mb/s.
pub(super) fn reference_bps(scheme: u8) -> u64 {
    [6, 12, 18, 24, 36, 48, 54].get(usize::from(scheme)).copied().unwrap_or(54) * 1_000_000
}

impl Ht {
    /// Spatial streams.
    pub const fn streams(self) -> u32 {
        1 + self.mcs as u32 / 8
    }

    /// Data bits of one symbol.
    pub(super) fn symbol_bits(self) -> u64 {
        let (coded, numerator, denominator) = SCHEMES[usize::from(self.mcs % 8)];
        self.width.data_subcarriers() * coded * u64::from(self.streams()) * numerator / denominator
    }

    pub(super) fn bps(self) -> u64 {
        self.symbol_bits() * 1_000_000_000_000 / self.guard.symbol().ps()
    }

    /// 20.4.3: legacy preamble 16 us, L-SIG 4, HT-SIG 8, HT-STF 4, an HT-LTF of 4 us for each stream.
    pub(super) fn preamble(self) -> Duration {
        Duration::from_us(32 + 4 * u64::from(self.streams()))
    }

    pub(super) fn airtime(self, bytes: u32, rounding: Rounding) -> Duration {
        let bits = ofdm::SERVICE_AND_TAIL + 8 * u64::from(bytes);
        let symbols = bits.div_ceil(self.symbol_bits());
        let frame = self.preamble() + self.guard.symbols(symbols, rounding);
        if self.erp { frame + ofdm::SIGNAL_EXTENSION } else { frame }
    }
}
