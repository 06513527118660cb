//! Draws from normal and gamma distributions.

use base::Rng;
use std::f64::consts::TAU;

/// Draws a standard normal number by the Box-Muller transform (1958). The transform's second number is
/// discarded, so each draw takes two numbers of the stream.
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let radius = libm::sqrt(2.0 * rng.exponential(1.0));
    radius * libm::cos(TAU * rng.uniform())
}

/// Draws from the gamma distribution with shape `shape` and scale 1 (Marsaglia and Tsang 2000, with their
/// method for shapes below 1).
pub(crate) fn gamma(rng: &mut Rng, shape: f64) -> f64 {
    if shape < 1.0 {
        let boost = libm::pow(1.0 - rng.uniform(), 1.0 / shape);
        return gamma(rng, shape + 1.0) * boost;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / libm::sqrt(9.0 * d);
    loop {
        let x = normal(rng);
        let v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        let v = v * v * v;
        if libm::log(1.0 - rng.uniform()) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

/// Draws uniformly from `[range[0], range[1])`; returns `range[0]` if both are equal.
pub(crate) fn between(rng: &mut Rng, range: [f64; 2]) -> f64 {
    range[0] + (range[1] - range[0]) * rng.uniform()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns mean and variance of `n` draws.
    fn moments(n: u32, mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..n {
            let x = draw();
            sum += x;
            squares += x * x;
        }
        let mean = sum / f64::from(n);
        (mean, squares / f64::from(n) - mean * mean)
    }

    #[test]
    fn a_normal_number_has_mean_0_and_variance_1() {
        let mut rng = Rng::stream(3, "normal");
        let (mean, variance) = moments(200_000, || normal(&mut rng));
        assert!(mean.abs() < 0.01, "{mean}");
        assert!((variance - 1.0).abs() < 0.015, "{variance}");
    }

    #[test]
    fn a_gamma_number_has_mean_and_variance_of_its_shape() {
        for shape in [0.5, 0.75, 1.0, 1.5, 4.0] {
            let mut rng = Rng::stream(3, "gamma");
            let (mean, variance) = moments(200_000, || gamma(&mut rng, shape));
            assert!((mean / shape - 1.0).abs() < 0.015, "{shape}: mean {mean}");
            assert!((variance / shape - 1.0).abs() < 0.04, "{shape}: variance {variance}");
        }
    }
}
