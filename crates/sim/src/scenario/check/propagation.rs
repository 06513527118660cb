//! How power gets from a sender to a receiver.

use crate::scenario::ScenarioError;
use crate::scenario::wire::propagation::{self as wire, Fading, Frequency, PathLoss};
use radio::propagation;

/// The greatest gain or loss, dB.
const LARGEST: f64 = 300.0;

/// A number of dB within bounds.
pub fn decibels(value: f64, path: &str) -> Result<f64, ScenarioError> {
    if value.abs() <= LARGEST {
        return Ok(value);
    }
    Err(ScenarioError::new(path, "out of range").allowed("decibels, at most 300"))
}

/// A number above zero within bounds.
pub fn positive(value: f64, unit: &str, path: &str) -> Result<f64, ScenarioError> {
    if value > 0.0 && value <= 1e10 {
        return Ok(value);
    }
    Err(ScenarioError::new(path, "out of range").allowed(format!("{unit}, above 0")))
}

/// A number from zero on within bounds.
pub fn not_negative(value: f64, unit: &str, path: &str) -> Result<f64, ScenarioError> {
    if (0.0..=1e7).contains(&value) {
        return Ok(value);
    }
    Err(ScenarioError::new(path, "out of range").allowed(format!("{unit}, 0 or more")))
}

/// A path loss model.
fn path_loss(given: &PathLoss, path: &str) -> Result<propagation::PathLoss, ScenarioError> {
    let at = |key: &str| format!("{path}.{key}");
    Ok(match given {
        PathLoss::Friis(_) => propagation::PathLoss::Friis,
        PathLoss::TwoRay(_) => propagation::PathLoss::TwoRayGround,
        PathLoss::LogDistance(model) => {
            let exponent = model.exponent.unwrap_or(3.0);
            if !(0.0..=20.0).contains(&exponent) {
                return Err(ScenarioError::new(at("exponent"), "out of range").allowed("0 to 20"));
            }
            let distance = model.reference_distance.unwrap_or(1.0);
            let reference_distance = positive(distance, "metres", &at("reference_distance"))?;
            let reference_loss =
                model.reference_loss.map(|loss| decibels(loss, &at("reference_loss"))).transpose()?;
            propagation::PathLoss::LogDistance { exponent, reference_distance, reference_loss }
        }
        PathLoss::Range(model) => {
            propagation::PathLoss::Range { range: positive(model.range, "metres", &at("range"))? }
        }
        PathLoss::OkumuraHata(model) => propagation::PathLoss::OkumuraHata {
            environment: model.environment.map_or_else(Default::default, |e| e.0),
            city: model.city.map_or_else(Default::default, |c| c.0),
        },
        PathLoss::Cost231(model) => {
            propagation::PathLoss::Cost231Hata { city: model.city.map_or_else(Default::default, |c| c.0) }
        }
    })
}

/// A fading model.
pub fn fading(given: &Fading, path: &str) -> Result<propagation::Fading, ScenarioError> {
    Ok(match given {
        Fading::None(_) => propagation::Fading::None,
        Fading::Rayleigh(_) => propagation::Fading::Rayleigh,
        Fading::Nakagami(wire::Nakagami { shapes, distances }) => {
            let shapes = shapes.unwrap_or([1.5, 0.75, 0.75]);
            let distances = distances.unwrap_or([80.0, 200.0]);
            if shapes.iter().any(|m| !(0.5..=1000.0).contains(m)) {
                let path = format!("{path}.shapes");
                return Err(ScenarioError::new(path, "out of range").allowed("each 0.5 to 1000"));
            }
            if !(0.0 <= distances[0] && distances[0] <= distances[1]) {
                let path = format!("{path}.distances");
                return Err(ScenarioError::new(path, "the lesser distance comes first").allowed("metres"));
            }
            propagation::Fading::Nakagami { shapes, distances }
        }
        Fading::LogNormal(model) => {
            let deviation = not_negative(model.deviation, "decibels", &format!("{path}.deviation"))?;
            propagation::Fading::LogNormal { deviation: decibels(deviation, &format!("{path}.deviation"))? }
        }
    })
}

/// What a network's table says of its channel.
pub struct ChannelKeys<'a> {
    /// How the mean power falls with distance.
    pub propagation: Option<&'a PathLoss>,
    /// Carrier frequency.
    pub frequency: Option<Frequency>,
    /// Keys and values of gains and losses, dB.
    pub gains: [(&'static str, Option<f64>); 3],
    /// Standard deviation of shadowing, dB.
    pub shadowing: Option<f64>,
    /// Metres.
    pub antenna_height: Option<f64>,
    /// Metres.
    pub minimum_distance: Option<f64>,
    /// m/s.
    pub light_speed: Option<f64>,
}

/// What the table `$given` of a network says of its channel: the keys are the same in all.
macro_rules! channel_keys {
    ($given:expr) => {
        $crate::scenario::check::propagation::ChannelKeys {
            propagation: $given.propagation.as_ref(),
            frequency: $given.frequency,
            gains: [
                ("tx_gain", $given.tx_gain),
                ("rx_gain", $given.rx_gain),
                ("system_loss", $given.system_loss),
            ],
            shadowing: $given.shadowing,
            antenna_height: $given.antenna_height,
            minimum_distance: $given.minimum_distance,
            light_speed: $given.light_speed,
        }
    };
}
pub(super) use channel_keys;

/// Lays what is given over `config`; `path` is the network's.
pub fn lay_channel(
    given: &ChannelKeys<'_>,
    path: &str,
    config: &mut propagation::Config,
) -> Result<(), ScenarioError> {
    let at = |key: &str| format!("{path}.{key}");
    if let Some(model) = given.propagation {
        config.loss = path_loss(model, &at("propagation"))?;
    }
    if let Some(frequency) = given.frequency {
        config.frequency = frequency.0;
    }
    let targets = [&mut config.tx_gain, &mut config.rx_gain, &mut config.system_loss];
    for ((key, value), target) in given.gains.iter().zip(targets) {
        if let Some(value) = value {
            *target = decibels(*value, &at(key))?;
        }
    }
    if let Some(value) = given.shadowing {
        config.shadowing = not_negative(decibels(value, &at("shadowing"))?, "decibels", &at("shadowing"))?;
    }
    if let Some(value) = given.antenna_height {
        config.antenna_height = not_negative(value, "metres", &at("antenna_height"))?;
    }
    if let Some(value) = given.minimum_distance {
        config.minimum_distance = positive(value, "metres", &at("minimum_distance"))?;
    }
    if let Some(value) = given.light_speed {
        config.light_speed = positive(value, "metres a second", &at("light_speed"))?;
    }
    config.check().map_err(|e| {
        let key = match e.field {
            "exponent" | "reference_distance" | "reference_loss" | "range" => {
                format!("propagation.{}", e.field)
            }
            field => field.to_owned(),
        };
        ScenarioError::new(at(&key), e.problem)
    })
}
