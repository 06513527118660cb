//! How likely bits of an 802.11 frame arrive whole at a given ratio of signal to noise and interference.
//!
//! | scheme | error probability | source |
//! |---|---|---|
//! | 1 Mb/s DBPSK | `exp(-g) / 2` per bit | Proakis, Digital Communications, section 5.2 |
//! | 2 Mb/s DQPSK | integral over the phase, exact, Gray bits | Tellambura and Bhargava, Electronics Letters 30, 1994 |
//! | 5.5 and 11 Mb/s CCK | union bound over the 16 or 256 code words of a symbol, coherent | code words: IEEE 802.11-2016, 16.4.6.6 |
//! | OFDM, HT, VHT | union bound of the convolutional code, Chernoff's bound on each path, hard decisions | Miller, NIST, 2003; Pei and Henderson 2010 (ns-3's NIST model) |
//!
//! For DSSS and CCK `g`, the energy of a bit over the noise density, is SNR times 22 MHz over the bit rate: noise and
//! interference are those in the 22 MHz of the channel. For OFDM the SNR is that of the occupied channel, taken as each subcarrier's energy
//! of a symbol over the noise density. Interference counts as white noise.
//!
//! The bound with hard decisions asks for about 2 dB more than a receiver with soft decisions; a CCK receiver that compares
//! each symbol's phase with the last's, as those of DBPSK and DQPSK here do, asks for 2 to 3 dB more. Left out:
//! selectivity in frequency, phase noise, several spatial streams (give each the SNR that is its share), LDPC codes.
//! Validated: closed forms by hand; the distance spectra against an enumeration of the code's paths and of all code words
//! (`tests.rs`).

#[cfg(test)]
mod tests;

use libm::{cos, erfc, exp, log1p, pow, sqrt};
use std::f64::consts::{PI, SQRT_2};

/// Width of a DSSS channel, Hz.
pub const DSSS_BANDWIDTH: f64 = 22e6;

/// Chips per second of DSSS and CCK.
const CHIP_RATE: f64 = 11e6;

/// How bits are put on the air.
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

/// How a subcarrier carries bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Constellation {
    /// 1 bit.
    Bpsk,
    /// 2 bits.
    Qpsk,
    /// 4 bits.
    Qam16,
    /// 6 bits.
    Qam64,
    /// 8 bits.
    Qam256,
}

/// Rate of the convolutional code 133, 171 (octal), punctured as in IEEE 802.11-2016, 17.3.5.6 and 19.3.11.6.
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
    /// Bits on a subcarrier in a symbol.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bpsk => 1,
            Self::Qpsk => 2,
            Self::Qam16 => 4,
            Self::Qam64 => 6,
            Self::Qam256 => 8,
        }
    }

    /// Error probability of an uncoded bit at a ratio of symbol energy to noise density: nearest neighbours, Gray mapping
    /// (Proakis, section 5.2.9).
    pub fn bit_error(self, snr: f64) -> f64 {
        // Square QAM of M points: 2 (1 - 1/sqrt M) / log2 M erfc(sqrt(1.5 snr / (M - 1))).
        let square = |factor: f64, size: f64| factor * erfc(sqrt(1.5 * snr / (size - 1.0)));
        match self {
            Self::Bpsk => 0.5 * erfc(sqrt(snr)),
            Self::Qpsk => square(0.5, 4.0),
            Self::Qam16 => square(3.0 / 8.0, 16.0),
            Self::Qam64 => square(7.0 / 24.0, 64.0),
            Self::Qam256 => square(15.0 / 64.0, 256.0),
        }
    }
}

impl Coding {
    /// Information bits in a period of the puncturing, the free distance, the step from one distance to the next, and the weights:
    /// information bits in error over all paths of that distance that leave the right one within a period.
    const fn spectrum(self) -> (f64, i32, i32, &'static [f64; 10]) {
        match self {
            Self::Half => (1.0, 10, 2, &HALF),
            Self::TwoThirds => (2.0, 6, 1, &TWO_THIRDS),
            Self::ThreeQuarters => (3.0, 5, 1, &THREE_QUARTERS),
            Self::FiveSixths => (5.0, 4, 1, &FIVE_SIXTHS),
        }
    }

    /// Information bits per coded bit.
    pub const fn rate(self) -> f64 {
        match self {
            Self::Half => 1.0 / 2.0,
            Self::TwoThirds => 2.0 / 3.0,
            Self::ThreeQuarters => 3.0 / 4.0,
            Self::FiveSixths => 5.0 / 6.0,
        }
    }

    /// Upper bound on the error probability of an information bit where that of a coded bit is `p`, at most one half.
    pub fn bit_error(self, p: f64) -> f64 {
        let (period, free, step, weights) = self.spectrum();
        // A path at distance d is taken with a probability below half of this to the power of d.
        let bound = sqrt(4.0 * p * (1.0 - p));
        let mut power = pow(bound, f64::from(free));
        let each = if step == 2 { bound * bound } else { bound };
        let mut sum = 0.0;
        for weight in weights {
            sum += weight * power;
            power *= each;
        }
        (sum / (2.0 * period)).min(0.5)
    }
}

// Computed by an enumeration of paths, as the test does; the first agree with Haccoun and Begin, IEEE Trans. Comm. 37, 1989.
const HALF: [f64; 10] = [
    36.0,
    211.0,
    1_404.0,
    11_633.0,
    77_433.0,
    502_690.0,
    3_322_763.0,
    21_292_910.0,
    134_365_911.0,
    843_425_871.0,
];
const TWO_THIRDS: [f64; 10] =
    [3.0, 70.0, 285.0, 1_276.0, 6_160.0, 27_128.0, 117_019.0, 498_835.0, 2_103_480.0, 8_781_268.0];
const THREE_QUARTERS: [f64; 10] = [
    42.0,
    201.0,
    1_492.0,
    10_469.0,
    62_935.0,
    379_546.0,
    2_252_394.0,
    13_064_540.0,
    75_080_308.0,
    427_474_864.0,
];
const FIVE_SIXTHS: [f64; 10] = [
    92.0,
    528.0,
    8_694.0,
    79_453.0,
    791_795.0,
    7_369_828.0,
    67_809_347.0,
    609_896_348.0,
    5_416_272_113.0,
    47_544_404_956.0,
];

/// Squared distances from one code word to the others, in units of a chip's energy, and how many have it.
const CCK5: [(f64, f64); 2] = [(16.0, 14.0), (32.0, 1.0)];
const CCK11: [(f64, f64); 6] =
    [(8.0, 24.0), (12.0, 16.0), (16.0, 174.0), (20.0, 16.0), (24.0, 24.0), (32.0, 1.0)];

impl Scheme {
    /// Error probability of an information bit at a ratio of signal to noise and interference (not dB). For CCK that of a symbol, spread
    /// over its bits so that [`Scheme::success`] of whole symbols is right.
    pub fn bit_error(self, snr: f64) -> f64 {
        match self {
            Self::Dsss1 => 0.5 * exp(-snr * DSSS_BANDWIDTH / 1e6),
            Self::Dsss2 => dqpsk(snr * DSSS_BANDWIDTH / 2e6),
            Self::Cck5 => per_bit(cck(&CCK5, snr, 16.0), 4.0),
            Self::Cck11 => per_bit(cck(&CCK11, snr, 256.0), 8.0),
            Self::Ofdm(constellation, coding) => coding.bit_error(constellation.bit_error(snr)),
        }
    }

    /// Probability that `bits` bits in a row arrive without an error at a ratio of signal to noise and interference (not dB).
    pub fn success(self, snr: f64, bits: f64) -> f64 {
        exp(bits * log1p(-self.bit_error(snr)))
    }
}

/// Error probability of a bit of DQPSK with Gray mapping, differentially detected, at `g` = bit energy over noise density:
/// the mean of `exp(-g (2 - sqrt2 cos x)) / (sqrt2 - cos x) / 2` over the phase x. The trapezoidal rule converges
/// exponentially on a smooth periodic function.
fn dqpsk(g: f64) -> f64 {
    const POINTS: u32 = 64;
    let at = |x: f64| exp(-g * (2.0 - SQRT_2 * cos(x))) / (SQRT_2 - cos(x));
    let inner: f64 = (1..POINTS).map(|k| at(PI * f64::from(k) / f64::from(POINTS))).sum();
    (inner + (at(0.0) + at(PI)) / 2.0) / (2.0 * f64::from(POINTS))
}

/// Union bound on the error probability of a CCK symbol out of `size` code words, at most that of a guess.
fn cck(distances: &[(f64, f64)], snr: f64, size: f64) -> f64 {
    // Energy of a chip over the noise density.
    let chip = snr * DSSS_BANDWIDTH / CHIP_RATE;
    let bound: f64 = distances.iter().map(|&(d, count)| count * 0.5 * erfc(sqrt(d * chip / 4.0))).sum();
    bound.min(1.0 - 1.0 / size)
}

/// The probability for a bit that makes `bits` of them arrive as likely as a symbol with error probability `symbol`.
fn per_bit(symbol: f64, bits: f64) -> f64 {
    -libm::expm1(log1p(-symbol) / bits)
}
