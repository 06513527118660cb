//! The two traits of a loss model: its settings, and the model at work.

use super::hold::Hold;
use base::{Packet, Rng};
use settings::{Choice, Error};

/// Place on a link where packets are lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Place {
    /// before the queue: a lost packet takes no place and no transmission time
    Entry,
    /// after the queue: a lost packet has been transmitted
    Wire,
}

/// Settings of a loss model.
pub trait LossSettings {
    /// The model at work.
    type Model: Lose;

    /// Fills in derived values.
    ///
    /// # Errors
    /// If settings do not go together, with the path relative to the model's table.
    fn complete(&mut self, _at: Place) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the flow whose packets alone are counted, by its position; `None` if all packets are.
    fn flow(&self) -> Option<usize> {
        None
    }

    /// Returns what holds packets up instead of losing them, if the settings ask for that.
    fn hold(&self) -> Option<Hold> {
        None
    }

    /// Creates the model before its first packet; it draws from `rng` alone.
    fn build(&self, rng: Rng) -> Self::Model;
}

/// A loss model with its state.
pub trait Lose {
    /// Returns true if `packet`, arriving now, is lost.
    fn lose(&mut self, packet: &Packet) -> bool;
}
