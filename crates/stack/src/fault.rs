//! Violations of the contract.

use crate::contract::Side;
use base::Instant;
use std::fmt;

/// A violation of the contract by an end, after which the stack is not called again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Name of the stack.
    pub stack: &'static str,
    /// End that violated the contract.
    pub side: Side,
    /// Time of the violation.
    pub at: Instant,
    /// Description of the violation.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stack, side, at, message } = self;
        let seconds = at.since(Instant::ZERO).secs();
        write!(f, "the {} of stack {stack} at {seconds} s: {message}", side.name())
    }
}

impl std::error::Error for Fault {}
