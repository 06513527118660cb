//! Where a station is.

use radio::{Position, mobility};

/// Where a station is, and how it moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// Where it starts.
    pub position: Position,
    /// How it moves.
    pub mobility: mobility::Config,
}

impl Site {
    /// A station that stays where it is.
    pub const fn fixed(position: Position) -> Self {
        Self { position, mobility: mobility::Config::Constant }
    }
}
