//! Fading: what multipath adds to the power of one frame.

use crate::access::Station;
use crate::random;
use base::Rng;
use std::collections::BTreeMap;

/// How the power of single frames varies around its mean. The mean of the power in watts stays what it was, but with
/// [`Fading::LogNormal`], which leaves the mean of the dB.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Fading {
    /// Not at all.
    #[default]
    None,
    /// No line of sight: an exponential power.
    Rayleigh,
    /// Nakagami's m distribution: a gamma power of shape m, by distance (Nakagami 1960).
    /// m = 1 is Rayleigh, below 1 is worse, above 1 is like Rice with a line of sight.
    Nakagami {
        /// Shape up to the first distance, between both, and beyond the second.
        shapes: [f64; 3],
        /// The distances, metres.
        distances: [f64; 2],
    },
    /// Independent log-normal draws, as ns-2's shadowing has one for each packet.
    LogNormal {
        /// Standard deviation, dB.
        deviation: f64,
    },
}

impl Fading {
    /// The shapes and distances that ns-3 starts from: 1.5 up to 80 m, then 0.75.
    pub const NAKAGAMI: Self = Self::Nakagami { shapes: [1.5, 0.75, 0.75], distances: [80.0, 200.0] };

    /// One draw, dB.
    fn sample(self, rng: &mut Rng, distance: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Rayleigh => 10.0 * libm::log10(rng.exponential(1.0)),
            Self::Nakagami { shapes, distances } => {
                let shape = shapes[distances.iter().filter(|d| distance >= **d).count()];
                10.0 * libm::log10(random::gamma(rng, shape) / shape)
            }
            Self::LogNormal { deviation } => deviation * random::normal(rng),
        }
    }
}

/// The streams of a channel, one for each sender and receiver.
#[derive(Clone, Debug)]
pub(super) struct Draws {
    fading: Fading,
    streams: BTreeMap<(Station, Station), Rng>,
    seed: u64,
    name: String,
}

impl Draws {
    pub(super) fn new(fading: Fading, seed: u64, name: &str) -> Self {
        Self { fading, streams: BTreeMap::new(), seed, name: name.to_owned() }
    }

    pub(super) fn draw(&mut self, from: Station, to: Station, distance: f64) -> f64 {
        if self.fading == Fading::None {
            return 0.0;
        }
        let (seed, name) = (self.seed, &self.name);
        let stream = self
            .streams
            .entry((from, to))
            .or_insert_with(|| Rng::stream(seed, &format!("{name}.fading.{}.{}", from.0, to.0)));
        self.fading.sample(stream, distance)
    }
}
