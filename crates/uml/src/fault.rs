//! The reason why a guest cannot continue.

use std::fmt;

/// Longest wait for a message of a guest, seconds of wall-clock time.
pub const PATIENCE: u32 = 60;

/// Reason why a guest was not booted, or cannot continue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault(pub String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// Creates a fault from an error `why`; `what` names the action or thing that failed.
    pub(crate) fn of(what: &str, why: impl fmt::Display) -> Self {
        Self(format!("{what}: {why}"))
    }
}
