//! Frame error rates by MCS and frame size, from link simulations with soft decisions. The file `awgn.csv`
//! has them and names their source.
//!
//! Frames below 400 bytes use the curve for 32 bytes, others the curve for 1458 bytes. A frame of n times
//! that size counts as n independent pieces, for any real n (ns-3's rule). As in ns-3, `yans` replaces the
//! table for BPSK at rate 3/4 (9 Mb/s), which is not an MCS, and for 1024-QAM, which has no curve with the
//! convolutional code.

use super::scheme::{Coding, Constellation};
use libm::{log10, pow};
use std::sync::LazyLock;

const CURVES: &str = include_str!("awgn.csv");

/// Frame sizes of the two curves, bytes; and the frame size from which the second curve is used.
pub(super) const SIZES: [f64; 2] = [32.0, 1458.0];
const LONG: f64 = 400.0;

/// Scheme of each MCS index.
pub(super) const MCS: [(Constellation, Coding); 10] = [
    (Constellation::Bpsk, Coding::Half),
    (Constellation::Qpsk, Coding::Half),
    (Constellation::Qpsk, Coding::ThreeQuarters),
    (Constellation::Qam16, Coding::Half),
    (Constellation::Qam16, Coding::ThreeQuarters),
    (Constellation::Qam64, Coding::TwoThirds),
    (Constellation::Qam64, Coding::ThreeQuarters),
    (Constellation::Qam64, Coding::FiveSixths),
    (Constellation::Qam256, Coding::ThreeQuarters),
    (Constellation::Qam256, Coding::FiveSixths),
];

/// Frame error rates at equal steps of SNR.
#[derive(Clone, Debug, Default)]
struct Curve {
    /// SNR of the first entry of `rates`, dB.
    from: f64,
    rates: Vec<f64>,
}

impl Curve {
    const STEP: f64 = 0.5;

    fn at(&self, snr_db: f64) -> f64 {
        let place = (snr_db - self.from) / Self::STEP;
        if place < 0.0 {
            return 1.0;
        }
        let left = place as usize;
        match (self.rates.get(left), self.rates.get(left + 1)) {
            (Some(a), Some(b)) => a + (b - a) * (place - left as f64),
            _ => 0.0,
        }
    }
}

/// Curves by MCS and frame size.
static TABLE: LazyLock<[[Curve; 2]; 10]> = LazyLock::new(|| {
    let mut table: [[Curve; 2]; 10] = Default::default();
    for (mcs, bytes, snr_db, rate) in rows() {
        let curve = &mut table[mcs][usize::from(bytes > SIZES[0])];
        if curve.rates.is_empty() {
            curve.from = snr_db;
        }
        curve.rates.push(rate);
    }
    table
});

/// Returns the rows of the file: MCS, frame size in bytes, SNR in dB, frame error rate.
pub(super) fn rows() -> impl Iterator<Item = (usize, f64, f64, f64)> {
    CURVES.lines().filter_map(|line| {
        let mut cells = line.split(',');
        let mcs = cells.next()?.parse().ok()?;
        let mut next = || cells.next()?.parse().ok();
        Some((mcs, next()?, next()?, next()?))
    })
}

/// Returns the probability that `bits` successive bits are received without error; `snr` is a ratio, not dB.
/// `None` if the scheme has no curve.
pub(super) fn success(constellation: Constellation, coding: Coding, snr: f64, bits: f64) -> Option<f64> {
    let mcs = MCS.iter().position(|scheme| *scheme == (constellation, coding))?;
    let bytes = bits / 8.0;
    let size = usize::from(bytes >= LONG);
    let rate = TABLE[mcs][size].at(10.0 * log10(snr));
    Some(if rate <= 0.0 { 1.0 } else { pow(1.0 - rate, bytes / SIZES[size]) })
}
