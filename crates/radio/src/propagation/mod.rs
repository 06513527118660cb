//! Propagation: the power of a transmission that a receiver gets.
//!
//! The mean received power depends on a path loss model ([`PathLoss`]) and on shadowing, which each pair of
//! stations keeps for the whole run. Fading changes the power from frame to frame and is drawn separately
//! ([`Propagation::fading`]). All powers are in dBm, all gains and losses in dB.
//!
//! | model | mean power against distance | source |
//! |---|---|---|
//! | Friis | decreases with d^2 | Friis, Proc. IRE 34, 1946 |
//! | two-ray ground | Friis up to the crossover `4 pi ht hr / wavelength`, then `ht^2 hr^2 / d^4` | Rappaport, Wireless Communications, section 4.6 |
//! | log-distance | loss at d0 plus `10 n log10(d / d0)` | Rappaport, section 4.9.1 |
//! | fixed range | no loss up to the range, no power beyond | |
//! | Okumura-Hata | 150-1500 MHz, 1-20 km | Hata, IEEE Trans. Veh. Tech. 29, 1980 |
//! | COST 231 Hata | 1500-2000 MHz, 1-20 km | COST 231 final report, 1999, section 4.4.1 |
//!
//! Below the reference distance or the minimum distance the loss is the loss at that distance, because no
//! model holds in the near field.
//!
//! ns-2 and ns-3 have the same formula for the crossover. They differ in the speed of light, 3e8 and 299 792
//! 458 m/s ([`Config::light_speed`]). This makes a difference of 0.006 dB in Friis' formula and of 0.06 m in
//! the crossover at 914 MHz. Beyond the crossover they agree exactly. Neither has a step at the crossover:
//! both formulas give the same power there.
//!
//! Left out: directional antennas, obstacles, shadowing correlated over distance. Validated: all rows of
//! tables of ns-2.35's formulas and of ns-3.37 at 914 and 5150 MHz, 1 to 1415 m, to 0.01 dB (`tests.rs`).

mod config;
mod fading;
mod formulas;
mod loss;
mod on_ground;
#[cfg(test)]
mod tests;

use crate::Position;
use crate::access::Station;
use base::{Duration, Rng};

pub use config::{Config, LIGHT_SPEED};
pub use fading::{Fading, LogNormal, Nakagami};
pub use loss::{City, Cost231Hata, Environment, LogDistance, OkumuraHata, PathLoss, Range};
pub use on_ground::OnGround;

/// Radio channel between the stations of one network.
#[derive(Clone, Debug)]
pub struct Propagation {
    config: Config,
    level: formulas::Level,
    /// Gain of shadowing of each pair of stations, dB: the larger index of the pair selects the row. NaN if
    /// not drawn yet.
    shadowing: Vec<Vec<f64>>,
    fading: fading::Draws,
    seed: u64,
    name: String,
}

impl Propagation {
    /// Creates the channel `name` of a run with the fading model `fading`. Random streams are named after the
    /// pair of stations, so adding a station does not change the draws of other pairs.
    pub fn new(config: &Config, fading: Fading, seed: u64, name: &str) -> Self {
        Self {
            config: config.clone(),
            level: formulas::Level::new(config),
            shadowing: Vec::new(),
            fading: fading::Draws::new(fading, seed, name),
            seed,
            name: name.to_owned(),
        }
    }

    /// Returns the settings of the channel.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the mean power at the receiver, dBm, if the sender transmits at `tx` dBm. Includes path loss,
    /// antenna gains and the pair's shadowing, but not fading. Minus infinity beyond a fixed range. Equal in
    /// both directions for the same `tx`.
    pub fn received(&mut self, tx: f64, from: (Station, Position), to: (Station, Position)) -> f64 {
        self.arrives(tx, from, to).0
    }

    /// Returns the power as [`Propagation::received`] does, and the propagation delay.
    #[inline]
    pub fn arrives(
        &mut self,
        tx: f64,
        from: (Station, Position),
        to: (Station, Position),
    ) -> (f64, Duration) {
        let distance = from.1.distance(to.1);
        let mean = tx - formulas::loss(&self.config, &self.level, distance, from.1, to.1);
        (mean + self.shadowing(from.0, to.0), self.takes(distance))
    }

    /// Returns the power as [`Propagation::received`] does, but without shadowing.
    pub fn mean(&self, tx: f64, from: Position, to: Position) -> f64 {
        tx - formulas::loss(&self.config, &self.level, from.distance(to), from, to)
    }

    /// Returns the gain of shadowing between two stations, dB: symmetric, and constant during the run.
    #[inline]
    pub fn shadowing(&mut self, a: Station, b: Station) -> f64 {
        if self.config.shadowing == 0.0 {
            return 0.0;
        }
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        while self.shadowing.len() <= high.index() {
            self.shadowing.push(vec![f64::NAN; self.shadowing.len() + 1]);
        }
        let slot = &mut self.shadowing[high.index()][low.index()];
        if slot.is_nan() {
            let mut rng = Rng::stream(self.seed, &format!("{}.shadowing.{}.{}", self.name, low.0, high.0));
            *slot = self.config.shadowing * crate::random::normal(&mut rng);
        }
        *slot
    }

    /// Draws the gain of fading, dB, for one frame from station `from` to station `to`, `distance` metres
    /// apart.
    pub fn fading(&mut self, from: Station, to: Station, distance: f64) -> f64 {
        self.fading.draw(from, to, distance)
    }

    /// Returns the propagation delay between two positions.
    pub fn delay(&self, from: Position, to: Position) -> Duration {
        self.takes(from.distance(to))
    }

    /// Returns the propagation delay over `distance` metres.
    #[inline]
    pub fn takes(&self, distance: f64) -> Duration {
        Duration::from_secs_f64(distance / self.config.light_speed)
    }

    /// Returns the distance in metres, to 1 mm, up to which the mean received power is at least `threshold`
    /// dBm, for a sender at `at` with `tx` dBm and a receiver at the same height. Zero if there is no such
    /// distance, infinite beyond 1000 km. Shadowing and fading are not included.
    pub fn reach(&self, tx: f64, threshold: f64, at: Position) -> f64 {
        let above = |d: f64| self.mean(tx, at, Position::new(at.x + d, at.y, at.z)) >= threshold;
        let (mut near, mut far) = (0.0, 1e6);
        if above(far) {
            return f64::INFINITY;
        }
        if !above(near) {
            return 0.0;
        }
        while far - near > 1e-3 {
            let middle = (near + far) / 2.0;
            if above(middle) { near = middle } else { far = middle }
        }
        near
    }
}
