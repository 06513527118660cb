//! Access categories of 802.11.

use super::scalar::{Time, choice};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

choice! {
    /// An access category of EDCA.
    AccessCategory as "AccessCategory" for wifi::edca::AccessCategory {
        Background = "background": "AC_BK",
        BestEffort = "best-effort": "AC_BE",
        Video = "video": "AC_VI",
        Voice = "voice": "AC_VO",
    }
}

/// EDCA: what is not given is the standard's default parameter set, with `cw_min` and `cw_max` as aCWmin and aCWmax.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edca {
    /// AC_BK.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<Access>,
    /// AC_BE.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_effort: Option<Access>,
    /// AC_VI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video: Option<Access>,
    /// AC_VO.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voice: Option<Access>,
}

/// How an access category contends for the medium.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// Slots after SIFS before the first slot of backoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 15))]
    pub aifsn: Option<u32>,
    /// Least contention window, slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cw_min: Option<u32>,
    /// Greatest contention window, slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cw_max: Option<u32>,
    /// How long it may keep the medium, "0us": for one frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub txop: Option<Time>,
}
