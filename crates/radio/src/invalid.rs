//! What is wrong with a value that a user gave.

use std::fmt;

/// A value that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// The field that has it, as the configuration names it.
    pub field: &'static str,
    /// What is wrong, and what is allowed.
    pub problem: String,
}

impl Invalid {
    pub(crate) fn new(field: &'static str, problem: &str) -> Self {
        Self { field, problem: problem.to_owned() }
    }

    pub(crate) fn unless_at_least(field: &'static str, value: f64, least: f64) -> Result<(), Self> {
        if value.is_finite() && value >= least {
            return Ok(());
        }
        Err(Self { field, problem: format!("{value} is not a number from {least} on") })
    }

    pub(crate) fn unless_above_zero(field: &'static str, value: f64) -> Result<(), Self> {
        if value.is_finite() && value > 0.0 {
            return Ok(());
        }
        Err(Self { field, problem: format!("{value} is not a number above 0") })
    }

    /// A range from a least to a greatest value, the least not below zero.
    pub(crate) fn unless_range(field: &'static str, [least, greatest]: [f64; 2]) -> Result<(), Self> {
        Self::unless_at_least(field, least, 0.0)?;
        if greatest.is_finite() && greatest >= least {
            return Ok(());
        }
        Err(Self { field, problem: format!("{least} to {greatest} is not a range") })
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.problem)
    }
}

impl std::error::Error for Invalid {}
