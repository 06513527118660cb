//! Legs: the straight parts of a movement.

use crate::Position;
use base::{Duration, Instant};

/// Least duration of a leg; with shorter legs, computing a movement could take unbounded time.
pub(super) const LEAST: Duration = Duration::from_ms(1);

/// A straight movement at constant speed, or a pause.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Leg {
    /// Beginning of the leg.
    pub begins: Instant,
    /// End of the leg and beginning of the next; [`Instant::MAX`] if there is no next leg.
    pub ends: Instant,
    /// Position at the beginning, metres.
    pub from: Position,
    /// Position at the end, metres.
    pub to: Position,
}

/// Duration and displacement of a leg, computed in advance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// Duration, seconds; zero for a pause.
    lasts: f64,
    /// Displacement from beginning to end, metres.
    way: Position,
}

impl Course {
    /// Returns the position on `leg` at `now`; before the leg begins, the position at its beginning.
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
    /// Creates a pause at the position `at`.
    pub const fn stay(begins: Instant, ends: Instant, at: Position) -> Self {
        Self { begins, ends, from: at, to: at }
    }

    /// Creates the leg from one position to another at `speed` m/s; if the speed is not above zero, a pause
    /// without end.
    pub fn way(begins: Instant, from: Position, to: Position, speed: f64) -> Self {
        if speed > 0.0 {
            let ends = begins.saturating_add(Duration::from_secs_f64(from.distance(to) / speed));
            if ends < Instant::MAX {
                return Self { begins, ends, from, to };
            }
        }
        Self::stay(begins, Instant::MAX, from)
    }

    /// Returns the position at `now`: before the leg begins, the position at its beginning; after it ends, the position
    /// at its end.
    pub fn at(&self, now: Instant) -> Position {
        self.course().at(self, now)
    }

    /// Returns duration and displacement, for fast computation of positions.
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

    /// Returns the leg with at least the duration [`LEAST`], at a lower speed if necessary.
    pub(super) fn lasting(self) -> Self {
        Self { ends: self.ends.max(self.begins.saturating_add(LEAST)), ..self }
    }

    /// Returns the part of the leg before `end`.
    pub(super) fn cut(self, end: Instant) -> Self {
        if self.ends <= end { self } else { Self { ends: end, to: self.at(end), ..self } }
    }
}
