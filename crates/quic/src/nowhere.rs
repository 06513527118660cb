//! Replacement for transfers in builds without feature `endpoints`, where none can be created.

use crate::{Datagram, Log, Side, State, Table};
use base::{Instant, Rng};

/// A transfer that cannot be created.
pub enum Transfer {}

#[allow(missing_docs, reason = "the functions of the other build, none of which can be called")]
impl Transfer {
    /// Does not return.
    ///
    /// # Panics
    /// Always. Callers check [`AVAILABLE`](crate::AVAILABLE) first.
    pub fn new(_: &Table, _: Option<u64>, _: Rng) -> Self {
        unreachable!("a transfer in a build without QUIC endpoints")
    }

    pub fn log(&mut self, _: &str, _: Log, _: Log) {
        match *self {}
    }

    pub fn open(&mut self, _: Instant) {
        match *self {}
    }

    pub fn receive(&mut self, _: Instant, _: Side, _: Datagram) {
        match *self {}
    }

    pub fn on_timer(&mut self, _: Instant, _: Side) {
        match *self {}
    }

    pub fn timer(&mut self, _: Side) -> Option<Instant> {
        match *self {}
    }

    pub fn poll(&mut self, _: Instant, _: Side) -> Option<Datagram> {
        match *self {}
    }

    pub fn stop(&mut self, _: Instant) {
        match *self {}
    }

    pub fn delivered_bytes(&self) -> u64 {
        match *self {}
    }

    pub fn finished(&self) -> Option<Instant> {
        match *self {}
    }

    pub fn failed(&self) -> Option<&str> {
        match *self {}
    }

    pub fn state(&self) -> Option<State> {
        match *self {}
    }
}
