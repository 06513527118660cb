//! Seeded random streams, one per component.
//!
//! A stream is determined by the run's seed and the path of the component that draws from it. Adding a
//! component therefore does not change the draws of others, and runs of two variants with the same seed draw
//! the same numbers at each component (common random numbers).

use crate::time::Duration;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// A random stream: a xoshiro256++ generator, seeded from the run's seed and a name.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

/// Mixes the bits of a word; different words give different results (finalizer of SplitMix64: Steele, Lea,
/// Flood, OOPSLA 2014).
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// Creates the stream called `name` of a run with seed `seed`. Names are paths such as `"link.2.loss"`.
    ///
    /// ```
    /// use base::Rng;
    ///
    /// let first = Rng::stream(1, "link.2.loss").bits();
    /// assert_eq!(Rng::stream(1, "link.2.loss").bits(), first);
    /// assert_ne!(Rng::stream(1, "link.3.loss").bits(), first);
    /// ```
    pub fn stream(seed: u64, name: &str) -> Self {
        // FNV-1a hash of the name, mixed with the seed; the same on all platforms and in all releases.
        let mut h: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in name.bytes() {
            h = (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let state = mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ mix(h).rotate_left(32);
        Self(Xoshiro256PlusPlus::seed_from_u64(state))
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws a number uniform on `[0, 1)` with 53 random bits.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Draws a duration uniform on `[0, span)`; zero if `span` is zero.
    pub fn duration_below(&mut self, span: Duration) -> Duration {
        Duration::from_ps(((u128::from(self.bits()) * u128::from(span.ps())) >> 64) as u64)
    }

    /// Draws from the exponential distribution with mean `mean`, by inverse transform.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.uniform())
    }

    /// Draws from the Pareto distribution with mean `mean` and shape `shape` > 1, by inverse transform.
    pub fn pareto(&mut self, mean: f64, shape: f64) -> f64 {
        let scale = mean * (shape - 1.0) / shape;
        scale / libm::pow(1.0 - self.uniform(), 1.0 / shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_stable_and_apart() {
        let mut a = Rng::stream(1, "link.0.loss");
        let mut b = Rng::stream(1, "link.1.loss");
        let mut c = Rng::stream(2, "link.0.loss");
        let first = a.bits();
        assert_eq!(first, Rng::stream(1, "link.0.loss").bits());
        assert_ne!(first, b.bits());
        assert_ne!(first, c.bits());
    }

    #[test]
    fn moments() {
        let mut r = Rng::stream(7, "moments");
        let n = 200_000;
        let mean = |f: &mut dyn FnMut() -> f64| (0..n).map(|_| f()).sum::<f64>() / f64::from(n);
        assert!((mean(&mut || r.uniform()) - 0.5).abs() < 0.005);
        let mut r = Rng::stream(7, "exponential");
        assert!((mean(&mut || r.exponential(3.0)) - 3.0).abs() < 0.05);
        let mut r = Rng::stream(7, "pareto");
        assert!((mean(&mut || r.pareto(2.0, 3.0)) - 2.0).abs() < 0.05);
    }
}
