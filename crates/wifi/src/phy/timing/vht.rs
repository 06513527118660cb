//! VHT (clause 22 of IEEE Std 802.11ac-2013): MCS 0 to 9, one and two streams, 20, 40 and 80 MHz, BCC.

use super::ht::{GuardInterval, SCHEMES, Width};
use super::ofdm;
use super::rounding::Rounding;
use base::Duration;

/// Mode of VHT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vht {
    /// Modulation and coding scheme, 0 to 9; 9 does not exist at 20 MHz with one or two streams.
    pub mcs: u8,
    /// Spatial streams: 1 or 2.
    pub streams: u8,
    /// Channel width.
    pub width: Width,
    /// Guard interval.
    pub guard: GuardInterval,
}

impl Vht {
    /// Most spatial streams.
    pub const STREAMS: u8 = 2;

    /// Returns true if the standard has this combination of MCS, streams and width (22.5).
    pub const fn exists(self) -> bool {
        let odd = self.mcs == 9 && matches!(self.width, Width::Mhz20);
        let odd = odd || matches!(self.width, Width::Mhz160) || self.guard.is_he();
        self.mcs <= 9 && self.streams >= 1 && self.streams <= Self::STREAMS && !odd
    }

    fn symbol_bits(self) -> u64 {
        let (coded, numerator, denominator) = SCHEMES[usize::from(self.mcs)];
        self.width.data_subcarriers() * coded * u64::from(self.streams) * numerator / denominator
    }

    /// Returns the number of BCC encoders, each of which adds six tail bits. There is one for each 2160 data bits of
    /// a symbol, which is 540 Mb/s with the long guard interval (22.5; the exceptions have more than two streams).
    fn encoders(self) -> u64 {
        self.symbol_bits().div_ceil(2160)
    }

    pub(super) fn bps(self) -> u64 {
        self.symbol_bits() * 1_000_000_000_000 / self.guard.symbol().ps()
    }

    /// Returns the duration of the preamble (22.4.3): legacy preamble and L-SIG 20 us, VHT-SIG-A 8 us, VHT-STF 4 us,
    /// a VHT-LTF of 4 us for each stream, VHT-SIG-B 4 us.
    pub(super) fn preamble(self) -> Duration {
        Duration::from_us(36 + 4 * u64::from(self.streams))
    }

    pub(super) fn airtime(self, bytes: u32, rounding: Rounding) -> Duration {
        let bits = ofdm::SERVICE_AND_TAIL + 6 * (self.encoders() - 1) + 8 * u64::from(bytes);
        let symbols = bits.div_ceil(self.symbol_bits());
        self.preamble() + self.guard.symbols(symbols, rounding)
    }
}
