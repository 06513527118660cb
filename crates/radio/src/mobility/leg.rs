//! Legs of a movement.

use crate::Position;
use base::{Duration, Instant};

/// The shortest leg: a movement with shorter ones would take for ever to compute.
pub(super) const LEAST: Duration = Duration::from_ms(1);

/// A straight line at constant speed, or a stay.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Leg {
    /// Time at which it begins.
    pub begins: Instant,
    /// Time at which it ends and the next begins; [`Instant::MAX`] if it never does.
    pub ends: Instant,
    /// Place where it begins.
    pub from: Position,
    /// Place where it ends.
    pub to: Position,
}

/// Duration and displacement of a leg, computed once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// Its duration, s; zero if it is a stay.
    lasts: f64,
    /// Displacement from its beginning to its end.
    way: Position,
}

impl Course {
    /// Returns the place on its leg at `now`. Place on its leg at `now`.
    #[inline]
    pub(super) fn at(&self, leg: &Leg, now: Instant) -> Position {
        if now >= leg.ends || self.lasts == 0.0 {
            return leg.to;
        }
        let part = now.since(leg.begins).secs() / self.lasts;
        let Leg { from, .. } = leg;
        let Self { way, .. } = self;
        Position::new(from.x + way.x * part, from.y + way.y * part, from.z + way.z * part)
    }
}

impl Leg {
    /// Creates a stay at one place.
    pub const fn stay(begins: Instant, ends: Instant, at: Position) -> Self {
        Self { begins, ends, from: at, to: at }
    }

    /// Creates the leg from one place to another at `speed` m/s; at a speed that is not above zero it is a stay for
    /// ever.
    pub fn way(begins: Instant, from: Position, to: Position, speed: f64) -> Self {
        if speed > 0.0 {
            let ends = begins.saturating_add(Duration::from_secs_f64(from.distance(to) / speed));
            if ends < Instant::MAX {
                return Self { begins, ends, from, to };
            }
        }
        Self::stay(begins, Instant::MAX, from)
    }

    /// Returns the place at `now`; before and after the leg, that of its nearer end.
    pub fn at(&self, now: Instant) -> Position {
        self.course().at(self, now)
    }

    /// Returns its duration and displacement, from which places on it are computed.
    pub(super) fn course(&self) -> Course {
        let Self { begins, ends, from, to } = *self;
        if from == to {
            return Course { lasts: 0.0, way: Position::default() };
        }
        let way = Position::new(to.x - from.x, to.y - from.y, to.z - from.z);
        Course { lasts: ends.since(begins).secs(), way }
    }

    /// Returns the speed, m/s.
    pub fn speed(&self) -> f64 {
        if self.from == self.to {
            return 0.0;
        }
        self.from.distance(self.to) / self.ends.since(self.begins).secs()
    }

    /// Returns the same leg, no shorter than the shortest: slower if need be.
    pub(super) fn lasting(self) -> Self {
        Self { ends: self.ends.max(self.begins.saturating_add(LEAST)), ..self }
    }

    /// Returns the part before `end`.
    pub(super) fn cut(self, end: Instant) -> Self {
        if self.ends <= end { self } else { Self { ends: end, to: self.at(end), ..self } }
    }
}
