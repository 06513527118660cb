//! Losses of links: the models of `net`, with names of nodes, which only a scenario has.

use net::loss::{Config, Place};
use settings::{OneOrMore, Settings, Shared};

/// Losses of a link: one table, or a list of tables.
pub(crate) type Losses = OneOrMore<Loss>;

/// Loss model on one direction of a link, or on both.
pub(crate) type Loss = Shared<Config, Site>;

/// Direction of a link to which losses apply, and their place on the link.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct Site {
    /// Node toward which packets are lost; each direction has its own count and state.
    #[setting(absent = "both")]
    pub toward: Option<String>,
    /// Place of the losses: before the queue, or on the wire after it.
    #[setting(default = Place::Wire)]
    pub at: Place,
}
