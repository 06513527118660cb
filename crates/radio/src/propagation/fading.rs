//! Fading: the change that multipath makes to the power of one frame.

use crate::access::Station;
use crate::random;
use base::Rng;
use settings::{Error, Kinds, Settings};
use std::collections::BTreeMap;

/// Variation of the power of single frames around its mean. The mean of the power in watts is unchanged; with
/// [`Fading::LogNormal`] the mean of the dB is unchanged.
#[derive(Clone, Copy, PartialEq, Debug, Default, Kinds)]
#[settings(what = "fading")]
pub enum Fading {
    /// No fading.
    #[default]
    None,
    /// No line of sight: an exponential power.
    Rayleigh,
    /// A gamma power whose shape depends on distance.
    Nakagami(Nakagami),
    /// A normal number of dB for each frame, as ns-2's shadowing has it.
    LogNormal(LogNormal),
}

/// Nakagami's m distribution (Nakagami 1960): the shape is m. The defaults are ns-3's.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Nakagami {
    /// Shape near, farther and far: 1 is Rayleigh, below 1 is worse, above 1 is better, as with a line of sight.
    #[setting(default = [1.5, 0.75, 0.75], value = "three numbers, each 0.5 to 1000")]
    pub shapes: [f64; 3],
    /// Distances at which farther and far begin, metres.
    #[setting(default = [80.0, 200.0], value = "two numbers, metres")]
    pub distances: [f64; 2],
}

impl Nakagami {
    fn check(&self) -> Result<(), Error> {
        if self.shapes.iter().any(|shape| !(0.5..=1000.0).contains(shape)) {
            return Err(Error::new("shapes", "out of range").allowed("each 0.5 to 1000"));
        }
        let [farther, far] = self.distances;
        if 0.0 <= farther && farther <= far {
            return Ok(());
        }
        Err(Error::new("distances", "the lesser distance comes first").allowed("metres"))
    }
}

/// Independent log-normal draws.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct LogNormal {
    /// Standard deviation, dB.
    #[setting(needed = "decibels: deviation = 4", range = 0.0..=300.0)]
    pub deviation: f64,
}

impl Fading {
    /// Draws once, dB.
    fn sample(self, rng: &mut Rng, distance: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Rayleigh => 10.0 * libm::log10(rng.exponential(1.0)),
            Self::Nakagami(Nakagami { shapes, distances }) => {
                let shape = shapes[distances.iter().filter(|d| distance >= **d).count()];
                10.0 * libm::log10(random::gamma(rng, shape) / shape)
            }
            Self::LogNormal(LogNormal { deviation }) => deviation * random::normal(rng),
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
