//! Random loss: each packet is lost independently with a given probability.

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
    /// Acknowledgments are never lost.
    #[setting(default = false)]
    pub spare_acks: bool,
}

/// State of random losses. The model draws once for every packet that it may lose, lost or not, so that two
/// variants with the same seed see the same draws.
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
