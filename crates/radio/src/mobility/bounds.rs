//! Rectangles that stations stay in.

use crate::Position;
use crate::random::between;
use base::Rng;

/// A rectangle seen from above, metres.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// Least and greatest x.
    pub x: [f64; 2],
    /// Least and greatest y.
    pub y: [f64; 2],
}

impl Bounds {
    /// Creates a rectangle from its sides, metres.
    pub const fn new(x: [f64; 2], y: [f64; 2]) -> Self {
        Self { x, y }
    }

    /// Returns true if a place is above the rectangle, its edge included.
    pub fn contains(&self, at: Position) -> bool {
        (self.x[0]..=self.x[1]).contains(&at.x) && (self.y[0]..=self.y[1]).contains(&at.y)
    }

    /// Returns the nearest place within, at the same height.
    pub fn nearest(&self, at: Position) -> Position {
        Position::new(at.x.max(self.x[0]).min(self.x[1]), at.y.max(self.y[0]).min(self.y[1]), at.z)
    }

    /// Returns a place drawn uniformly, `z` metres high.
    pub fn draw(&self, rng: &mut Rng, z: f64) -> Position {
        let x = between(rng, self.x);
        Position::new(x, between(rng, self.y), z)
    }
}
