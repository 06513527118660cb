//! HE single-user PPDUs (clause 27 of IEEE Std 802.11ax-2021): MCS 0 to 11, one to four streams, 20 to 160 MHz,
//! symbols of 12.8 us.
//!
//! The code is the one that every station supports (27.3.12.5): the convolutional code at 20 MHz up to MCS 9,
//! otherwise LDPC, which may need an extra symbol segment. Left out: DCM, STBC, doppler, packet extension (receivers
//! that ask for none), extended range, and OFDMA.

use super::ht::{GuardInterval, SCHEMES, Width};
use super::ofdm;
use super::rounding::Rounding;
use base::Duration;
use settings::Choice;

/// Length of the HE-LTF, the training symbols by which a receiver estimates the channel (27.3.11.10).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Training {
    /// 3.2 us plus the guard interval, which must be 0.8 us
    #[setting(name = "1x")]
    One,
    /// 6.4 us plus the guard interval, which must be 0.8 or 1.6 us
    #[setting(name = "2x")]
    Two,
    /// 12.8 us plus the guard interval, which must be 0.8 or 3.2 us
    #[setting(name = "4x")]
    Four,
    /// 8 us with any guard interval (ns-3)
    #[setting(name = "8us")]
    Fixed,
}

impl Training {
    /// Returns the HE-LTF that every station supports with this guard interval.
    pub const fn usual(guard: GuardInterval) -> Self {
        if matches!(guard, GuardInterval::Us3_2) { Self::Four } else { Self::Two }
    }

    /// Returns true if the HE-LTF can be combined with this guard interval, in the standard or in ns-3.
    pub const fn goes_with(self, guard: GuardInterval) -> bool {
        match self {
            Self::One => matches!(guard, GuardInterval::Us0_8),
            Self::Two => matches!(guard, GuardInterval::Us0_8 | GuardInterval::Us1_6),
            Self::Four => matches!(guard, GuardInterval::Us0_8 | GuardInterval::Us3_2),
            Self::Fixed => true,
        }
    }

    /// Returns the duration of one HE-LTF symbol, guard interval included.
    const fn symbol(self, guard: GuardInterval) -> Duration {
        let without = match self {
            Self::One => 3200,
            Self::Two => 6400,
            Self::Four => 12_800,
            Self::Fixed => return Duration::from_us(8),
        };
        Duration::from_ps(without * 1000 + guard.time().ps())
    }
}

/// Mode of HE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct He {
    /// Modulation and coding scheme, 0 to 11.
    pub mcs: u8,
    /// Spatial streams, 1 to 4.
    pub streams: u8,
    /// Channel width.
    pub width: Width,
    /// Guard interval: 0.8, 1.6 or 3.2 us.
    pub guard: GuardInterval,
    /// Length of the HE-LTF.
    pub training: Training,
    /// True at 2.4 GHz, where a signal extension follows each frame.
    pub erp: bool,
}

impl He {
    /// Duration of a symbol without guard interval.
    const SYMBOL: Duration = Duration::from_ps(12_800_000);
    /// Highest MCS.
    pub const MCS: u8 = 11;
    /// Most spatial streams.
    pub const STREAMS: u8 = 4;

    /// Returns true if the combination exists (27.5: every MCS exists at every width).
    pub const fn exists(self) -> bool {
        let known = self.mcs <= Self::MCS && self.streams >= 1 && self.streams <= Self::STREAMS;
        known && self.guard.is_he() && self.training.goes_with(self.guard)
    }

    /// Returns the data subcarriers: N_SD, and N_SD,short for a symbol segment (a quarter of a symbol; tables 27-15
    /// and 27-32).
    const fn subcarriers(self) -> [u64; 2] {
        match self.width {
            Width::Mhz20 => [234, 60],
            Width::Mhz40 => [468, 120],
            Width::Mhz80 => [980, 240],
            Width::Mhz160 => [1960, 492],
        }
    }

    /// Returns the coded bits of a symbol and of a symbol segment (a quarter), then the data bits of both.
    fn bits(self) -> ([u64; 2], [u64; 2]) {
        let (coded, numerator, denominator) = SCHEMES[usize::from(self.mcs)];
        let coded = self.subcarriers().map(|subcarriers| subcarriers * coded * u64::from(self.streams));
        (coded, coded.map(|coded| coded * numerator / denominator))
    }

    /// Returns the duration of a symbol with its guard interval.
    const fn symbol(self) -> Duration {
        Duration::from_ps(Self::SYMBOL.ps() + self.guard.time().ps())
    }

    pub(super) fn bps(self) -> u64 {
        self.bits().1[0] * 1_000_000_000_000 / self.symbol().ps()
    }

    /// Returns the modulation symbols of one spatial stream per second, over all data subcarriers.
    pub(super) fn symbol_rate(self) -> f64 {
        self.subcarriers()[0] as f64 / self.symbol().secs()
    }

    /// Returns the duration of the preamble: legacy preamble and L-SIG 20 us, RL-SIG 4 us, HE-SIG-A 8 us, HE-STF 4 us
    /// (27.3.4), and 1, 2 or, with three or more streams, 4 HE-LTF symbols (table 27-14).
    pub(super) fn preamble(self) -> Duration {
        let count = if self.streams > 2 { 4 } else { self.streams };
        Duration::from_us(36) + self.training.symbol(self.guard) * u64::from(count)
    }

    /// Returns true if frames use LDPC: the convolutional code is limited to 20 MHz and 256-QAM.
    const fn is_ldpc(self) -> bool {
        self.mcs > 9 || !matches!(self.width, Width::Mhz20)
    }

    pub(super) fn airtime(self, bytes: u32, rounding: Rounding) -> Duration {
        let (whole, bits) = (self.bits().1[0], 16 + 8 * u64::from(bytes));
        let symbols = if rounding == Rounding::Standard && self.is_ldpc() {
            self.ldpc_symbols(bits)
        } else {
            (bits + ofdm::SERVICE_AND_TAIL - 16).div_ceil(whole)
        };
        let frame = self.preamble() + self.symbol() * symbols;
        if self.erp { frame + ofdm::SIGNAL_EXTENSION } else { frame }
    }

    /// Returns the number of symbols for `bits` bits, SERVICE included, with LDPC (27.3.12.5.2). The bits fill whole
    /// segments of the last symbol, and a further segment is added if too many parity bits would be punctured.
    fn ldpc_symbols(self, bits: u64) -> u64 {
        let ([coded, _], [data, data_quarter]) = self.bits();
        let symbols = bits.div_ceil(data);
        let excess = bits % data;
        // If the last symbol has a segment left, the extra segment needs no further symbol.
        let full = excess == 0 || excess > 3 * data_quarter;
        symbols + u64::from(full && self.is_punctured_too_much(symbols * data, symbols * coded))
    }

    /// Returns true if LDPC needs an extra symbol segment for this payload and these available coded bits (IEEE Std
    /// 802.11-2020, 19.3.11.7.5, step d).
    fn is_punctured_too_much(self, payload: u64, available: u64) -> bool {
        let (_, numerator, denominator) = SCHEMES[usize::from(self.mcs)];
        // Number of parity bits in `coded` coded bits.
        let parity = |coded: u64| coded * (denominator - numerator) / denominator;
        let fits = |longest: u64| available >= payload + parity(longest);
        let (words, length) = match available {
            0..=648 => (1, if fits(912) { 1296 } else { 648 }),
            649..=1296 => (1, if fits(1464) { 1944 } else { 1296 }),
            1297..=1944 => (1, 1944),
            1945..=2592 => (2, if fits(2916) { 1944 } else { 1296 }),
            _ => ((payload * denominator).div_ceil(1944 * numerator), 1944),
        };
        let all = words * length;
        let shortened = (all * numerator / denominator).saturating_sub(payload);
        let punctured = all.saturating_sub(available + shortened);
        let parity = parity(all);
        let few = 5 * (denominator - numerator) * shortened < 6 * punctured * numerator;
        (10 * punctured > parity && few) || 10 * punctured > 3 * parity
    }
}
