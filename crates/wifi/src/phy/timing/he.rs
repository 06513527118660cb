//! HE (clause 27 of IEEE Std 802.11ax-2021) to a single user: MCS 0 to 11, one to four streams, 20 to 160 MHz, symbols of 12.8 us.
//!
//! Codes are those that every station has (27.3.12.5): the convolutional one at 20 MHz up to MCS 9, else LDPC, which may need a further
//! segment of a symbol. Left out: DCM, STBC, doppler, packet extension (receivers that ask for none), extended range, and OFDMA.

use super::ht::{GuardInterval, SCHEMES, Width};
use super::ofdm;
use super::rounding::Rounding;
use base::Duration;
use settings::Choice;

/// Length of the symbols from which a receiver learns the channel (HE-LTF, 27.3.11.10).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Training {
    /// 3.2 us and the guard interval, with one of 0.8 us
    #[setting(name = "1x")]
    One,
    /// 6.4 us and the guard interval, with one of 0.8 or 1.6 us
    #[setting(name = "2x")]
    Two,
    /// 12.8 us and the guard interval, with one of 0.8 or 3.2 us
    #[setting(name = "4x")]
    Four,
    /// 8 us in all, with every guard interval (ns-3)
    #[setting(name = "8us")]
    Fixed,
}

impl Training {
    /// Returns the training symbols that every station can receive with a guard interval.
    pub const fn usual(guard: GuardInterval) -> Self {
        if matches!(guard, GuardInterval::Us3_2) { Self::Four } else { Self::Two }
    }

    /// Returns true if the standard, or ns-3, has it with this guard interval.
    pub const fn goes_with(self, guard: GuardInterval) -> bool {
        match self {
            Self::One => matches!(guard, GuardInterval::Us0_8),
            Self::Two => matches!(guard, GuardInterval::Us0_8 | GuardInterval::Us1_6),
            Self::Four => matches!(guard, GuardInterval::Us0_8 | GuardInterval::Us3_2),
            Self::Fixed => true,
        }
    }

    /// Returns the time of a symbol with its guard interval.
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

/// A mode of HE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct He {
    /// Modulation and coding scheme, 0 to 11.
    pub mcs: u8,
    /// Spatial streams, 1 to 4.
    pub streams: u8,
    /// Width of the channel.
    pub width: Width,
    /// Guard interval: 0.8, 1.6 or 3.2 us.
    pub guard: GuardInterval,
    /// Training symbols.
    pub training: Training,
    /// True at 2.4 GHz, where a signal extension follows each frame.
    pub erp: bool,
}

impl He {
    /// Symbol without guard interval.
    const SYMBOL: Duration = Duration::from_ps(12_800_000);
    /// The greatest MCS.
    pub const MCS: u8 = 11;
    /// The most streams.
    pub const STREAMS: u8 = 4;

    /// Returns true if the combination exists (27.5; all MCS are at all widths).
    pub const fn exists(self) -> bool {
        let known = self.mcs <= Self::MCS && self.streams >= 1 && self.streams <= Self::STREAMS;
        known && self.guard.is_he() && self.training.goes_with(self.guard)
    }

    /// Returns the subcarriers that carry data: all, and those of a quarter of a symbol (N_SD and N_SD,short, tables
    /// 27-15 and 27-32).
    const fn subcarriers(self) -> [u64; 2] {
        match self.width {
            Width::Mhz20 => [234, 60],
            Width::Mhz40 => [468, 120],
            Width::Mhz80 => [980, 240],
            Width::Mhz160 => [1960, 492],
        }
    }

    /// Returns the coded bits of a symbol and of a quarter of it, and the data bits of both.
    fn bits(self) -> ([u64; 2], [u64; 2]) {
        let (coded, numerator, denominator) = SCHEMES[usize::from(self.mcs)];
        let coded = self.subcarriers().map(|subcarriers| subcarriers * coded * u64::from(self.streams));
        (coded, coded.map(|coded| coded * numerator / denominator))
    }

    /// Returns the time of a symbol with its guard interval.
    const fn symbol(self) -> Duration {
        Duration::from_ps(Self::SYMBOL.ps() + self.guard.time().ps())
    }

    pub(super) fn bps(self) -> u64 {
        self.bits().1[0] * 1_000_000_000_000 / self.symbol().ps()
    }

    /// Returns the symbols of one stream in a second, of all subcarriers that carry data.
    pub(super) fn symbol_rate(self) -> f64 {
        self.subcarriers()[0] as f64 / self.symbol().secs()
    }

    /// Returns the time of the preamble: legacy preamble and L-SIG 20 us, RL-SIG 4, HE-SIG-A 8, HE-STF 4 (27.3.4), and
    /// 1, 2 or, from three streams on, 4 training symbols (table 27-14).
    pub(super) fn preamble(self) -> Duration {
        let count = if self.streams > 2 { 4 } else { self.streams };
        Duration::from_us(36) + self.training.symbol(self.guard) * u64::from(count)
    }

    /// Returns true if frames have LDPC: the convolutional code is for 20 MHz and up to 256-QAM.
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

    /// Returns the symbols of `bits` bits, SERVICE included, with LDPC (27.3.12.5.2). They fill whole quarters of the
    /// last symbol; if too many parity bits would be punctured there is one quarter more.
    fn ldpc_symbols(self, bits: u64) -> u64 {
        let ([coded, _], [data, data_quarter]) = self.bits();
        let symbols = bits.div_ceil(data);
        let excess = bits % data;
        // If the last symbol has room, the further quarter is in it.
        let full = excess == 0 || excess > 3 * data_quarter;
        symbols + u64::from(full && self.is_punctured_too_much(symbols * data, symbols * coded))
    }

    /// Returns true if LDPC needs a further segment for this payload with this number of coded bits (19.3.11.7.5 of
    /// IEEE Std 802.11-2020, step d).
    fn is_punctured_too_much(self, payload: u64, available: u64) -> bool {
        let (_, numerator, denominator) = SCHEMES[usize::from(self.mcs)];
        // Parity bits of `coded` bits.
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
