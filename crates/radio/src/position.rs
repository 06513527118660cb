//! Positions in space.

/// A position, metres.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Position {
    /// Coordinate towards the east, metres.
    pub x: f64,
    /// Coordinate towards the north, metres.
    pub y: f64,
    /// Height, metres.
    pub z: f64,
}

impl Position {
    /// Creates a position from its coordinates, metres.
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    /// Returns the Euclidean distance, metres.
    #[inline]
    pub fn distance(self, other: Self) -> f64 {
        let [x, y, z] = [self.x - other.x, self.y - other.y, self.z - other.z];
        libm::sqrt(x * x + y * y + z * z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_euclidean() {
        assert_eq!(Position::new(1.0, 2.0, 3.0).distance(Position::new(3.0, 5.0, 9.0)), 7.0);
    }
}
