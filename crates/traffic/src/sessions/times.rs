//! Distributions of times.

use base::{Duration, Rng};
use settings::{Error, Kinds, Settings};
use std::ops::RangeInclusive;

/// Distribution of a time.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "time distribution", named = "times")]
pub enum Times {
    /// Always the same time.
    Constant(Mean),
    /// Exponential.
    Exponential(Mean),
    /// Pareto, heavy-tailed.
    Pareto(Pareto),
}

/// Bounds of mean times.
const MEANS: RangeInclusive<Duration> = Duration::ZERO..=Duration::from_secs(86_400);
/// Allowed mean times, shown in error messages.
const MEAN: &str = "a time of at most a day, like \"1s\"";

/// Settings of a distribution that its mean determines.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(no_default)]
pub struct Mean {
    /// Mean time.
    #[setting(needed = "the mean: mean = \"1s\"", range = MEANS, allowed = MEAN)]
    pub mean: Duration,
}

/// Settings of a Pareto distribution of times.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete, no_default)]
pub struct Pareto {
    /// Mean time.
    #[setting(needed = "the mean: mean = \"1s\"", range = MEANS, allowed = MEAN)]
    pub mean: Duration,
    /// Shape, above 1; the smaller, the heavier the tail.
    #[setting(default = 1.5, range = 1.0..=100.0, allowed = super::sizes::SHAPES)]
    pub shape: f64,
}

impl Pareto {
    fn complete(&mut self) -> Result<(), Error> {
        super::sizes::has_mean(self.shape)
    }
}

impl Times {
    /// Draws a time.
    pub fn draw(&self, rng: &mut Rng) -> Duration {
        Duration::from_secs_f64(match self {
            Self::Constant(Mean { mean }) => return *mean,
            Self::Exponential(Mean { mean }) => rng.exponential(mean.secs()),
            Self::Pareto(Pareto { mean, shape }) => rng.pareto(mean.secs(), *shape),
        })
    }
}
