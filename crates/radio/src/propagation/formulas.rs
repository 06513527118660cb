//! Formulas of the path loss models.

use super::config::Config;
use super::loss::{City, Cost231Hata, Environment, LogDistance, OkumuraHata, PathLoss, Range};
use crate::Position;
use libm::log10;

/// Values computed in advance for two antennas of the same height above flat ground, the most frequent case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// Heights of both antennas, metres.
    heights: [f64; 2],
    ground: Ground,
    /// System loss minus the gains of both antennas, dB.
    equipment: f64,
}

/// Values of the two-ray ground model for two antenna heights.
#[derive(Clone, Copy, Debug)]
struct Ground {
    /// Crossover distance, metres: below it the model is that of free space.
    crossover: f64,
    /// Gain from the antenna heights beyond the crossover distance, dB: `20 log10(ht hr)`.
    gain: f64,
}

impl Ground {
    fn new(config: &Config, heights: [f64; 2]) -> Self {
        Self { crossover: crossover(config, heights), gain: 20.0 * log10(heights[0] * heights[1]) }
    }
}

impl Level {
    /// Computes the values for stations at height 0.
    pub(super) fn new(config: &Config) -> Self {
        let heights = [config.antenna_height; 2];
        let equipment = config.system_loss - config.tx_gain - config.rx_gain;
        Self { heights, ground: Ground::new(config, heights), equipment }
    }
}

/// Returns the loss between two positions, dB, including antenna gains and system loss except with a fixed
/// range. `distance` is the distance between them, metres.
#[inline]
pub(super) fn loss(config: &Config, level: &Level, distance: f64, from: Position, to: Position) -> f64 {
    let equipment = level.equipment;
    let heights = [from.z + config.antenna_height, to.z + config.antenna_height];
    let d = distance.max(config.minimum_distance);
    match config.loss {
        PathLoss::Friis => equipment + free_space(config, d),
        PathLoss::TwoRayGround => {
            let ground = if heights == level.heights { level.ground } else { Ground::new(config, heights) };
            if d <= ground.crossover {
                return equipment + free_space(config, d);
            }
            equipment + 40.0 * log10(d) - ground.gain
        }
        PathLoss::LogDistance(LogDistance { exponent, reference_distance, reference_loss }) => {
            let reference = reference_loss.unwrap_or_else(|| free_space(config, reference_distance));
            equipment + reference + 10.0 * exponent * log10((distance / reference_distance).max(1.0))
        }
        PathLoss::Range(Range { range }) if distance <= range => 0.0,
        PathLoss::Range(_) => f64::INFINITY,
        PathLoss::OkumuraHata(OkumuraHata { environment, city }) => {
            equipment + hata(config, d, heights, environment, city)
        }
        PathLoss::Cost231Hata(Cost231Hata { city }) => equipment + cost231(config, d, heights, city),
    }
}

/// Returns the crossover distance of the two-ray ground model, metres, at which both of its formulas give the
/// same power.
fn crossover(config: &Config, heights: [f64; 2]) -> f64 {
    4.0 * std::f64::consts::PI * heights[0] * heights[1] / config.wavelength()
}

/// Returns the free-space loss by Friis' formula, `20 log10(4 pi d / wavelength)`, dB.
fn free_space(config: &Config, distance: f64) -> f64 {
    20.0 * log10(4.0 * std::f64::consts::PI * distance / config.wavelength())
}

/// Terms that Hata's formula and its extension by COST 231 have in common, without constant and frequency
/// factor. Antenna heights below 1 m count as 1 m, because the logarithms of smaller heights would dominate
/// the loss.
struct Terms {
    /// log10 of the frequency in MHz.
    frequency: f64,
    /// log10 of the base station's antenna height in metres.
    base: f64,
    /// Correction for the mobile station's antenna height, dB.
    mobile: f64,
    /// log10 of the distance in km.
    distance: f64,
}

impl Terms {
    /// Computes the terms; the higher of the two antennas is that of the base station.
    fn new(config: &Config, distance: f64, heights: [f64; 2], city: City) -> Self {
        let mhz = config.frequency / 1e6;
        let frequency = log10(mhz);
        let base = heights[0].max(heights[1]).max(1.0);
        let mobile = heights[0].min(heights[1]).max(1.0);
        let square = |x: f64| x * x;
        let correction = match city {
            City::Small => (1.1 * frequency - 0.7) * mobile - (1.56 * frequency - 0.8),
            City::Large if mhz <= 300.0 => 8.29 * square(log10(1.54 * mobile)) - 1.1,
            City::Large => 3.2 * square(log10(11.75 * mobile)) - 4.97,
        };
        Self { frequency, base: log10(base), mobile: correction, distance: log10(distance / 1e3) }
    }

    fn total(&self, constant: f64, factor: f64) -> f64 {
        constant + factor * self.frequency - 13.82 * self.base - self.mobile
            + (44.9 - 6.55 * self.base) * self.distance
    }
}

/// Returns the loss of Hata's model (1980) in urban, suburban or open areas, dB.
fn hata(config: &Config, distance: f64, heights: [f64; 2], environment: Environment, city: City) -> f64 {
    let terms = Terms::new(config, distance, heights, city);
    let urban = terms.total(69.55, 26.16);
    match environment {
        Environment::Urban => urban,
        Environment::Suburban => {
            let x = log10(config.frequency / 28e6);
            urban - 2.0 * x * x - 5.4
        }
        Environment::Open => {
            urban - 4.78 * terms.frequency * terms.frequency + 18.33 * terms.frequency - 40.94
        }
    }
}

/// Returns the loss of the COST 231 Hata model (final report, section 4.4.1), dB. The correction for the
/// mobile station's height is that of a small city for every size of city.
fn cost231(config: &Config, distance: f64, heights: [f64; 2], city: City) -> f64 {
    let centre = if city == City::Large { 3.0 } else { 0.0 };
    Terms::new(config, distance, heights, City::Small).total(46.3, 33.9) + centre
}
