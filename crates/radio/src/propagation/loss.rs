//! Path loss models: how the mean power falls with distance.

use settings::{Choice, Kinds, Settings};

/// Decrease of the mean power with distance. Distances in metres, losses in dB.
#[derive(Clone, Copy, PartialEq, Debug, Kinds)]
#[settings(what = "propagation")]
pub enum PathLoss {
    /// Free space.
    Friis,
    /// Free space up to the crossover distance, then with the fourth power of distance.
    #[setting(name = "two-ray")]
    TwoRayGround,
    /// A power of distance beyond the loss at a reference.
    LogDistance(LogDistance),
    /// All of the power up to a distance, nothing beyond.
    Range(Range),
    /// Hata's formulas for Okumura's measurements, 150 to 1500 MHz.
    OkumuraHata(OkumuraHata),
    /// Their extension by COST 231, 1500 to 2000 MHz.
    #[setting(name = "cost231")]
    Cost231Hata(Cost231Hata),
}

/// A power of distance.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct LogDistance {
    /// Path loss exponent: 2 in free space, 2.7 to 3.5 in cities, 4 to 6 inside buildings.
    #[setting(default = 3.0, range = 0.0..=20.0)]
    pub exponent: f64,
    /// Distance of the reference, metres.
    #[setting(default = 1.0, range = f64::MIN_POSITIVE..=1e10)]
    pub reference_distance: f64,
    /// Loss there, dB.
    #[setting(range = -300.0..=300.0, absent = "that of free space")]
    pub reference_loss: Option<f64>,
}

/// A fixed range.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Range {
    /// The range, metres.
    #[setting(needed = "metres: range = 250", range = f64::MIN_POSITIVE..=1e10)]
    pub range: f64,
}

/// Okumura's measurements.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct OkumuraHata {
    /// Surroundings of the mobile station.
    #[setting(default = Environment::Urban)]
    pub environment: Environment,
    /// Size of the city.
    #[setting(default = City::Large)]
    pub city: City,
}

/// The European extension of Hata's urban formula.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Cost231Hata {
    /// Size of the city; 3 dB more in the centre of a large one.
    #[setting(default = City::Large)]
    pub city: City,
}

/// Surroundings of a mobile station in Okumura's measurements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Environment {
    /// built up
    Urban,
    /// villages, highways scattered with trees and houses
    Suburban,
    /// no obstacles: farmland, open fields
    Open,
}

/// Size of a city in Hata's correction for the mobile's height.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum City {
    /// buildings higher than 15 m
    Large,
    /// medium or small
    Small,
}
