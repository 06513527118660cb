//! HT (clause 20), mixed format: MCS 0 to 15 (one and two streams, equal modulation), 20 and 40 MHz, BCC.

use super::ofdm;
use super::rounding::Rounding;
use base::Duration;
use settings::Choice;

/// Channel width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Choice)]
pub enum Width {
    /// every standard
    #[default]
    #[setting(name = "20MHz")]
    Mhz20,
    /// n, ac and ax
    #[setting(name = "40MHz")]
    Mhz40,
    /// ac and ax
    #[setting(name = "80MHz")]
    Mhz80,
    /// ax
    #[setting(name = "160MHz")]
    Mhz160,
}

impl Width {
    /// Returns the width in Hz.
    pub const fn hz(self) -> f64 {
        match self {
            Self::Mhz20 => 20e6,
            Self::Mhz40 => 40e6,
            Self::Mhz80 => 80e6,
            Self::Mhz160 => 160e6,
        }
    }

    /// Returns the number of data subcarriers in HT and VHT (tables 20-6 and 22-5).
    pub(super) const fn data_subcarriers(self) -> u64 {
        match self {
            Self::Mhz20 => 52,
            Self::Mhz40 => 108,
            Self::Mhz80 => 234,
            Self::Mhz160 => 468,
        }
    }
}

/// Guard interval before each symbol. Without its guard interval a symbol takes 3.2 us in 802.11n and ac, and 12.8 us
/// in 802.11ax.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Choice)]
pub enum GuardInterval {
    /// 800 ns, for 802.11n and ac
    #[default]
    Long,
    /// 400 ns, for 802.11n and ac
    Short,
    /// for 802.11ax
    #[setting(name = "0.8us")]
    Us0_8,
    /// for 802.11ax
    #[setting(name = "1.6us")]
    Us1_6,
    /// for 802.11ax
    #[setting(name = "3.2us")]
    Us3_2,
}

impl GuardInterval {
    /// Returns the duration of the guard interval.
    pub(super) const fn time(self) -> Duration {
        Duration::from_ps(match self {
            Self::Short => 400_000,
            Self::Long | Self::Us0_8 => 800_000,
            Self::Us1_6 => 1_600_000,
            Self::Us3_2 => 3_200_000,
        })
    }

    /// Returns true for a guard interval of HE, false for one of HT and VHT.
    pub const fn is_he(self) -> bool {
        matches!(self, Self::Us0_8 | Self::Us1_6 | Self::Us3_2)
    }

    /// Returns the duration of a symbol in HT and VHT with its guard interval.
    pub(super) const fn symbol(self) -> Duration {
        Duration::from_ps(3_200_000 + self.time().ps())
    }

    /// Returns the duration of `n` symbols. With a short guard interval, standard rounding extends the duration to
    /// a multiple of 4 us, the duration of a symbol with the long guard interval (20.4.3).
    pub(super) fn symbols(self, n: u64, rounding: Rounding) -> Duration {
        let time = self.symbol() * n;
        if rounding == Rounding::Standard {
            return Self::Long.symbol() * time.ps().div_ceil(Self::Long.symbol().ps());
        }
        time
    }
}

/// Mode of HT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ht {
    /// Modulation and coding scheme, 0 to 15; from 8 on with two spatial streams.
    pub mcs: u8,
    /// Channel width, 20 or 40 MHz.
    pub width: Width,
    /// Guard interval.
    pub guard: GuardInterval,
    /// True at 2.4 GHz, where a signal extension follows each frame (20.4.3).
    pub erp: bool,
}

/// Coded bits per subcarrier and symbol, and the coding rate as numerator and denominator: MCS 0 to 7 (table 20-30),
/// 8 and 9 (table 22-30), 10 and 11 (IEEE Std 802.11ax-2021, 27.5).
pub(super) const SCHEMES: [(u64, u64, u64); 12] = [
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
    (10, 3, 4),
    (10, 5, 6),
];

/// Returns the non-HT reference rate of an MCS, bit/s: the rate with the same modulation and coding (table 9-4).
/// Coding rate 5/6, 256-QAM and 1024-QAM count as 54 Mb/s.
pub(super) fn reference_bps(scheme: u8) -> u64 {
    [6, 12, 18, 24, 36, 48, 54].get(usize::from(scheme)).copied().unwrap_or(54) * 1_000_000
}

impl Ht {
    /// Returns the number of spatial streams.
    pub const fn streams(self) -> u32 {
        1 + self.mcs as u32 / 8
    }

    /// Returns the data bits of a symbol over all streams.
    pub(super) fn symbol_bits(self) -> u64 {
        let (coded, numerator, denominator) = SCHEMES[usize::from(self.mcs % 8)];
        self.width.data_subcarriers() * coded * u64::from(self.streams()) * numerator / denominator
    }

    pub(super) fn bps(self) -> u64 {
        self.symbol_bits() * 1_000_000_000_000 / self.guard.symbol().ps()
    }

    /// Returns the duration of the preamble (20.4.3): legacy preamble 16 us, L-SIG 4 us, HT-SIG 8 us, HT-STF 4 us,
    /// and an HT-LTF of 4 us for each stream.
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
