//! Modulation and coding schemes.

use libm::{erfc, sqrt};

/// A modulation and coding scheme of 802.11.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scheme {
    /// Barker sequence, DBPSK: 1 Mb/s.
    Dsss1,
    /// Barker sequence, DQPSK: 2 Mb/s.
    Dsss2,
    /// Complementary code keying, 4 bits in 8 chips: 5.5 Mb/s.
    Cck5,
    /// Complementary code keying, 8 bits in 8 chips: 11 Mb/s.
    Cck11,
    /// Orthogonal frequency division multiplexing with a convolutional code.
    Ofdm(Constellation, Coding),
}

/// Constellation of a subcarrier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Constellation {
    /// 1 bit per symbol.
    Bpsk,
    /// 2 bits per symbol.
    Qpsk,
    /// 4 bits per symbol.
    Qam16,
    /// 6 bits per symbol.
    Qam64,
    /// 8 bits per symbol.
    Qam256,
    /// 10 bits per symbol.
    Qam1024,
}

/// Code rate of the convolutional code with generators 133 and 171 (octal), punctured as in IEEE 802.11-2016,
/// 17.3.5.6 and 19.3.11.6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Coding {
    /// 1/2.
    Half,
    /// 2/3.
    TwoThirds,
    /// 3/4.
    ThreeQuarters,
    /// 5/6.
    FiveSixths,
}

impl Constellation {
    /// Returns the bits per symbol on one subcarrier.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bpsk => 1,
            Self::Qpsk => 2,
            Self::Qam16 => 4,
            Self::Qam64 => 6,
            Self::Qam256 => 8,
            Self::Qam1024 => 10,
        }
    }

    /// Returns the error probability of an uncoded bit; `snr` is the ratio of symbol energy to noise density.
    /// Nearest-neighbour approximation, Gray mapping (Proakis, section 5.2.9).
    pub fn bit_error(self, snr: f64) -> f64 {
        // Square QAM of M points: 2 (1 - 1/sqrt M) / log2 M erfc(sqrt(1.5 snr / (M - 1))).
        let square = |factor: f64, size: f64| factor * erfc(sqrt(1.5 * snr / (size - 1.0)));
        match self {
            Self::Bpsk => 0.5 * erfc(sqrt(snr)),
            Self::Qpsk => square(0.5, 4.0),
            Self::Qam16 => square(3.0 / 8.0, 16.0),
            Self::Qam64 => square(7.0 / 24.0, 64.0),
            Self::Qam256 => square(15.0 / 64.0, 256.0),
            Self::Qam1024 => square(31.0 / 160.0, 1024.0),
        }
    }
}

impl Coding {
    /// Returns the code rate: information bits per coded bit.
    pub const fn rate(self) -> f64 {
        match self {
            Self::Half => 1.0 / 2.0,
            Self::TwoThirds => 2.0 / 3.0,
            Self::ThreeQuarters => 3.0 / 4.0,
            Self::FiveSixths => 5.0 / 6.0,
        }
    }
}
