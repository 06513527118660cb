//! Mobility models: each chooses the next leg.

use super::bounds::Bounds;
use super::config::{Config, RandomDestination, RandomWaypoint, Step};
use super::leg::{LEAST, Leg};
use super::trace::Track;
use crate::Position;
use crate::random::{between, normal};
use base::{Duration, Instant, Rng};
use std::f64::consts::{PI, TAU};

/// State of a mobility model.
#[derive(Clone, Debug)]
pub(super) enum Model {
    Constant,
    Walk { walk: Walk, speed: [f64; 2], step: Step, rng: Rng },
    Destination { config: RandomDestination, due: Instant, rng: Rng },
    Waypoint { config: RandomWaypoint, paused: bool, rng: Rng },
    GaussMarkov(Box<Remembering>),
    Track { track: Track, next: usize },
}

impl Model {
    /// Creates the state of the model, and its first leg.
    pub(super) fn new(config: &Config, start: Position, mut rng: Rng) -> (Self, Leg) {
        // A pause of zero duration, so that `next` is called at once for the first leg.
        let begin = |bounds: &Bounds| {
            let at = bounds.nearest(start);
            Leg::stay(Instant::ZERO, Instant::ZERO, at)
        };
        match config {
            Config::RandomWalk(config) => {
                let (walk, speed, step) = (Walk::within(config.bounds), config.speed, config.step());
                (Self::Walk { walk, speed, step, rng }, begin(&config.bounds))
            }
            Config::RandomDestination(config) => {
                let leg = begin(&config.bounds);
                (Self::Destination { config: config.clone(), due: Instant::ZERO, rng }, leg)
            }
            Config::RandomWaypoint(config) => {
                let (paused, leg) = (!config.starts_paused, begin(&config.bounds));
                (Self::Waypoint { config: config.clone(), paused, rng }, leg)
            }
            Config::GaussMarkov(config) => {
                let drawn = || TAU * rng.uniform();
                let mean_direction = config.mean_direction.map_or_else(drawn, f64::to_radians);
                let model = Remembering {
                    walk: Walk::within(config.bounds),
                    memory: config.memory,
                    mean_speed: config.mean_speed,
                    mean_direction,
                    deviations: config.deviations(),
                    step: config.step,
                    speed: config.mean_speed,
                    direction: mean_direction,
                    started: false,
                    rng,
                };
                (Self::GaussMarkov(model.into()), begin(&config.bounds))
            }
            Config::Constant | Config::Setdest(_) | Config::BonnMotion(_) | Config::Track(_) => {
                let stays = (Self::Constant, Leg::stay(Instant::ZERO, Instant::MAX, start));
                config.track().map_or(stays, |track| {
                    let leg = track.legs()[0];
                    (Self::Track { track, next: 1 }, leg)
                })
            }
        }
    }

    /// Returns the leg that follows `last`.
    pub(super) fn next(&mut self, last: &Leg) -> Leg {
        let (now, here) = (last.ends, last.to);
        match self {
            Self::Constant => Leg::stay(now, Instant::MAX, here),
            Self::Walk { walk, speed, step, rng } => {
                if walk.left.is_zero() {
                    let (speed, direction) = (between(rng, *speed), TAU * rng.uniform());
                    let time = match *step {
                        Step::Time(time) => time,
                        Step::Distance(metres) if speed > 0.0 => Duration::from_secs_f64(metres / speed),
                        Step::Distance(_) => Duration::MAX,
                    };
                    walk.turn(speed, direction, time);
                }
                walk.go(now, here)
            }
            Self::Destination { config, due, rng } => {
                if now < *due {
                    return Leg::stay(now, *due, here);
                }
                *due = now.saturating_add(config.interval.max(LEAST));
                let to = config.bounds.draw(rng, here.z);
                let leg = Leg::way(now, here, to, between(rng, config.speed)).lasting();
                leg.cut(*due)
            }
            Self::Waypoint { config, paused, rng } => {
                *paused = !*paused;
                if *paused {
                    let [least, greatest] = config.pause;
                    let pause = least + rng.duration_below(greatest.saturating_sub(least));
                    return Leg::stay(now, now.saturating_add(pause), here);
                }
                let to = config.bounds.draw(rng, here.z);
                Leg::way(now, here, to, between(rng, config.speed)).lasting()
            }
            Self::GaussMarkov(model) => model.next(now, here),
            Self::Track { track, next } => {
                let leg = track.legs().get(*next).copied();
                *next += 1;
                leg.unwrap_or(Leg::stay(now, Instant::MAX, here))
            }
        }
    }
}

/// Movement in steps of constant velocity, with mirror reflection at the bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    bounds: Bounds,
    /// Velocity along x and y, m/s.
    velocity: [f64; 2],
    /// Time left in the current step.
    left: Duration,
}

impl Walk {
    /// Creates a walk that stays within `bounds`; its first step begins with [`Walk::turn`].
    fn within(bounds: Bounds) -> Self {
        Self { bounds, velocity: [0.0; 2], left: Duration::ZERO }
    }

    /// Begins a step at `speed` m/s in direction `direction` (radians) with duration `time`.
    fn turn(&mut self, speed: f64, direction: f64, time: Duration) {
        self.velocity = [speed * libm::cos(direction), speed * libm::sin(direction)];
        self.left = time.max(LEAST);
    }

    /// Returns the leg from `here` to the end of the step or to a bound, whichever comes first; at a bound
    /// the velocity is reflected. In a direction in which the walk would cross the whole rectangle in less
    /// than a millisecond, bounds do not end the leg; its end is the position after all reflections.
    fn go(&mut self, now: Instant, here: Position) -> Leg {
        let until = |at: f64, velocity: f64, [low, high]: [f64; 2]| match velocity {
            v if is_thin(v, [low, high]) => f64::INFINITY,
            v if v > 0.0 => (high - at) / v,
            v if v < 0.0 => (low - at) / v,
            _ => f64::INFINITY,
        };
        let [vx, vy] = self.velocity;
        let walls = [until(here.x, vx, self.bounds.x), until(here.y, vy, self.bounds.y)];
        let wall = Duration::from_secs_f64(walls[0].min(walls[1]));
        let time = self.left.min(wall);
        self.left = self.left.saturating_sub(time);
        if wall == time {
            for (velocity, until) in self.velocity.iter_mut().zip(walls) {
                // In a corner both bounds are reached at once.
                if Duration::from_secs_f64(until) == wall {
                    *velocity = -*velocity;
                }
            }
        }
        let s = time.secs();
        let mut to = [here.x + vx * s, here.y + vy * s];
        for (axis, sides) in [self.bounds.x, self.bounds.y].into_iter().enumerate() {
            if is_thin(self.velocity[axis], sides) {
                let (at, turned) = bounced(to[axis], sides);
                to[axis] = at;
                if turned {
                    self.velocity[axis] = -self.velocity[axis];
                }
            }
        }
        let to = self.bounds.nearest(Position::new(to[0], to[1], here.z));
        let ends = now.saturating_add(time);
        if ends == Instant::MAX {
            Leg::stay(now, ends, here)
        } else {
            Leg { begins: now, ends, from: here, to }
        }
    }
}

/// Returns true if a movement at `velocity` m/s crosses from `low` to `high` within the least duration of a
/// leg.
fn is_thin(velocity: f64, [low, high]: [f64; 2]) -> bool {
    velocity.abs() * LEAST.secs() >= high - low
}

/// Returns the coordinate after reflections at `low` and `high`, and true if the direction is reversed. `at`
/// is the coordinate without reflections. If `low` equals `high`, returns that coordinate.
pub(super) fn bounced(at: f64, [low, high]: [f64; 2]) -> (f64, bool) {
    let width = high - low;
    if width <= 0.0 {
        return (low, false);
    }
    let way = (at - low).rem_euclid(2.0 * width);
    if way <= width { (low + way, false) } else { (high - (way - width), true) }
}

/// State of the Gauss-Markov model: `s' = a s + (1 - a) mean + sqrt(1 - a^2) deviation * normal` for the
/// speed s, and likewise for the direction.
#[derive(Clone, Debug)]
pub(super) struct Remembering {
    walk: Walk,
    memory: f64,
    mean_speed: f64,
    mean_direction: f64,
    /// Standard deviations of the speed (m/s) and of the direction (radians).
    deviations: [f64; 2],
    step: Duration,
    speed: f64,
    direction: f64,
    started: bool,
    rng: Rng,
}

impl Remembering {
    fn next(&mut self, now: Instant, here: Position) -> Leg {
        if self.walk.left.is_zero() {
            if self.started {
                let a = self.memory;
                let spread = libm::sqrt(1.0 - a * a);
                let [speed, direction] = self.deviations.map(|d| spread * d * normal(&mut self.rng));
                self.speed = a * self.speed + (1.0 - a) * self.mean_speed + speed;
                self.direction = a * self.direction + (1.0 - a) * self.mean_direction + direction;
            }
            self.started = true;
            self.walk.turn(self.speed.max(0.0), self.direction, self.step);
        }
        let before = self.walk.velocity;
        let leg = self.walk.go(now, here);
        let after = self.walk.velocity;
        if before[0] != after[0] {
            self.direction = PI - self.direction;
            self.mean_direction = PI - self.mean_direction;
        }
        if before[1] != after[1] {
            self.direction = -self.direction;
            self.mean_direction = -self.mean_direction;
        }
        leg
    }
}
