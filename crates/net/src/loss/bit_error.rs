//! Bit errors: each bit is wrong independently with a given probability, and one wrong bit loses the packet.
//!
//! A packet of n bytes, headers included, is lost with probability `1 - (1 - rate)^(8 n)`.

use super::model::{Lose, LossSettings};
use crate::impairment::RATE;
use base::{Packet, Rng};
use settings::{Probability, Settings};

/// Settings of bit errors.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Probability that a bit is wrong (bit error rate).
    #[setting(needed = RATE, form = Probability)]
    pub rate: f64,
}

/// State of the bit-error model.
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
