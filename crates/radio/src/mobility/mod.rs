//! Mobility of stations.
//!
//! A movement is a sequence of legs, which are straight movements at constant speed, or pauses. A position
//! within a leg is computed from the ends of the leg, so the movement does not depend on how often positions
//! are computed.
//!
//! | model | movement | source |
//! |---|---|---|
//! | constant | none | |
//! | random walk | a new direction and speed after each time or distance; mirror reflection at the bounds | Camp, Boleng, Davies, WCMC 2, 2002, section 2.1; ns-3's parameters |
//! | random destination | every 30 s a new destination and speed, from the current position: ns-2's `random-motion` | ns-2.35, observed |
//! | random waypoint | to a random destination, a pause, to the next destination | Johnson and Maltz 1996; Camp et al., section 2.2 |
//! | Gauss-Markov | speed and direction are correlated with those of the last step | Liang and Haas 1999; Camp et al., section 2.5 |
//! | track | as given by a file ([`trace`]) | |
//!
//! All models but the track keep the height of the start. With random waypoints whose least speed is 0 or
//! near 0, the mean speed decays during the run (Yoon, Liu, Noble, INFOCOM 2003): choose a least speed well
//! above zero.
//!
//! Left out: groups, maps, obstacles, acceleration. Validated: paths computed by hand; bounds and speeds by
//! property tests (`tests.rs`).

mod bounds;
mod config;
mod leg;
mod models;
#[cfg(test)]
mod tests;
pub mod trace;

use crate::Position;
use base::{Instant, Rng};

pub use bounds::Bounds;
pub use config::{
    BonnMotion, Config, GaussMarkov, RandomDestination, RandomWalk, RandomWaypoint, Setdest, Step,
};
pub use leg::Leg;
pub use trace::Track;

/// Movement of one station. The settings must pass [`Config::check`]; otherwise the model may produce endless
/// legs of zero duration.
#[derive(Clone, Debug)]
pub struct Mobility {
    model: models::Model,
    leg: Leg,
    course: leg::Course,
}

impl Mobility {
    /// Creates the movement of a station whose position at the beginning of the run is `start`, or the
    /// nearest position within the model's bounds. Random draws come from the stream `name`.
    pub fn new(config: &Config, start: Position, seed: u64, name: &str) -> Self {
        let (model, leg) = models::Model::new(config, start, Rng::stream(seed, name));
        Self { model, leg, course: leg.course() }
    }

    /// Returns the station's position at `now`. Successive calls must not go back in time.
    #[inline]
    pub fn position(&mut self, now: Instant) -> Position {
        if now >= self.leg.ends {
            self.advance(now);
        }
        self.course.at(&self.leg, now)
    }

    /// Returns the leg of the station at `now`. Successive calls must not go back in time.
    pub fn leg(&mut self, now: Instant) -> Leg {
        self.advance(now);
        self.leg
    }

    fn advance(&mut self, now: Instant) {
        while now >= self.leg.ends && self.leg.ends < Instant::MAX {
            self.leg = self.model.next(&self.leg);
            self.course = self.leg.course();
        }
    }
}
