//! How power gets from a sender to a receiver, and the quantities of radio.

use super::kinds::kinds;
use super::scalar::{Scalar, Wire, choice, wire};
use crate::scenario::decode::Refusal;
use radio::propagation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A frequency, Hz.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frequency(pub f64);

/// A power, dBm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Power(pub f64);

wire! { Frequency as "Frequency", Power as "Power" }

/// A number and what follows it.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || "+-._eE".contains(c)).trim_start();
    let digits = text[..text.len() - unit.len()].trim().replace('_', "");
    digits.parse().ok().filter(|number: &f64| number.is_finite()).map(|number| (number, unit))
}

/// The refusal of what is no quantity: a bare number lacks its unit.
fn no_quantity<T: Wire>(given: &Scalar<'_>, usual: &str) -> Refusal {
    match given {
        Scalar::Integer(_) | Scalar::Number(_) => {
            let message = format!("`{given}` needs a unit: write for example \"{given}{usual}\"");
            Refusal::new(message, T::EXPECTED)
        }
        _ => Refusal::new(format!("{given} does not belong here"), T::EXPECTED),
    }
}

impl Wire for Frequency {
    const EXPECTED: &'static str = "a frequency with its unit, like \"2.4GHz\" (Hz, kHz, MHz, GHz)";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        let Scalar::Text(text) = given else { return Err(no_quantity::<Self>(given, "MHz")) };
        let hertz = split(text).and_then(|(number, unit)| {
            let scale = match unit {
                "Hz" => 1.0,
                "kHz" => 1e3,
                "MHz" => 1e6,
                "GHz" => 1e9,
                _ => return None,
            };
            Some(number * scale)
        });
        let hertz = hertz.ok_or_else(|| no_quantity::<Self>(given, "MHz"))?;
        if (1e6..=1e12).contains(&hertz) {
            return Ok(Self(hertz));
        }
        Err(Refusal::new("out of range", "a frequency from \"1MHz\" to \"1000GHz\""))
    }

    fn write(&self) -> Value {
        let mega = self.0 / 1e6;
        // The shortest spelling that reads back as the same number.
        let spelled = if mega * 1e6 == self.0 { format!("{mega}MHz") } else { format!("{}Hz", self.0) };
        spelled.into()
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": r"^\s*[0-9._+eE-]+\s*(Hz|kHz|MHz|GHz)\s*$", "examples": ["2.4GHz"] })
    }
}

impl Wire for Power {
    const EXPECTED: &'static str = "a power with its unit, like \"16dBm\" or \"100mW\" (dBm, nW, uW, mW, W)";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        let Scalar::Text(text) = given else { return Err(no_quantity::<Self>(given, "dBm")) };
        let refusal = || no_quantity::<Self>(given, "dBm");
        let (number, unit) = split(text).ok_or_else(refusal)?;
        let milliwatts = match unit {
            "dBm" => 0.0,
            "nW" => 1e-6,
            "uW" | "µW" => 1e-3,
            "mW" => 1.0,
            "W" => 1e3,
            _ => return Err(refusal()),
        };
        let dbm = if unit == "dBm" { number } else { 10.0 * libm::log10(number * milliwatts) };
        if (-200.0..=100.0).contains(&dbm) {
            return Ok(Self(dbm));
        }
        Err(Refusal::new("out of range", "a power from \"-200dBm\" to \"100dBm\""))
    }

    fn write(&self) -> Value {
        format!("{}dBm", self.0).into()
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": r"^\s*[0-9._+eE-]+\s*(dBm|nW|uW|µW|mW|W)\s*$", "examples": ["16dBm", "100mW"] })
    }
}

kinds! {
    /// How the mean power falls with distance.
    PathLoss, "propagation" {
        /// Free space.
        "friis" => Friis(Friis),
        /// Free space up to the crossover distance, then with the fourth power of distance.
        "two-ray" => TwoRay(TwoRay),
        /// A power of distance beyond the loss at a reference.
        "log-distance" => LogDistance(LogDistance),
        /// All of the power up to a distance, nothing beyond.
        "range" => Range(Range),
        /// Hata's formulas for Okumura's measurements, 150 to 1500 MHz.
        "okumura-hata" => OkumuraHata(OkumuraHata),
        /// Their extension by COST 231, 1500 to 2000 MHz.
        "cost231" => Cost231(Cost231),
    }
}

/// Free space.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Friis {}

/// Two-ray ground.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TwoRay {}

/// Log-distance.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogDistance {
    /// Path loss exponent; default 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exponent: Option<f64>,
    /// Distance of the reference, metres; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_distance: Option<f64>,
    /// Loss there, dB; default that of free space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_loss: Option<f64>,
}

/// A fixed range.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The range, metres.
    pub range: f64,
}

/// Okumura-Hata.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OkumuraHata {
    /// What surrounds the mobile station; default "urban".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<Environment>,
    /// Size of the city; default "large".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<City>,
}

/// COST 231 Hata.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost231 {
    /// Size of the city; 3 dB more in the centre of a large one; default "large".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<City>,
}

choice! {
    /// What surrounds a mobile station.
    Environment as "Environment" for propagation::Environment {
        Urban = "urban": "built up",
        Suburban = "suburban": "villages, highways scattered with trees and houses",
        Open = "open": "no obstacles: farmland, open fields",
    }
}

choice! {
    /// Size of a city.
    City as "City" for propagation::City {
        Large = "large": "buildings higher than 15 m",
        Small = "small": "medium or small",
    }
}

kinds! {
    /// What changes from frame to frame.
    Fading, "fading" {
        /// Nothing.
        "none" => None(NoFading),
        /// No line of sight: an exponential power.
        "rayleigh" => Rayleigh(NoFading),
        /// A gamma power whose shape depends on distance.
        "nakagami" => Nakagami(Nakagami),
        /// A normal number of dB for each frame, as ns-2's shadowing has it.
        "log-normal" => LogNormal(LogNormal),
    }
}

/// Fading without parameters.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoFading {}

/// Nakagami fading.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nakagami {
    /// Shape near, farther and far; default [1.5, 0.75, 0.75], as in ns-3. 1 is Rayleigh, above 1 is better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shapes: Option<[f64; 3]>,
    /// Where farther and far begin, metres; default [80, 200].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distances: Option<[f64; 2]>,
}

/// Log-normal fading.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogNormal {
    /// Standard deviation, dB.
    pub deviation: f64,
}
