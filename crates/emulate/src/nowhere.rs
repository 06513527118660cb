//! Replacement for clock and devices on systems other than Linux, which have no network namespaces.

use crate::{Fault, Outside};
use base::{Duration, Instant};
use sim::SenderSample;
use std::path::Path;

/// Two devices that cannot be opened.
pub enum Devices {}

impl Devices {
    /// Returns an error, since there are no network namespaces here.
    ///
    /// # Errors
    /// Always.
    pub fn open(_namespaces: [&Path; 2], _device: &str) -> Result<Self, Fault> {
        Err(Fault::Device(
            "emulation runs on Linux alone: it needs network namespaces and TUN devices".to_owned(),
        ))
    }

    /// Starts the clock.
    ///
    /// # Errors
    /// Never, since there is no value of this type.
    pub fn begin(self, _command: Option<u32>, _spin: Duration) -> Result<Machine, Fault> {
        match self {}
    }
}

/// A machine; no value of this type exists.
pub enum Machine {}

impl Outside for Machine {
    fn now(&mut self) -> Instant {
        match *self {}
    }

    fn wait(&mut self, _: Instant) -> Result<(), Fault> {
        match *self {}
    }

    fn read(&mut self, _: usize) -> Result<Option<Vec<u8>>, Fault> {
        match *self {}
    }

    fn write(&mut self, _: usize, _: &[u8]) -> Result<bool, Fault> {
        match *self {}
    }

    fn senders(&mut self, _: usize) -> Vec<SenderSample> {
        match *self {}
    }

    fn has_ended(&mut self) -> bool {
        match *self {}
    }
}
