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

    /// Returns the subcarriers of HT and VHT that carry data (tables 20-6 and 22-5).
    pub(super) const fn data_subcarriers(self) -> u64 {
        match self {
            Self::Mhz20 => 52,
            Self::Mhz40 => 108,
            Self::Mhz80 => 234,
            Self::Mhz160 => 468,
        }
    }
}

/// The time between symbols. In n and ac a symbol takes 3.2 us beside it, in ax 12.8 us.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Choice)]
pub enum GuardInterval {
    /// 800 ns, of n and ac
    #[default]
    Long,
    /// 400 ns, of n and ac
    Short,
    /// of ax
    #[setting(name = "0.8us")]
    Us0_8,
    /// of ax
    #[setting(name = "1.6us")]
    Us1_6,
    /// of ax
    #[setting(name = "3.2us")]
    Us3_2,
}

impl GuardInterval {
    /// Returns its length.
    pub(super) const fn time(self) -> Duration {
        Duration::from_ps(match self {
            Self::Short => 400_000,
            Self::Long | Self::Us0_8 => 800_000,
            Self::Us1_6 => 1_600_000,
            Self::Us3_2 => 3_200_000,
        })
    }

    /// Returns true if it is one of HE, not of HT and VHT.
    pub const fn is_he(self) -> bool {
        matches!(self, Self::Us0_8 | Self::Us1_6 | Self::Us3_2)
    }

    /// Returns the time of a symbol of HT and VHT with its guard interval.
    pub(super) const fn symbol(self) -> Duration {
        Duration::from_ps(3_200_000 + self.time().ps())
    }

    /// Returns the time of `n` symbols; a short interval ends on the grid of long ones (20.4.3), if `rounding` says so.
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
    /// True at 2.4 GHz, where a signal extension follows each frame (20.4.3).
    pub erp: bool,
}

/// Coded bits of a subcarrier in a symbol, and the coding rate as a fraction, of MCS 0 to 7 (table 20-30), 8, 9 (22-30), and 10, 11
/// (IEEE Std 802.11ax-2021, 27.5).
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

/// Returns the non-HT reference rate of a scheme: same modulation and coding (table 9-4); 5/6, 256-QAM and 1024-QAM
/// count as 54 Mb/s.
pub(super) fn reference_bps(scheme: u8) -> u64 {
    [6, 12, 18, 24, 36, 48, 54].get(usize::from(scheme)).copied().unwrap_or(54) * 1_000_000
}

impl Ht {
    /// Returns the spatial streams.
    pub const fn streams(self) -> u32 {
        1 + self.mcs as u32 / 8
    }

    /// Returns the data bits of one symbol.
    pub(super) fn symbol_bits(self) -> u64 {
        let (coded, numerator, denominator) = SCHEMES[usize::from(self.mcs % 8)];
        self.width.data_subcarriers() * coded * u64::from(self.streams()) * numerator / denominator
    }

    pub(super) fn bps(self) -> u64 {
        self.symbol_bits() * 1_000_000_000_000 / self.guard.symbol().ps()
    }

    /// Returns the time of the preamble (20.4.3): legacy preamble 16 us, L-SIG 4, HT-SIG 8, HT-STF 4, an HT-LTF of 4 us
    /// for each stream.
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
