//! Movements of stations.
//!
//! A movement is a sequence of legs: straight lines at constant speed, pauses among them. Positions between the ends of
//! a leg are computed from the ends, so that asking often or seldom gives the same movement.
//!
//! | model | what it does | source |
//! |---|---|---|
//! | constant | nothing | |
//! | random walk | a new direction and speed after each time or distance; bounces off the bounds like light | Camp, Boleng, Davies, WCMC 2, 2002, section 2.1; ns-3's parameters |
//! | random destination | every 30 s a new destination and speed, from wherever it is: ns-2's `random-motion` | ns-2.35, observed |
//! | random waypoint | to a destination, a pause, to the next | Johnson and Maltz 1996; Camp et al., section 2.2 |
//! | Gauss-Markov | speed and direction remember those of the last step | Liang and Haas 1999; Camp et al., section 2.5 |
//! | track | as a file says ([`trace`]) | |
//!
//! All models but the track move level: the height stays that of the start. A random waypoint whose speeds begin at or
//! near zero slows down for ever (Yoon, Liu, Noble, INFOCOM 2003): give a lowest speed well above zero.
//!
//! Left out: groups, maps, obstacles, acceleration. Validated: paths worked by hand, bounds and speeds as properties
//! (`tests.rs`).

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

/// The movement of one station. Its settings must pass [`Config::check`]; others can keep it in one instant for ever.
#[derive(Clone, Debug)]
pub struct Mobility {
    model: models::Model,
    leg: Leg,
    course: leg::Course,
}

impl Mobility {
    /// Creates the movement of a station that is at `start` at the beginning of the run, moved into the model's bounds
    /// if it is outside. Draws from the stream `name`.
    pub fn new(config: &Config, start: Position, seed: u64, name: &str) -> Self {
        let (model, leg) = models::Model::new(config, start, Rng::stream(seed, name));
        Self { model, leg, course: leg.course() }
    }

    /// Returns the station's place. Instants must not go back.
    #[inline]
    pub fn position(&mut self, now: Instant) -> Position {
        if now >= self.leg.ends {
            self.advance(now);
        }
        self.course.at(&self.leg, now)
    }

    /// Returns the leg that the station is on. Instants must not go back.
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
