//! Rate control of 802.11.

use super::kinds::kinds;
use super::scalar::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

kinds! {
    /// How the rate of data is chosen; `rate` or `mcs` is the fastest.
    RateControl, "rate control" {
        /// Always `rate` or `mcs`.
        "constant" => Constant(Constant),
        /// Automatic rate fallback: by attempts that succeeded or failed in a row.
        "arf" => Arf(Arf),
        /// By the ratio of signal to noise that the receiver tells.
        "ideal" => Ideal(Ideal),
        /// By what samples of all rates have brought.
        "minstrel-ht" => MinstrelHt(MinstrelHt),
    }
}

/// A constant rate.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constant {}

/// ARF.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arf {
    /// Frames acknowledged in a row that raise the rate; default 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub successes: Option<u32>,
    /// Failures in a row that lower it; default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub failures: Option<u32>,
    /// Attempts since the last change that raise it; default 15.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub timer: Option<u32>,
}

/// Ideal rate control.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ideal {
    /// The share of frames of 1500 bytes that may fail by noise; default 0.1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<f64>,
}

/// Minstrel-HT.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MinstrelHt {
    /// Time between two updates of the statistics; default "50ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Time>,
    /// Weight of the past in the mean; default 0.75.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ewma: Option<f64>,
    /// Share of packets that are samples; default 0.1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lookaround: Option<f64>,
    /// Attempts at each of the first two rates of the chain; default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub tries: Option<u32>,
}
