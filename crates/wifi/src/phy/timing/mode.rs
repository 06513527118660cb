//! Modulation modes: data rate, preamble and airtime of a frame.

use super::dsss::Dsss;
use super::he::He;
use super::ht::{self, Ht};
use super::ofdm::{self, Ofdm};
use super::rounding::Rounding;
use super::vht::Vht;
use base::Duration;

/// Longest A-MPDU of any standard, bytes: that of HE (IEEE Std 802.11ax-2021, 26.6.1).
const LONGEST: u32 = 6_500_631;

/// Modulation mode of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// DSSS and HR/DSSS (clauses 16 and 17).
    Dsss(Dsss),
    /// OFDM and ERP-OFDM (clauses 18 and 19).
    Ofdm(Ofdm),
    /// HT, mixed format (clause 20).
    Ht(Ht),
    /// VHT (clause 22 of 802.11ac).
    Vht(Vht),
    /// HE, single user (clause 27 of 802.11ax).
    He(He),
}

impl Mode {
    /// Returns the data rate, bit/s.
    pub fn bps(self) -> u64 {
        match self {
            Self::Dsss(mode) => mode.bps(),
            Self::Ofdm(mode) => mode.bps(),
            Self::Ht(mode) => mode.bps(),
            Self::Vht(mode) => mode.bps(),
            Self::He(mode) => mode.bps(),
        }
    }

    /// Returns the duration of the PLCP preamble and header, before the first bit of the MAC frame.
    pub fn preamble(self) -> Duration {
        match self {
            Self::Dsss(mode) => mode.preamble(),
            Self::Ofdm(_) => ofdm::PREAMBLE,
            Self::Ht(mode) => mode.preamble(),
            Self::Vht(mode) => mode.preamble(),
            Self::He(mode) => mode.preamble(),
        }
    }

    /// Returns the airtime of a frame of `bytes` bytes, including the signal extension except with
    /// [`Rounding::None`].
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
            Self::He(mode) => mode.airtime(bytes, rounding),
        }
    }

    /// Returns the length of the longest frame that lasts no longer than `limit`, bytes; zero if no frame is that
    /// short.
    pub fn most_bytes(self, limit: Duration, rounding: Rounding) -> u32 {
        let (mut fits, mut not) = (0, LONGEST + 1);
        while not - fits > 1 {
            let middle = (fits + not) / 2;
            if self.airtime(middle, rounding) <= limit { fits = middle } else { not = middle }
        }
        fits
    }

    /// Returns the non-HT reference rate of the mode in rules on control responses, bit/s (9.7.9, table 9-4).
    pub fn reference_bps(self) -> u64 {
        match self {
            Self::Dsss(mode) => mode.bps(),
            Self::Ofdm(mode) => mode.bps(),
            Self::Ht(mode) => ht::reference_bps(mode.mcs % 8),
            Self::Vht(mode) => ht::reference_bps(mode.mcs),
            Self::He(mode) => ht::reference_bps(mode.mcs),
        }
    }

    /// Returns true for a mode of 802.11b.
    pub const fn is_dsss(self) -> bool {
        matches!(self, Self::Dsss(_))
    }

    /// Returns the number of spatial streams.
    pub const fn streams(self) -> u32 {
        match self {
            Self::Dsss(_) | Self::Ofdm(_) => 1,
            Self::Ht(mode) => mode.streams(),
            Self::Vht(mode) => mode.streams as u32,
            Self::He(mode) => mode.streams as u32,
        }
    }

    /// Returns the modulation symbols of one spatial stream per second: those of all data subcarriers, or of the
    /// single carrier.
    pub fn symbol_rate(self) -> f64 {
        match self {
            Self::Dsss(_) => 11e6,
            Self::Ofdm(_) => 48.0 / 4e-6,
            Self::Ht(Ht { width, guard, .. }) | Self::Vht(Vht { width, guard, .. }) => {
                width.data_subcarriers() as f64 / guard.symbol().secs()
            }
            Self::He(mode) => mode.symbol_rate(),
        }
    }

    /// Returns the bandwidth of the signal, Hz.
    pub const fn bandwidth(self) -> f64 {
        match self {
            Self::Dsss(_) => 22e6,
            Self::Ofdm(_) => 20e6,
            Self::Ht(mode) => mode.width.hz(),
            Self::Vht(mode) => mode.width.hz(),
            Self::He(mode) => mode.width.hz(),
        }
    }
}
