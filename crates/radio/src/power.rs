//! Conversion of powers between dBm and milliwatts, and thermal noise.

/// Boltzmann's constant, J/K (exact since the SI of 2019).
const BOLTZMANN: f64 = 1.380_649e-23;
/// Reference temperature of noise figures, K (IEEE Std 145).
const TEMPERATURE: f64 = 290.0;

/// Converts dBm to milliwatts; minus infinity dBm is zero power.
#[inline]
pub fn milliwatts(dbm: f64) -> f64 {
    ratio(dbm)
}

/// Converts milliwatts to dBm; zero power is minus infinity dBm.
#[inline]
pub fn dbm(milliwatts: f64) -> f64 {
    decibels(milliwatts)
}

/// Converts dB to a power ratio.
#[inline]
pub fn ratio(db: f64) -> f64 {
    libm::pow(10.0, db / 10.0)
}

/// Converts a power ratio to dB; a ratio of 0 gives minus infinity.
#[inline]
pub fn decibels(ratio: f64) -> f64 {
    10.0 * libm::log10(ratio)
}

/// Returns the noise power in dBm at a receiver with noise figure `figure` (dB): thermal noise `k T B` in
/// `bandwidth` Hz at 290 K plus the noise figure.
pub fn noise(bandwidth: f64, figure: f64) -> f64 {
    decibels(BOLTZMANN * TEMPERATURE * bandwidth * 1e3) + figure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thermal_noise_is_minus_174_dbm_in_a_hertz() {
        assert!((noise(1.0, 0.0) + 173.9752).abs() < 1e-4);
        // A width of 20 MHz adds 73.0103 dB, and ns-3's noise figure 7 dB.
        assert!((noise(20e6, 7.0) + 93.9649).abs() < 1e-4);
    }

    #[test]
    fn both_ways() {
        assert_eq!(milliwatts(0.0), 1.0);
        assert_eq!(milliwatts(f64::NEG_INFINITY), 0.0);
        assert_eq!(dbm(0.0), f64::NEG_INFINITY);
        assert!((dbm(milliwatts(-61.5)) + 61.5).abs() < 1e-12);
    }
}
