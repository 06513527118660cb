//! Parameters of movements.

use super::bounds::Bounds;
use super::trace::Track;
use crate::Invalid;
use base::Duration;

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
    /// As a file says; its places count, not that given to [`super::Mobility::new`].
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
