//! Fading: the random change of the received power of each frame by multipath propagation.

use crate::access::Station;
use crate::random;
use base::Rng;
use settings::{Error, Kinds, Settings};
use std::collections::BTreeMap;

/// Fading model: variation of the received power from frame to frame. The mean power in watts is
/// unchanged; with [`Fading::LogNormal`] the mean in dB is unchanged.
#[derive(Clone, Copy, PartialEq, Debug, Default, Kinds)]
#[settings(what = "fading")]
pub enum Fading {
    /// No fading.
    #[default]
    None,
    /// No line of sight: the power is exponentially distributed.
    Rayleigh,
    /// The power is gamma distributed; the shape depends on the distance.
    Nakagami(Nakagami),
    /// The power in dB is normally distributed, independently for each frame, as in ns-2's shadowing.
    LogNormal(LogNormal),
}

/// Settings of Nakagami-m fading (Nakagami 1960), whose shape is m. The defaults are those of ns-3.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Nakagami {
    /// Shape m at near, medium and far distances. 1 is Rayleigh fading; below 1 fading is more severe, above
    /// 1 less, as with a line of sight.
    #[setting(default = [1.5, 0.75, 0.75], value = "three numbers, each 0.5 to 1000")]
    pub shapes: [f64; 3],
    /// Distances at which medium and far begin, metres.
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

/// Settings of log-normal fading, independent for each frame.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct LogNormal {
    /// Standard deviation, dB.
    #[setting(needed = "decibels: deviation = 4", range = 0.0..=300.0)]
    pub deviation: f64,
}

impl Fading {
    /// Draws the gain of fading for one frame over `distance` metres, dB.
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

/// Random streams of fading, one for each pair of sender and receiver.
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
