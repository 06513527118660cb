//! Settings of propagation.

use super::loss::{LogDistance, PathLoss};
use crate::quantity::Frequency;
use settings::table::holds;
use settings::{Error, Settings};

/// Speed of light in vacuum, m/s.
pub const LIGHT_SPEED: f64 = 299_792_458.0;

/// The greatest gain or loss, dB.
const LARGEST: f64 = 300.0;
/// Numbers above zero.
const POSITIVE: std::ops::RangeInclusive<f64> = f64::MIN_POSITIVE..=1e10;

/// Propagation from a sender to a receiver.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Decrease of the mean power with distance.
    #[setting(name = "propagation", default = PathLoss::Friis)]
    pub loss: PathLoss,
    /// Carrier frequency.
    #[setting(default = 5.15e9, form = Frequency)]
    pub frequency: f64,
    /// Gain of senders' antennas, dB.
    #[setting(default = 0.0, range = -LARGEST..=LARGEST)]
    pub tx_gain: f64,
    /// Gain of receivers' antennas, dB.
    #[setting(default = 0.0, range = -LARGEST..=LARGEST)]
    pub rx_gain: f64,
    /// Losses of the equipment on both sides, dB; a fixed range has none.
    #[setting(default = 0.0, range = -LARGEST..=LARGEST)]
    pub system_loss: f64,
    /// Height of every antenna above its station's place, metres.
    #[setting(default = 0.0, range = 0.0..=1e7)]
    pub antenna_height: f64,
    /// Shorter distances count as this one in formulas that grow without bound, metres.
    #[setting(default = 0.5, range = POSITIVE)]
    pub minimum_distance: f64,
    /// Speed of light in the formulas, m/s; ns-2 has 3e8.
    #[setting(default = LIGHT_SPEED, range = 1e6..=1e18, allowed = "m/s, at least 1e6", value = "number, at least 1e6")]
    pub light_speed: f64,
    /// Standard deviation of the log-normal shadowing that each pair of stations keeps for the run, dB.
    #[setting(default = 0.0, range = 0.0..=LARGEST)]
    pub shadowing: f64,
}

impl Config {
    /// Returns ns-2's usual radio: two-ray ground at 914 MHz between antennas 1.5 m high.
    pub fn ns2() -> Self {
        Self {
            loss: PathLoss::TwoRayGround,
            frequency: 914e6,
            antenna_height: 1.5,
            light_speed: 3e8,
            ..Self::default()
        }
    }

    /// Returns ns-3's usual radio: log-distance with exponent 3 from 46.6777 dB at 1 m.
    pub fn ns3() -> Self {
        let loss = LogDistance { reference_loss: Some(46.6777), ..LogDistance::default() };
        Self { loss: PathLoss::LogDistance(loss), ..Self::default() }
    }

    /// Checks the values, each by itself and together.
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
