//! Parameters of propagation.

use super::fading::Fading;
use super::loss::PathLoss;
use crate::Invalid;

/// Speed of light in vacuum, m/s.
pub const LIGHT_SPEED: f64 = 299_792_458.0;

/// Parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// How the mean power falls with distance.
    pub loss: PathLoss,
    /// Carrier frequency, Hz.
    pub frequency: f64,
    /// Gain of the sender's antenna, dB.
    pub tx_gain: f64,
    /// Gain of the receiver's antenna, dB.
    pub rx_gain: f64,
    /// Losses of the equipment on both sides, dB. Fixed range has none.
    pub system_loss: f64,
    /// How far every antenna is above its station's place, metres.
    pub antenna_height: f64,
    /// Shorter distances count as this one in formulas that grow without bound, metres.
    pub minimum_distance: f64,
    /// Standard deviation of the log-normal shadowing that each pair of stations keeps for the run, dB; 0: none.
    pub shadowing: f64,
    /// What changes from frame to frame.
    pub fading: Fading,
    /// Speed of light in the formulas, m/s.
    pub light_speed: f64,
}

impl Default for Config {
    /// Friis at 5.15 GHz with antennas of unit gain on the ground.
    fn default() -> Self {
        Self {
            loss: PathLoss::Friis,
            frequency: 5.15e9,
            tx_gain: 0.0,
            rx_gain: 0.0,
            system_loss: 0.0,
            antenna_height: 0.0,
            minimum_distance: 0.5,
            shadowing: 0.0,
            fading: Fading::None,
            light_speed: LIGHT_SPEED,
        }
    }
}

impl Config {
    /// ns-2's usual radio: two-ray ground at 914 MHz between antennas 1.5 m high.
    pub fn ns2() -> Self {
        Self {
            loss: PathLoss::TwoRayGround,
            frequency: 914e6,
            antenna_height: 1.5,
            light_speed: 3e8,
            ..Self::default()
        }
    }

    /// ns-3's usual radio: log-distance with exponent 3 from 46.6777 dB at 1 m.
    pub fn ns3() -> Self {
        Self {
            loss: PathLoss::LogDistance {
                exponent: 3.0,
                reference_distance: 1.0,
                reference_loss: Some(46.6777),
            },
            ..Self::default()
        }
    }

    /// Whether the values make sense.
    pub fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_above_zero("frequency", self.frequency)?;
        Invalid::unless_above_zero("light_speed", self.light_speed)?;
        Invalid::unless_above_zero("minimum_distance", self.minimum_distance)?;
        Invalid::unless_at_least("antenna_height", self.antenna_height, 0.0)?;
        Invalid::unless_at_least("shadowing", self.shadowing, 0.0)?;
        for (field, value) in
            [("tx_gain", self.tx_gain), ("rx_gain", self.rx_gain), ("system_loss", self.system_loss)]
        {
            Invalid::unless_at_least(field, value, f64::MIN)?;
        }
        match self.loss {
            PathLoss::TwoRayGround => Invalid::unless_above_zero("antenna_height", self.antenna_height)?,
            PathLoss::LogDistance { exponent, reference_distance, reference_loss } => {
                Invalid::unless_at_least("exponent", exponent, 0.0)?;
                Invalid::unless_above_zero("reference_distance", reference_distance)?;
                Invalid::unless_at_least("reference_loss", reference_loss.unwrap_or(0.0), f64::MIN)?;
            }
            PathLoss::Range { range } => Invalid::unless_at_least("range", range, 0.0)?,
            PathLoss::Friis | PathLoss::OkumuraHata { .. } | PathLoss::Cost231Hata { .. } => {}
        }
        match self.fading {
            Fading::Nakagami { shapes, distances } => {
                shapes.iter().try_for_each(|shape| Invalid::unless_at_least("shapes", *shape, 0.5))?;
                Invalid::unless_range("distances", distances)
            }
            Fading::LogNormal { deviation } => Invalid::unless_at_least("deviation", deviation, 0.0),
            Fading::None | Fading::Rayleigh => Ok(()),
        }
    }

    /// The wavelength, metres.
    pub fn wavelength(&self) -> f64 {
        self.light_speed / self.frequency
    }
}
