//! Traits of a loss model: one for its settings, one for its state.

use super::hold::Hold;
use base::{Packet, Rng};
use settings::{Choice, Error};

/// Place on a link where packets are lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Place {
    /// before the queue: a lost packet occupies neither queue nor transmitter
    Entry,
    /// after the queue: a lost packet has been transmitted
    Wire,
}

/// Settings of a loss model.
pub trait LossSettings {
    /// State of the model.
    type Model: Lose;

    /// Fills in values that follow from other settings, for a model at the place `_at`.
    ///
    /// # Errors
    /// If settings exclude each other; the error's path is relative to the model's table.
    fn complete(&mut self, _at: Place) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the position of the flow whose packets alone are counted; `None` if all packets are counted.
    fn flow(&self) -> Option<usize> {
        None
    }

    /// Returns a [`Hold`] if the settings say that packets are delayed instead of lost.
    fn hold(&self) -> Option<Hold> {
        None
    }

    /// Creates the model's state before its first packet. All its random draws come from `rng`.
    fn build(&self, rng: Rng) -> Self::Model;
}

/// State of a loss model.
pub trait Lose {
    /// Returns true if `packet`, which arrives now, is lost.
    fn lose(&mut self, packet: &Packet) -> bool;
}
