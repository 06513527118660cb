//! Position and mobility of a station.

use radio::{Position, mobility};

/// The position and mobility of a station.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// Position at the start.
    pub position: Position,
    /// Mobility model.
    pub mobility: mobility::Config,
}

impl Site {
    /// Returns the site of a station that stays at `position`.
    pub const fn fixed(position: Position) -> Self {
        Self { position, mobility: mobility::Config::Constant }
    }
}
