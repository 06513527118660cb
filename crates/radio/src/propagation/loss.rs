//! Path loss models: how the mean power decreases with distance.

use settings::{Choice, Kinds, Settings};

/// Path loss model: how the mean received power decreases with distance.
#[derive(Clone, Copy, PartialEq, Debug, Kinds)]
#[settings(what = "propagation")]
pub enum PathLoss {
    /// Free-space loss: the power decreases with the square of distance.
    Friis,
    /// Two-ray ground: free space up to the crossover distance, then a decrease with the fourth power of
    /// distance.
    #[setting(name = "two-ray")]
    TwoRayGround,
    /// Log-distance: the power decreases with a power of distance, from a loss at a reference distance.
    LogDistance(LogDistance),
    /// Fixed range: no loss up to a distance, no reception beyond.
    Range(Range),
    /// Hata's formulas for Okumura's measurements, 150 to 1500 MHz.
    OkumuraHata(OkumuraHata),
    /// Extension of Hata's formulas by COST 231, 1500 to 2000 MHz.
    #[setting(name = "cost231")]
    Cost231Hata(Cost231Hata),
}

/// Settings of the log-distance model.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct LogDistance {
    /// Path loss exponent: 2 in free space, 2.7 to 3.5 in cities, 4 to 6 inside buildings.
    #[setting(default = 3.0, range = 0.0..=20.0)]
    pub exponent: f64,
    /// Reference distance, metres.
    #[setting(default = 1.0, range = f64::MIN_POSITIVE..=1e10)]
    pub reference_distance: f64,
    /// Loss at the reference distance, dB.
    #[setting(range = -300.0..=300.0, absent = "that of free space")]
    pub reference_loss: Option<f64>,
}

/// Settings of the fixed-range model.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Range {
    /// Largest distance at which a signal is received, metres.
    #[setting(needed = "metres: range = 250", range = f64::MIN_POSITIVE..=1e10)]
    pub range: f64,
}

/// Settings of the Okumura-Hata model.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct OkumuraHata {
    /// Area of the mobile station.
    #[setting(default = Environment::Urban)]
    pub environment: Environment,
    /// Size of the city.
    #[setting(default = City::Large)]
    pub city: City,
}

/// Settings of the COST 231 Hata model.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Cost231Hata {
    /// Size of the city. The loss in a large city is 3 dB higher.
    #[setting(default = City::Large)]
    pub city: City,
}

/// Area of a mobile station in Okumura's measurements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Environment {
    /// built-up area
    Urban,
    /// villages, or highways with scattered trees and houses
    Suburban,
    /// open area without obstacles, such as farmland
    Open,
}

/// Size of the city, for Hata's correction for the mobile station's height.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum City {
    /// large city, with buildings higher than 15 m
    Large,
    /// medium or small city
    Small,
}
