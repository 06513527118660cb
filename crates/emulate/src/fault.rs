//! Errors of an emulation.

use sim::RunError;
use std::fmt;

/// The reason why an emulation cannot begin or continue.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// A device or a namespace cannot be used; the text names it and the reason.
    Device(String),
    /// The run has failed.
    Run(RunError),
}

impl Fault {
    /// Creates a fault of a device; `what` names what failed.
    #[cfg(target_os = "linux")]
    pub(crate) fn of(what: &str, why: impl fmt::Display) -> Self {
        Self::Device(format!("{what}: {why}"))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(why) => f.write_str(why),
            Self::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Fault {}

impl From<RunError> for Fault {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}
