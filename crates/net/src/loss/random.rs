//! Random loss: each packet by itself with a probability.

use super::model::{Lose, LossSettings};
use crate::impairment::RATE;
use base::{Packet, Rng};
use settings::{Probability, Settings};

/// Settings of random losses.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Probability that a packet is lost.
    #[setting(needed = RATE, form = Probability)]
    pub rate: f64,
    /// Spares acknowledgments.
    #[setting(default = false)]
    pub spare_acks: bool,
}

/// The model at work. It draws once for every packet that it may lose, so that two variants on one seed meet the same draws.
#[derive(Clone, Debug)]
pub struct Random {
    rate: f64,
    spare_acks: bool,
    rng: Rng,
}

impl LossSettings for Config {
    type Model = Random;

    fn build(&self, rng: Rng) -> Random {
        Random { rate: self.rate, spare_acks: self.spare_acks, rng }
    }
}

impl Lose for Random {
    fn lose(&mut self, packet: &Packet) -> bool {
        let spared = self.spare_acks && !packet.is_forward();
        !spared && self.rng.uniform() < self.rate
    }
}
