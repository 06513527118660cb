//! Impairments of a wire in addition to propagation delay and loss: jitter, reordering, duplication.
//!
//! | impairment | effect | parameters |
//! |---|---|---|
//! | [`Jitter`] | adds a random time to each packet's delay | distribution; whether packets stay in order |
//! | [`Reorder`] | delays a packet, so that later packets overtake it | probability, extra delay |
//! | [`Duplicate`] | delivers a packet twice, the copy immediately after the original | probability |
//!
//! If jitter keeps packets in order, a packet that would overtake its predecessor arrives at the same time as
//! the predecessor. This models a path on which queues or link-layer retransmissions cause the variation.
//! Otherwise the delays of packets are independent. A packet that [`Reorder`] delays never delays a later
//! packet. Each impairment draws from its own random stream, the same number of draws for every packet. Left
//! out: correlation between the draws of successive packets. Validated: moments, shares and order by test;
//! conservation of packets in `sim`.

use base::{Duration, Instant, Rng};
use settings::{Kinds, Probability, Settings};
use std::ops::RangeInclusive;

/// Example of a setting for a probability, shown in error messages.
pub(crate) const RATE: &str = "a probability from 0 to 1: rate = 0.01";

/// Bounds of an extra delay of one packet: 0 to 1 hour.
pub(crate) const HELD_BACK: RangeInclusive<Duration> = Duration::ZERO..=Duration::from_secs(3600);

/// Example of a setting for a mean, shown in error messages.
const MEAN: &str = "the mean of what is added to the delay: mean = \"5ms\"";

/// Distribution of the random time that jitter adds to the propagation delay of each packet.
#[derive(Clone, Copy, PartialEq, Debug, Kinds)]
#[settings(what = "jitter")]
pub enum Spread {
    /// Uniform from zero to `max`.
    Uniform(Uniform),
    /// Exponential with mean `mean`.
    Exponential(Exponential),
    /// Normal with `mean` and `deviation`; negative values become zero.
    Normal(Normal),
}

/// Settings of uniform jitter.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Uniform {
    /// Largest added delay.
    #[setting(needed = "the most that is added to the delay: max = \"5ms\"", range = HELD_BACK)]
    pub max: Duration,
}

/// Settings of exponential jitter.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Exponential {
    /// Mean of the added delay.
    #[setting(needed = MEAN, range = HELD_BACK)]
    pub mean: Duration,
}

/// Settings of normal jitter.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Normal {
    /// Mean of the normal distribution. The mean added delay is larger if negative values, which become zero,
    /// are likely.
    #[setting(needed = MEAN, range = HELD_BACK)]
    pub mean: Duration,
    /// Standard deviation of the normal distribution.
    #[setting(needed = "the standard deviation of what is added: deviation = \"1ms\"", range = HELD_BACK)]
    pub deviation: Duration,
}

impl Spread {
    /// Draws the extra delay of one packet.
    fn draw(self, rng: &mut Rng) -> Duration {
        match self {
            Self::Uniform(Uniform { max }) => rng.duration_below(max),
            Self::Exponential(Exponential { mean }) => Duration::from_secs_f64(rng.exponential(mean.secs())),
            Self::Normal(Normal { mean, deviation }) => {
                // Box-Muller transform (1958).
                let radius = libm::sqrt(rng.exponential(2.0));
                let angle = 2.0 * std::f64::consts::PI * rng.uniform();
                let extra = mean.secs() + deviation.secs() * radius * libm::cos(angle);
                Duration::from_secs_f64(extra.max(0.0))
            }
        }
    }
}

/// Setting that says if jitter may reorder packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Order {
    /// Packets arrive in the order in which they were sent.
    #[setting(default = true)]
    pub keep_order: bool,
}

/// Jitter: a delay that varies from packet to packet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Jitter {
    /// Distribution of the added delay.
    pub spread: Spread,
    /// Setting that says if jitter may reorder packets.
    pub order: Order,
}

/// Settings of reordering: some packets are delayed, so that later packets overtake them.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Reorder {
    /// Probability that a packet is delayed.
    #[setting(needed = RATE, form = Probability)]
    pub rate: f64,
    /// Extra delay of a delayed packet.
    #[setting(needed = "how long it is held back: delay = \"10ms\"", range = HELD_BACK)]
    pub delay: Duration,
}

/// Duplication: a link delivers some packets twice.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Duplicate {
    /// Probability that a packet is delivered twice.
    #[setting(needed = RATE, form = Probability)]
    pub rate: f64,
}

/// Impairments of one direction of a link.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Config {
    /// Delay variation.
    pub jitter: Option<Jitter>,
    /// Reordering.
    pub reorder: Option<Reorder>,
    /// Duplication; `None` also if the probability is 0.
    pub duplicate: Option<Duplicate>,
}

impl Config {
    /// Returns true if no impairment is configured.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// Impairments of one wire, with their random streams.
#[derive(Clone, Debug)]
pub struct Impairments {
    config: Config,
    jitter: Rng,
    reorder: Rng,
    duplicate: Rng,
    /// Arrival of the last packet that [`Reorder`] did not delay; with `keep_order` no later packet arrives
    /// before it.
    last_arrival: Instant,
}

impl Impairments {
    /// Creates the impairments of `config`; their random streams are named `name.jitter`, `name.reorder` and
    /// `name.duplicate`.
    pub fn new(config: Config, seed: u64, name: &str) -> Self {
        let stream = |what: &str| Rng::stream(seed, &format!("{name}.{what}"));
        let (jitter, reorder, duplicate) = (stream("jitter"), stream("reorder"), stream("duplicate"));
        Self { config, jitter, reorder, duplicate, last_arrival: Instant::ZERO }
    }

    /// Takes `due`, the arrival of a packet without impairments; returns its arrival with them, and true if
    /// the packet arrives twice.
    pub fn deliver(&mut self, due: Instant) -> (Instant, bool) {
        let Config { jitter, reorder, duplicate } = self.config;
        let mut at = due;
        let mut keep_order = true;
        if let Some(jitter) = jitter {
            at += jitter.spread.draw(&mut self.jitter);
            keep_order = jitter.order.keep_order;
        }
        if keep_order {
            at = at.max(self.last_arrival);
        }
        match reorder {
            Some(reorder) if self.reorder.uniform() < reorder.rate => at += reorder.delay,
            _ => self.last_arrival = at,
        }
        (at, duplicate.is_some_and(|duplicate| self.duplicate.uniform() < duplicate.rate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Instant {
        Instant::ZERO + Duration::from_ms(n)
    }

    /// Returns the arrivals of packets due each millisecond, and how many came twice.
    fn arrivals(config: Config) -> (Vec<Instant>, usize) {
        let mut wire = Impairments::new(config, 1, "wire");
        let each: Vec<(Instant, bool)> = (0..50_000).map(|n| wire.deliver(ms(n))).collect();
        let twice = each.iter().filter(|(_, twice)| *twice).count();
        (each.into_iter().map(|(at, _)| at).collect(), twice)
    }

    fn jitter(spread: Spread, keep_order: bool) -> Config {
        Config { jitter: Some(Jitter { spread, order: Order { keep_order } }), ..Config::default() }
    }

    #[test]
    fn delays_are_distributed_as_asked() {
        let (mean, deviation) = (Duration::from_ms(10), Duration::from_ms(2));
        for (spread, mean_s, deviation_s) in [
            (Spread::Uniform(Uniform { max: Duration::from_ms(6) }), 3e-3, 6e-3 / 12f64.sqrt()),
            (Spread::Exponential(Exponential { mean }), 10e-3, 10e-3),
            (Spread::Normal(Normal { mean, deviation }), 10e-3, 2e-3),
        ] {
            let (at, _) = arrivals(jitter(spread, false));
            let extra: Vec<f64> = (0u64..).zip(&at).map(|(n, at)| at.since(ms(n)).secs()).collect();
            let n = extra.len() as f64;
            let mean = extra.iter().sum::<f64>() / n;
            let variance = extra.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
            assert!((mean - mean_s).abs() < 0.02 * mean_s, "{spread:?}: mean {mean}");
            assert!((variance.sqrt() - deviation_s).abs() < 0.03 * deviation_s, "{spread:?}: {variance}");
            assert!(!at.is_sorted(), "{spread:?} overtakes");
            assert!(arrivals(jitter(spread, true)).0.is_sorted(), "{spread:?} keeps order");
        }
    }

    #[test]
    fn packets_held_back_are_overtaken() {
        let reorder = Reorder { rate: 0.01, delay: Duration::from_us(2500) };
        let (at, _) = arrivals(Config { reorder: Some(reorder), ..Config::default() });
        let late = (0u64..).zip(&at).filter(|(n, at)| **at != ms(*n)).count();
        assert!((450..550).contains(&late), "{late}");
        // One packet is held for 2.5 ms, so that the two packets behind overtake the held one.
        let held = (0u64..).zip(&at).position(|(n, at)| *at != ms(n)).expect("one");
        assert!(at[held] > at[held + 2] && at[held] < at[held + 3]);
    }

    #[test]
    fn copies_at_their_rate() {
        let (at, twice) = arrivals(Config { duplicate: Some(Duplicate { rate: 0.02 }), ..Config::default() });
        assert!((900..1100).contains(&twice), "{twice}");
        assert!((0u64..).zip(&at).all(|(n, at)| *at == ms(n)));
    }
}
