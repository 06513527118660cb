//! Rectangles within which stations move.

use crate::Position;
use crate::random::between;
use base::Rng;

/// A rectangle in the horizontal plane, metres.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// Least and greatest x, metres.
    pub x: [f64; 2],
    /// Least and greatest y, metres.
    pub y: [f64; 2],
}

impl Bounds {
    /// Creates a rectangle from least and greatest x and y, metres.
    pub const fn new(x: [f64; 2], y: [f64; 2]) -> Self {
        Self { x, y }
    }

    /// Returns true if the x and y of `at` are within the rectangle, edges included.
    pub fn contains(&self, at: Position) -> bool {
        (self.x[0]..=self.x[1]).contains(&at.x) && (self.y[0]..=self.y[1]).contains(&at.y)
    }

    /// Returns the position within the rectangle that is nearest to `at`, with the same height.
    pub fn nearest(&self, at: Position) -> Position {
        Position::new(at.x.max(self.x[0]).min(self.x[1]), at.y.max(self.y[0]).min(self.y[1]), at.z)
    }

    /// Draws a position uniformly from the rectangle, with height `z` in metres.
    pub fn draw(&self, rng: &mut Rng, z: f64) -> Position {
        let x = between(rng, self.x);
        Position::new(x, between(rng, self.y), z)
    }
}
