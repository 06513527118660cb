//! The convolutional code with hard decisions, by the exact probabilities of its shortest error paths (Qiao,
//! Choi, Shin, IEEE Trans. Mobile Computing 1(4), 2002; Lacage and Henderson, "Yet another network
//! simulator", 2006; ns-3's YANS model).
//!
//! The sum has the error paths of the first two distances; for BPSK at rate 3/4, of the first distance only.
//! It is the probability that an error path begins at a bit; further wrong bits on the path are not counted.

use super::scheme::{Coding, Constellation};
use libm::{erfc, pow, sqrt};

impl Constellation {
    /// Returns the error probability of an uncoded bit with Gray mapping, from errors in both dimensions of a
    /// symbol; `ratio` is the ratio of symbol energy to noise density.
    fn symbol_bit_error(self, ratio: f64) -> f64 {
        if self == Self::Bpsk {
            return 0.5 * erfc(sqrt(ratio));
        }
        let size = f64::from(1 << self.bits());
        let dimension = (1.0 - 1.0 / sqrt(size)) * erfc(sqrt(1.5 * ratio / (size - 1.0)));
        (1.0 - (1.0 - dimension) * (1.0 - dimension)) / f64::from(self.bits())
    }
}

impl Coding {
    /// Returns the free distance, and the numbers of error paths at this and the next distance (Haccoun and
    /// Begin, IEEE Trans. Comm. 37, 1989).
    const fn paths(self) -> (u32, [f64; 2]) {
        match self {
            Self::Half => (10, [11.0, 0.0]),
            Self::TwoThirds => (6, [1.0, 16.0]),
            Self::ThreeQuarters => (5, [8.0, 31.0]),
            Self::FiveSixths => (4, [14.0, 69.0]),
        }
    }
}

/// Returns the probability that an error path begins at a bit; `ratio` is the ratio of symbol energy to noise
/// density.
pub(super) fn error(constellation: Constellation, coding: Coding, ratio: f64) -> f64 {
    let p = constellation.symbol_bit_error(ratio);
    let (free, [shortest, next]) = coding.paths();
    let mut sum = shortest * taken(free, p);
    if (constellation, coding) != (Constellation::Bpsk, Coding::ThreeQuarters) {
        sum += next * taken(free + 1, p);
    }
    sum.min(1.0)
}

/// Returns the probability that the decoder chooses an error path that differs in `distance` coded bits. Each
/// bit is wrong with probability `p`; the path is chosen if more than half of the bits are wrong, and with
/// probability 1/2 if exactly half are.
fn taken(distance: u32, p: f64) -> f64 {
    let mut sum = 0.0;
    let mut ways = 1.0;
    for wrong in 0..=distance {
        let share = match (2 * wrong).cmp(&distance) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        };
        if share > 0.0 {
            sum += share * ways * pow(p, f64::from(wrong)) * pow(1.0 - p, f64::from(distance - wrong));
        }
        ways = ways * f64::from(distance - wrong) / f64::from(wrong + 1);
    }
    sum
}
