//! Losses: the models of `net`, with the names of nodes that only a scenario has.

use net::loss::{Config, Place};
use settings::{OneOrMore, Settings, Shared};

/// Losses: one table, or a list of tables.
pub(crate) type Losses = OneOrMore<Loss>;

/// A loss model on one direction of a link, or on both.
pub(crate) type Loss = Shared<Config, Site>;

/// The direction and the place on a link where packets are lost.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct Site {
    /// Only in the direction to this node; each direction has its own count and state.
    #[setting(absent = "both")]
    pub toward: Option<String>,
    /// Before the queue or after it.
    #[setting(default = Place::Wire)]
    pub at: Place,
}
