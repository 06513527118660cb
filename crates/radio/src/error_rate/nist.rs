//! The convolutional code with hard decisions, by a union bound with Chernoff's bound for each error path
//! (Miller, NIST, 2003; Pei and Henderson 2010; ns-3's NIST model).
//!
//! By this bound a frame needs 3 to 4.5 dB more SNR than a receiver with soft decisions (`table`).

use super::scheme::Coding;
use libm::{pow, sqrt};

impl Coding {
    /// Returns the distance spectrum: information bits per puncturing period, free distance, step from one
    /// distance to the next, and weights. A weight is the number of wrong information bits, summed over all
    /// error paths of that distance that begin within a period.
    pub(super) const fn spectrum(self) -> (f64, i32, i32, &'static [f64; 10]) {
        match self {
            Self::Half => (1.0, 10, 2, &HALF),
            Self::TwoThirds => (2.0, 6, 1, &TWO_THIRDS),
            Self::ThreeQuarters => (3.0, 5, 1, &THREE_QUARTERS),
            Self::FiveSixths => (5.0, 4, 1, &FIVE_SIXTHS),
        }
    }

    /// Returns an upper bound of the error probability of an information bit, at most 1/2; `p` is the error
    /// probability of a coded bit.
    pub fn bit_error(self, p: f64) -> f64 {
        let (period, free, step, weights) = self.spectrum();
        // An error path at distance d is chosen with probability below `bound^d / 2`.
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

// Weights, computed by an enumeration of paths, as in the test. The first ones agree with Haccoun and Begin,
// IEEE Trans. Comm. 37, 1989.
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
