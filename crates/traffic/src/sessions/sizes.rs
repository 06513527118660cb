//! Distributions of sizes.

use super::empirical::{Empirical, MOST, Points};
use base::{Bytes, Rng};
use settings::{Error, Kinds, Settings};
use std::f64::consts::{PI, SQRT_2};
use std::ops::RangeInclusive;

/// Distribution of the sizes of requests or responses. A size is rounded up to whole bytes.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "size distribution", named = "sizes")]
pub enum Sizes {
    /// Always the same size.
    Constant(Constant),
    /// Exponential.
    Exponential(Exponential),
    /// Pareto, heavy-tailed.
    Pareto(Pareto),
    /// Log-normal, cut off at both ends.
    LogNormal(LogNormal),
    /// Flows of a cluster for web search, mean 1.7 MB: Alizadeh et al., DCTCP, SIGCOMM 2010, as tabulated by its
    /// authors for later papers.
    WebSearch,
    /// Flows of a cluster for data mining, mean 12.7 MB, half of them under 1.1 kB: Greenberg et al., VL2, SIGCOMM 2009,
    /// as tabulated by Alizadeh et al.
    DataMining,
    /// Main objects of web pages, mean 11.1 kB: log-normal from 100 B to 2 MB (HTTP model of 3GPP R1-070674).
    WebPages,
    /// A table or a file of sizes and cumulative probabilities.
    Empirical(Empirical),
}

/// Bounds of each size in the settings.
const SIZES: RangeInclusive<Bytes> = Bytes(1)..=Bytes(MOST);
/// Allowed sizes, shown in error messages.
const SIZE: &str = "\"1B\" to \"1TB\", like \"100kB\"";
/// Allowed shapes of a Pareto distribution, shown in error messages.
pub(super) const SHAPES: &str = "above 1, at most 100";

/// Settings of a constant size.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(no_default)]
pub struct Constant {
    /// The size.
    #[setting(needed = "the size: size = \"100kB\"", range = SIZES, allowed = SIZE)]
    pub size: Bytes,
}

/// Settings of an exponential distribution.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(no_default)]
pub struct Exponential {
    /// Mean size.
    #[setting(needed = "the mean: mean = \"100kB\"", range = SIZES, allowed = SIZE)]
    pub mean: Bytes,
}

/// Settings of a Pareto distribution.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete, no_default)]
pub struct Pareto {
    /// Mean size.
    #[setting(needed = "the mean: mean = \"100kB\"", range = SIZES, allowed = SIZE)]
    pub mean: Bytes,
    /// Shape, above 1; the smaller, the heavier the tail.
    #[setting(default = 1.5, range = 1.0..=100.0, allowed = SHAPES)]
    pub shape: f64,
}

impl Pareto {
    fn complete(&mut self) -> Result<(), Error> {
        has_mean(self.shape)
    }
}

/// Checks that a Pareto distribution of this shape has a mean.
pub(super) fn has_mean(shape: f64) -> Result<(), Error> {
    if shape > 1.0 {
        return Ok(());
    }
    let message = "a Pareto distribution has a mean only if its shape is above 1";
    Err(Error::new("shape", message).allowed(SHAPES))
}

/// Settings of a log-normal distribution. Sizes outside its bounds are drawn again.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete, no_default)]
pub struct LogNormal {
    /// Median size before the cut.
    #[setting(needed = "the median: median = \"10kB\"", range = SIZES, allowed = SIZE)]
    pub median: Bytes,
    /// Standard deviation of the size's natural logarithm.
    #[setting(needed = "the deviation of the logarithm: sigma = 1.5", range = 0.0..=5.0)]
    pub sigma: f64,
    /// Least size.
    #[setting(default = Bytes(1), range = SIZES, allowed = SIZE)]
    pub least: Bytes,
    /// Largest size.
    #[setting(default = Bytes(MOST), range = SIZES, allowed = SIZE)]
    pub most: Bytes,
}

/// Main objects of web pages: exp(8.37) bytes is the median, 1.37 the deviation of the logarithm.
const WEB_PAGES: LogNormal =
    LogNormal { median: Bytes(4316), sigma: 1.37, least: Bytes(100), most: Bytes(2_000_000) };

impl LogNormal {
    fn complete(&mut self) -> Result<(), Error> {
        if (self.least..=self.most).contains(&self.median) {
            return Ok(());
        }
        let (least, most) = (self.least.0, self.most.0);
        Err(Error::new("median", "the median is outside the bounds")
            .allowed(format!("{least} to {most} bytes")))
    }

    fn draw(&self, rng: &mut Rng) -> f64 {
        // Rejection sampling. After 1000 sizes outside the bounds, which must be very close to each other
        // then, the size is the median.
        for _ in 0..1000 {
            let size = self.median.0 as f64 * libm::exp(self.sigma * normal(rng));
            if (self.least.0 as f64..=self.most.0 as f64).contains(&size) {
                return size;
            }
        }
        self.median.0 as f64
    }

    fn mean(&self) -> f64 {
        let Self { median, sigma, least, most } = self;
        if *sigma == 0.0 {
            return median.0 as f64;
        }
        let scaled = |bound: &Bytes| libm::log(bound.0 as f64 / median.0 as f64) / sigma;
        let (low, high) = (scaled(least), scaled(most));
        let share = |by: f64| cumulative(high - by) - cumulative(low - by);
        median.0 as f64 * libm::exp(sigma * sigma / 2.0) * share(*sigma) / share(0.0)
    }
}

/// Draws from the standard normal distribution (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let (u, v) = (1.0 - rng.uniform(), rng.uniform());
    libm::sqrt(-2.0 * libm::log(u)) * libm::cos(2.0 * PI * v)
}

/// Returns the standard normal distribution function.
fn cumulative(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

impl Sizes {
    /// Draws a size, bytes, at least 1.
    pub fn draw(&self, rng: &mut Rng) -> u64 {
        let size = match self {
            Self::Constant(Constant { size }) => return size.0,
            Self::Exponential(Exponential { mean }) => rng.exponential(mean.0 as f64),
            Self::Pareto(Pareto { mean, shape }) => rng.pareto(mean.0 as f64, *shape),
            Self::LogNormal(log_normal) => log_normal.draw(rng),
            Self::WebPages => WEB_PAGES.draw(rng),
            Self::WebSearch => Points::web_search().at(rng.uniform()),
            Self::DataMining => Points::data_mining().at(rng.uniform()),
            Self::Empirical(empirical) => empirical.points().at(rng.uniform()),
        };
        (libm::ceil(size) as u64).clamp(1, MOST)
    }

    /// Returns the mean size before rounding, bytes.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Constant(Constant { size }) => size.0 as f64,
            Self::Exponential(Exponential { mean }) | Self::Pareto(Pareto { mean, .. }) => mean.0 as f64,
            Self::LogNormal(log_normal) => log_normal.mean(),
            Self::WebPages => WEB_PAGES.mean(),
            Self::WebSearch => Points::web_search().mean(),
            Self::DataMining => Points::data_mining().mean(),
            Self::Empirical(empirical) => empirical.points().mean(),
        }
    }
}
