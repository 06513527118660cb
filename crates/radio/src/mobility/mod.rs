//! How stations move.
//!
//! A movement is a sequence of legs: straight lines at constant speed, pauses among them. Positions between the ends of a leg
//! are computed from the ends, so that asking often or seldom gives the same movement.
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
//! All models but the track move level: the height stays that of the start. A random waypoint whose speeds begin at or near zero
//! slows down for ever (Yoon, Liu, Noble, INFOCOM 2003): give a lowest speed well above zero.
//!
//! Left out: groups, maps, obstacles, acceleration. Validated: paths worked by hand, bounds and speeds as properties (`tests.rs`).

mod models;
#[cfg(test)]
mod tests;
pub mod trace;

use crate::{Invalid, Position};
use base::{Duration, Instant, Rng};

pub use trace::Track;

/// A rectangle seen from above, metres.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// Least and greatest x.
    pub x: [f64; 2],
    /// Least and greatest y.
    pub y: [f64; 2],
}

impl Bounds {
    /// A rectangle from its sides, metres.
    pub const fn new(x: [f64; 2], y: [f64; 2]) -> Self {
        Self { x, y }
    }

    /// Whether both sides have a length.
    pub fn check(&self) -> Result<(), Invalid> {
        let side = |[low, high]: [f64; 2]| low.is_finite() && high.is_finite() && low < high;
        if side(self.x) && side(self.y) {
            return Ok(());
        }
        let [x, y] = [self.x, self.y];
        Err(Invalid {
            field: "bounds",
            problem: format!(
                "[{}, {}, {}, {}] is not a rectangle: expected [least x, greatest x, least y, greatest y]",
                x[0], x[1], y[0], y[1]
            ),
        })
    }

    /// Whether a place is above the rectangle, its edge included.
    pub fn contains(&self, at: Position) -> bool {
        (self.x[0]..=self.x[1]).contains(&at.x) && (self.y[0]..=self.y[1]).contains(&at.y)
    }

    /// The nearest place within, at the same height.
    pub fn nearest(&self, at: Position) -> Position {
        Position::new(at.x.max(self.x[0]).min(self.x[1]), at.y.max(self.y[0]).min(self.y[1]), at.z)
    }

    /// A place drawn uniformly, `z` metres high.
    pub fn draw(&self, rng: &mut Rng, z: f64) -> Position {
        let x = crate::random::between(rng, self.x);
        Position::new(x, crate::random::between(rng, self.y), z)
    }
}

/// When a random walk changes its mind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    /// After this time.
    Time(Duration),
    /// After this many metres.
    Distance(f64),
}

/// How a station moves. Speeds are ranges of m/s to draw from uniformly.
#[derive(Clone, PartialEq, Debug)]
pub enum Config {
    /// It stays where it is.
    Constant,
    /// Random walk.
    RandomWalk {
        /// Where it stays.
        bounds: Bounds,
        /// Speeds, m/s.
        speed: [f64; 2],
        /// When it turns.
        step: Step,
    },
    /// A new destination and speed at fixed intervals, arrived or not; having arrived it waits.
    RandomDestination {
        /// Where destinations are drawn.
        bounds: Bounds,
        /// Speeds, m/s.
        speed: [f64; 2],
        /// Time between two destinations.
        interval: Duration,
    },
    /// Random waypoint.
    RandomWaypoint {
        /// Where destinations are drawn.
        bounds: Bounds,
        /// Speeds, m/s.
        speed: [f64; 2],
        /// Least and greatest pause at a destination.
        pause: [Duration; 2],
        /// Whether the first thing is a pause.
        starts_paused: bool,
    },
    /// Gauss-Markov in two dimensions, with speed and direction as processes of their own. At the bounds it bounces, its mean
    /// direction with it. Speeds below zero count as zero.
    GaussMarkov {
        /// Where it stays.
        bounds: Bounds,
        /// How much of a step's speed and direction goes into the next, 0 (none) to 1 (all).
        memory: f64,
        /// Mean speed, m/s; also the first.
        mean_speed: f64,
        /// Mean direction, radians from east to north, also the first; `None`: drawn uniformly.
        mean_direction: Option<f64>,
        /// Standard deviation of the speed, m/s.
        speed_deviation: f64,
        /// Standard deviation of the direction, radians.
        direction_deviation: f64,
        /// Time of a step, above zero.
        step: Duration,
    },
    /// As a file says; its places count, not that given to [`Mobility::new`].
    Track(Track),
}

impl Config {
    /// ns-3's random walk as it comes: 2-4 m/s, a turn after each metre, 100 m by 100 m.
    pub const RANDOM_WALK_NS3: Self = Self::RandomWalk {
        bounds: Bounds::new([0.0, 100.0], [0.0, 100.0]),
        speed: [2.0, 4.0],
        step: Step::Distance(1.0),
    };

    /// ns-2's `random-motion 1` within `bounds`: up to 5 m/s, a destination every 30 s.
    pub const fn random_motion_ns2(bounds: Bounds) -> Self {
        Self::RandomDestination { bounds, speed: [0.0, 5.0], interval: Duration::from_secs(30) }
    }

    /// Whether the values make sense: a movement that would stand still in time or go out of bounds for ever does not.
    pub fn check(&self) -> Result<(), Invalid> {
        let above_zero = |field, time: Duration| Invalid::unless_above_zero(field, time.secs());
        match self {
            Self::Constant | Self::Track(_) => Ok(()),
            Self::RandomWalk { bounds, speed, step } => {
                bounds.check()?;
                Invalid::unless_range("speed", *speed)?;
                match *step {
                    Step::Time(time) => above_zero("time", time),
                    Step::Distance(metres) => Invalid::unless_above_zero("distance", metres),
                }
            }
            Self::RandomDestination { bounds, speed, interval } => {
                bounds.check()?;
                Invalid::unless_range("speed", *speed)?;
                above_zero("interval", *interval)
            }
            Self::RandomWaypoint { bounds, speed, pause: [least, greatest], .. } => {
                bounds.check()?;
                Invalid::unless_range("speed", *speed)?;
                Invalid::unless_range("pause", [least.secs(), greatest.secs()])
            }
            Self::GaussMarkov {
                bounds,
                memory,
                mean_speed,
                mean_direction: _,
                speed_deviation,
                direction_deviation,
                step,
            } => {
                bounds.check()?;
                if !(0.0..=1.0).contains(memory) {
                    return Err(Invalid {
                        field: "memory",
                        problem: format!("{memory} is not within 0 to 1"),
                    });
                }
                Invalid::unless_at_least("mean_speed", *mean_speed, 0.0)?;
                Invalid::unless_at_least("speed_deviation", *speed_deviation, 0.0)?;
                Invalid::unless_at_least("direction_deviation", *direction_deviation, 0.0)?;
                above_zero("step", *step)
            }
        }
    }
}

/// A straight way at constant speed, or a stay.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Leg {
    /// When it begins.
    pub begins: Instant,
    /// When it ends, at the beginning of the next; [`Instant::MAX`]: never.
    pub ends: Instant,
    /// Where it begins.
    pub from: Position,
    /// Where it ends.
    pub to: Position,
}

impl Leg {
    /// A stay at one place.
    pub const fn stay(begins: Instant, ends: Instant, at: Position) -> Self {
        Self { begins, ends, from: at, to: at }
    }

    /// A way from one place to another at `speed` m/s; a speed that is not above zero never gets there and stays.
    pub fn way(begins: Instant, from: Position, to: Position, speed: f64) -> Self {
        if speed > 0.0 {
            let ends = begins.saturating_add(Duration::from_secs_f64(from.distance(to) / speed));
            if ends < Instant::MAX {
                return Self { begins, ends, from, to };
            }
        }
        Self::stay(begins, Instant::MAX, from)
    }

    /// The place at `now`; that of the nearer end before and after the leg.
    pub fn at(&self, now: Instant) -> Position {
        if now >= self.ends || self.from == self.to {
            return self.to;
        }
        let part = now.since(self.begins).secs() / self.ends.since(self.begins).secs();
        let between = |from: f64, to: f64| from + (to - from) * part;
        Position::new(
            between(self.from.x, self.to.x),
            between(self.from.y, self.to.y),
            between(self.from.z, self.to.z),
        )
    }

    /// Speed, m/s.
    pub fn speed(&self) -> f64 {
        if self.from == self.to {
            return 0.0;
        }
        self.from.distance(self.to) / self.ends.since(self.begins).secs()
    }
}

/// The movement of one station. Its parameters are to pass [`Config::check`]; those that do not can keep it in one instant for ever.
#[derive(Clone, Debug)]
pub struct Mobility {
    model: models::Model,
    leg: Leg,
}

impl Mobility {
    /// The movement of a station that is at `start` at the beginning of the run, brought into the model's bounds where it is
    /// outside. Draws from the stream `name`.
    pub fn new(config: &Config, start: Position, seed: u64, name: &str) -> Self {
        let (model, leg) = models::Model::new(config, start, Rng::stream(seed, name));
        Self { model, leg }
    }

    /// Where the station is. Instants must not go back.
    pub fn position(&mut self, now: Instant) -> Position {
        self.leg(now).at(now)
    }

    /// The leg that the station is on. Instants must not go back.
    pub fn leg(&mut self, now: Instant) -> Leg {
        while now >= self.leg.ends && self.leg.ends < Instant::MAX {
            self.leg = self.model.next(&self.leg);
        }
        self.leg
    }
}
