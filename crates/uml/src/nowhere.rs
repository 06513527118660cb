//! Replacement for guests on systems other than Linux, where no guest can be booted.

use crate::Fault;
use crate::errand::Errand;

/// A guest; no value of this type exists.
pub(crate) enum Guest {}

impl Guest {
    /// Returns an error, since no guest can be booted here.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn boot(errand: &Errand) -> Result<Self, Fault> {
        let (seed, words) = (errand.seed, errand.words().join(" "));
        Err(Fault(format!("the kernel runs on Linux (x86-64) alone, not here (for {words}, seed {seed})")))
    }

    pub(crate) fn run(&mut self, _: u64) -> Result<(), Fault> {
        match *self {}
    }

    pub(crate) fn deliver(&mut self, _: u64, _: usize, _: &[u8]) -> Result<(), Fault> {
        match *self {}
    }

    pub(crate) fn next(&self) -> Result<Option<u64>, Fault> {
        match *self {}
    }

    pub(crate) fn sent(&mut self) -> Option<(usize, Vec<u8>)> {
        match *self {}
    }
}
