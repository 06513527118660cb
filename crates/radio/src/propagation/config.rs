//! Settings of propagation.

use super::loss::{LogDistance, PathLoss};
use crate::quantity::Frequency;
use settings::table::holds;
use settings::{Error, Settings};

/// Speed of light in vacuum, m/s.
pub const LIGHT_SPEED: f64 = 299_792_458.0;

/// Largest gain or loss, dB.
const LARGEST: f64 = 300.0;
/// Bounds of settings that must be above zero.
const POSITIVE: std::ops::RangeInclusive<f64> = f64::MIN_POSITIVE..=1e10;

/// Settings of the propagation between senders and receivers.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Path loss model: how the mean received power decreases with distance.
    #[setting(name = "propagation", default = PathLoss::Friis)]
    pub loss: PathLoss,
    /// Carrier frequency.
    #[setting(default = 5.15e9, form = Frequency)]
    pub frequency: f64,
    /// Antenna gain of senders, dB.
    #[setting(default = 0.0, range = -LARGEST..=LARGEST)]
    pub tx_gain: f64,
    /// Antenna gain of receivers, dB.
    #[setting(default = 0.0, range = -LARGEST..=LARGEST)]
    pub rx_gain: f64,
    /// Losses in the equipment of both sides, dB. With a fixed range neither these nor the antenna gains
    /// apply.
    #[setting(default = 0.0, range = -LARGEST..=LARGEST)]
    pub system_loss: f64,
    /// Height of antennas above the positions of their stations, metres.
    #[setting(default = 0.0, range = 0.0..=1e7)]
    pub antenna_height: f64,
    /// Smallest distance used in path loss formulas, metres; shorter distances count as this one, because the
    /// formulas diverge at 0.
    #[setting(default = 0.5, range = POSITIVE)]
    pub minimum_distance: f64,
    /// Speed of light, m/s; ns-2 uses 3e8.
    #[setting(default = LIGHT_SPEED, range = 1e6..=1e18, allowed = "m/s, at least 1e6", value = "number, at least 1e6")]
    pub light_speed: f64,
    /// Standard deviation of log-normal shadowing, dB. Each pair of stations keeps its shadowing for the
    /// whole run.
    #[setting(default = 0.0, range = 0.0..=LARGEST)]
    pub shadowing: f64,
}

impl Config {
    /// Returns the default radio of ns-2: two-ray ground at 914 MHz, antennas 1.5 m high.
    pub fn ns2() -> Self {
        Self {
            loss: PathLoss::TwoRayGround,
            frequency: 914e6,
            antenna_height: 1.5,
            light_speed: 3e8,
            ..Self::default()
        }
    }

    /// Returns the default radio of ns-3: log-distance with exponent 3 and a loss of 46.6777 dB at 1 m.
    pub fn ns3() -> Self {
        let loss = LogDistance { reference_loss: Some(46.6777), ..LogDistance::default() };
        Self { loss: PathLoss::LogDistance(loss), ..Self::default() }
    }

    /// Checks each setting, and settings against each other.
    pub fn check(&self) -> Result<(), Error> {
        holds(self)?;
        if self.loss == PathLoss::TwoRayGround && self.antenna_height == 0.0 {
            return Err(Error::new("antenna_height", "two-ray ground needs antennas above the ground")
                .allowed("metres, above 0"));
        }
        Ok(())
    }

    /// Returns the wavelength, metres.
    pub fn wavelength(&self) -> f64 {
        self.light_speed / self.frequency
    }
}
