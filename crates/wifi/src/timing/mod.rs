//! How long frames occupy the air: modulation modes, standards, and control responses.
//!
//! Clauses are those of IEEE Std 802.11-2012. Lengths are of the MAC frame with header and FCS.

mod dsss;
mod ht;
mod ofdm;
mod vht;

#[cfg(test)]
mod tests;

use base::Duration;

pub use dsss::{Dsss, Preamble};
pub use ht::{GuardInterval, Ht, Width};
pub use ofdm::Ofdm;
pub use vht::Vht;

/// A standard: the amendment of IEEE 802.11 that a network works by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standard {
    /// 802.11b: DSSS and CCK at 2.4 GHz, 1 to 11 Mb/s.
    B,
    /// 802.11g: OFDM at 2.4 GHz (ERP-OFDM), 6 to 54 Mb/s; [`crate::mixed`] has stations of 802.11b beside them.
    G,
    /// 802.11a: OFDM at 5 GHz, 6 to 54 Mb/s.
    A,
    /// 802.11n: high throughput at 2.4 or 5 GHz, MCS 0 to 15.
    N,
    /// 802.11ac: very high throughput at 5 GHz, MCS 0 to 9, 80 MHz too.
    Ac,
}

impl Standard {
    /// Every standard.
    pub const ALL: [Self; 5] = [Self::B, Self::G, Self::A, Self::N, Self::Ac];

    /// The name in scenario files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::B => "b",
            Self::G => "g",
            Self::A => "a",
            Self::N => "n",
            Self::Ac => "ac",
        }
    }

    /// Whether data frames carry a QoS header and access follows EDCA's rules.
    pub const fn is_qos(self) -> bool {
        matches!(self, Self::N | Self::Ac)
    }
}

/// How a frame is modulated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Clauses 16 and 17: DSSS, HR/DSSS.
    Dsss(Dsss),
    /// Clauses 18 and 19: OFDM, ERP-OFDM.
    Ofdm(Ofdm),
    /// Clause 20: HT mixed format.
    Ht(Ht),
    /// Clause 22 of 802.11ac: VHT.
    Vht(Vht),
}

/// How airtimes are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rounding {
    /// As the standard: DSSS to whole microseconds, OFDM to whole symbols, HT with a short guard interval to whole 4 us.
    #[default]
    Standard,
    /// As the standard, but symbols with a short guard interval count as they are: ns-3.
    ShortSymbols,
    /// Not at all: preamble and header, then every bit at the data rate, no service and tail bits, no signal extension: ns-2.
    None,
}

impl Mode {
    /// Data rate, bit/s.
    pub fn bps(self) -> u64 {
        match self {
            Self::Dsss(mode) => mode.bps(),
            Self::Ofdm(mode) => mode.bps(),
            Self::Ht(mode) => mode.bps(),
            Self::Vht(mode) => mode.bps(),
        }
    }

    /// Time before the first bit of the MAC frame: PLCP preamble and header.
    pub fn preamble(self) -> Duration {
        match self {
            Self::Dsss(mode) => mode.preamble(),
            Self::Ofdm(_) => ofdm::PREAMBLE,
            Self::Ht(mode) => mode.preamble(),
            Self::Vht(mode) => mode.preamble(),
        }
    }

    /// How long a frame of `bytes` occupies the air, its signal extension included.
    pub fn airtime(self, bytes: u32, rounding: Rounding) -> Duration {
        if rounding == Rounding::None {
            let bits = u128::from(bytes) * 8 * 1_000_000_000_000;
            return self.preamble() + Duration::from_ps((bits / u128::from(self.bps())) as u64);
        }
        match self {
            Self::Dsss(mode) => mode.airtime(bytes),
            Self::Ofdm(mode) => mode.airtime(bytes),
            Self::Ht(mode) => mode.airtime(bytes, rounding),
            Self::Vht(mode) => mode.airtime(bytes, rounding),
        }
    }

    /// The most bytes whose frame lasts no longer than `limit`; zero where none does.
    pub fn most_bytes(self, limit: Duration, rounding: Rounding) -> u32 {
        let (mut fits, mut not) = (0, 1_048_576);
        while not - fits > 1 {
            let middle = (fits + not) / 2;
            if self.airtime(middle, rounding) <= limit { fits = middle } else { not = middle }
        }
        fits
    }

    /// The non-HT rate that stands for the mode in rules on control responses, bit/s (9.7.9, table 9-4).
    pub fn reference_bps(self) -> u64 {
        match self {
            Self::Dsss(mode) => mode.bps(),
            Self::Ofdm(mode) => mode.bps(),
            Self::Ht(mode) => ht::reference_bps(mode.mcs % 8),
            Self::Vht(mode) => ht::reference_bps(mode.mcs),
        }
    }

    /// Whether it is of 802.11b.
    pub const fn is_dsss(self) -> bool {
        matches!(self, Self::Dsss(_))
    }

    /// Spatial streams.
    pub const fn streams(self) -> u32 {
        match self {
            Self::Dsss(_) | Self::Ofdm(_) => 1,
            Self::Ht(mode) => mode.streams(),
            Self::Vht(mode) => mode.streams as u32,
        }
    }

    /// Width of the signal, Hz.
    pub const fn bandwidth(self) -> f64 {
        match self {
            Self::Dsss(_) => 22e6,
            Self::Ofdm(_) => 20e6,
            Self::Ht(mode) => mode.width.hz(),
            Self::Vht(mode) => mode.width.hz(),
        }
    }
}
