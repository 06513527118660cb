//! The record of a user-defined congestion control.

use settings::Settings;

/// A user-defined congestion control, as it was when the scenario was read.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "control")]
pub struct OwnControl {
    /// Its name in variants.
    #[setting(needed = "what variants call it: name = \"./mine.py:Mine\"")]
    pub name: String,
    /// SHA-256 of its source, hexadecimal.
    #[setting(needed = "the hash of its source")]
    pub sha256: String,
    /// Its source: for the record, never run.
    #[setting(absent = "not known")]
    pub source: Option<String>,
}
