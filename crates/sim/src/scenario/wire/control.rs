//! Record of a user-defined congestion control.

use settings::Settings;

/// User-defined congestion control, as it was when the scenario was read.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(named = "control")]
pub struct OwnControl {
    /// Name of the control, as variants give it.
    #[setting(needed = "what variants call it: name = \"./mine.py:Mine\"")]
    pub name: String,
    /// SHA-256 of the control's source, hexadecimal.
    #[setting(needed = "the hash of its source")]
    pub sha256: String,
    /// Source of the control, kept as a record; it is never run from here.
    #[setting(absent = "not known")]
    pub source: Option<String>,
}
