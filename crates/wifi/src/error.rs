//! Why a configuration cannot be.

use base::Duration;

/// Why a configuration cannot be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// The field, as `mac.cw_min`.
    pub field: &'static str,
    /// What is wrong, and what is allowed; one line.
    pub message: String,
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for ConfigError {}

/// An error about `field` if `right` is false.
pub(crate) fn need(field: &'static str, right: bool, message: &str) -> Result<(), ConfigError> {
    if right { Ok(()) } else { Err(ConfigError { field, message: message.to_owned() }) }
}

/// An error about `field` if a time is zero.
pub(crate) fn need_time(field: &'static str, time: Duration) -> Result<(), ConfigError> {
    need(field, !time.is_zero(), "longer than zero")
}
