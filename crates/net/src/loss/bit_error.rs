//! Bit errors: each bit by itself with a probability; one wrong bit loses the packet.
//!
//! A packet is lost with probability `1 - (1 - rate)^(8 bytes)`, its headers included.

use super::model::{Lose, LossSettings};
use crate::impairment::RATE;
use base::{Packet, Rng};
use settings::{Probability, Settings};

/// Settings of bit errors.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Probability that a bit is wrong.
    #[setting(needed = RATE, form = Probability)]
    pub rate: f64,
}

/// The model with its state.
#[derive(Clone, Debug)]
pub struct BitError {
    rate: f64,
    rng: Rng,
}

impl LossSettings for Config {
    type Model = BitError;

    fn build(&self, rng: Rng) -> BitError {
        BitError { rate: self.rate, rng }
    }
}

impl Lose for BitError {
    fn lose(&mut self, packet: &Packet) -> bool {
        let bits = 8.0 * f64::from(packet.wire);
        let intact = libm::exp(bits * libm::log1p(-self.rate));
        self.rng.uniform() >= intact
    }
}
