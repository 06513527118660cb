//! Received power that depends on distance only. Comparing distances then replaces the computation of a logarithm.

use super::config::Config;
use super::formulas::{self, Level};
use super::loss::{LogDistance, PathLoss};
use crate::Position;

/// Mean received power between stations at height 0, without shadowing, for path loss models in which it
/// decreases with distance.
#[derive(Clone, Debug)]
pub struct OnGround {
    config: Config,
    level: Level,
    tx: f64,
}

/// Margin in comparisons with a threshold, dB; larger than rounding errors.
const MARGIN: f64 = 1e-6;

impl OnGround {
    /// Creates the model for senders with `tx` dBm; `None` if the received power depends on more than
    /// distance, or can increase with distance.
    pub fn new(config: &Config, tx: f64) -> Option<Self> {
        let falls = match config.loss {
            PathLoss::Friis | PathLoss::TwoRayGround => true,
            PathLoss::LogDistance(LogDistance { exponent, .. }) => exponent >= 0.0,
            PathLoss::Range(_) | PathLoss::OkumuraHata(_) | PathLoss::Cost231Hata(_) => false,
        };
        let holds = falls && config.shadowing == 0.0;
        holds.then(|| Self { config: config.clone(), level: Level::new(config), tx })
    }

    /// Returns the received power over `distance` metres, dBm, equal to that of
    /// [`super::Propagation::received`].
    pub fn power(&self, distance: f64) -> f64 {
        let ground = Position::default();
        self.tx - formulas::loss(&self.config, &self.level, distance, ground, ground)
    }

    /// Returns a distance in metres up to which the received power is at least `threshold` dBm, rounding
    /// errors included; negative if there is none.
    pub fn enough(&self, threshold: f64) -> f64 {
        let holds = |distance: f64| self.power(distance) >= threshold + MARGIN;
        let (mut near, mut far) = (0.0, 1e6);
        if holds(far) {
            return far;
        }
        if !holds(near) {
            return -1.0;
        }
        while far - near > 1e-3 {
            let middle = (near + far) / 2.0;
            if holds(middle) { near = middle } else { far = middle }
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use super::super::{City, Cost231Hata, Fading, Propagation};
    use super::*;
    use crate::access::Station;

    #[test]
    fn it_is_the_power_of_the_channel() {
        let config = Config::ns2();
        let mut channel = Propagation::new(&config, Fading::None, 1, "radio");
        let ground = OnGround::new(&config, 24.5).expect("ns-2 has two-ray ground");
        for distance in [0.0, 0.3, 1.0, 86.0, 86.2, 250.0, 1414.2] {
            let to = Position::new(distance, 0.0, 0.0);
            let received = channel.received(24.5, (Station(0), Position::default()), (Station(1), to));
            assert_eq!(ground.power(distance), received, "{distance} m");
        }
    }

    #[test]
    fn it_is_enough_up_to_the_range() {
        // In ns-2 a power of 0.28183815 W and a threshold of -64.37 dBm give a range of 250 m.
        let ground = OnGround::new(&Config::ns2(), 24.499_997_795).expect("ns-2 has two-ray ground");
        let range = ground.enough(-64.374_8);
        assert!((range - 250.0).abs() < 0.1, "{range}");
        assert!(ground.power(range) >= -64.374_8 && ground.power(range + 0.01) < -64.374_8);
        assert_eq!(ground.enough(100.0), -1.0);
    }

    #[test]
    fn shadowing_and_formulas_that_may_rise_are_left_out() {
        let shadowed = Config { shadowing: 4.0, ..Config::ns2() };
        let city = Config { loss: PathLoss::Cost231Hata(Cost231Hata { city: City::Large }), ..Config::ns2() };
        assert!([shadowed, city].iter().all(|config| OnGround::new(config, 20.0).is_none()));
    }
}
