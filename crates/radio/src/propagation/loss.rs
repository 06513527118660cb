//! Path loss models: how the mean power falls with distance.

/// How the mean power falls with distance. Distances in metres, losses in dB.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PathLoss {
    /// Free space.
    Friis,
    /// Free space up to the crossover distance, then a ground reflection that cancels: the fourth power of distance.
    TwoRayGround,
    /// A power of distance.
    LogDistance {
        /// Path loss exponent: 2 in free space, 2.7-3.5 in cities, 4-6 inside buildings.
        exponent: f64,
        /// Where the reference loss is taken, metres.
        reference_distance: f64,
        /// Loss there, dB; `None`: that of free space.
        reference_loss: Option<f64>,
    },
    /// All of the power up to a distance, nothing beyond.
    Range {
        /// The distance, metres.
        range: f64,
    },
    /// Hata's formulas for Okumura's measurements, 150-1500 MHz.
    OkumuraHata {
        /// What surrounds the mobile station.
        environment: Environment,
        /// Size of the city.
        city: City,
    },
    /// The European extension of Hata's urban formula to 1500-2000 MHz.
    Cost231Hata {
        /// Size of the city; 3 dB more in the centre of a large one.
        city: City,
    },
}

/// What surrounds a mobile station in Okumura's measurements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Environment {
    /// Built up.
    #[default]
    Urban,
    /// Villages and highways scattered with trees and houses.
    Suburban,
    /// No obstacles: farmland, open fields.
    Open,
}

/// Size of a city in Hata's correction for the mobile's height.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum City {
    /// Large: buildings higher than 15 m.
    #[default]
    Large,
    /// Medium or small.
    Small,
}
