//! Legs of a movement.

use crate::Position;
use base::{Duration, Instant};

/// The shortest way that is computed: a movement whose settings ask for shorter ones would take for ever.
pub(super) const LEAST: Duration = Duration::from_ms(1);

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

/// What the places on a leg are computed from, worked out once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// How long it lasts, s; zero: it leads nowhere.
    lasts: f64,
    /// From its begin to its end.
    way: Position,
}

impl Course {
    /// The place on its leg at `now`.
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
        self.course().at(self, now)
    }

    /// What a place on it takes.
    pub(super) fn course(&self) -> Course {
        let Self { begins, ends, from, to } = *self;
        if from == to {
            return Course { lasts: 0.0, way: Position::default() };
        }
        let way = Position::new(to.x - from.x, to.y - from.y, to.z - from.z);
        Course { lasts: ends.since(begins).secs(), way }
    }

    /// Speed, m/s.
    pub fn speed(&self) -> f64 {
        if self.from == self.to {
            return 0.0;
        }
        self.from.distance(self.to) / self.ends.since(self.begins).secs()
    }

    /// The same leg, no shorter than the shortest: slower if need be.
    pub(super) fn lasting(self) -> Self {
        Self { ends: self.ends.max(self.begins.saturating_add(LEAST)), ..self }
    }

    /// The part before `end`.
    pub(super) fn cut(self, end: Instant) -> Self {
        if self.ends <= end { self } else { Self { ends: end, to: self.at(end), ..self } }
    }
}
