//! Bit error rates of DSSS and CCK (802.11b).
//!
//! | scheme | error probability | source |
//! |---|---|---|
//! | 1 Mb/s DBPSK | `exp(-g) / 2` per bit | Proakis, Digital Communications, section 5.2 |
//! | 2 Mb/s DQPSK | integral over the phase, exact, Gray mapping | Tellambura and Bhargava, Electronics Letters 30, 1994 |
//! | 5.5 Mb/s CCK | symbols of 4 bits as 16 biorthogonal signals | Proakis, section 5.2.4 |
//! | 11 Mb/s CCK | symbols of 8 bits as two such signals, each with half of the energy | |
//!
//! `g`, the ratio of bit energy to noise density, is SNR times 22 MHz divided by the bit rate. For CCK each
//! chip has the noise of the whole channel, so the ratio of a chip's energy to the noise density is the SNR.
//! A matched filter would pass only half of that noise (3 dB better). The model follows ns-3; receivers that
//! compare each symbol's phase with that of the last symbol need 2 to 3 dB more than coherent receivers.

use libm::{cos, erfc, exp, expm1, log1p, sqrt};
use std::f64::consts::{PI, SQRT_2};

/// Width of an 802.11b channel, Hz.
const BANDWIDTH: f64 = 22e6;

/// Returns the bit error probability at 1 Mb/s (DBPSK); `snr` is a ratio, not dB.
pub(super) fn dbpsk(snr: f64) -> f64 {
    0.5 * exp(-snr * BANDWIDTH / 1e6)
}

/// Returns the bit error probability at 2 Mb/s (DQPSK); `snr` is a ratio, not dB.
pub(super) fn dqpsk(snr: f64) -> f64 {
    dqpsk_bit(snr * BANDWIDTH / 2e6)
}

/// Returns the bit error probability at 5.5 Mb/s (CCK); `snr` is a ratio, not dB.
pub(super) fn cck5(snr: f64) -> f64 {
    biorthogonal_bit(8.0 * snr)
}

/// Returns the bit error probability at 11 Mb/s (CCK); `snr` is a ratio, not dB.
pub(super) fn cck11(snr: f64) -> f64 {
    biorthogonal_bit(4.0 * snr)
}

/// Returns the bit error probability of differentially detected DQPSK with Gray mapping; `g` is the ratio of
/// bit energy to noise density. This is the mean of `exp(-g (2 - sqrt2 cos x)) / (sqrt2 - cos x) / 2` over
/// the phase x. The trapezoidal rule converges exponentially for smooth periodic functions.
pub(super) fn dqpsk_bit(g: f64) -> f64 {
    const POINTS: u32 = 64;
    let at = |x: f64| exp(-g * (2.0 - SQRT_2 * cos(x))) / (SQRT_2 - cos(x));
    let inner: f64 = (1..POINTS).map(|k| at(PI * f64::from(k) / f64::from(POINTS))).sum();
    (inner + (at(0.0) + at(PI)) / 2.0) / (2.0 * f64::from(POINTS))
}

/// Returns the error probability of one of 16 biorthogonal signals; `ratio` is signal energy to noise
/// density. This is the mean of `1 - erf((v + a) / sqrt2)^7` over a standard normal v, with `a = sqrt(2
/// ratio)`. The trapezoidal rule converges fast, because the integrand is smooth and vanishes at the ends.
pub(super) fn biorthogonal(ratio: f64) -> f64 {
    const STEP: f64 = 0.25;
    let a = sqrt(2.0 * ratio);
    let at = |k: i32| {
        let v = f64::from(k) * STEP;
        let miss = if v <= -a { 1.0 } else { -expm1(7.0 * log1p(-erfc((v + a) / SQRT_2))) };
        exp(-v * v / 2.0) * miss
    };
    (-36..=36).map(at).sum::<f64>() * STEP / sqrt(2.0 * PI)
}

/// Returns the bit error probability at which four bits together are wrong as often as one of 16 biorthogonal signals.
fn biorthogonal_bit(ratio: f64) -> f64 {
    -expm1(log1p(-biorthogonal(ratio).min(15.0 / 16.0)) / 4.0)
}
