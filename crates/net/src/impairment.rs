//! What a wire does to packets beside delaying them all alike and losing some: jitter, reordering, duplication.
//!
//! | impairment | does | parameters |
//! |---|---|---|
//! | [`Jitter`] | adds a random time to each packet's delay | distribution; whether order is kept |
//! | [`Reorder`] | holds a packet back, so that those behind overtake it | probability, extra delay |
//! | duplicate | delivers a packet twice, the copy right behind it | probability |
//!
//! With order kept a packet that would overtake arrives together with the one before it, as on a path whose queues and retries
//! cause the variation; without, each packet travels by itself. A packet that [`Reorder`] holds back delays no other. Draws
//! are made for every packet from streams of their own. Left out: correlation between packets' draws. Validated: moments,
//! shares and order by test, conservation of packets in `sim`.

use base::{Duration, Instant, Rng};

/// How the extra delay of a packet is distributed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Spread {
    /// From nothing to `max`, each as likely.
    Uniform {
        /// The most.
        max: Duration,
    },
    /// Exponential.
    Exponential {
        /// Its mean.
        mean: Duration,
    },
    /// Normal, cut off at nothing.
    Normal {
        /// Mean of the uncut distribution.
        mean: Duration,
        /// Standard deviation of the uncut distribution.
        deviation: Duration,
    },
}

impl Spread {
    fn draw(self, rng: &mut Rng) -> Duration {
        match self {
            Self::Uniform { max } => rng.duration_below(max),
            Self::Exponential { mean } => Duration::from_secs_f64(rng.exponential(mean.secs())),
            Self::Normal { mean, deviation } => {
                // Box and Muller 1958.
                let radius = libm::sqrt(rng.exponential(2.0));
                let angle = 2.0 * std::f64::consts::PI * rng.uniform();
                let extra = mean.secs() + deviation.secs() * radius * libm::cos(angle);
                Duration::from_secs_f64(extra.max(0.0))
            }
        }
    }
}

/// Delay that varies from packet to packet.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Jitter {
    /// Of the delay added.
    pub spread: Spread,
    /// Whether packets arrive in the order in which they were sent.
    pub keep_order: bool,
}

/// Packets held back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reorder {
    /// Probability that a packet is.
    pub rate: f64,
    /// For how long.
    pub delay: Duration,
}

/// What one direction of a link does to packets.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Config {
    /// Delay variation.
    pub jitter: Option<Jitter>,
    /// Reordering.
    pub reorder: Option<Reorder>,
    /// Probability that a packet is delivered twice; 0: never.
    pub duplicate: f64,
}

impl Config {
    /// Whether it does nothing.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// A wire's impairments at work.
#[derive(Clone, Debug)]
pub struct Impairments {
    config: Config,
    jitter: Rng,
    reorder: Rng,
    duplicate: Rng,
    /// No packet that keeps its place arrives before this.
    last_arrival: Instant,
}

impl Impairments {
    /// The wire of `config`, with streams named after `name`.
    pub fn new(config: Config, seed: u64, name: &str) -> Self {
        let stream = |what: &str| Rng::stream(seed, &format!("{name}.{what}"));
        let (jitter, reorder, duplicate) = (stream("jitter"), stream("reorder"), stream("duplicate"));
        Self { config, jitter, reorder, duplicate, last_arrival: Instant::ZERO }
    }

    /// When a packet arrives that would have arrived at `due`; and whether twice.
    pub fn deliver(&mut self, due: Instant) -> (Instant, bool) {
        let Config { jitter, reorder, duplicate } = self.config;
        let mut at = due;
        let mut keep_order = true;
        if let Some(jitter) = jitter {
            at += jitter.spread.draw(&mut self.jitter);
            keep_order = jitter.keep_order;
        }
        if keep_order {
            at = at.max(self.last_arrival);
        }
        match reorder {
            Some(reorder) if self.reorder.uniform() < reorder.rate => at += reorder.delay,
            _ => self.last_arrival = at,
        }
        (at, duplicate > 0.0 && self.duplicate.uniform() < duplicate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Instant {
        Instant::ZERO + Duration::from_ms(n)
    }

    /// Arrivals of packets due each millisecond, and how many came twice.
    fn arrivals(config: Config) -> (Vec<Instant>, usize) {
        let mut wire = Impairments::new(config, 1, "wire");
        let each: Vec<(Instant, bool)> = (0..50_000).map(|n| wire.deliver(ms(n))).collect();
        let twice = each.iter().filter(|(_, twice)| *twice).count();
        (each.into_iter().map(|(at, _)| at).collect(), twice)
    }

    fn jitter(spread: Spread, keep_order: bool) -> Config {
        Config { jitter: Some(Jitter { spread, keep_order }), ..Config::default() }
    }

    #[test]
    fn delays_are_distributed_as_asked() {
        let (mean, deviation) = (Duration::from_ms(10), Duration::from_ms(2));
        for (spread, mean_s, deviation_s) in [
            (Spread::Uniform { max: Duration::from_ms(6) }, 3e-3, 6e-3 / 12f64.sqrt()),
            (Spread::Exponential { mean }, 10e-3, 10e-3),
            (Spread::Normal { mean, deviation }, 10e-3, 2e-3),
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
        // Held for 2.5 ms: the two behind come first.
        let held = (0u64..).zip(&at).position(|(n, at)| *at != ms(n)).expect("one");
        assert!(at[held] > at[held + 2] && at[held] < at[held + 3]);
    }

    #[test]
    fn copies_at_their_rate() {
        let (at, twice) = arrivals(Config { duplicate: 0.02, ..Config::default() });
        assert!((900..1100).contains(&twice), "{twice}");
        assert!((0u64..).zip(&at).all(|(n, at)| *at == ms(n)));
    }
}
