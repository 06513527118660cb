//! The Gilbert-Elliott model: random loss in bursts (Gilbert, Bell System Technical Journal 39, 1960; Elliott, 42, 1963).
//!
//! The model has two states, good and bad. Before each packet but the first, the state changes from good to
//! bad with probability `p`, and from bad to good with probability `r`. The packet is then lost with the
//! probability of the current state. Gilbert's model has no loss in the good state. If, in addition, every
//! packet is lost in the bad state, the length of bursts is geometric with mean `1 / r`.
//!
//! Share of packets lost: `(loss_good r + loss_bad p) / (p + r)`. The first state is drawn from the
//! stationary distribution, so that this share holds from the start. Left out: time. The state changes per
//! packet, as it does per bit in the papers, however long a link is idle. Validated: loss rate and burst
//! lengths against these formulas.

use super::model::{Lose, LossSettings};
use base::{Packet, Rng};
use settings::{Probability, Settings};

/// Settings of the Gilbert-Elliott model.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Config {
    /// Probability per packet that the state changes from good to bad.
    #[setting(needed = "the probability that the state becomes bad: p = 0.01", form = Probability)]
    pub p: f64,
    /// Probability per packet that the state changes from bad to good. The bad state lasts for 1 / r packets
    /// on average.
    #[setting(needed = "the probability that the state becomes good: r = 0.25", form = Probability)]
    pub r: f64,
    /// Probability that a packet is lost in the good state.
    #[setting(default = 0.0, form = Probability)]
    pub loss_good: f64,
    /// Probability that a packet is lost in the bad state.
    #[setting(default = 1.0, form = Probability)]
    pub loss_bad: f64,
}

impl Config {
    /// Returns the stationary probability of the bad state; 0 if the state never changes.
    pub fn share_bad(&self) -> f64 {
        if self.p + self.r > 0.0 { self.p / (self.p + self.r) } else { 0.0 }
    }
}

/// State of the Gilbert-Elliott model.
#[derive(Clone, Debug)]
pub struct GilbertElliott {
    config: Config,
    bad: bool,
    rng: Rng,
}

impl GilbertElliott {
    /// Creates the model and draws the first state.
    pub fn new(config: Config, mut rng: Rng) -> Self {
        let bad = rng.uniform() < config.share_bad();
        Self { config, bad, rng }
    }

    /// Returns true if the next packet is lost; the state then changes for the packet behind it.
    pub fn lose_next(&mut self) -> bool {
        let Config { p, r, loss_good, loss_bad } = self.config;
        let lost = self.rng.uniform() < if self.bad { loss_bad } else { loss_good };
        let change = self.rng.uniform() < if self.bad { r } else { p };
        self.bad ^= change;
        lost
    }
}

impl LossSettings for Config {
    type Model = GilbertElliott;

    fn build(&self, rng: Rng) -> GilbertElliott {
        GilbertElliott::new(*self, rng)
    }
}

impl Lose for GilbertElliott {
    fn lose(&mut self, _: &Packet) -> bool {
        self.lose_next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns, over a million packets, the loss rate, the mean length of bursts in packets, and the share of bursts of one packet.
    fn measure(config: Config) -> (f64, f64, f64) {
        let mut model = GilbertElliott::new(config, Rng::stream(1, "gilbert-elliott"));
        let (mut lost, mut bursts, mut single, mut burst) = (0u32, 0u32, 0u32, 0u32);
        for _ in 0..1_000_000 {
            if model.lose_next() {
                burst += 1;
            } else if burst > 0 {
                lost += burst;
                bursts += 1;
                single += u32::from(burst == 1);
                burst = 0;
            }
        }
        let share = |n: u32| f64::from(n) / f64::from(bursts);
        (f64::from(lost) / 1e6, share(lost), share(single))
    }

    #[test]
    fn loss_rate_and_burst_lengths() {
        // The loss rate is p / (p + r) = 0.01 / 0.26 = 3.846 %. Bursts have 1 / r = 4 packets on average, and
        // a quarter of them have a single one.
        let (rate, burst, single) = measure(Config { p: 0.01, r: 0.25, loss_good: 0.0, loss_bad: 1.0 });
        assert!((rate - 0.038_46).abs() < 0.001, "{rate}");
        assert!((burst - 4.0).abs() < 0.1, "{burst}");
        assert!((single - 0.25).abs() < 0.01, "{single}");
    }

    #[test]
    fn both_states_may_lose() {
        // The loss rate is (0.001 * 0.2 + 0.5 * 0.02) / 0.22 = 4.636 %.
        let (rate, ..) = measure(Config { p: 0.02, r: 0.2, loss_good: 0.001, loss_bad: 0.5 });
        assert!((rate - 0.046_36).abs() < 0.001, "{rate}");
        // With p + r = 1 the states have no memory, so losses are independent.
        let (rate, burst, _) = measure(Config { p: 0.1, r: 0.9, loss_good: 0.0, loss_bad: 1.0 });
        assert!((rate - 0.1).abs() < 0.001 && (burst - 1.0 / 0.9).abs() < 0.01, "{rate} {burst}");
    }
}
