//! Where stations stand at the beginning.

use crate::mobility::Bounds;
use crate::{Invalid, Position};
use base::Rng;
use std::f64::consts::TAU;

/// A rule for places.
#[derive(Clone, PartialEq, Debug)]
pub enum Config {
    /// Rows from the origin eastwards, each next one north of the last.
    Grid {
        /// The first place.
        origin: Position,
        /// Stations in a row, above zero.
        columns: u32,
        /// Distance eastwards and northwards, metres.
        spacing: [f64; 2],
    },
    /// Uniformly over the area of a disc.
    Disc {
        /// Its centre.
        centre: Position,
        /// Its radius, metres.
        radius: f64,
    },
    /// Uniformly over a rectangle.
    Uniform {
        /// The rectangle.
        bounds: Bounds,
        /// Height, metres.
        z: f64,
    },
}

impl Config {
    /// Whether the values make sense.
    pub fn check(&self) -> Result<(), Invalid> {
        match self {
            Self::Grid { columns: 0, .. } => Err(Invalid::new("columns", "a row needs a station")),
            Self::Disc { radius, .. } => Invalid::unless_at_least("radius", *radius, 0.0),
            Self::Uniform { bounds, .. } => bounds.check(),
            Self::Grid { .. } => Ok(()),
        }
    }

    /// The first `count` places; more of them leave the first where they are. Draws from the stream `name`.
    pub fn place(&self, count: usize, seed: u64, name: &str) -> Vec<Position> {
        let mut rng = Rng::stream(seed, name);
        (0..count).map(|k| self.one(k, &mut rng)).collect()
    }

    fn one(&self, index: usize, rng: &mut Rng) -> Position {
        match *self {
            Self::Grid { origin, columns, spacing } => {
                let columns = columns as usize;
                Position::new(
                    origin.x + (index % columns) as f64 * spacing[0],
                    origin.y + (index / columns) as f64 * spacing[1],
                    origin.z,
                )
            }
            Self::Disc { centre, radius } => {
                let angle = TAU * rng.uniform();
                // Area grows with the square of the radius.
                let r = radius * libm::sqrt(rng.uniform());
                Position::new(centre.x + r * libm::cos(angle), centre.y + r * libm::sin(angle), centre.z)
            }
            Self::Uniform { bounds, z } => bounds.draw(rng, z),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_row_by_row() {
        let grid = Config::Grid { origin: Position::new(1.0, 2.0, 3.0), columns: 3, spacing: [10.0, 20.0] };
        let places = grid.place(5, 1, "a");
        assert_eq!(places[2], Position::new(21.0, 2.0, 3.0));
        assert_eq!(places[3], Position::new(1.0, 22.0, 3.0));
    }

    #[test]
    fn a_disc_is_filled_evenly() {
        let centre = Position::new(5.0, 5.0, 0.0);
        let places = Config::Disc { centre, radius: 10.0 }.place(10_000, 1, "a");
        assert!(places.iter().all(|p| p.distance(centre) <= 10.0));
        let inner = places.iter().filter(|p| p.distance(centre) <= 5.0).count();
        assert!((2350..2650).contains(&inner), "{inner}");
    }

    #[test]
    fn more_stations_leave_the_first_in_place() {
        for config in [
            Config::Disc { centre: Position::default(), radius: 10.0 },
            Config::Uniform { bounds: Bounds::new([0.0, 50.0], [10.0, 20.0]), z: 1.5 },
        ] {
            let (few, many) = (config.place(5, 3, "a"), config.place(50, 3, "a"));
            assert_eq!(few, many[..5]);
            assert_ne!(few, config.place(5, 4, "a"));
        }
    }
}
