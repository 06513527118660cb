//! Placement: positions of stations at the beginning of a run.

use crate::Position;
use crate::mobility::Bounds;
use crate::numbers::{LARGEST, Place, Rectangle, Spacing};
use base::Rng;
use settings::{Kinds, Settings};
use std::f64::consts::TAU;

/// Placement of nodes at the beginning of the run; replaces `position`.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "placement")]
pub enum Config {
    /// On a grid.
    Grid(Grid),
    /// Drawn uniformly from a disc.
    Disc(Disc),
    /// Drawn uniformly from a rectangle.
    Uniform(Uniform),
}

/// Settings of a position on a grid. Positions are numbered row by row, each row north of the last.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Grid {
    /// Positions in a row; each row is north of the last.
    #[setting(needed = "places in a row: columns = 10", range = 1..=u32::MAX)]
    pub columns: u32,
    /// Distance between neighbours, metres.
    #[setting(needed = "metres between neighbours: spacing = 10", form = Spacing)]
    pub spacing: [f64; 2],
    /// Number of the position on the grid, from 0.
    #[setting(absent = "the number of grid nodes that stand before it in the file")]
    pub index: Option<u32>,
    /// Coordinates of position 0, metres.
    #[setting(default = Position::default(), form = Place)]
    pub origin: Position,
}

/// Settings of a position drawn uniformly from a disc.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Disc {
    /// Radius, metres.
    #[setting(needed = "the radius in metres: radius = 100", range = 0.0..=LARGEST)]
    pub radius: f64,
    /// Centre of the disc.
    #[setting(default = Position::default(), form = Place)]
    pub center: Position,
}

/// Settings of a position drawn uniformly from a rectangle.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Uniform {
    /// The rectangle, metres.
    #[setting(needed = "a rectangle in metres: bounds = [0, 100, 0, 50]", form = Rectangle)]
    pub bounds: Bounds,
    /// Height, metres.
    #[setting(default = 0.0, range = -LARGEST..=LARGEST)]
    pub height: f64,
}

impl Grid {
    /// Returns the position number `index`, or number `next` if no index is given.
    pub fn place(&self, next: u32) -> Position {
        let (index, Position { x, y, z }) = (self.index.unwrap_or(next), self.origin);
        let [column, row] = [index % self.columns, index / self.columns].map(f64::from);
        Position::new(x + column * self.spacing[0], y + row * self.spacing[1], z)
    }
}

impl Config {
    /// Returns `count` positions. A larger `count` does not change the first ones. Random draws come from the
    /// stream `name`.
    pub fn place(&self, count: u32, seed: u64, name: &str) -> Vec<Position> {
        let mut rng = Rng::stream(seed, name);
        (0..count).map(|k| self.one(k, &mut rng)).collect()
    }

    fn one(&self, next: u32, rng: &mut Rng) -> Position {
        match self {
            Self::Grid(grid) => grid.place(next),
            Self::Disc(Disc { radius, center }) => {
                let angle = TAU * rng.uniform();
                // The radius is drawn as a square root, because area grows with the square of the radius.
                let r = radius * libm::sqrt(rng.uniform());
                Position::new(center.x + r * libm::cos(angle), center.y + r * libm::sin(angle), center.z)
            }
            Self::Uniform(Uniform { bounds, height }) => bounds.draw(rng, *height),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_row_by_row() {
        let origin = Position::new(1.0, 2.0, 3.0);
        let grid = Grid { columns: 3, spacing: [10.0, 20.0], index: None, origin };
        let places = Config::Grid(grid.clone()).place(5, 1, "a");
        assert_eq!(places[2], Position::new(21.0, 2.0, 3.0));
        assert_eq!(places[3], Position::new(1.0, 22.0, 3.0));
        assert_eq!(Grid { index: Some(3), ..grid }.place(0), places[3]);
    }

    #[test]
    fn a_disc_is_filled_evenly() {
        let center = Position::new(5.0, 5.0, 0.0);
        let places = Config::Disc(Disc { center, radius: 10.0 }).place(10_000, 1, "a");
        assert!(places.iter().all(|p| p.distance(center) <= 10.0));
        let inner = places.iter().filter(|p| p.distance(center) <= 5.0).count();
        assert!((2350..2650).contains(&inner), "{inner}");
    }

    #[test]
    fn more_stations_leave_the_first_in_place() {
        for config in [
            Config::Disc(Disc { center: Position::default(), radius: 10.0 }),
            Config::Uniform(Uniform { bounds: Bounds::new([0.0, 50.0], [10.0, 20.0]), height: 1.5 }),
        ] {
            let (few, many) = (config.place(5, 3, "a"), config.place(50, 3, "a"));
            assert_eq!(few, many[..5]);
            assert_ne!(few, config.place(5, 4, "a"));
        }
    }
}
